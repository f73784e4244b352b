#pragma once
// Prose of a lesson: paragraphs, bullets, rows of tables and code; references in braces and links.
// A typed quantity is refused here, because a number in prose is a number that nobody checks.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/course/lesson.hpp"

namespace kv {

// Throws with the line at which something is wrong: `refuse(line, rule, advice)` does not return.
using RefuseLine =
    std::function<void(std::uint32_t line, const std::string& rule, const std::string& advice)>;

Prose parse_prose(const std::vector<std::string>& lines, std::uint32_t first_line,
                  const RefuseLine& refuse);
LessonExpression parse_lesson_expression(std::string_view text, std::uint32_t line,
                                         const RefuseLine& refuse);

// The first thing in these words that looks like a typed quantity: a number that is no part of a
// name such as INT8 or H2O. Empty when there is none.
std::string typed_quantity(std::string_view words);

}  // namespace kv
