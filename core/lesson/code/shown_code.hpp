#pragma once
// A code sample with its lines: the listing, the excerpts out of the source that this program was
// built from, and which lines a mark lights. The sources are embedded, so that the lines shown are
// the lines that run.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/code/sample.hpp"

namespace kv {

struct SourceLine {
    std::uint32_t number = 0;  // in its file, from 1
    std::string text;          // without the indent that all lines of the excerpt have
    friend bool operator==(const SourceLine&, const SourceLine&) = default;
};
struct ShownExcerpt {
    std::string file;
    std::vector<SourceLine> lines;
};

struct ShownCode {
    // A mark: a line of the listing, and a statement of an excerpt, which may take several lines.
    struct Mark {
        std::string_view name;
        std::size_t idea = 0, excerpt = 0, first = 0, last = 0;
    };
    std::string_view name, title;
    std::vector<std::string> idea;
    std::vector<ShownExcerpt> ours;
    std::vector<Mark> marks;

    const Mark* mark(std::string_view wanted) const;
};

// Title, listing and excerpts, line by line, without file names and numbers.
std::string plain_text(const ShownCode& code);
std::string place_of_excerpt(const ShownExcerpt& excerpt);  // "core/cache/tables.cpp:53"

// Made once for each sample. A sample that does not fit the sources is a bug of ours.
const ShownCode& shown_code(const CodeSample& sample);

// Against any text of a file, for tests: sentences for all that does not fit. `read` gives the text
// of a file, empty for one that is not there.
using SourceReader = std::string_view (*)(std::string_view file);
std::vector<std::string> code_faults(const CodeSample& sample, SourceReader read);
std::string_view embedded_source(std::string_view file);

// The lines of a source that students are shown: without what is planted for tests of the tests.
std::vector<SourceLine> excerpt_of(std::string_view text, const CodeExcerpt& excerpt);

}  // namespace kv
