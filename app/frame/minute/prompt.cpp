#include <algorithm>
#include <vector>

#include "app/frame/minute/stops.hpp"
#include "app/panels/stage/plan/word_pieces.hpp"
#include "app/panels/view/facts.hpp"

namespace kv {
namespace {

// "<s>": it stands for no text.
bool is_sign(std::string_view word) {
    return word.size() > 2 && word.front() == '<' && word.back() == '>';
}

}  // namespace

PromptKinds prompt_kinds(const RunView& run, SeqId request) {
    PromptKinds kinds;
    if (!is_known(run.now, request)) return kinds;
    const RequestView& r = run.now.requests[request.index()];
    std::vector<std::string> parts;
    for (std::uint32_t i = 0; i < r.n_prompt; ++i) parts.push_back(run.word(r.tokens[i]));
    kinds.tokens = r.n_prompt;
    if (!parts.empty() && is_sign(parts.front())) kinds.begin = parts.front();
    for (std::string& part : parts)
        if (is_sign(part)) part.clear();
    std::vector<bool> in_word(parts.size(), false);
    for (const WordPieces& word : words_of(parts)) {
        kinds.words += word.n == 1 ? 1 : 0;
        kinds.has_pieces |= word.n > 1;
        std::fill_n(in_word.begin() + word.first, word.n, true);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (in_word[i] || bare_word(parts[i]).empty()) continue;
        if (kinds.marks++ == 0) kinds.mark = bare_word(parts[i]);
    }
    return kinds;
}

}  // namespace kv
