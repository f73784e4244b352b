#include "core/engine/draft/ngram.hpp"

#include <algorithm>

namespace kv {

std::optional<NgramDraft> look_back(std::span<const std::uint32_t> tokens, std::uint32_t n,
                                    std::uint32_t k) {
    if (n == 0 || k == 0 || tokens.size() <= n) return std::nullopt;
    const auto last = tokens.last(n);
    for (std::size_t at = tokens.size() - n; at-- > 0;) {
        if (!std::equal(last.begin(), last.end(), tokens.subspan(at).begin())) continue;
        const std::size_t from = at + n;
        NgramDraft draft{static_cast<std::uint32_t>(from), {}};
        for (std::size_t i = from; draft.tokens.size() < k; ++i)
            draft.tokens.push_back(i < tokens.size() ? tokens[i] : draft.tokens[i - tokens.size()]);
        return draft;
    }
    return std::nullopt;
}

}  // namespace kv
