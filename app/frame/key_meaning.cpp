#include "app/frame/key_meaning.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "app/frame/dock/dock.hpp"

namespace kv {
namespace {

enum class Where : std::uint8_t {
    LessonByPageKey,  // a lesson is read, and Page Up or Page Down was pressed
    Comparing,        // two runs stand side by side
    InTank,           // a task is done in the tank
    EditingRun,       // a run, and no bill in sight
    Server,           // a watched server is shown
    Race,             // in front; the run stands still then
    Code,             // is shown, and read line by line
    Figure,           // of a lesson's step
    LessonOnStage,    // a lesson is told to an audience
    OnStage           // a run is, with or without a lesson
};

// What takes the keys that step and play.
std::optional<Where> in_front(const AppState& state) {
    if (state.docks() == LayoutName::Attach) return Where::Server;
    if (race_in_view(state)) return Where::Race;
    if (state.docks() == LayoutName::Figure) return Where::Figure;
    if (state.layout == LayoutName::Present) return Where::OnStage;
    return std::nullopt;
}

bool is_here(const AppState& state, Where where, bool by_second_key) {
    switch (where) {
        case Where::LessonByPageKey:
            return by_second_key && state.layout == LayoutName::Learn && state.run.lesson.open;
        case Where::Comparing:
            return state.layout == LayoutName::Compare && state.run.compared;
        case Where::InTank:
            return state.run.lesson.in_tank;
        case Where::EditingRun:
            return state.run.exists &&
                   !panel_in_view(state.docks(), PanelId::Calculator).has_value();
        case Where::Code: {
            const auto front = in_front(state);
            return state.run.code.is_drawn && front != Where::Server && front != Where::Race;
        }
        case Where::LessonOnStage:
            return in_front(state) == Where::OnStage && state.run.lesson.open;
        default:
            return in_front(state) == where;
    }
}

struct KeyMeaning {
    Where where;
    CommandId key, command;  // whose key it is, and what is meant by it
};
// The first that is true holds. N goes to what matters next: a difference where two runs stand side
// by side, else an event. Space goes on by one step in front of an audience, and the third button
// of a clicker types B, to take the picture away from it.
constexpr auto kMeanings = std::to_array<KeyMeaning>({
    {Where::LessonByPageKey, "run.forward", "lesson.next"},
    {Where::LessonByPageKey, "run.back", "lesson.previous"},
    {Where::Comparing, "run.next_event", "run.next_difference"},
    {Where::InTank, "lesson.hint", "task.hint"},
    {Where::EditingRun, "bill.undo", "run.undo_set"},
    {Where::EditingRun, "bill.redo", "run.redo_set"},
    {Where::Server, "run.play", "attach.pause"},
    {Where::Server, "run.forward", "attach.forward"},
    {Where::Server, "run.back", "attach.back"},
    {Where::Server, "run.finer_forward", "attach.forward"},
    {Where::Server, "run.finer_back", "attach.back"},
    {Where::Server, "run.first", "attach.first"},
    {Where::Server, "run.last", "attach.live"},
    {Where::Race, "run.play", "race.play"},
    {Where::Race, "run.forward", "race.forward"},
    {Where::Race, "run.back", "race.back"},
    {Where::Race, "run.finer_forward", "race.finer_forward"},
    {Where::Race, "run.finer_back", "race.finer_back"},
    {Where::Race, "run.first", "race.first"},
    {Where::Race, "run.last", "race.last"},
    {Where::Code, "run.finer_forward", "code.forward"},
    {Where::Code, "run.finer_back", "code.back"},
    {Where::Figure, "run.play", "figure.play"},
    {Where::Figure, "run.forward", "figure.forward"},
    {Where::Figure, "run.back", "figure.back"},
    {Where::Figure, "run.finer_forward", "figure.forward"},
    {Where::Figure, "run.finer_back", "figure.back"},
    {Where::Figure, "run.first", "figure.first"},
    {Where::Figure, "run.last", "figure.last"},
    {Where::LessonOnStage, "run.play", "lesson.go_on"},
    {Where::LessonOnStage, "run.forward", "lesson.go_on"},
    {Where::LessonOnStage, "run.back", "lesson.go_back"},
    {Where::OnStage, "run.play", "run.forward"},
    {Where::OnStage, "run.branch", "present.freeze"},
    {Where::OnStage, "run.next_event", "notes.window"},
});

}  // namespace

bool race_in_view(const AppState& state) {
    return panel_in_view(state.docks(), PanelId::Race).has_value();
}

CommandId meaning_of(const AppState& state, CommandId command, bool by_second_key) {
    const auto found = std::find_if(kMeanings.begin(), kMeanings.end(), [&](const KeyMeaning& one) {
        return one.key == command && is_here(state, one.where, by_second_key);
    });
    return found == kMeanings.end() ? command : found->command;
}

bool leaves_page(const AppState& state, CommandId command) {
    if (state.layout != LayoutName::Present || !state.run.lesson.open) return false;
    const bool is_finer = command == "run.finer_forward" || command == "run.finer_back";
    return (is_finer && !state.run.code.is_drawn) || command == "run.first" ||
           command == "run.last";
}

}  // namespace kv
