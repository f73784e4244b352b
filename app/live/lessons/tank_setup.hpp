#pragma once
// What the tank, the run with its panels beside a lesson, is to show: LessonDesk makes it of a step
// or of a task, LiveRun::set_up_tank carries it out on the run, arrange() on the window. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/frame/state/app_state.hpp"
#include "app/panels/whatif/weighed.hpp"
#include "core/lesson/recording/ask.hpp"
#include "core/lesson/scene/scene.hpp"
#include "core/trace/snapshot.hpp"

namespace kv {

// Where a run stands: the moment, and the iteration that it lies in.
struct LessonStand {
    std::uint64_t moment = 0;
    std::uint32_t iteration = 0;
    std::optional<double> at_s = {};  // of a recording; none: at its end
};

struct TankSetup {
    bool begins = true;  // all of it is shown; else the cursor moves to `stand` in what is shown
    std::optional<Scene> scene = {}, other = {};  // what plays, and what plays beside it
    std::string place = {};                       // the lesson's file, which refusals name
    std::string recording = {};                   // in place of a scene: a file, or what is made up
    std::optional<RecordingAsk> asks = {};        // of the recording, in the panel What if
    LessonStand stand = {};
    std::string layout = {};
    std::string page = {};                 // "8:walk"
    std::vector<std::string> panels = {};  // to be on top, the most important first
    bool names_view = false;               // the step itself says where it looks
    bool is_task = false;                  // the tank is the reader's own now
};

// Puts the layout of the setup on the window and its panels in front; whoever presents a lesson
// goes on presenting it.
void arrange(AppState& state, const TankSetup& setup);
// A scene is written for one moment, and a step may stand at another one, where the request that
// the scene looks at has gone: then another one that runs is looked at.
void look_at_the_living(RunFocus& focus, const Snapshot& now);

// What a step asks of a recording, as the panel What if asks it, and back.
WhatIfAsk what_if_ask_of(const std::string& recording, const RecordingAsk& step);
RecordingAsk recording_ask_of(const WhatIfAsk& panel);

}  // namespace kv
