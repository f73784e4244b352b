#pragma once
// What the Lesson panel shows, as plain data: the shelf, the step that is open with its numbers
// filled in, what the reader said, and how far he or she has come. Whoever plays the lessons fills
// it; the panel only draws it and asks for changes by commands.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/shell/texts/said.hpp"
#include "core/lesson/course/grade_prediction.hpp"
#include "core/lesson/course/shown_step.hpp"
#include "core/lesson/exercises/grade.hpp"

namespace kv {

struct LessonHead {
    std::uint32_t number = 0, minutes = 0;
    std::string title;
    std::vector<std::string> ids, steps;  // of its steps: "walk", "From a token to its byte"
    std::vector<std::uint32_t> prerequisites;
};

// A prediction that the step asks for. Until the step is revealed there is no verdict.
struct AskedPrediction {
    ShownPrediction prediction;
    std::optional<std::string> said = {};
    std::optional<GradedPrediction> verdict = {};
    bool hinted = false;
};

struct AskedExercise {
    Exercise exercise;
    std::optional<std::uint64_t> seed = {};  // none: the printed numbers
    std::string said = {};
    std::optional<Graded> graded = {};
    bool hinted = false;
    bool answered = false;  // the right answer is shown, in front of an audience
};

// What somebody has done of a task so far.
struct TaskRecord {
    bool done = false;
    std::optional<double> score = {};  // of a challenge: the best one of his or her own
    std::string shown = {};            // as it is written
    friend bool operator==(const TaskRecord&, const TaskRecord&) = default;
};
struct TaskCard {
    ShownTask task;
    std::string words;  // of the task, in one line
    ShownProse whole;   // with its conditions, as it is read
    TaskRecord record = {};
};

struct TaskCondition {
    std::string words, now;  // what it compares, at the cursor; empty: nothing to show
    bool holds = false;
};
// The task that is under way in the tank, as the cursor stands.
struct TaskView {
    ShownTask task;
    std::string words, hint;  // of the task, in one line each
    std::string page;         // of its step: "8:walk"
    std::vector<TaskCondition> conditions = {};
    bool hinted = false;
    bool gave_up = false;      // its solution is what plays
    std::string refused = {};  // why the scene is no answer
    bool done = false;         // the cursor has seen it
    std::uint32_t done_at = 0;
    std::string why = {};    // once it is done
    std::string score = {};  // of this run, once it is done
    std::string best = {};   // of the best that is known; empty until something was tried
    TaskRecord record = {};
};

struct LessonView {
    // Written out in view.cpp: left implicit, each file that uses one compiles them again.
    LessonView();
    LessonView(const LessonView&);
    LessonView(LessonView&&) noexcept;
    LessonView& operator=(const LessonView&);
    LessonView& operator=(LessonView&&) noexcept;
    ~LessonView();

    std::vector<LessonHead> shelf;
    std::map<std::uint32_t, std::set<std::string>> done;  // steps that were read to their end
    std::string last;                                     // where the reader was: "8:walk"
    Said problem;                                         // of a lesson file, in its own words
    bool busy = false;                                    // a step is being played

    std::optional<std::uint32_t> lesson;  // nothing: none is open
    std::size_t step = 0;
    ShownStep shown;
    bool has_more = false;  // there is something to reveal
    bool revealed = false;
    // In front of an audience a step is read in faces: what is asked; behind the reveal the reason
    // of each prediction, then what is said there; then each exercise and each task.
    std::size_t face = 0;
    std::uint64_t opens = 0, ends = 0;  // moments of its run
    std::vector<AskedPrediction> predictions;
    std::vector<AskedExercise> exercises;
    std::vector<TaskCard> tasks;
    std::optional<TaskView> task;  // that is under way
    ShownProse leaves_out;
    std::uint32_t figure_key = 0;  // of the step's figure, where it has one
    bool figure_plays = false;

    const LessonHead* head() const;
    std::size_t in_course() const;  // lessons, without the museum and what else stands behind them
    std::uint32_t last_number() const;  // of the course, whose first lesson may be number zero
    bool may_reveal() const;            // every prediction has an answer
    std::optional<std::size_t> next_unanswered() const;
    std::size_t n_faces() const;                         // of what is open: at least one
    bool shows_then() const;                             // the face behind the reasons
    std::optional<std::size_t> reason_in_front() const;  // a prediction
    std::optional<std::size_t> exercise_in_front() const;
    std::optional<std::size_t> task_in_front() const;
    // The prediction that a digit answers; nothing where none is asked.
    std::optional<std::size_t> asks() const;
    bool is_at_last_face() const;  // what comes next is another step
    bool may_hint() const;         // it has a hint that was not given yet
    // A question waits whose answer the picture must not give away.
    bool hides_future() const { return lesson && !revealed && !predictions.empty(); }
    // The step names no panel but this one: it is a page over the whole window.
    bool is_page() const;
    bool is_done(std::uint32_t number, const std::string& step_id) const;
};

}  // namespace kv
