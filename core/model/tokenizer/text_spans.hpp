#pragma once
// Cutting a text at what a pattern matches: spans that cover it from end to end, and the five ways
// in which PyPI `tokenizers` makes pieces of them.

#include <cstddef>
#include <string_view>
#include <vector>

namespace kv {

struct Span {
    std::size_t begin, end;
    bool match;  // false: what lies between matches
};

enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

// The pieces, in order; their `match` no longer means anything, and some may be empty.
std::vector<Span> pieces_of(std::vector<Span> spans, SplitBehavior behavior);

void invert(std::vector<Span>& spans);

std::vector<Span> literal_spans(std::string_view text, std::string_view literal);  // not empty
std::vector<Span> number_spans(std::string_view text);  // one span per character that is_number

// GPT-2's pattern, which no file carries: contractions ('s 't 're 've 'm 'll 'd), then runs of
// letters, of numbers or of anything else but white space, each with one blank before it if there
// is one, then white space, of which the last character is left to what follows it.
std::vector<Span> gpt2_spans(std::string_view text);

}  // namespace kv
