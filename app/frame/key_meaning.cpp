#include "app/frame/key_meaning.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "app/frame/dock/dock.hpp"

namespace kv {
namespace {

enum class KeyWhere : std::uint8_t {
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
std::optional<KeyWhere> in_front(const AppState& state) {
    if (shows_servers(state.docks())) return KeyWhere::Server;
    if (race_in_view(state)) return KeyWhere::Race;
    if (state.docks() == LayoutName::Figure) return KeyWhere::Figure;
    if (state.layout == LayoutName::Present) return KeyWhere::OnStage;
    return std::nullopt;
}

bool is_here(const AppState& state, KeyWhere where, bool by_second_key) {
    switch (where) {
        case KeyWhere::LessonByPageKey:
            return by_second_key && state.layout == LayoutName::Learn && state.run.lesson.open;
        case KeyWhere::Comparing:
            return state.docks() == LayoutName::Compare && state.run.compared;
        case KeyWhere::InTank:
            return state.run.lesson.in_tank;
        case KeyWhere::EditingRun:
            return state.run.exists &&
                   !panel_in_view(state.docks(), PanelId::Calculator).has_value();
        case KeyWhere::Code: {
            const auto front = in_front(state);
            return state.run.code.is_drawn && front != KeyWhere::Server && front != KeyWhere::Race;
        }
        case KeyWhere::LessonOnStage:
            return in_front(state) == KeyWhere::OnStage && state.run.lesson.open;
        default:
            return in_front(state) == where;
    }
}

struct KeyMeaning {
    KeyWhere where;
    CommandId key, command;  // whose key it is, and what is meant by it
};
// The first that is true holds. N goes to what matters next: a difference where two runs stand side
// by side, else an event. Space goes on by one step in front of an audience, and the third button
// of a clicker types B, to take the picture away from it.
constexpr auto kMeanings = std::to_array<KeyMeaning>({
    {KeyWhere::LessonByPageKey, "run.forward", "lesson.next"},
    {KeyWhere::LessonByPageKey, "run.back", "lesson.previous"},
    {KeyWhere::Comparing, "run.next_event", "run.next_difference"},
    {KeyWhere::InTank, "lesson.hint", "task.hint"},
    {KeyWhere::EditingRun, "bill.undo", "run.undo_set"},
    {KeyWhere::EditingRun, "bill.redo", "run.redo_set"},
    {KeyWhere::Server, "run.play", "attach.pause"},
    {KeyWhere::Server, "run.forward", "attach.forward"},
    {KeyWhere::Server, "run.back", "attach.back"},
    {KeyWhere::Server, "run.finer_forward", "attach.forward"},
    {KeyWhere::Server, "run.finer_back", "attach.back"},
    {KeyWhere::Server, "run.first", "attach.first"},
    {KeyWhere::Server, "run.last", "attach.live"},
    {KeyWhere::Race, "run.play", "race.play"},
    {KeyWhere::Race, "run.forward", "race.forward"},
    {KeyWhere::Race, "run.back", "race.back"},
    {KeyWhere::Race, "run.finer_forward", "race.finer_forward"},
    {KeyWhere::Race, "run.finer_back", "race.finer_back"},
    {KeyWhere::Race, "run.first", "race.first"},
    {KeyWhere::Race, "run.last", "race.last"},
    {KeyWhere::Code, "run.finer_forward", "code.forward"},
    {KeyWhere::Code, "run.finer_back", "code.back"},
    {KeyWhere::Figure, "run.play", "figure.play"},
    {KeyWhere::Figure, "run.forward", "figure.forward"},
    {KeyWhere::Figure, "run.back", "figure.back"},
    {KeyWhere::Figure, "run.finer_forward", "figure.forward"},
    {KeyWhere::Figure, "run.finer_back", "figure.back"},
    {KeyWhere::Figure, "run.first", "figure.first"},
    {KeyWhere::Figure, "run.last", "figure.last"},
    {KeyWhere::LessonOnStage, "run.play", "lesson.go_on"},
    {KeyWhere::LessonOnStage, "run.forward", "lesson.go_on"},
    {KeyWhere::LessonOnStage, "run.back", "lesson.go_back"},
    {KeyWhere::OnStage, "run.play", "run.forward"},
    {KeyWhere::OnStage, "run.branch", "present.freeze"},
    {KeyWhere::OnStage, "run.next_event", "notes.window"},
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
