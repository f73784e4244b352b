#pragma once
// What a word of a lesson leads to.

#include "app/panels/view/focus.hpp"
#include "core/lesson/course/shown_step.hpp"

namespace kv {

// Lights what a link names everywhere, while it is pointed at.
void light(const ShownLink& link, RunFocus& focus);

}  // namespace kv
