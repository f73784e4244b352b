#pragma once
// Prefixes as rows: those that were hit most.

#include "app/panels/attach/ui.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_hottest(const Ui& ui, const AttachUi& own, float height);

}  // namespace kv
