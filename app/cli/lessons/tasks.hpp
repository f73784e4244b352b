#pragma once
// Tasks of lessons without a window: as text, and what a scene that somebody saved is worth.

#include <filesystem>
#include <string>

#include "app/cli/teaching/task_verdict.hpp"
#include "core/lesson/course/shelf.hpp"

namespace kv {

// The lessons whose tasks are asked or graded, and who plays them.
struct TaskSource {
    const LessonShelf& shelf;
    LessonPlayer& player;
};

// A task with its step, by its id. Throws kv::Error (World) for one that there is not.
struct FoundTask {
    const Lesson* lesson = nullptr;
    std::size_t step = 0;
    const LessonTask* task = nullptr;
    const LessonStep& where() const { return lesson->steps[step]; }
};
FoundTask task_named(const LessonShelf& shelf, const std::string& id, const std::string& place);

// What is to be done, what may be changed, and when it is done.
std::string task_lines(const ShownTask& task);
// What solves it, and the score of a challenge's best.
std::string solution_words(const Lesson& lesson, const LessonStep& step, const LessonTask& task,
                           LessonPlayer& player);
// The same for a teacher who checks it: the solution is played, and the reason why it is right
// follows.
std::string solution_lines(const Lesson& lesson, const LessonStep& step, const LessonTask& task,
                           LessonPlayer& player);
std::string task_json(const ShownTask& task);  // of one line

// `answer`: a scene, from that folder on, or commands over a recording.
TaskVerdict grade_task(const FoundTask& found, LessonPlayer& player, const std::string& answer,
                       const std::filesystem::path& folder);

}  // namespace kv
