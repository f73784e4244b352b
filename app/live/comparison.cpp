#include "app/live/comparison.hpp"

#include <algorithm>
#include <utility>

#include "app/live/scene/full_cache.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/lesson/scene/branch.hpp"

namespace kv {

Comparison::Comparison(Helpers helpers) : helpers_(std::move(helpers)), loader_(helpers_.wake) {}

void Comparison::start(const PlayedSide& left, SceneChange change, AskedBy asked) {
    Scene scene = with_change(left.scene, change);
    const std::string folder = helpers_.model_folder(scene.model);
    std::shared_ptr<const LoadedModel> model;
    if (folder == left.folder)
        model = left.session->shared_model();
    else if (right_.session && folder == right_.folder)
        model = right_.session->shared_model();
    end();
    changes_ = {change_shown(left.scene, change, false), change_shown(scene, change, true)};
    change_ = std::move(change), asked_ = asked;
    right_.scene = std::move(scene), right_.place = left.place, right_.folder = folder;
    if (model) return begin(std::move(model));
    awaited_ = true;
    start_loading(loader_, folder,
                  [ours = left.session->layout().pool_bytes(),
                   settings = right_.scene.settings](const ModelConfig& config) {
                      return checked_add(ours, pool_bytes(config, settings)).value_or(UINT64_MAX);
                  });
}

void Comparison::start_again(const PlayedSide& left) {
    std::optional<SceneChange> change = repeatable();
    if (!change) return end();
    try {
        start(left, *std::move(change), asked_);
    } catch (const Error&) {
        end();  // the change is no change of this scene
    }
}

bool Comparison::begin_usual(const PlayedSide& left, const Scene* before) {
    if (offered_for_ == left.id) return false;
    offered_for_ = left.id;
    const bool has_side = side() != nullptr || waits_for_model();
    if (!runs_unasked(*left.session) || (has_side && !is_usual())) return false;
    auto change = usual_change(left.scene, before);
    if (!change) return false;
    const auto shown = repeatable();
    if (has_side && shown && shown->words == change->words) return false;
    start(left, *std::move(change), AskedBy::Layout);
    return true;
}

void Comparison::begin(std::shared_ptr<const LoadedModel> model) {
    keep_known_blocks(right_.scene.settings, model->config());
    right_.session = std::make_unique<RunSession>(std::move(model), right_.scene, right_.place);
    right_.id = helpers_.next_id();
}

void Comparison::take(double seconds) {
    if (!awaited_) return;
    try {
        std::shared_ptr<const LoadedModel> model = loader_.take(seconds);
        if (model == nullptr) {
            if (!loader_.busy()) end();
            return;
        }
        awaited_ = false;
        begin(std::move(model));
    } catch (...) {
        end();
        throw;
    }
}

void Comparison::end() {
    loader_.stop();
    awaited_ = false;
    right_.session.reset();
    change_.reset();
    is_swapped_branch_ = false;
}

void Comparison::swap(PlayedSide& left) {
    require_side();
    // The change leads from the left run to the right one. Once these have changed places it has to
    // lead back: "codec int8" becomes "codec f16". A command in the middle of a run has no way
    // back; then it stays as it is and only goes with its run to the other side.
    std::optional<SceneChange> back = way_back(left.scene, *change_);
    std::swap(left, right_), std::swap(changes_[0], changes_[1]);
    if (back) change_ = std::move(back);
    // start_again() can put a command into the right run only. After one swap it is in the left
    // one, and cannot be repeated; after two it is in the right one again.
    is_swapped_branch_ = change_->from.has_value() && !is_swapped_branch_;
    asked_ = AskedBy::Person;
}

std::optional<SceneChange> Comparison::repeatable() const {
    return is_swapped_branch_ ? std::nullopt : change_;
}

std::optional<Preparing> Comparison::preparing(const RunSession& left) const {
    if (awaited_)
        return Preparing{.what = Preparing::What::Model,
                         .name = right_.scene.model,
                         .done = loader_.busy() ? loader_.progress() : 1};
    const RunSession* other = session();
    const std::uint32_t iteration = left.now().iteration;
    if (other == nullptr || other->now().iteration >= iteration) return std::nullopt;
    if (!other->busy() && !other->can_run_ahead()) return std::nullopt;  // it has ended before
    return Preparing{.what = Preparing::What::Run,
                     .name = right_.scene.name,
                     .step = other->trace().end().iteration,
                     .last = iteration};
}

void Comparison::require_side() const {
    if (!right_.session) throw Refused("refused.one_run"_t);
}

bool Comparison::advance(double seconds) {
    RunSession* other = session();
    if (other == nullptr || !other->settle(std::max(0.0, seconds))) return false;
    if (!other->can_run_ahead()) return false;
    other->start_ahead(helpers_.wake);
    return true;
}

// By iteration and not by event: the two runs have different events, so that the same number of
// them is another moment in each.
void Comparison::follow(const RunSession& left) {
    RunSession* other = session();
    // settle(0) takes over what its thread has ready, without waiting for what it still computes.
    if (other == nullptr || !other->settle(0)) return;
    const std::uint32_t iteration = left.now().iteration;
    // A run that has just begun is at iteration 0 too, but at moment 0, before all its events: it
    // has yet to be moved to the end of that iteration.
    if (other->now().iteration == iteration && other->moment() > 0) return;
    if (other->try_to_iteration(iteration) == Moved::NeedsMore) other->start_ahead(helpers_.wake);
}

}  // namespace kv
