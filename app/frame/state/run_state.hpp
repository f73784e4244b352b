#pragma once
// What the window remembers of a run besides the run itself: what is selected, how it plays, and
// what the owner of the run is asked to do. Commands change it; each panel writes the struct of its
// own; and the owner of the run (app/live) writes what the run has become, such as its bounds.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/frame/state/own_work.hpp"
#include "app/frame/state/panel_table.hpp"
#include "app/panels/charts/panels.hpp"
#include "app/panels/code/code.hpp"
#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/figure/figure.hpp"
#include "app/panels/policy/xray.hpp"
#include "app/panels/prefix/prefix.hpp"
#include "app/panels/preparing/preparing.hpp"
#include "app/panels/present/notes/notes.hpp"
#include "app/panels/present/page/page.hpp"
#include "app/panels/price/price.hpp"
#include "app/panels/stage/ui.hpp"
#include "app/panels/timeline/panels.hpp"
#include "app/panels/token/bytes/bytes.hpp"
#include "app/panels/token/channels.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/history.hpp"
#include "app/shell/commands.hpp"

namespace kv {

// The bounds of what can be selected; the owner of the run keeps them up to date.
struct RunBounds {
    std::vector<std::string> requests;  // names, by SeqId
    std::uint32_t n_layers = 1, n_kv_heads = 1, n_heads = 1, head_dim = 1;
    std::uint64_t n_blocks = 0;
};

// What keys and layout need to know of the lesson.
struct LessonKeys {
    bool open = false;
    bool asks = false;           // a prediction can be answered
    bool figure = false;         // its step has one, which Learn shows in place of the tank
    bool asks_settings = false;  // how the server is set is what its figure asks
    bool page = false;           // its step is read alone, over the whole window
    bool recording = false;      // its step stands in a recording of a server
    bool may_reveal = false;     // it was, or nothing was asked; or an exercise has its answer
    bool may_hint = false;       // what is asked has a hint that was not given yet
    bool in_tank = false;        // a task is under way, and seen
    // What is typed in front of an audience: to which prediction, from 1, and so far. 0: no answer
    // is typed, but chosen.
    std::size_t types_to = 0;
    std::string typed = {};
    List<PanelId> panels = {};  // that its step names
    // In front of an audience: whether a step on or back leads to another page.
    bool leaves_on = false, leaves_back = false;
};

struct RunState {
    // Written out in app_state.cpp: left implicit, each file that uses one compiles them again.
    RunState();
    RunState(RunState&&) noexcept;
    RunState& operator=(RunState&&) noexcept;
    ~RunState();

    bool exists = false;                      // false: the panels say that nothing runs
    bool compared = false;                    // another run stands beside it
    bool frozen = false;                      // Present keeps its picture
    bool has_gpu = false;                     // known after the first frame
    std::optional<double> loading;            // how much of a model has been read, 0 to 1
    std::optional<Preparing> preparing;       // stands in place of the picture
    std::optional<Preparing> preparing_side;  // of the other run, in place of its side
    RunBounds bounds;
    RunFocus focus;
    Playback playback;
    RunHistory history;
    EventsUi events;
    PrefixUi prefix;
    XrayUi xray;
    ChannelsUi channels;
    NotesUi notes;
    ChartsUi charts;
    RooflineOf roofline = RooflineOf::Run;
    BytesUi bytes;
    StageUi stage;
    PairUi pair;
    PriceUi price;
    SettingsUi settings;
    LessonKeys lesson;
    OwnWork own_work;        // since it was opened or saved
    bool measuring = false;  // what codecs and policies cost, on a thread of its own
    StageUi present;         // of Present without a lesson
    FigureUi figure;
    CodeUi code;
    PageUi page;                  // and with one
    std::vector<Command> wishes;  // commands in order, which LiveRun::tick() carries out
};

}  // namespace kv
