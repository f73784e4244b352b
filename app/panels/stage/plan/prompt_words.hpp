#pragma once
// The words of a request's prompt and the tokens that each was cut into, gathered once for a run of
// one request. Pure.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/panels/stage/plan/plan.hpp"
#include "app/panels/stage/plan/word_pieces.hpp"
#include "app/panels/view/run.hpp"
#include "app/panels/view/sentence.hpp"

namespace kv {

class PromptWords {
public:
    // Takes the words of the run's prompt; there are none where it has several requests, or its
    // tokens stand for no text.
    void follow(const RunView& run);
    std::span<const WordPieces> words() const { return words_; }
    bool has_pieces() const { return has_pieces_; }

private:
    std::optional<std::uint64_t> run_;
    std::uint32_t n_prompt_ = 0;
    std::vector<WordPieces> words_;
    bool has_pieces_ = false;
};

// "Your 12 words are 19 tokens, stored in 2 pages."; empty without words.
List<SentencePiece> words_sentence(const RunView& run, const PromptWords& words, const Texts& text);

// The place of the pieces of one word in one line of chips.
struct PieceSpan {
    std::size_t word = 0;  // of words()
    Rect chips = {};       // from its first chip to its last, as the plan counts
    bool named = false;    // the longest span of its word
};
List<PieceSpan> piece_spans(const StagePlan& plan, const LaneAt& lane, const PromptWords& words);

}  // namespace kv
