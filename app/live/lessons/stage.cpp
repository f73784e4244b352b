#include "app/live/lessons/stage.hpp"

#include <algorithm>

#include "app/frame/state/panel_table.hpp"

namespace kv {

void arrange(AppState& state, const LessonStage& stage) {
    if (state.layout != LayoutName::Present)
        if (const auto named = layout_named(stage.layout)) state.layout = *named;
    // Code that was asked for together with the step stays in front of its words.
    const bool with_code =
        std::count(state.bring_to_front.begin(), state.bring_to_front.end(), PanelId::Code) > 0;
    state.bring_to_front = {with_code ? PanelId::Code : PanelId::Lesson};
    for (const std::string& panel : stage.panels)
        if (const PanelRow* info = find_panel(panel)) state.bring_to_front.push_back(info->id);
    if (stage.is_task && stage.asks)
        state.whatif.spread = true, state.bring_to_front = {PanelId::WhatIf};
    state.run.notes.turn_to(stage.page);
}

void look_at_the_living(RunFocus& focus, const Snapshot& now) {
    const std::size_t i = focus.request.index();
    if (i >= now.requests.size() || now.requests[i].state != RequestState::Finished) return;
    if (now.running.empty()) return;
    focus = RunFocus();
    focus.request = now.running.back();
}

WhatIfWish wish_of(const std::string& recording, const RecordingAsk& ask) {
    WhatIfWish wish;
    wish.file = recording;
    wish.codec = ask.codec, wish.host_bytes = ask.host_bytes;
    return wish;
}

RecordingAsk asked_of(const WhatIfWish& wish) {
    RecordingAsk ask{.codec = wish.codec, .host_bytes = wish.host_bytes};
    ask.other_model = wish.today.has_value() || wish.model != WhatIfModel();
    return ask;
}

}  // namespace kv
