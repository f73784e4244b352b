#pragma once
// The groups of Settings: attention, what is stored, what is forgotten, memory, drafts. Each has a
// picture and its consequence, drawn from the choice that is made or pointed at.

#include "app/panels/settings/setup.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_setting_groups(const Ui& ui, const RunView& run, const RunFocus& focus);

}  // namespace kv
