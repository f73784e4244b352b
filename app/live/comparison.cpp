#include "app/live/comparison.hpp"

#include <algorithm>
#include <utility>

#include "app/live/scene/full_cache.hpp"
#include "app/live/scene/view_of.hpp"
#include "app/panels/view/facts.hpp"
#include "app/panels/view/history.hpp"
#include "app/panels/view/pair.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/lesson/scene/branch.hpp"
#include "core/trace/event/event.hpp"

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

void Comparison::follow(const RunSession& left) {
    RunSession* other = session();
    if (other == nullptr || !other->settle(0)) return;
    const std::uint32_t iteration = left.now().iteration;
    if (other->now().iteration == iteration && other->moment() > 0) return;
    if (other->try_to_iteration(iteration) == Moved::NeedsMore) other->start_ahead(helpers_.wake);
}

namespace {

struct Difference {
    Moved moved = Moved::NoFurther;  // NeedsMore: nothing before `iteration`, as far as is recorded
    std::uint32_t iteration = UINT32_MAX;
};

// The next token of `run`, from event `from` on, at whose place `other` has no token or, unless
// `only_missing`, another one.
Difference next_difference(const RunSession& run, std::uint64_t& from, const RunSession& other,
                           bool only_missing) {
    Snapshot state = run.trace().at(from);
    for (; from < run.trace().size(); ++from) {
        const Event event = run.trace().event(from);
        apply(state, event);
        const auto* added = std::get_if<TokenAdded>(&event.what);
        if (added == nullptr) continue;
        const RequestView& request = state.requests[event.request->index()];
        const std::size_t index = request.tokens.size() - 1;
        const RequestView* theirs = request_called(other.trace().end(), request.name);
        const bool is_made = theirs != nullptr && theirs->tokens.size() > index;
        if (!is_made && other.may_grow()) return {Moved::NeedsMore, event.iteration};
        if (is_made && (only_missing || theirs->tokens[index] == added->token)) continue;
        return {Moved::Yes, event.iteration};
    }
    if (run.may_grow()) return {Moved::NeedsMore, run.trace().end().iteration};
    return {};
}

}  // namespace

// PairDifference knows the first difference of each request; this goes on to every further one, and
// waits where the other run has not computed the token yet. A token that only the other run has
// lies behind the end of the left run, or of one of its requests.
Moved Comparison::to_difference(RunSession& run, Searched& from) const {
    require_side();
    const RunSession& other = *right_.session;
    if (!from.right)
        from.right =
            other.trace().end_of_iteration(run.now().iteration).value_or(other.trace().size());
    const Difference ours = next_difference(run, from.left, other, false);
    const Difference theirs = next_difference(other, *from.right, run, true);
    const Difference& first = ours.iteration <= theirs.iteration ? ours : theirs;
    if (first.moved == Moved::NeedsMore) return Moved::NeedsMore;
    if (first.moved == Moved::NoFurther) throw Refused("refused.difference"_t);
    if (run.at_end()) throw Refused("refused.difference.ended"_t);
    return run.try_to_iteration(first.iteration);
}

std::uint64_t Comparison::moment_of_difference(const PlayedSide& left,
                                               const RunFocus& focus) const {
    require_side();
    const RunView ours = view_of(*left.session, left.id, focus),
                  theirs = view_of(*right_.session, right_.id, focus);
    const SeqId request = focus.request;
    const std::string name = name_of_request(ours.now, request);
    PairDifference difference;
    difference.follow(ours, theirs, request);
    const TokenParting* parting = difference.parting_of(name);
    if (parting == nullptr) throw Refused("refused.difference.request"_t, {{"name", name}});
    const std::uint64_t last = parting->left ? parting->event + 1 : ours.trace.size();
    const auto listed = ours.trace.find_back(
        last, [request](const Event& event) { return event.request == request && mark_of(event); });
    return (listed ? *listed : parting->event) + 1;
}

}  // namespace kv
