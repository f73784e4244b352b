#include "app/live/lessons/tank_setup.hpp"

#include <algorithm>

#include "app/frame/state/panel_table.hpp"

namespace kv {

void arrange(AppState& state, const TankSetup& setup) {
    if (state.layout != LayoutName::Present)
        if (const auto named = layout_named(setup.layout)) state.layout = *named;
    // Code that was asked for together with the step stays in front of its words.
    const bool with_code =
        std::count(state.bring_to_front.begin(), state.bring_to_front.end(), PanelId::Code) > 0;
    state.bring_to_front = {with_code ? PanelId::Code : PanelId::Lesson};
    for (const std::string& panel : setup.panels)
        if (const PanelRow* info = find_panel(panel)) state.bring_to_front.push_back(info->id);
    if (setup.is_task && setup.asks)
        state.whatif.spread = true, state.bring_to_front = {PanelId::WhatIf};
    state.run.notes.turn_to(setup.page);
}

void look_at_the_living(RunFocus& focus, const Snapshot& now) {
    const std::size_t i = focus.request.index();
    if (i >= now.requests.size() || now.requests[i].state != RequestState::Finished) return;
    if (now.running.empty()) return;
    focus = RunFocus();
    focus.request = now.running.back();
}

WhatIfAsk what_if_ask_of(const std::string& recording, const RecordingAsk& step) {
    WhatIfAsk ask;
    ask.file = recording;
    ask.codec = step.codec, ask.host_bytes = step.host_bytes;
    return ask;
}

RecordingAsk recording_ask_of(const WhatIfAsk& panel) {
    RecordingAsk ask{.codec = panel.codec, .host_bytes = panel.host_bytes};
    ask.other_model = panel.today.has_value() || panel.model != WhatIfModel();
    return ask;
}

}  // namespace kv
