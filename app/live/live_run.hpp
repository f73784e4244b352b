#pragma once
// The run behind the window. The window's wishes come in by commands, the panels' view goes out;
// between them stand a scene and the session that plays it. Changing the past plays the scene anew,
// so that what is shown is always a run that could be played again from its scene. Each part of the
// work has an owner: the playhead, the comparison, the proof, the looks; LiveRun wires them.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/frame/state/app_state.hpp"
#include "app/live/attach/servers.hpp"
#include "app/live/comparison.hpp"
#include "app/live/lessons/desk.hpp"
#include "app/live/loading/model_loader.hpp"
#include "app/live/loading/recorded_source.hpp"
#include "app/live/looks/attention_look.hpp"
#include "app/live/looks/judging.hpp"
#include "app/live/looks/proof_desk.hpp"
#include "app/live/looks/roof_meter.hpp"
#include "app/live/playhead.hpp"
#include "app/live/price/desk.hpp"
#include "app/live/race/desk.hpp"
#include "app/live/scene/away_focus.hpp"
#include "app/live/scene/history.hpp"
#include "app/live/scene/own_work.hpp"
#include "app/live/scene/view_of.hpp"
#include "app/live/start/picture.hpp"
#include "app/live/whatif/desk.hpp"
#include "app/panels/view/run.hpp"
#include "app/session/run_session.hpp"

namespace kv {

// Where words of the person lead; both throw kv::Error when they lead nowhere.
struct RunPlaces {
    std::function<std::string(const std::string& word)> scene_file;    // "explore", or a path
    std::function<std::string(const std::string& word)> model_folder;  // "gqa", or a path
    std::function<std::string()> lessons_folder = {};  // throws where there are none
    std::string progress_file = {};                    // of the lessons; empty: not kept
};

// Throws a refusal where the run has ended before the iteration that was asked for.
void refuse_beyond(const Snapshot& now, std::uint32_t asked, ErrorCode code = ErrorCode::Usage);

class LiveRun {
public:
    // `wake` is called on other threads when something is ready for the next tick.
    LiveRun(RunPlaces places, std::function<void()> wake);
    ~LiveRun();
    LiveRun(const LiveRun&) = delete;
    LiveRun& operator=(const LiveRun&) = delete;

    // `word`: a scene's name or file, a picture of one, or a file of events, which is shown as it
    // was recorded, without an engine. `step` and `model`: instead of the scene's own.
    void open_scene(const std::string& word, std::optional<std::uint32_t> step = {},
                    const std::optional<std::string>& model = {});

    // The same in the layout that it was saved in, or in another; of a picture its commands as
    // well.
    void open_as_shown(const std::string& word, std::optional<std::uint32_t> step = {},
                       const std::optional<std::string>& model = {},
                       std::optional<LayoutName> layout = {});

    // Once per frame, before it is drawn. What went wrong becomes a notice.
    void tick(AppState& state, double now);
    // The roofs of what the run computes on, as soon as nothing else does. Pictures never ask.
    void measure_machine() { roofs_.switch_on(); }
    // For pictures: until nothing is under way any more. Throws what went wrong; what the engine
    // refuses stays a notice, or is thrown as well.
    enum class Refusals : std::uint8_t { AreNotices, AreThrown };
    void finish(AppState& state, Refusals refusals = Refusals::AreNotices);

    // Valid until the next tick; null while there is no run.
    const RunView* view() const { return view_ ? &*view_ : nullptr; }
    const RunView* other_view() const { return other_view_ ? &*other_view_ : nullptr; }
    const LessonView& lesson() const { return lessons_.view(); }
    // The small run of the page that a first start opens.
    const StartView& start() const { return start_.view(); }
    // A lesson whose file was written anew is read again, unless own work is to be asked for first;
    // true when it was written.
    bool follow_lesson_file(AppState& state);
    // When the next tick is due by itself: now while something moves; none while all stands still.
    std::optional<double> due(const AppState& state) const;
    bool under_way() const;
    const Scene* scene() const { return main_.session ? &main_.scene : nullptr; }
    // The scene that shows the present view again; nothing while there is no run.
    std::optional<Scene> scene_as_shown(const AppState& state) const;
    // What the scene says of its view, at the cursor as it stands now: another step may have other
    // requests.
    void apply_scene_view(AppState& state) const;
    // The scene as it was opened, with the weights that play it.
    std::optional<Scene> scene_as_opened() const;
    // Whether a command of the table is one for whoever plays the run, and has its deed here.
    static bool has_deed(CommandId id);

private:
    struct Deeds;                                     // what each command does: deeds.cpp
    struct Goal {                                     // where the cursor goes
        std::optional<std::uint32_t> iteration = {};  // none: to the end of the run
    };
    struct Opening {
        Scene scene;
        std::string place, folder;
        Goal goal = {};
        Playhead::Then then = {};
        bool keeps_comparison = true;
        bool is_changed = false;                   // the scene of before, with another setting
        std::optional<std::uint64_t> moment = {};  // inside that iteration
        std::optional<std::string> scene_file = {}, model_folder = {};  // a person named them
        // Throws where the model cannot play it.
        std::function<void(const LoadedModel&)> check = {};
        bool is_sentence = false;  // of the page of the first start, which it leaves
        bool keeps_task = false;   // the tank in which a task is done goes on with it
    };

    // A scene becomes a run
    void open(Opening opening);
    void reopen(Scene scene, Playhead::Then then = {});
    void take_model(AppState& state, double seconds);
    void begin(AppState& state, Opening opening, std::shared_ptr<const LoadedModel> model);
    void return_focus(RunFocus& focus);
    void save_scene(AppState& state, const std::string& path);

    // What the cursor stands in: a session, or what was read from a file; null while there is none.
    RunCursor* run() const;
    void pursue(AppState& state, double seconds);
    void record_ahead();
    bool hold_against(const AppState& state);  // true: a comparison was begun
    void cancel(AppState& state);

    // deeds.cpp
    void carry_out(AppState& state, const Command& wish);

    // wishes.cpp
    void until(const std::string& words);
    void set(const std::string& words);
    Playhead::Then tell_of_pool() const;
    void travel(AppState& state, std::optional<Scene> to, TextId where_it_ends);
    void tell_engine(AppState& state, const EngineCommand& command);
    void select_address(AppState& state, const std::string& text);
    void follow_line(RunFocus& focus) const;
    void swap_sides();
    void show_difference_event(AppState& state);

    // start.cpp
    void open_sentence(const std::string& sentence);
    void refuse(AppState& state, const Error& failed, bool sentence);
    StartPlaces start_places();
    void follow_start(AppState& state, double now, double seconds);
    std::optional<Preparing> preparing() const;

    // minute.cpp
    void start_minute(AppState& state);
    void go_to_stop(AppState& state, int by);
    void show_stop(AppState& state, std::uint32_t stop);

    // lesson.cpp
    void carry_out_lesson(AppState& state, const Command& wish);
    void take_lesson(AppState& state, double seconds);
    void show_lesson(AppState& state, LessonStage stage);
    void follow_lesson(AppState& state);
    void require_allowed(const Scene& next) const;
    void show_recording(AppState& state, const LessonStage& stage);
    void follow_task(const AppState& state);
    void tell_lesson_problem(AppState& state);

    void take_trace(AppState& state, double seconds);
    void require_engine() const;

    std::optional<Refused> refused_in_scene();

    // What the panels are shown
    Judging::Asked judged() const;
    void look(const AppState& state, double seconds);
    void finish_price(AppState& state);
    void describe(AppState& state);
    void describe_run(RunState& run);

    RunPlaces places_;
    std::function<void()> wake_;
    std::uint64_t n_sessions_ = 0;
    std::uint64_t told_ = 0;  // the run whose refused commands have been told

    ModelLoader loader_;
    std::optional<Opening> opening_;  // waits for its model

    std::string place_;  // of the scene, in messages
    PlayedSide main_;
    SceneHistory history_;
    WorkWatch work_;
    RecordedSource recorded_;  // in place of a session

    Playhead playhead_;
    Comparison comparison_;
    std::optional<std::uint64_t> held_;  // the run for which Compare has been opened
    ProofDesk proof_;
    AttentionLook look_;
    Judging judging_;
    RoofMeter roofs_;
    PriceDesk price_;
    RaceDesk race_;
    WhatIfDesk whatif_;
    ServersDesk attach_;
    LessonDesk lessons_;
    bool lesson_is_broken_ = false;
    StartPicture start_;

    SeqId focused_{0};
    struct KeptFocus {
        std::string request;
        RunFocus focus;
    };
    // Until the cursor is back in a scene that was changed.
    std::optional<KeptFocus> kept_focus_;
    std::optional<Goal> goes_to_;
    AwayFocus away_;
    std::optional<std::string> awaited_;  // comes into focus once it is there

    std::optional<RunView> view_, other_view_;
};

}  // namespace kv
