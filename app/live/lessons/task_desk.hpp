#pragma once
// The task that is under way in the tank: which scene it starts with, what may be changed, and
// whether what the run has become is what was asked for. A changed scene is graded on a thread of
// its own, by the same player that checks the lessons; the cursor then sees each condition come
// true, and the task is done once it stands where all of them hold.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "app/panels/lesson/view.hpp"
#include "app/session/shipped_models.hpp"
#include "core/base/background/later.hpp"
#include "core/lesson/course/player.hpp"
#include "core/lesson/course/shelf.hpp"

namespace kv {

class TaskDesk {
public:
    TaskDesk(SceneFinder stock, ShippedModels::FolderOf model, std::function<void()> wake);
    ~TaskDesk();
    TaskDesk(const TaskDesk&) = delete;
    TaskDesk& operator=(const TaskDesk&) = delete;

    const std::optional<TaskView>& view() const { return view_; }

    struct Begin {
        std::shared_ptr<const LessonShelf> shelf;  // lives as long as the task
        std::uint32_t lesson = 0;
        std::size_t step = 0, task = 0;
        ShownTask shown;
        TaskRecord record;
    };
    void begin(Begin begin);
    void end();

    // Whether the task is one over a recording: then it starts with what the panel What if asks
    // first.
    bool is_over_recording() const { return begun_ && step().recording.has_value(); }
    RecordingAsk solved_ask() const;
    // The scenes that it starts with and that its solution leads to, and where the cursor stands.
    Scene start() const;
    TankScene solved() const;

    // Why the run may not become that; empty when it may.
    std::string refusal(const Scene& next) const;
    void hint();
    void reset();
    void give_up();

    // Called once a frame with the scene as it is now, which its run and its number of commands
    // tell apart.
    void follow(const Scene& scene, std::uint64_t run, const Snapshot& now);
    void follow(const RecordingAsk& ask);
    // Waits at most that long for a grade that is under way.
    void take(double seconds);
    bool under_way() const { return grading_.valid(); }
    // Where the solution does it; given once.
    std::optional<std::uint32_t> take_goal() { return std::exchange(goal_, std::nullopt); }
    // What is to be kept; given once, when the task was done or done better.
    std::optional<TaskRecord> take_record() { return std::exchange(news_, std::nullopt); }

private:
    struct Graded {
        GradedTask graded;
        std::optional<GradedTask> best;  // of a challenge that was done
    };
    const Lesson& lesson() const { return *begun_->shelf->find(begun_->lesson); }
    const LessonStep& step() const { return lesson().steps[begun_->step]; }
    const LessonTask& task() const { return step().tasks[begun_->task]; }
    using Answer = std::variant<Scene, RecordingAsk>;
    GradedTask graded(const Answer& answer) const;
    void grade(const Answer& answer);
    void look(std::uint32_t iteration);
    void finish();

    SceneFinder stock_;
    std::function<void()> wake_;
    ShippedModels models_;
    std::unique_ptr<LessonPlayer> player_;  // of one thread at a time
    std::optional<Begin> begun_;
    std::optional<TaskView> view_;
    Later<Graded> grading_;
    std::optional<Graded> graded_;
    std::string best_;               // known, shown later
    std::optional<Answer> waiting_;  // changed again meanwhile
    RecordingAsk asked_;
    std::uint64_t run_ = 0;
    std::size_t n_commands_ = 0;
    bool seen_ = false;  // a scene of this task
    std::optional<std::uint32_t> goal_;
    std::optional<TaskRecord> news_;
};

}  // namespace kv
