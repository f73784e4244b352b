#include "app/panels/stage/plan/prompt_words.hpp"

#include <algorithm>
#include <string>

#include "app/panels/view/facts.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr SeqId kOnly{0};
constexpr std::uint32_t kLongest = 4096;  // tokens; nobody counts the words of a longer prompt

// The chips of one line that follow each other, or nothing where the line does not show them.
std::optional<Rect> chip_of_token(const StagePlan& plan, const LaneAt& lane,
                                  std::uint32_t position) {
    const auto entry = entry_of(lane, {kOnly, position});
    const auto offset = slot_offset_of(lane, {kOnly, position});
    if (!entry || !offset) return std::nullopt;
    for (const StageRow& row : plan.rows)
        if (row.left_out == 0 && row.entry == *entry) return plan.chip(row, *offset);
    return std::nullopt;
}

}  // namespace

void PromptWords::follow(const RunView& run) {
    // Asked of all that is recorded, so that the line does not go when others arrive.
    const bool one =
        run.bytes && run.now.requests.size() == 1 && run.trace.end().requests.size() == 1;
    const std::uint32_t n_prompt = one ? run.now.requests[0].n_prompt : 0;
    if (run_ == run.id && n_prompt_ == n_prompt) return;
    run_ = run.id, n_prompt_ = n_prompt;
    words_.clear(), has_pieces_ = false;
    if (n_prompt > kLongest) return;
    std::vector<std::string> bytes;
    for (std::uint32_t i = 0; i < n_prompt; ++i)
        bytes.push_back(run.bytes(run.now.requests[0].tokens[i]));
    words_ = words_of(bytes);
    has_pieces_ = std::any_of(words_.begin(), words_.end(),
                              [](const WordPieces& word) { return word.n > 1; });
}

List<SentencePiece> words_sentence(const RunView& run, const PromptWords& words,
                                   const Texts& text) {
    if (words.words().empty()) return {};
    const RequestView& r = run.now.requests[0];
    const LaneAt lane = run.lane();
    const std::uint32_t held = held_in(lane, kOnly);
    const bool own = run.scene == kOwnScene;
    const auto say = [&](TextId sentence) {
        return pieces(text[sentence], {{"words", with_commas(words.words().size())},
                                       {"tokens", with_commas(r.n_prompt)},
                                       {"held", with_commas(held)},
                                       {"new", with_commas(r.tokens.size() - r.n_prompt)},
                                       {"pages", with_commas(blocks_held(lane, kOnly))}});
    };
    if (!keeps_cache(run)) {
        const std::uint64_t computed = positions_computed(run), last = r.tokens.empty() ? 0 : 1;
        return pieces(text["stage.words.off"_t],
                      {{"computed", with_commas(computed)},
                       {"once", with_commas(computed == 0 ? 0 : r.tokens.size() - last)}});
    }
    if (r.state == RequestState::Finished && !r.tokens.empty())
        return say(own ? "stage.own.ended"_t : "stage.words.ended"_t);
    if (held == 0) return say(own ? "stage.own.none"_t : "stage.words.none"_t);
    if (r.tokens.size() > r.n_prompt && held != r.n_prompt)
        return say(own ? "stage.own.new"_t : "stage.words.new"_t);
    if (held == r.n_prompt) return say(own ? "stage.own.all"_t : "stage.words.all"_t);
    return say(own ? "stage.own.some"_t : "stage.words.some"_t);
}

List<PieceSpan> piece_spans(const StagePlan& plan, const LaneAt& lane, const PromptWords& words) {
    List<PieceSpan> spans;
    for (std::size_t w = 0; w < words.words().size(); ++w) {
        const WordPieces& word = words.words()[w];
        if (word.n < 2) continue;
        const std::size_t first = spans.size();
        for (std::uint32_t i = 0; i < word.n; ++i) {
            const auto chip = chip_of_token(plan, lane, word.first + i);
            if (!chip) continue;
            if (spans.size() > first && spans.back().chips.y == chip->y)
                spans.back().chips.w = chip->right() - spans.back().chips.x;
            else
                spans.push_back({w, *chip});
        }
        if (spans.size() == first) continue;
        std::max_element(
            spans.begin() + static_cast<std::ptrdiff_t>(first), spans.end(),
            [](const PieceSpan& a, const PieceSpan& b) { return a.chips.w < b.chips.w; })
            ->named = true;
    }
    return spans;
}

}  // namespace kv
