#include "app/live/lessons/keys.hpp"

#include <string>
#include <variant>

#include "app/frame/state/panel_table.hpp"
#include "app/panels/figure/figure.hpp"

namespace kv {
namespace {

List<PanelId> panels_named(const LessonView& view) {
    List<PanelId> panels;
    for (const std::string& name : view.shown.panels)
        if (const PanelRow* info = find_panel(name); info && view.lesson)
            panels.push_back(info->id);
    return panels;
}

// In front of an audience the answer of an exercise is revealed as well.
bool may_reveal(const LessonView& view, LayoutName layout) {
    const auto exercise = view.exercise_in_front();
    if (layout == LayoutName::Present && exercise) return !view.exercises[*exercise].answered;
    return view.may_reveal();
}

// A task is under way where it is seen, beside the run and not beside its text.
bool is_in_tank(const LessonView& view, LayoutName layout) {
    return view.task && (layout == LayoutName::Explore || layout == LayoutName::Compare);
}

bool may_hint_in_tank(const LessonView& view, LayoutName layout) {
    return is_in_tank(view, layout) && !view.task->hinted;
}

// Two servers stand side by side, and the reader is to find out what one of them was set to.
bool asks_settings(const LessonView& view) {
    if (!view.hides_future() || !has_figure(view)) return false;
    const auto* service = std::get_if<ServiceFacts>(&*view.shown.figure);
    return service != nullptr && service->servers.size() > 1;
}

// The prediction, from 1, whose answer is typed and not chosen.
std::size_t types_to(const LessonView& view) {
    const auto at = view.asks();
    return at && view.predictions[*at].prediction.choices.empty() ? *at + 1 : 0;
}

}  // namespace

LessonKeys lesson_keys(const LessonView& view, LayoutName layout) {
    const bool open = view.lesson.has_value();
    const std::size_t typed = types_to(view);
    return {.open = open,
            .asks = open && !view.revealed && !view.predictions.empty(),
            .figure = has_figure(view),
            .asks_settings = asks_settings(view),
            .page = open && view.is_page(),
            .recording = open && !view.shown.recording.empty(),
            .may_reveal = open && may_reveal(view, layout),
            .may_hint = open && (may_hint_in_tank(view, layout) || view.may_hint()),
            .in_tank = is_in_tank(view, layout),
            .types_to = typed,
            .typed = typed > 0 ? view.predictions[typed - 1].said.value_or("") : std::string(),
            .panels = panels_named(view),
            .leaves_on = open && view.is_at_last_face(),
            .leaves_back = open && view.face == 0};
}

}  // namespace kv
