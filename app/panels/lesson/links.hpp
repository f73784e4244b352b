#pragma once
// What a word of a lesson leads to.

#include "app/panels/view/focus.hpp"
#include "core/lesson/course/shown_step.hpp"

namespace kv {

// While it is pointed at, what it names is lit everywhere.
void light(const ShownLink& link, RunFocus& focus);

}  // namespace kv
