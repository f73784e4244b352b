#pragma once
// The panels that steer a run and say what happened in it. Each reads the view of this frame, and
// leaves commands; what it remembers between frames is the small struct it is given.

#include <cstdint>
#include <optional>

#include "app/panels/timeline/rows.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/history.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct EventsUi {
    HiddenMarks hidden{};
    EventRows rows;  // as far as they are followed: once a frame
};

struct TimelinePair;
void draw_transport(const Ui& ui, const RunView& run, RunFocus& focus, const Playback& playback,
                    const RunHistory& history, const TimelinePair* pair = nullptr);
void draw_events(const Ui& ui, const RunView& run, RunFocus& focus, const RunHistory& history,
                 EventsUi& own);
void draw_requests(const Ui& ui, const RunView& run, RunFocus& focus);
// Whether the settings are unfolded that belong to none of the four groups.
struct SettingsUi {
    bool more = false;
};
void draw_run_settings(const Ui& ui, const RunView& run, const RunFocus& focus,
                       const SettingsUi& own, bool has_gpu);
// For a record of a run: its settings as they were, and what a panel says that has nothing to show.
void draw_recorded_settings(const Ui& ui, const RunView& run);
void draw_missing_in_record(const Ui& ui, const RunView& run, TextId title, TextId why);

// "21 of 93 shown", at the right end of the log's tab bar.
Text events_caption(const Ui& ui, const EventsUi& own);
// "prefill 64/120", "waits: 5 blocks needed, 1 free".
Text request_state_words(const Texts& text, const Snapshot& now, SeqId id);
Text requests_caption(const Ui& ui, const RunView& run);

}  // namespace kv
