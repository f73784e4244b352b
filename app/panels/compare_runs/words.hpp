#pragma once
// What a comparison of runs says in words. Pure.

#include <array>
#include <cstddef>

#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/view/sentence.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

// "Same prompt, another model, same seed." and "First different token of A: 91. Left says ..."
List<SentencePiece> summary_sentence(const PairView& pair, const Texts& text);
List<SentencePiece> parting_sentence(const PairView& pair, const Texts& text);

struct SideTitle {
    Text title, caption;
};
SideTitle side_title(const RunView& run, const Texts& text);

// "step 6, before token 85"; with which of several tables is shown.
Text side_caption(const RunView& run, const RunFocus& focus, const Texts& text);
// Which of several tables is shown: "layer 2, KV head 1 shown". Empty where one serves all.
Text table_caption(const RunView& run, const Texts& text);

// The value of a setting as scenes write it; empty where a record of a run does not say it.
std::string_view setting_of(const RunView& run, const std::string& name);

// "GQA" of a model that comes along; of one in a folder the folder's own name.
Text model_word(std::string_view name);

// One word each for headings: "window" and "SnapKV", "GQA" and "MQA"; "left" and "right" where one
// word does not tell them apart, or is longer than so many letters.
std::array<Text, 2> side_words(const PairView& pair, const Texts& text, std::size_t most);

// "cellar here, the full cache says tower": what the one side says where both part, and beside
// whom.
List<SentencePiece> parting_words(const PairView& pair, CompareSide side,
                                  const TokenParting& parting, const Texts& text);

// The same beside the answer itself: "the full cache says tower"; where nothing parts, that both
// say the same. `answer`: its token.
List<SentencePiece> answer_words(const PairView& pair, CompareSide side,
                                 const TokenParting* parting, std::uint32_t answer,
                                 const Texts& text);

// A setting's name as the Settings panel has it; its own name where that has none.
Text setting_title(std::string_view name, const Texts& text);
Text counted_tokens(std::uint64_t n, const Texts& text);
Text counted_blocks(std::uint64_t n, const Texts& text);

}  // namespace kv
