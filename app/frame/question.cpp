#include "app/frame/question.hpp"

#include <algorithm>
#include <array>

namespace kv {
namespace {

constexpr std::array kDroppers = std::to_array<CommandId>(
    {"app.quit", "file.open_scene", "minute.start", "lesson.open", "lesson.continue",
     "lesson.museum", "lesson.next", "lesson.previous", "lesson.reload"});

bool drops_work(const AppState& state, CommandId id) {
    const OwnWork& work = state.run.own_work;
    if (id == "start.sentence") return work.changes();  // the next try of a sentence
    if (id == "lesson.go_on") return work.any() && state.run.lesson.leaves_on;
    if (id == "lesson.go_back") return work.any() && state.run.lesson.leaves_back;
    return work.any() && std::find(kDroppers.begin(), kDroppers.end(), id) != kDroppers.end();
}

void require_question(const AppState& state) {
    if (!state.question) throw Refused("refused.question"_t);
}

}  // namespace

bool asks_first(AppState& state, const Command& command) {
    if (!state.asks_first || !drops_work(state, command.id)) return false;
    state.question = DropQuestion{command};
    state.palette.open = state.help.open = false;
    return true;
}

void save_first(AppState& state, const Command&) {
    require_question(state);
    state.question->saving = true;
    apply(state, {"file.save_scene", {}});  // asks for a path
}

// Forgets the own work and carries out what waited. Should that be refused, the owner of the run
// writes anew what is left of the work.
void drop_work(AppState& state, const Command&) {
    require_question(state);
    const Command held_back = state.question->held_back;
    state.question.reset();
    state.run.own_work = {};
    apply(state, held_back);
}

void stay(AppState& state, const Command&) {
    require_question(state);
    state.question.reset();
}

}  // namespace kv
