#pragma once
// The lessons behind the window: the shelf, the step that is open, what the reader says to it.
//
// open_step.cpp is the way of a step through it, answers.cpp what the reader says to one, tasks.cpp
// its tasks; desk.cpp has the shelf and the commands.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/live/lessons/progress.hpp"
#include "app/live/lessons/tank_setup.hpp"
#include "app/live/lessons/task_desk.hpp"
#include "app/panels/figure/figure.hpp"
#include "app/panels/lesson/view.hpp"
#include "app/session/shipped_models.hpp"
#include "app/shell/commands.hpp"
#include "core/base/background/later.hpp"
#include "core/lesson/course/player.hpp"
#include "core/lesson/course/shelf.hpp"

namespace kv {

struct LessonPlaces {
    std::function<std::string()> folder;  // of the lessons; throws where there are none
    SceneFinder scene;
    ShippedModels::FolderOf model;
    std::string progress;  // the file; empty: nothing is kept
};

class LessonDesk {
public:
    LessonDesk(LessonPlaces places, std::function<void()> wake);
    ~LessonDesk();
    LessonDesk(const LessonDesk&) = delete;
    LessonDesk& operator=(const LessonDesk&) = delete;

    const LessonView& view() const { return view_; }
    // Reads the shelf when there is need of it; what is wrong with it stands in the view.
    void open_shelf();
    // A command "lesson....". Throws kv::Error (Usage) for one that names nothing.
    void carry_out(const Command& wish);
    // The reader's own notes about pages, which outlive the window.
    const std::map<std::string, std::string>& notes() const { return progress_.progress().notes; }
    void keep_notes(const std::map<std::string, std::string>& notes);
    // What the tank is to show now, once for each change; waits at most that long for a step that
    // is computed.
    std::optional<TankSetup> take(double seconds);
    bool under_way() const { return computing_.valid() || tasks_.under_way(); }
    // For pictures: puts a figure that plays at its end.
    void finish_figure();
    // The task in the tank: it is told what the run has become (follow_task), says whether the run
    // may become something (task_refusal), and once that is known where its solution does it.
    void follow_task(const Scene& scene, std::uint64_t run, const Snapshot& now);
    bool task_is_over_recording() const { return tasks_.is_over_recording(); }
    void follow_task(const WhatIfAsk& ask);
    void finish_task() { tasks_.take(1e6); }
    std::string task_refusal(const Scene& next) const { return tasks_.refusal(next); }
    std::optional<std::uint32_t> take_task_goal() { return tasks_.take_goal(); }
    void end_task();
    // What is wrong with a lesson, said once.
    std::optional<Said> take_problem();
    // True once after the file of the open lesson was written anew. To be asked once in a while.
    bool file_has_changed();

private:
    struct At {
        std::uint32_t lesson;
        std::size_t step;
    };
    // A step as it was computed, before any of it is shown.
    struct ReadyStep {
        At at;
        ShownStep shown;
        ShownProse leaves_out = {};
        bool moves = false;
        TankSetup tank = {};    // what the step opens with
        LessonStand ends = {};  // where its reveal puts the cursor
    };

    struct Wishes;  // a row for each command, in desk.cpp

    static std::optional<std::uint64_t> whole_number(const std::string& word);
    At place_named(const std::string& words) const;
    void open(At at);
    void compute(At at);
    static ReadyStep ready_step(LessonPlayer& player, const Lesson& lesson, At at);
    void take_over(ReadyStep ready);
    void show(const ReadyStep& ready);
    void close();
    void step_by(int by);
    void go_on();
    void go_back();
    void hint(const std::string& id);
    std::pair<std::size_t, std::string> which_prediction(const std::string& words) const;
    static std::optional<std::string> what_was_said(const AskedPrediction& asked,
                                                    const std::string& words);
    void say(const std::string& words);
    void reveal();
    void answer(const std::string& words);
    AskedExercise& exercise(const std::string& id);
    void mark_done();
    void turn_figure(CommandId wish);
    void carry_out_task(const Command& wish);
    void open_task(const std::string& id);
    void set_up_scene(Scene scene, std::uint32_t iteration);
    void set_up_start();
    void set_up_question(const RecordingAsk& ask);
    void take_followed();
    std::string step_name() const;  // "8:walk"
    void recall_answers();
    void keep_predictions();
    void reload();
    void read_shelf_again();

    LessonPlaces places_;
    std::function<void()> wake_;
    ProgressFile progress_;
    std::unique_ptr<ShippedModels> models_;
    std::shared_ptr<const LessonShelf> shelf_;
    std::unique_ptr<LessonPlayer> player_;  // of one thread at a time
    Later<ReadyStep> computing_;
    std::optional<At> awaited_;   // asked for while another one is computed
    std::optional<At> asked_at_;  // the step that is open, or is made ready
    std::optional<ReadyStep> open_;
    std::optional<TankSetup> tank_;  // until LiveRun fetches it
    TaskDesk tasks_;
    std::filesystem::file_time_type read_at_ = {};
    LessonView view_;
    bool is_broken_ = false;  // something is wrong with a lesson, and take_problem() has said it
};

}  // namespace kv
