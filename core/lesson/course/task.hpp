#pragma once
// The lines of a "> do" or "> challenge" block. Internal to the lesson reader.

#include <vector>

#include "core/lesson/course/step_lines.hpp"

namespace kv {

bool begins_task(std::string_view line);

// The lines of one block, without their "> "; over a recording, where its step stands in one.
LessonTask parse_task(const std::vector<NumberedLine>& lines, bool over_recording,
                      const RefuseLine& refuse);

}  // namespace kv
