#pragma once
// The panels that show a run, by their names.

#include "app/frame/state/app_state.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

// False for a panel that shows no run: it is drawn as ever. `other`: beside it, or null.
bool draw_run_panel(const Ui& ui, AppState& state, const RunView& run, const RunView* other,
                    PanelId panel);

// Quiet words in the panel's tab bar; empty for most.
Text run_panel_caption(const Ui& ui, const AppState& state, const RunView& run,
                       const RunView* other, PanelId panel);

}  // namespace kv
