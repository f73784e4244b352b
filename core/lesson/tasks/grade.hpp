#pragma once
// Whether a run is what a task asks for. Every condition is asked after each iteration, so that who
// watches the cursor sees each of them come true; a task is done where all of them hold at once, a
// challenge when they hold at the end of its run, which then has a score. Names are read as in a
// lesson; other(...) is the run of the scene that the task starts with, at its end.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/lesson/language/evaluate.hpp"
#include "core/lesson/recording/ask.hpp"
#include "core/lesson/recording/recording.hpp"

namespace kv {

struct TaskRules {
    std::vector<ExpressionPtr> conditions = {};  // yes or no
    bool at_end = false;                         // else at any one moment
    std::uint32_t within = 0;                    // iterations
    ExpressionPtr score = {};                    // none: there is nothing to be better at
    bool lower_is_better = false;
};

// A condition after an iteration; `now` is what it compares, as far as that can be said.
struct ConditionNow {
    bool holds = false;
    std::string now;
};
struct TaskMoment {
    std::uint32_t iteration = 0;
    std::vector<ConditionNow> conditions;
    bool all_hold() const;
};
struct TaskGrade {
    std::vector<TaskMoment> moments;    // from before the first iteration to the last
    std::optional<std::uint32_t> done;  // the first iteration at which it is done
    bool ended = false;                 // the run, within the iterations of the task
    std::optional<Number> score;        // of a run that did it

    // The newest that is not behind that iteration; none has been graded: null.
    const TaskMoment* at(std::uint32_t iteration) const;
};

// `run` was played up to the last iteration that the task grants, `start` to its end.
TaskGrade grade_run(const TaskRules& rules, const LessonRun& run, const LessonRun& start);
// Names at that iteration of the run, and other(...) of the start.
Evaluator task_scope(const LessonRun& run, const LessonRun& start, std::uint32_t iteration);

// What is asked of a recording: graded at once, as the only moment there is.
TaskGrade grade_ask(const TaskRules& rules, const LessonRecording& recording,
                    const RecordingAsk& ask);
Evaluator task_scope(const LessonRecording& recording, const RecordingAsk& ask);

bool is_better(const TaskRules& rules, const Number& score, const Number& than);

}  // namespace kv
