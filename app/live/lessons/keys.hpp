#pragma once
// What keys, strips and layouts need to know of the lesson that is open. Pure.

#include "app/frame/state/layout.hpp"
#include "app/frame/state/run_state.hpp"
#include "app/panels/lesson/view.hpp"

namespace kv {

LessonKeys lesson_keys(const LessonView& view, LayoutName layout);

}  // namespace kv
