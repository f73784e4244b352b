#pragma once
// The lessons behind the window: the shelf, the step that is open, what the reader says to it. A
// step's numbers are computed on a thread of its own, by the same player that checks the lessons;
// what the run is to show is handed over when it is ready.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/live/lessons/progress.hpp"
#include "app/live/lessons/stage.hpp"
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
    // Own words about pages, which outlive the window.
    const std::map<std::string, std::string>& notes() const { return progress_.progress().notes; }
    void keep_notes(const std::map<std::string, std::string>& notes);
    // Waits at most that long for a step that is being computed.
    std::optional<LessonStage> take(double seconds);
    bool under_way() const { return playing_.valid() || tasks_.under_way(); }
    // For pictures: a figure that plays is at its end.
    void finish_figure();
    // The task in the tank: what the run has become, whether it may become that, and where its
    // solution does it, once that is known.
    void follow_task(const Scene& scene, std::uint64_t run, const Snapshot& now);
    bool task_is_over_recording() const { return tasks_.is_over_recording(); }
    const std::string& recording() const;  // of the open step; empty: it has none
    void follow_task(const RecordingAsk& ask);
    void finish_task() { tasks_.take(1e6); }
    std::string task_refusal(const Scene& next) const { return tasks_.refusal(next); }
    std::optional<std::uint32_t> take_task_goal() { return tasks_.take_goal(); }
    void end_task();
    // What is wrong with a lesson, once after it came to be so.
    std::optional<Said> take_problem();
    // Asked once in a while: true once after the file of the open lesson was written anew.
    bool file_has_changed();

private:
    struct At {
        std::uint32_t lesson;
        std::size_t step;
    };
    struct Played {
        At at;
        ShownStep shown;
        ShownProse leaves_out = {};
        std::vector<std::string> exercises = {};
        bool moves = false;
        std::optional<Scene> scene = {}, other = {};
        std::string place = {}, recording = {};
        LessonStand opens = {}, ends = {};
        bool names_view = false;  // the step itself says where it looks
    };

    At place_named(const std::string& words) const;
    void open(At at);
    void play(At at);
    static Played played(LessonPlayer& player, const Lesson& lesson, At at);
    void show(Played played);
    void step_by(int by);
    void go_on();
    void go_back();
    void hint(const std::string& id);
    void say(const std::string& words);
    void reveal();
    void answer(const std::string& words);
    AskedExercise& exercise(const std::string& id);
    void mark_done();
    void turn_figure(CommandId wish);
    void carry_out_task(const Command& wish);
    void open_task(const std::string& id);
    void show_tank(Scene scene, std::uint32_t iteration);
    void show_start();
    void show_question(const RecordingAsk& ask);
    void take_followed();
    std::string step_name() const;  // "8:walk"
    void recall_answers();
    void keep_predictions();
    void reload();
    void read_shelf_again();
    LessonStage stage(bool begins) const;

    LessonPlaces places_;
    std::function<void()> wake_;
    ProgressFile progress_;
    std::unique_ptr<ShippedModels> models_;
    std::shared_ptr<const LessonShelf> shelf_;
    std::unique_ptr<LessonPlayer> player_;  // of one thread at a time
    Later<Played> playing_;
    std::optional<At> awaited_;  // asked for while another one is played
    std::optional<Played> open_;
    std::optional<LessonStage> stage_;
    TaskDesk tasks_;
    std::filesystem::file_time_type read_at_ = {};
    LessonView view_;
    bool is_broken_ = false;  // and that has been told
};

}  // namespace kv
