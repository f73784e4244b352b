// The page of the first start on the run: its small picture, the sentence that was typed into it,
// and what is said while a run is being prepared.

#include <utility>

#include "app/live/live_run.hpp"
#include "app/live/start/own_sentence.hpp"

namespace kv {
namespace {

// The bytes of the last word that the model knows stand beside its sentence.
void look_at_sentence(AppState& state, const RunSession& session) {
    RunFocus& focus = state.run.focus;
    focus = RunFocus();
    focus.token = first_look(session);
    state.run.stage = {};
    state.bring_to_front = {PanelId::Inspector};
}

}  // namespace

StartPlaces LiveRun::start_places() {
    return {
        .scene_file = places_.scene_file,
        .model_folder = places_.model_folder,
        .next_id = [this] { return ++n_sessions_; },
        .at_hand =
            [this](const std::string& folder) {
                return main_.session && main_.folder == folder
                           ? main_.session->shared_model()
                           : std::shared_ptr<const LoadedModel>();
            },
        .is_coming =
            [this](const std::string& folder) { return opening_ && opening_->folder == folder; },
        .wake = wake_};
}

void LiveRun::follow_start(AppState& state, double now, double seconds) {
    if (!state.start.open) {
        if (start_.is_open()) start_.close();
        return;
    }
    lessons_.open_shelf();  // the second door says how many there are
    start_.follow(state.start, state.settings.reduced_motion, now, seconds);
}

void LiveRun::open_sentence(const std::string& sentence) {
    Opening opening{scene_of_sentence(sentence), "the sentence", {}, {}, {}, false};
    opening.goal = {opening.scene.step};
    opening.folder = places_.model_folder(opening.scene.model);
    opening.is_sentence = true;
    opening.check = [sentence](const LoadedModel& model) { require_readable(sentence, model); };
    opening.then = [this](AppState& state) {
        history_.clear();
        state.run.charts.run = main_.id;
        look_at_sentence(state, *main_.session);
    };
    open(std::move(opening));
}

// What is wrong with a sentence is said at its field.
void LiveRun::refuse(AppState& state, const Error& failed, bool sentence) {
    playhead_.stop();
    state.run.playback.playing = false;
    if (sentence && state.start.open)
        state.start.problem = said_of(failed);
    else if (sentence && state.minute.open)
        state.minute.problem = said_of(failed);
    else
        state.notice = Notice{.said = said_of(failed), .refused = true};
}

// Until the cursor stands where an opened scene is looked at.
std::optional<Preparing> LiveRun::preparing() const {
    using What = Preparing::What;
    if (auto events = recorded_.preparing(); events && !run()) return events;
    if (opening_ && !run())
        return Preparing{.what = What::Model,
                         .name = opening_->scene.model,
                         .done = loader_.busy() ? loader_.progress() : 1};
    if (!goes_to_ || !main_.session || !playhead_.has_goal()) return std::nullopt;
    return Preparing{.what = What::Run,
                     .name = main_.scene.name,
                     .step = main_.session->trace().end().iteration,
                     .last = goes_to_->iteration};
}

}  // namespace kv
