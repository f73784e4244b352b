#pragma once
// The lines of a step that are no prose: where it stands, what it shows, what it expects. Internal
// to the lesson reader.

#include <string>
#include <string_view>

#include "core/lesson/course/prose.hpp"

namespace kv {

struct NumberedLine {
    std::uint32_t line;
    std::string_view text;
};

// "key: value" with a key that a step has; nothing for a line of prose.
struct Directive {
    std::string_view key, value;
};
std::optional<Directive> directive_of(std::string_view line);
void take_directive(LessonStep& step, const Directive& directive, std::uint32_t line,
                    const RefuseLine& refuse);

// "start", "end", "12", "event BlockCopied 2", "12 attend 1": an iteration, an event, an operation.
LessonMoment parse_moment(std::string_view text, std::uint32_t line, const RefuseLine& refuse);

// The lines of one "> predict" block, without their "> ".
Prediction parse_prediction(const std::vector<NumberedLine>& lines, const RefuseLine& refuse);

}  // namespace kv
