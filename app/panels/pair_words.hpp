#pragma once
// What a comparison of runs says in words. Pure.

#include <string>
#include <vector>

#include "app/panels/pair.hpp"
#include "app/panels/sentence.hpp"

namespace kv {

// "Same prompt, another model, same seed." and "First different token of A: 91. Left says ..."
std::vector<SentencePiece> summary_sentence(const PairView& pair, const Texts& text);
std::vector<SentencePiece> parting_sentence(const PairView& pair, const Texts& text);

struct SideTitle {
    std::string title, caption;
};
SideTitle side_title(const RunView& run, const Texts& text);

// Without the blank that many tokens begin with; a token of blanks alone in quotes.
std::string spoken_word(const RunView& run, std::uint32_t token);

// A setting's name as the Settings panel has it; its own name where that has none.
std::string setting_title(const std::string& name, const Texts& text);
std::string counted_tokens(std::uint64_t n, const Texts& text);
std::string counted_blocks(std::uint64_t n, const Texts& text);

}  // namespace kv
