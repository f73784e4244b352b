#pragma once
// What Settings holds besides its four groups, under "More settings".

#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_more_settings(const Ui& ui, const RunView& run, bool has_gpu);

}  // namespace kv
