#pragma once
// The words around tasks: what a lesson wants done in the tank, and how it went.

#include "app/shell/texts/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishTask = std::to_array<EnglishText>({
    {"cmd.task.open", "Open the tank for a task"},
    {"cmd.task.open.help", "Begins a task of the open step, by its id or the first one that is not done: its scene in Explore, with the task above it."},
    {"cmd.task.hint", "Hint for the task"},
    {"cmd.task.hint.help", "Says how the task in the tank can be begun. H does it in Explore."},
    {"cmd.task.reset", "Begin the task again"},
    {"cmd.task.reset.help", "Opens the scene of the task as it was at first."},
    {"cmd.task.give_up", "Give up the task"},
    {"cmd.task.give_up.help", "Plays a solution of the task in the tank."},
    {"cmd.task.leave", "Back to the lesson"},
    {"cmd.task.leave.help", "Ends the task in the tank and opens its step of the lesson."},
    {"task.head", "Task {id}"},
    {"task.head.challenge", "Challenge {id}"},
    {"task.where", "done in the tank"},
    {"task.where.done", "done"},
    {"task.open", "Open the tank"},
    {"task.open.why", "The task stays in sight above it."},
    {"task.on", "Back to the tank"},
    {"task.done_when", "Done when"},
    {"task.done_when.moment", "all of it holds at one moment, by step {n}"},
    {"task.done_when.end", "all of it holds when the run ends, by step {n}"},
    {"task.done_when.score", "the run ends, by step {n}"},
    {"task.may", "You may change: {list}"},
    {"task.score", "Score: {what}"},
    {"task.lower", "lower is better"},
    {"task.higher", "higher is better"},
    {"task.own", "your best {score}"},
    {"task.best", "best known {score}"},
    {"task.this", "this run {score}"},
    {"task.no_score", "no score yet: the run has to end with every condition met"},
    {"task.now", "now {value}"},
    {"task.done", "Done in step {n}"},
    {"task.done.gave_up", "A solution, done in step {n}"},
    {"task.gave_up", "A solution is playing"},
    {"task.judging", "Your change is being played ..."},
    {"task.reset", "Reset"},
    {"task.hint", "Hint"},
    {"task.give_up", "Give up"},
    {"task.leave", "Back to the lesson"},
});
// clang-format on

}  // namespace kv
