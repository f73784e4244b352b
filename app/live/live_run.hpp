#pragma once
// The run behind the window. The window's wishes come in by commands, the panels' view goes out;
// between them stand a scene, the session that plays it, and a goal that the cursor moves to while
// the engine computes elsewhere. Changing the past plays the scene anew, so that what is shown is
// always a run that could be played again from its scene.

#include <array>
#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/frame/state/app_state.hpp"
#include "app/live/lessons/desk.hpp"
#include "app/live/loading/model_loader.hpp"
#include "app/live/loading/trace_loader.hpp"
#include "app/live/looks.hpp"
#include "app/live/price/desk.hpp"
#include "app/live/scene/away_focus.hpp"
#include "app/live/scene/change.hpp"
#include "app/live/scene/view_of.hpp"
#include "app/live/told_pair.hpp"
#include "app/panels/view/run.hpp"
#include "app/session/run_session.hpp"

namespace kv {

std::uint64_t pool_bytes(const ModelConfig& config, const EngineSettings& settings);

// Where words of the person lead; both throw kv::Error when they lead nowhere.
struct RunPlaces {
    std::function<std::string(const std::string& word)> scene_file;    // "explore", or a path
    std::function<std::string(const std::string& word)> model_folder;  // "gqa", or a path
    std::function<std::string()> lessons_folder = {};  // throws where there are none
    std::string progress_file = {};                    // of the lessons; empty: not kept
};

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
    void measure_machine() { measures_ = true; }
    // For pictures: until nothing is under way any more. Throws what went wrong.
    void finish(AppState& state);

    // Valid until the next tick; null while there is no run.
    const RunView* view() const { return view_ ? &*view_ : nullptr; }
    const RunView* other_view() const { return other_view_ ? &*other_view_ : nullptr; }
    const LessonView& lesson() const { return lessons_.view(); }
    // A lesson whose file was written anew is read again; true when it was.
    bool follow_lesson_file() { return lessons_.follow_file(); }
    // When the next tick is due by itself: now while something moves; none while all stands still.
    std::optional<double> due(const AppState& state) const;
    bool under_way() const;
    const Scene* scene() const { return session_ ? &scene_ : nullptr; }
    // The scene that shows the present view again; nothing while there is no run.
    std::optional<Scene> scene_as_shown(const AppState& state) const;
    // What the scene says of its view, at the cursor as it stands now: another step may have other
    // requests.
    void apply_scene_view(AppState& state) const;
    // The scene as it was opened, with the weights that play it.
    std::optional<Scene> scene_as_opened() const;

private:
    using Goal = std::function<Moved(RunCursor&)>;
    struct Opening {
        Scene scene;
        std::string place, folder;
        std::uint32_t iteration = 0;  // where the cursor goes
        std::function<void(AppState&)> then;
        bool keeps_comparison = true;
        std::optional<std::uint64_t> moment = {};                       // inside that iteration
        std::optional<std::string> scene_file = {}, model_folder = {};  // a person named them
    };

    void open(Opening opening);
    void begin(AppState& state, Opening opening, std::shared_ptr<const LoadedModel> model);
    void reopen(Scene scene, std::function<void(AppState&)> then = {});
    void take_model(AppState& state, double seconds);
    void play(AppState& state, double now);
    void pursue(AppState& state, double seconds);
    void record_ahead();
    void return_focus(RunFocus& focus);
    void cancel(AppState& state);
    void follow(RunFocus& focus) const;
    void look(double seconds);
    void describe(AppState& state);
    void describe_run(RunState& run);
    // What the cursor stands in: a session, or what was read from a file; null while there is none.
    RunCursor* run() const;
    void measure();
    void finish_price(AppState& state);
    LookSpec look_spec() const;
    std::vector<std::uint32_t> tokens_until(SeqId request, std::uint32_t position) const;

    // wishes.cpp
    void carry_out(AppState& state, const Command& wish);
    bool move(AppState& state, const Command& wish);
    bool edit(AppState& state, const Command& wish);
    void set(const std::string& words);
    void tell_engine(AppState& state, const EngineCommand& command);
    void select_address(AppState& state, const std::string& text);
    void save_scene(AppState& state, const std::string& path) const;
    void prove();

    // lesson.cpp
    void carry_out_lesson(AppState& state, const Command& wish);
    void take_lesson(AppState& state, double seconds);
    void show_lesson(AppState& state, LessonStage stage);
    void follow_lesson(AppState& state);

    // trace.cpp
    void open_trace(const std::string& path, std::optional<std::uint32_t> step);
    void take_trace(AppState& state, double seconds);
    void require_engine() const;

    // both.cpp
    std::optional<ToldAsk> told_ask() const;
    void look_at_both(double seconds);
    void take_full(double seconds);

    // compare.cpp
    void compare(AppState& state, SceneChange change);
    void start_other(SceneChange change);
    void begin_other(std::shared_ptr<const LoadedModel> model);
    void take_other(double seconds);
    void end_comparison();
    void swap_sides();
    void require_other() const;
    bool advance_other(double seconds);
    void follow_other();
    Moved to_difference(RunCursor& run, std::uint64_t& from);
    void to_difference_event(AppState& state);

    RunPlaces places_;
    std::function<void()> wake_;
    ModelLoader loader_;
    std::optional<Opening> opening_;  // waits for its model

    Scene scene_;
    std::string place_, folder_;
    std::unique_ptr<RunSession> session_;
    std::uint64_t n_sessions_ = 0, id_ = 0;

    // In place of a session.
    TraceLoader trace_loader_;
    std::string trace_path_;
    std::optional<std::uint32_t> trace_step_;
    std::unique_ptr<RecordedRun> recorded_;

    // The other side of a comparison.
    ModelLoader other_loader_;
    bool other_awaited_ = false;  // its model is being read
    std::optional<SceneChange> change_;
    bool is_swapped_branch_ = false;  // the left side has the command, so it cannot be made again
    std::array<RunChange, 2> changes_;
    Scene other_scene_;
    std::string other_folder_;
    std::unique_ptr<RunSession> other_;
    std::uint64_t other_id_ = 0;

    std::vector<Scene> undo_, redo_;
    Goal goal_;
    std::function<void(AppState&)> then_;  // once the goal is reached
    double loading_since_ = 0;
    double last_step_ = 0;  // time at which Play went on
    SeqId focused_{0};
    struct KeptFocus {
        std::string request;
        RunFocus focus;
    };
    // Until the cursor is back in a scene that was changed.
    std::optional<KeptFocus> kept_focus_;
    std::optional<std::uint32_t> goes_to_;  // iteration
    AwayFocus away_;
    std::optional<std::string> awaited_;  // comes into focus once it is there

    struct Looks {
        AttentionPicture attention;
        std::optional<FullLook> full;
    };
    std::future<Looks> looking_;
    std::optional<Looks> looks_;
    // What both sides of a comparison are judged by was made for this state of them.
    struct BothLook {
        std::uint64_t left = 0, right = 0;
        SeqId request{0};
        std::vector<std::uint32_t> tokens, rows;  // that the left side drew
        std::uint32_t told = 0;                   // tokens at most; 0: none
        friend bool operator==(const BothLook&, const BothLook&) = default;
    };
    std::future<std::shared_ptr<const FullText>> looking_at_both_;
    std::shared_ptr<const FullText> in_full_;
    std::shared_ptr<std::atomic<bool>> stop_telling_ = std::make_shared<std::atomic<bool>>(false);
    BothLook in_full_of_, looking_of_;
    std::future<ProofView> proving_;
    ProofView proof_;
    std::uint32_t proof_iteration_ = 0;
    bool measures_ = false;
    std::future<MachineRoofs> measuring_;
    std::string roofs_owner_;  // "cpu", or a card's backend; empty: nobody's yet
    MachineRoofs roofs_;
    PriceDesk price_;
    LessonDesk lessons_;
    std::array<LaneLens, 2> lenses_;
    std::optional<RunView> view_, other_view_;
};

}  // namespace kv
