// Scenes in and out of the run: files, pictures that hold one, and the scene of what is shown.

#include <utility>

#include "app/live/live_run.hpp"
#include "app/live/scene/picture_note.hpp"
#include "app/live/scene/view.hpp"
#include "app/live/scene/view_fields.hpp"

namespace kv {

// The cursor stands where the scene wants it: what the scene looks at, compares and proves follows.
void LiveRun::look_as_scene_says(AppState& state) {
    apply_view(state, main_.session->now(), main_.scene.view);
    const std::string focus = focus_in_view(main_.scene.view);
    if (!focus.empty() && !request_named(main_.session->now(), focus)) focus_.await(focus);
    state.run.charts.run = main_.id;  // what is zoomed in is this run
    if (auto change = change_in_view(main_.scene.view, main_.session->now()))
        comparison_.start(main_, *change);
    if (proved_in_view(main_.scene.view)) looks_.prove(*main_.session);
}

// `step` and `model` take the place of what the scene says. Of the scene's view the proof is left
// out then: it was one of that step and that model.
void LiveRun::open_scene(const std::string& word, std::optional<std::uint32_t> step,
                         const std::optional<std::string>& model) {
    const std::string path = places_.scene_file(word);
    if (looks_like_trace(path)) {
        opener_.cancel();
        return recorded_.open(path, step);
    }
    Opening opening{.scene = read_scene_or_picture(path), .place = path, .folder = {}};
    require_view(opening.scene.view, path);
    if (step) opening.scene.step = step;
    if (model) {
        opening.scene.model = *model;
        opening.scene.sha256.reset();
    }
    opening.goal = {opening.scene.step};
    opening.folder = places_.model_folder(opening.scene.model);
    if (step || model) opening.scene.view = without_proof(opening.scene.view);
    const auto stands = opening.scene.step;
    const ErrorCode wrong = step ? ErrorCode::Usage : ErrorCode::World;
    opening.when_there = [this, stands, wrong](AppState& state) {
        look_as_scene_says(state);
        if (stands) refuse_beyond(main_.session->now(), *stands, wrong);
    };
    opening.keeps_comparison = false;
    if (path == word) opening.scene_file = path;
    if (!step) opening.moment = moment_in_view(opening.scene.view);
    open(std::move(opening));
}

// A picture of the window is more than its scene: the layout, and what was changed by commands.
void LiveRun::open_as_shown(const std::string& word, std::optional<std::uint32_t> step,
                            const std::optional<std::string>& model,
                            std::optional<LayoutName> layout) {
    open_scene(word, step, model);
    Opening* opening = opener_.waiting();
    if (!opening) return;  // a file of events, which has neither
    const auto note = read_picture_note(places_.scene_file(word));
    const std::string drawn_in = note ? note->drawn.layout : opening->scene.layout.value_or("");
    if (!layout) layout = layout_named(drawn_in);
    opening->when_there = [layout,
                           commands = note ? note->drawn.commands : std::vector<std::string>(),
                           when_there = std::move(opening->when_there)](AppState& state) {
        if (layout) state.layout = *layout;
        when_there(state);
        for (const std::string& text : commands) {
            std::string why;
            if (const auto command = parse_command(text, why)) apply_or_explain(state, *command);
        }
    };
}

void LiveRun::apply_scene_view(AppState& state) const {
    if (main_.session) apply_view(state, main_.session->now(), main_.scene.view);
}

std::optional<Scene> LiveRun::scene_as_opened() const {
    if (!main_.session) return std::nullopt;
    Scene scene = main_.scene;
    scene.sha256 = main_.session->model().loaded.sha256;
    return scene;
}

bool LiveRun::looks_at_comparison(const AppState& state) const {
    return !comparison_.is_usual() || state.layout == LayoutName::Compare;
}

bool LiveRun::leaves_comparison_out(const AppState& state) const {
    if (comparison_.side() == nullptr || !looks_at_comparison(state)) return false;
    const auto change = comparison_.repeatable();
    return !change || change->whole;
}

std::string LiveRun::tank_text(const AppState& state) const {
    auto scene = scene_as_shown(state);
    if (!scene) return {};
    scene->layout.reset();
    return scene_text(*scene);
}

// What a person did in the tank of a step is lost with the step's number alone.
LiveRun::LinkOf LiveRun::link_of(const AppState& state) const {
    if (recorded_.run()) return LinkOf::Recording;
    const bool is_as_begun = !main_.session || !step_begun_ || *step_begun_ == tank_text(state);
    if (lessons_.view().lesson && is_as_begun) return LinkOf::Lesson;
    return main_.session ? LinkOf::Scene : LinkOf::Page;
}

std::optional<Scene> LiveRun::scene_as_shown(const AppState& state) const {
    auto scene = scene_as_opened();
    if (!scene) return std::nullopt;
    const Snapshot& now = main_.session->now();
    scene->step = now.iteration;
    // A scene holds no server: who opens it again wants to see its run.
    const LayoutName layout = host_of(state.layout);
    if (layout != LayoutName::Attach) scene->layout = std::string(name_of(layout));
    const auto whole = main_.session->trace().end_of_iteration(now.iteration);
    const bool inside = main_.session->moment() != whole.value_or(main_.session->trace().size());
    scene->view =
        view_text(state, now, looks_at_comparison(state) ? comparison_.repeatable() : std::nullopt,
                  inside ? std::optional(main_.session->moment()) : std::nullopt,
                  view_ && view_->proof.is_done());
    return scene;
}

}  // namespace kv
