#pragma once
// What a step of a lesson puts on the run (LessonStage), and how the window is arranged for it.
// Pure.

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

// What the run is to show now.
struct LessonStage {
    bool begins = false;  // its scene is opened; else the cursor moves on in the one that is open
    std::optional<Scene> scene, other;
    std::string place;
    std::string recording = {};             // in place of a scene: a file, or what is made up
    std::optional<RecordingAsk> asks = {};  // of the recording, in the panel What if
    LessonStand stand;
    std::string layout;
    std::string page;                 // "8:walk"
    std::vector<std::string> panels;  // to be on top, the most important first
    bool names_view = false;          // the step itself says where it looks
    bool is_task = false;             // the tank is the reader's own now
};

// Puts the layout of the stage on the window and its panels in front; whoever presents a lesson
// goes on presenting it.
void arrange(AppState& state, const LessonStage& stage);
// A scene is written for one moment, and a step may stand at another one, where the request that
// the scene looks at has gone: then another one that runs is looked at.
void look_at_the_living(RunFocus& focus, const Snapshot& now);

// What a step asks of a recording, as the panel What if asks it, and back.
WhatIfAsk what_if_ask_of(const std::string& recording, const RecordingAsk& step);
RecordingAsk recording_ask_of(const WhatIfAsk& panel);

}  // namespace kv
