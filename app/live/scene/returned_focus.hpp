#pragma once
// What is looked at in a run that comes and goes. A changed scene is played anew, and until its
// cursor is back its requests are not there: what was in focus is kept by name and comes back with
// them. A request that was added comes into focus once it arrives. And whatever is selected is
// something that the run has. Pure.

#include <cstdint>
#include <optional>
#include <string>

#include "app/frame/state/run_state.hpp"
#include "app/live/scene/away_focus.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "core/trace/snapshot.hpp"

namespace kv {

// Where the cursor of an opened run goes.
struct RunGoal {
    std::optional<std::uint32_t> iteration = {};  // none: to the end of the run
};

class ReturnedFocus {
public:
    // Another run begins: its cursor goes there, and nothing of the one before is looked at.
    void begin(RunGoal goal, RunFocus& focus);
    // The run before is played anew as far as that. `now`: where its cursor stood.
    void begin_anew(RunGoal goal, const RunFocus& focus, const Snapshot& now);
    // The goal of a run whose cursor is not there yet.
    const std::optional<RunGoal>& goal() const { return goal_; }
    // The cursor is there, or goes elsewhere; `now`: null where there is no such run any more.
    void arrive(RunFocus& focus, const Snapshot* now);
    // The cursor goes there no more, and what is in focus stays.
    void stop() { goal_.reset(), kept_.reset(); }

    // The request of that name comes into focus once it is there; nobody: none does.
    void await(const std::string& name) { awaited_ = name; }
    void await_nobody() { awaited_.reset(); }
    // True when the awaited one has come.
    bool meet(const Snapshot& now, RunFocus& focus);

    // The bounds of what can be selected in this run, and the selection inside them.
    void keep_inside(const RunView& run, RunBounds& bounds, RunFocus& focus);

private:
    struct Kept {
        std::string request;
        RunFocus focus;
    };
    std::optional<RunGoal> goal_;
    std::optional<Kept> kept_;
    std::optional<std::string> awaited_;
    AwayFocus away_;
};

// What a view of that shape has to select.
void write_bounds(RunBounds& bounds, const Snapshot& now, const KvLayout& layout,
                  std::uint64_t n_heads);
void clamp_to(const RunBounds& bounds, RunFocus& focus);

}  // namespace kv
