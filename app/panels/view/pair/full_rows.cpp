#include "app/panels/view/pair/full_rows.hpp"

namespace kv {

const std::vector<float>* full_after(const RunView& left, SeqId request,
                                     const std::vector<std::uint32_t>& seen) {
    const FullText* full = left.in_full;
    if (full == nullptr || !has_one_full_cache(*full)) return nullptr;
    const auto at = row_after(*full, request, seen, seen.size());
    return at ? &full->logits[*at] : nullptr;
}

}  // namespace kv
