// Files of events: a run that was recorded here or by another server, shown without an engine.

#include <filesystem>
#include <utility>
#include <variant>

#include "app/live/live_run.hpp"
#include "app/live/loading/seconds_now.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

// What a server's file named that could not be placed; nothing when all of it is shown.
Said left_out(const RecordedBlocks& blocks) {
    const std::string removed = with_commas(blocks.removed_unknown),
                      below = with_commas(blocks.below_unseen);
    if (blocks.removed_unknown > 0 && blocks.below_unseen > 0)
        return Said("trace.removed_and_below"_t, {{"removed", removed}, {"below", below}});
    if (blocks.removed_unknown > 0) return Said("trace.removed_unknown"_t, {{"n", removed}});
    if (blocks.below_unseen > 0) return Said("trace.below_unseen"_t, {{"n", below}});
    return {};
}

// At the end of most records everything has been given back; what is shown first is the last step
// that left something running.
void to_last_work(RecordedRun& run) {
    if (!run.now().running.empty()) return;
    const auto is_end = [](const Event& event) {
        return std::holds_alternative<RequestFinished>(event.what);
    };
    const auto last = run.trace().find_back(run.moment(), is_end);
    if (!last) return;
    const std::uint32_t iteration = run.trace().event(*last).iteration;
    if (iteration > 0) run.try_to_iteration(iteration - 1);
}

}  // namespace

void LiveRun::open_trace(const std::string& path, std::optional<std::uint32_t> step) {
    loader_.stop();
    opening_.reset();
    trace_path_ = path, trace_step_ = step;
    loading_since_ = seconds_now();
    start_loading(trace_loader_, path, ++n_sessions_);
}

void LiveRun::take_trace(AppState& state, double seconds) {
    if (!trace_loader_.busy()) return;
    const std::unique_ptr<OpenedRecord> opened = trace_loader_.take(seconds);
    if (!opened) return;
    if (opened->run->trace().size() == 0)
        throw Refused("refused.trace.empty"_t, {{"file", shown(trace_path_)}}, ErrorCode::World);
    comparison_.end();
    view_.reset(), other_view_.reset();
    main_.session.reset(), look_.forget();
    recorded_ = std::move(opened->run);
    main_.id = opened->id;
    state.run.history = std::move(opened->history);
    main_.scene = {}, place_.clear(), main_.folder.clear();
    undo_.clear(), redo_.clear();
    proof_.forget(), playhead_.stop(), awaited_.reset();
    if (trace_step_)
        recorded_->try_to_iteration(*trace_step_);
    else
        to_last_work(*recorded_);
    state.run.playback.playing = false;
    state.run.charts.run = main_.id;
    state.run.focus = {};
    if (const auto& running = recorded_->now().running; !running.empty())
        state.run.focus.request = running.front();
    const std::string path = std::filesystem::absolute(trace_path_).lexically_normal().string();
    remember(state.settings.recent_scenes, path);
    if (recorded_->recorded())
        if (Said words = left_out(*recorded_->recorded()); !words.empty())
            state.notice = Notice{.said = std::move(words)};
    if (trace_step_) refuse_beyond(recorded_->now(), *trace_step_);
}

void LiveRun::require_engine() const {
    if (main_.session) return;
    throw Refused("refused.trace.no_engine"_t, {{"file", shown(recorded_->name())}});
}

}  // namespace kv
