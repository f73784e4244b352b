#pragma once
// A code sample: a short listing of an idea, as a reader of the paper would write it, and the lines
// of this program that do it. A lesson's step names one in a line, "code: translate". A mark joins
// the two: a line of the listing and the statement of ours that does the same, each found by words
// that only it holds. No line number is typed and no marker stands in the source.

#include <cstdint>
#include <span>
#include <string_view>

namespace kv {

// Lines of a file of this program: from the first that holds `from`, with the comment above it, to
// the first behind it that holds `upto`; without `upto` to the end of the function.
struct CodeExcerpt {
    std::string_view file, from, upto = {};
};

struct CodeMark {
    std::string_view name;
    std::string_view idea;  // words of one line of the listing
    std::string_view ours;  // words of one line of the excerpts
};

struct CodeSample {
    std::string_view name, title;
    std::string_view idea;  // lines, in a Python that needs no library
    std::span<const CodeExcerpt> ours;
    std::span<const CodeMark> marks;
};

// In the order of the lessons that use them.
std::span<const CodeSample* const> code_samples();
const CodeSample* find_code(std::string_view name);

}  // namespace kv
