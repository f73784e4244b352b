#include "app/frame/frozen_run.hpp"

namespace kv {
namespace {

RunView seen_at(const RunView& run, const Snapshot& now, std::uint64_t moment, LaneId lane) {
    return {.id = run.id,
            .trace = run.trace,
            .now = now,
            .moment = moment,
            .at_end = run.at_end,
            .busy = run.busy,
            .scene = run.scene,
            .model = run.model,
            .model_name = run.model_name,
            .stored_kv_heads = run.stored_kv_heads,
            .backend = run.backend,
            .layout = run.layout,
            .k_codec = run.k_codec,
            .v_codec = run.v_codec,
            .shared_scales = run.shared_scales,
            .settings = run.settings,
            .can_undo = run.can_undo,
            .can_redo = run.can_redo,
            .samples = run.samples,
            .payloads = run.payloads,
            .attention = nullptr,
            .proof = {},
            .roofs = run.roofs,
            .word = run.word,
            .judged = run.judged,
            .recorded_all = run.recorded_all,
            .change = run.change,
            .lanes = run.lanes,
            .lane_in_focus = lane,
            .has_engine = run.has_engine,
            .bytes = run.bytes};
}

}  // namespace

const RunView& FrozenRun::shown(const RunView& run, bool frozen) {
    view_.reset();
    if (!frozen || (kept_ && kept_->id != run.id)) kept_.reset();
    if (!frozen) return run;
    if (!kept_) kept_ = Kept{run.id, run.moment, run.now, run.lane_in_focus};
    return view_.emplace(seen_at(run, kept_->now, kept_->moment, kept_->lane));
}

}  // namespace kv
