#pragma once
// Where the lines of a code sample stand, and which of them are lit. Letters are of one width, so
// the plan counts columns and rows; who paints multiplies. Pure: no imgui.h.

#include <cstdint>
#include <string_view>

#include "app/panels/code/beats.hpp"
#include "core/base/reused.hpp"

namespace kv {

enum class CodeLit : std::uint8_t {
    No,
    Ran,  // at this key, before the line that runs now
    Now
};

struct CodeRow {
    enum class Kind : std::uint8_t {
        Line,
        Goes,     // the rest of a line that is too long
        Made,     // what the line above it has made, where it does not fit beside it
        FileName  // and line
    };
    Kind kind = Kind::Line;
    std::string_view text;
    std::string_view value = {};  // at the right end of a line
    std::uint32_t number = 0;     // of a source's line; 0: none is written
    std::uint32_t column = 0;     // where its text begins
    CodeLit lit = CodeLit::No;
    bool in_comment = false;  // what goes on is a comment
};

struct CodePlan {
    List<CodeRow> idea, ours;
    std::optional<std::size_t> idea_now, ours_now;  // the row that runs
};

struct CodeRoom {
    std::uint32_t idea_columns = 60, ours_columns = 60;
};
// `at`: the beat that runs now; none before the first.
CodePlan plan_code(const ShownCode& code, const std::vector<CodeBeat>& beats,
                   std::optional<std::size_t> at, const CodeRoom& room);

// A line in two or three tones.
enum class CodeTone : std::uint8_t { Plain, Word, Comment };
struct CodeSpan {
    std::string_view text;
    CodeTone tone = CodeTone::Plain;
};
List<CodeSpan> code_spans(std::string_view line, bool in_comment = false);

}  // namespace kv
