#pragma once
// Restores any step of a lesson: the scenes that it names are played, its moments found, its prose
// filled with numbers. A step that was jumped to is the same, byte for byte, as one that was
// reached by playing, because both are moments of one trace. Runs are kept while the player lives.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/lesson/course/lesson.hpp"
#include "core/lesson/course/measures.hpp"
#include "core/lesson/course/shown_step.hpp"
#include "core/lesson/language/evaluate.hpp"
#include "core/lesson/tasks/grade.hpp"

namespace kv {

// The file of a stock scene by its name ("needle"); throws for one that is not there.
using SceneFinder = std::function<std::string(const std::string& name)>;

// What a scene is worth as an answer to a task.
struct GradedTask {
    std::string refused;  // what the task does not allow, or why it cannot be played; else graded
    TaskGrade grade;
    std::string score;  // as it is written; empty: none
    ShownProse why;     // once it is done, read at that moment
    bool is_done() const { return grade.done.has_value(); }
};

class LessonPlayer {
public:
    LessonPlayer(LessonModels& models, SceneFinder stock)
        : models_(models), stock_(std::move(stock)) {}

    // Answers that need not be computed again, and those that were.
    void know(Measures measures) { measures_ = std::move(measures); }
    Measures measured() const;

    // Runs that are played from now on keep no state hashes: nobody asks broken_jump() for them.
    void leave_out_hashes() { hashes_ = StateHashes::None; }

    // What the window plays: the scene of a step, and the one beside it (another scene, or the same
    // with the commands of its branch); nothing where it has none.
    std::optional<Scene> scene(const Lesson& lesson, const LessonStep& step) const;
    std::optional<Scene> other_scene(const Lesson& lesson, const LessonStep& step) const;

    // The file of a step's recording, or the name by which it is made up; empty: it has none.
    std::string recording_place(const Lesson& lesson, const LessonStep& step) const;

    // The runs and moments of a step. Throws kv::Error that names file, line and rule.
    StepRuns restore(const Lesson& lesson, const LessonStep& step);
    // The step with all that it says. The answers of predictions are computed at its end.
    ShownStep shown_step(const Lesson& lesson, const LessonStep& step);
    ShownProse leaves_out(const Lesson& lesson);
    // The expectations of a step that are false, as sentences with file and line.
    std::vector<std::string> broken_expects(const Lesson& lesson, const LessonStep& step);
    // Plays each scene of the step once more, only as far as the step needs, and compares snapshot
    // and state hash: sentences for what differs.
    std::vector<std::string> broken_jump(const Lesson& lesson, const LessonStep& step);

    // The scene that a task starts with, and the same after its solution or after other deeds.
    Scene task_start(const Lesson& lesson, const LessonStep& step, const LessonTask& task) const;
    TankScene after_deeds(const Lesson& lesson, const LessonStep& step, const LessonTask& task,
                          const std::vector<TankDeed>& deeds) const;
    // What the best answer that is known to a challenge scores, as it is written; it is played
    // where nobody has played it before.
    std::string best_score(const Lesson& lesson, const LessonStep& step, const LessonTask& task);
    GradedTask grade_task(const Lesson& lesson, const LessonStep& step, const LessonTask& task,
                          const Scene& scene);
    // The same over the recording that the step stands in.
    RecordingAsk asked_after(const Lesson& lesson, const LessonTask& task,
                             const std::vector<TankDeed>& deeds) const;
    GradedTask grade_task(const Lesson& lesson, const LessonStep& step, const LessonTask& task,
                          const RecordingAsk& ask);
    // After these deeds, on whatever the step stands in.
    GradedTask grade_deeds(const Lesson& lesson, const LessonStep& step, const LessonTask& task,
                           const std::vector<TankDeed>& deeds);
    // What is wrong with the tasks of a step: one that cannot be done, that is done before anything
    // is, or that takes a wrong way as right; sentences with file and line.
    std::vector<std::string> broken_tasks(const Lesson& lesson, const LessonStep& step);

private:
    const LessonRun& run_of(const Scene& scene, const std::string& place);
    const LessonRecording& recording_of(const Lesson& lesson, const LessonStep& step);
    StepOfRun restored_recording(const Lesson& lesson, const LessonStep& step);
    ShownTask shown_task(const Lesson& lesson, const LessonStep& step, const LessonTask& task);
    ShownTask shown_task(const Lesson& lesson, const LessonTask& task,
                         const Evaluator& scope) const;
    std::vector<std::string> broken_task(const Lesson& lesson, const LessonStep& step,
                                         const LessonTask& task);
    Scene read(const Lesson& lesson, const LessonStep& step, const std::string& name) const;

    LessonModels& models_;
    SceneFinder stock_;
    std::map<std::string, std::unique_ptr<LessonRun>> runs_;              // by the scene's text
    std::map<std::string, std::unique_ptr<LessonRecording>> recordings_;  // by their place
    Measures measures_, scores_;  // known before, and played
    StateHashes hashes_ = StateHashes::Kept;
};

// The rules that a run is graded by.
TaskRules rules_of(const LessonTask& task);

// Throws kv::Error (World): the lesson's file and line, and the sentence.
[[noreturn]] void refuse_lesson(const Lesson& lesson, std::uint32_t line,
                                const std::string& sentence);
// The value of an expression of the lesson, or a refusal.
LessonValue lesson_value(const Lesson& lesson, const Evaluator& scope, const LessonExpression& e);
ShownProse shown_prose(const Lesson& lesson, const Evaluator& scope, const Prose& prose);
// A prediction with everything computed. `seed`: whoever asks the same one again sees the choices
// in the same order.
ShownPrediction shown_prediction(const Lesson& lesson, const Prediction& prediction,
                                 const Evaluator& opens, const Evaluator& ends, std::uint64_t seed);

}  // namespace kv
