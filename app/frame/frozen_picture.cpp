#include "app/frame/frozen_picture.hpp"

namespace kv {

FrozenPicture::KeptRun::KeptRun(const RunView& run)
    : now(run.now),
      samples(run.samples.begin(), run.samples.end()),
      change(run.change != nullptr ? std::optional(*run.change) : std::nullopt) {
    view.emplace(RunView{.id = run.id,
                         .trace = run.trace,
                         .now = now,
                         .moment = run.moment,
                         .at_end = run.at_end,
                         .busy = false,
                         .scene = run.scene,
                         .model = run.model,
                         .model_name = run.model_name,
                         .stored_kv_heads = run.stored_kv_heads,
                         .backend = run.backend,
                         .layout = run.layout,
                         .k_codec = run.k_codec,
                         .v_codec = run.v_codec,
                         .shared_scales = {},
                         .settings = run.settings,
                         .can_undo = false,
                         .can_redo = false,
                         .samples = samples,
                         .payloads = run.payloads,
                         .attention = nullptr,
                         .proof = {},
                         .roofs = run.roofs,
                         .word = run.word,
                         .judged = nullptr,
                         .recorded_all = run.recorded_all,
                         .change = change ? &*change : nullptr,
                         .lanes = run.lanes,
                         .lane_in_focus = run.lane_in_focus,
                         .has_engine = run.has_engine,
                         .bytes = run.bytes,
                         .owner = run.owner});
}

PresentedRun FrozenPicture::shown(const PresentedRun& live, bool frozen) {
    if (!frozen) kept_.reset();
    if (!frozen) return live;
    if (!kept_) {
        kept_.emplace();
        if (live.run != nullptr) kept_->run = std::make_unique<KeptRun>(*live.run);
        if (live.other != nullptr) kept_->other = std::make_unique<KeptRun>(*live.other);
        if (live.lesson != nullptr) kept_->lesson = *live.lesson;
        kept_->focus = *live.focus;
    }
    const auto view = [](const std::unique_ptr<KeptRun>& kept) {
        return kept ? &*kept->view : nullptr;
    };
    return {view(kept_->run), view(kept_->other), kept_->lesson ? &*kept_->lesson : nullptr,
            &kept_->focus};
}

}  // namespace kv
