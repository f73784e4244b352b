// The second side of a comparison: the same scene with one change, played beside the first one and
// kept at its step.

#include <algorithm>
#include <array>
#include <utility>

#include "app/live/live_run.hpp"
#include "app/live/scene/view.hpp"
#include "app/live/scene/view_of.hpp"
#include "app/panels/view/facts.hpp"
#include "app/panels/view/pair.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/checked.hpp"

namespace kv {
namespace {

// The tokens of the request of that name, as far as they are recorded.
const SharedArray<std::uint32_t>* tokens_of(const Trace& trace, const std::string& name) {
    const auto& requests = trace.end().requests;
    for (std::size_t i = 0; i < requests.size(); ++i)
        if (requests[i].name == name) return &requests[i].tokens;
    return nullptr;
}

}  // namespace

void LiveRun::compare(AppState& state, SceneChange change) {
    start_other(std::move(change));
    state.layout = LayoutName::Compare;
}

void LiveRun::start_other(SceneChange change) {
    Scene scene = with_change(scene_, change);
    const std::string folder = places_.model_folder(scene.model);
    std::shared_ptr<const LoadedModel> model;
    if (folder == folder_)
        model = session_->shared_model();
    else if (other_ && folder == other_folder_)
        model = other_->shared_model();
    end_comparison();
    change_ = std::move(change);
    other_scene_ = std::move(scene), other_folder_ = folder;
    if (model) return begin_other(std::move(model));
    other_awaited_ = true;
    start_loading(other_loader_, folder,
                  [ours = session_->layout().pool_bytes(),
                   settings = other_scene_.settings](const ModelConfig& config) {
                      return checked_add(ours, pool_bytes(config, settings)).value_or(UINT64_MAX);
                  });
}

void LiveRun::begin_other(std::shared_ptr<const LoadedModel> model) {
    other_ = std::make_unique<RunSession>(std::move(model), other_scene_, place_);
    other_id_ = ++n_sessions_;
    changes_ = {change_shown(scene_, *change_, false), change_shown(other_scene_, *change_, true)};
}

void LiveRun::take_other(double seconds) {
    if (!other_awaited_) return;
    std::shared_ptr<const LoadedModel> model;
    try {
        model = other_loader_.take(seconds);
        if (model == nullptr) {
            if (!other_loader_.busy()) end_comparison();
            return;
        }
        other_awaited_ = false;
        begin_other(std::move(model));
    } catch (...) {
        end_comparison();
        throw;
    }
}

void LiveRun::end_comparison() {
    other_loader_.stop();
    other_awaited_ = false;
    other_view_.reset();
    other_.reset();
    change_.reset();
    is_swapped_branch_ = false;
}

// What was right is the run now, and what was left is compared with it.
void LiveRun::swap_sides() {
    require_other();
    std::optional<SceneChange> back = way_back(scene_, *change_);
    std::swap(session_, other_), std::swap(scene_, other_scene_), std::swap(folder_, other_folder_);
    std::swap(id_, other_id_), std::swap(changes_[0], changes_[1]);
    // A command cannot be taken back by a command; then only its place changes.
    if (back) change_ = std::move(back);
    is_swapped_branch_ = change_->from.has_value() && !is_swapped_branch_;
    goal_ = {}, then_ = {};
    undo_.clear(), redo_.clear();
    looks_.reset();
    proof_ = {};
}

void LiveRun::require_other() const {
    if (!other_)
        throw Error(ErrorCode::Usage,
                    "There is only one run; compare it first, with run.compare model mqa or "
                    "run.branch set share off.");
}

// The second side computes while the first one does not; false when it is still computing.
bool LiveRun::advance_other(double seconds) {
    if (!other_ || !other_->settle(std::max(0.0, seconds))) return false;
    if (!other_->can_run_ahead()) return false;
    other_->start_ahead(wake_);
    return true;
}

// Both sides stand at the same iteration.
void LiveRun::follow_other() {
    if (!other_ || !other_->settle(0)) return;
    const std::uint32_t iteration = session_->now().iteration;
    if (other_->now().iteration == iteration && other_->moment() > 0) return;
    if (other_->try_to_iteration(iteration) == Moved::NeedsMore) other_->start_ahead(wake_);
}

// To the end of the next step in which a request got another token than on the other side. `from`
// moves on behind what has been compared.
Moved LiveRun::to_difference(RunCursor& run, std::uint64_t& from) {
    require_other();
    Snapshot state = run.trace().at(from);
    for (; from < run.trace().size(); ++from) {
        const Event event = run.trace().event(from);
        apply(state, event);
        const auto* added = std::get_if<TokenAdded>(&event.what);
        if (added == nullptr) continue;
        const RequestView& request = state.requests[event.request->index()];
        const std::size_t index = request.tokens.size() - 1;
        const auto* theirs = tokens_of(other_->trace(), request.name);
        const bool is_made = theirs != nullptr && theirs->size() > index;
        if (!is_made && (other_->busy() || other_->can_run_ahead())) return Moved::NeedsMore;
        if (is_made && (*theirs)[index] == added->token) continue;
        ++from;
        return run.try_to_iteration(event.iteration);
    }
    if (run.may_grow()) return Moved::NeedsMore;
    throw Error(ErrorCode::Usage, "After this step both sides say the same to the end.");
}

// The token that parts the sides is drawn in no block, so the log does not list it: what it lists
// last about that request leads to it.
void LiveRun::to_difference_event(AppState& state) {
    require_other();
    std::array<LaneLens, 2> lenses;
    const RunFocus& focus = state.run.focus;
    const RunView left = view_of(*session_, id_, lenses[0], focus),
                  right = view_of(*other_, other_id_, lenses[1], focus);
    const SeqId request = focus.request;
    const std::string name = name_of_request(left.now, request);
    RunPair pair;
    pair.follow(left, right, request);
    const TokenParting* parting = pair.parting_of(name);
    if (parting == nullptr)
        throw Error(ErrorCode::Usage, name +
                                          " says the same on both sides as far as is recorded; "
                                          "press N for the next difference of any request.");
    const std::uint64_t last = parting->left ? parting->event + 1 : left.trace.size();
    const auto listed = left.trace.find_back(
        last, [request](const Event& event) { return event.request == request && mark_of(event); });
    const std::uint64_t moment = (listed ? *listed : parting->event) + 1;
    goal_ = [moment](RunCursor& run) { return run.to_moment(moment), Moved::Yes; };
    then_ = {};
    apply(state, {"layout.explore", {}});
    apply(state, {"panel.show", std::string("events")});
}

}  // namespace kv
