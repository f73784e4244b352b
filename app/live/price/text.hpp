#pragma once
// The texts that quality is measured on, as tokens: the fixed one that ships with the program
// (assets/texts/needles.txt), and what a request was given and said. Pure.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/measure/quality.hpp"
#include "core/model/tokenizer/tokenizer.hpp"

namespace kv {

// A text, and which of its told tokens answer a question.
struct PricePassage {
    QualityText text;
    std::vector<std::uint32_t> needles;  // indices of told tokens
};

// Two lines for each passage, with lines that are empty or begin with # between them: the prompt,
// and what is told, answers in brackets. Throws kv::Error for what does not look so.
std::vector<PricePassage> read_passages(std::string_view file, const Tokenizer& words);

// The one that is built into the program.
std::string_view fixed_text();

}  // namespace kv
