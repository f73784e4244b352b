// The wishes: commands whose CommandOwner is Run, Opener or Lesson. apply() of app/frame/apply.cpp
// leaves them in state.run.wishes, LiveRun::tick() takes them one by one, and carry_out() at the
// end of this file finds the row of each: what it needs, and the function that does it. The table
// here has rows of Run and Opener; those of Lesson are in LessonDesk::Wishes (lessons/desk.cpp).

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "app/frame/minute/stops.hpp"
#include "app/live/live_run.hpp"
#include "app/live/minute.hpp"
#include "app/live/run_until.hpp"
#include "app/live/scene/change.hpp"
#include "app/live/scene/follow.hpp"
#include "app/live/scene/view_of.hpp"
#include "app/live/start/own_sentence.hpp"
#include "app/panels/view/facts.hpp"
#include "app/shell/files.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

Granularity one_finer(Granularity step) {
    return step == Granularity::Operation ? step
                                          : static_cast<Granularity>(static_cast<int>(step) - 1);
}

// The first letter that no request has or will have, or a letter with a digit.
std::string free_name(const Snapshot& now, const Scene& scene) {
    const auto is_to_come = [&](const std::string& name) {
        return std::any_of(scene.requests.begin(), scene.requests.end(),
                           [&](const SceneRequest& request) { return request.id == name; });
    };
    for (std::size_t i = now.requests.size();; ++i)
        if (std::string name = request_name(i); !request_named(now, name) && !is_to_come(name))
            return name;
}

// The name of the request that a command brings in the next step; null where it brings nobody.
const std::string* newcomer_of(const EngineCommand& command) {
    if (const auto* added = std::get_if<AddRequest>(&command)) return &added->name;
    if (const auto* fork = std::get_if<ForkRequest>(&command)) return &fork->name;
    return nullptr;
}

// A pool that keeps its blocks takes other bytes when they are of another size. Nobody asked for
// that by name, so the window says it.
std::optional<Said> pool_change(const KvLayout& before, const KvLayout& now) {
    if (now.n_blocks != before.n_blocks || now.pool_bytes() == before.pool_bytes())
        return std::nullopt;
    return Said("run.pool_changed"_t, {{"n", with_commas(now.n_blocks)},
                                       {"block", bytes_binary(bytes_per_block(now))},
                                       {"bytes", bytes_binary(now.pool_bytes())},
                                       {"before", bytes_binary(before.pool_bytes())}});
}

// What was chosen for the whole run holds until the scene itself sets it. Nobody sees that command
// while choosing, so the window says it.
std::optional<Said> set_again(const Scene& scene, const std::string& words) {
    const std::string name = words.substr(0, words.find(' '));
    for (const SceneCommand& command : scene.commands) {
        const auto* set = std::get_if<SetSetting>(&command.command);
        if (set == nullptr || set->name != name) continue;
        return Said("run.set_again"_t, {{"name", name},
                                        {"value", find_setting(name)->write(scene.settings)},
                                        {"other", set->value},
                                        {"n", with_commas(command.at)}});
    }
    return std::nullopt;
}

// The bytes of the last word that the model knows stand beside its sentence.
void look_at_sentence(AppState& state, const RunSession& session) {
    state.run.focus = RunFocus();
    state.run.focus.token = first_look(session);
    state.run.stage = {};
    state.bring_to_front = {PanelId::Inspector};
}

}  // namespace

// Moving the cursor needs a run, and changing it an engine as well, which a record of a run does
// not have.
enum class Needs : std::uint8_t { Nothing, Run, Engine };
struct LiveRun::Wishes {
    struct Row {
        CommandId id;
        Needs needs;
        void (*run)(LiveRun& live, AppState& state, const Command& wish);
    };

    // Ends everything that is under way, and nothing of what has been shown.
    static void cancel(LiveRun& live, AppState& state, const Command&) {
        live.opener_.cancel();
        live.recorded_.stop();
        if (live.comparison_.waits_for_model()) live.comparison_.end();
        live.price_.cancel();
        live.driver_.stop();
        // What is computed so far is what can be shown, once the iteration under way is done. The
        // goal is kept until then, or the picture would be that of step 0.
        if (live.focus_.goal() && live.main_.session)
            live.driver_.go(
                [](RunCursor& run) { return run.to_moment(run.trace().size()), Moved::Yes; });
        else
            live.focus_.stop();
        state.run.playback.playing = false;
    }
    static void open_scene(LiveRun& live, AppState&, const Command& wish) {
        live.open_as_shown(word_argument(wish));
    }

    static void start_minute(LiveRun& live, AppState& state, const Command&) {
        live.open_scene(kMinuteScene, look_of(1).iteration);
        Opening& opening = *live.opener_.waiting();
        opening.when_there = [&live, when_there = std::move(opening.when_there)](AppState& later) {
            when_there(later);
            begin_minute(later, live.driver_);
        };
        apply(state, {"layout.explore", {}});
    }
    static void next_stop(LiveRun& live, AppState& state, const Command&) {
        go_to_stop(state, live.driver_, 1);
    }
    static void stop_before(LiveRun& live, AppState& state, const Command&) {
        go_to_stop(state, live.driver_, -1);
    }
    static void skip_minute(LiveRun&, AppState& state, const Command&) {
        state.minute.open = false;
    }
    static void open_sentence(LiveRun& live, AppState& state, const Command& wish) {
        state.start.problem = {};
        const std::string sentence = word_argument(wish);
        Opening opening;
        opening.scene = scene_of_sentence(sentence), opening.place = "the sentence";
        opening.keeps_comparison = false, opening.is_sentence = true;
        opening.goal = {opening.scene.step};
        opening.folder = live.places_.model_folder(opening.scene.model);
        opening.check = [sentence](const LoadedModel& model) { require_readable(sentence, model); };
        opening.when_there = [&live](AppState& later) {
            later.run.charts.run = live.main_.id;
            look_at_sentence(later, *live.main_.session);
        };
        live.open(std::move(opening));
    }

    static void read_as(LiveRun& live, AppState&, const Command& wish) {
        live.recorded_.read_as(word_argument(wish));
    }

    // Moving the cursor
    static void step(LiveRun& live, Granularity size) {
        live.driver_.go([size](RunCursor& run) { return run.try_forward(size); });
    }
    static void step_back(LiveRun& live, Granularity size) {
        live.driver_.go(
            [size](RunCursor& run) { return run.back(size) ? Moved::Yes : Moved::NoFurther; });
    }
    static void forward(LiveRun& live, AppState& state, const Command&) {
        step(live, state.run.playback.step);
    }
    static void back(LiveRun& live, AppState& state, const Command&) {
        step_back(live, state.run.playback.step);
    }
    static void finer_forward(LiveRun& live, AppState& state, const Command&) {
        step(live, one_finer(state.run.playback.step));
    }
    static void finer_back(LiveRun& live, AppState& state, const Command&) {
        step_back(live, one_finer(state.run.playback.step));
    }
    static void to_first(LiveRun& live, AppState&, const Command&) {
        live.driver_.go([](RunCursor& run) { return run.to_moment(0), Moved::Yes; });
    }
    static void to_last(LiveRun& live, AppState&, const Command&) {
        live.driver_.go([](RunCursor& run) { return run.try_to_end(); });
    }
    static void to_iteration(LiveRun& live, AppState&, const Command& wish) {
        // One less than the largest number: the iteration behind it has a number as well.
        const auto n = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(whole_argument(wish), UINT32_MAX - 1));
        // A film goes on until the run ends, wherever that is.
        live.driver_.go([n](RunCursor& run) { return run.try_to_iteration(n); },
                        [&live, n](AppState& state) {
                            if (state.film.empty()) refuse_beyond(live.run()->now(), n);
                        });
    }
    static void to_moment(LiveRun& live, AppState&, const Command& wish) {
        live.driver_.go([n = whole_argument(wish)](RunCursor& run) {
            return run.to_moment(std::min(n, run.trace().size())), Moved::Yes;
        });
    }
    static void next_event(LiveRun& live, AppState&, const Command&) {
        live.driver_.go([from = live.run()->moment()](RunCursor& run) mutable {
            return run.try_to_next(changes_a_block, from);
        });
    }
    static void previous_event(LiveRun& live, AppState&, const Command&) {
        live.driver_.go([](RunCursor& run) {
            return run.to_previous(changes_a_block) ? Moved::Yes : Moved::NoFurther;
        });
    }
    static void until(LiveRun& live, AppState&, const Command& wish) {
        std::vector<std::string> to_come;
        if (live.main_.session)
            for (const SceneRequest& request : live.main_.scene.requests)
                to_come.push_back(request.id);
        live.driver_.go(goal_until(word_argument(wish), *live.run(), to_come));
    }
    static void next_difference(LiveRun& live, AppState&, const Command&) {
        live.comparison_.require_side();
        live.driver_.go(
            [&live, from = Comparison::Searched{live.run()->moment()}](RunCursor&) mutable {
                return live.comparison_.to_difference(*live.main_.session, from);
            });
    }
    static void follow_line(LiveRun& live, AppState& state, const Command&) {
        RunFocus& focus = state.run.focus;
        const auto& record = live.recorded_.run();
        const RunView view = live.main_.session ? view_of(*live.main_.session, live.main_.id, focus)
                                                : view_of(*record, live.main_.id, focus);
        kv::follow_line(focus, view.lane());
    }

    // Changing the run, and taking that back. The steps of a change (README.md, "Undo and redo"):
    // 1. A person changes the scene from its first step on (change), or gives a command that takes
    //    effect at the cursor (command_engine).
    // 2. The scene with which the run plays now is remembered, on a copy of the list of undo
    //    (undo_with_this_scene).
    // 3. The run is played anew: LiveRun::reopen() has it opened, and LiveRun::begin() takes scene
    //    and list together, so a change whose model cannot be read leaves both as they were. At the
    //    end of a run nothing has to be played: command_now adds the command to it.
    // 4. Undo and redo (travel) play the newest scene of one list, and remember this one on the
    //    other.

    // While a task is done in the tank, only what it allows may be changed.
    static void require_allowed(const LiveRun& live, const Scene& next) {
        if (const std::string why = live.lessons_.task_refusal(next); !why.empty())
            throw Refused("refused.task.change"_t, {{"why", why}});
    }
    static UndoHistory<Scene> undo_with_this_scene(const LiveRun& live) {
        UndoHistory<Scene> undo = live.undo_;
        undo.remember(live.main_.scene);
        return undo;
    }
    // Plays the scene, changed from its first step on.
    static void change(LiveRun& live, Scene scene, std::optional<Said> said = std::nullopt) {
        require_allowed(live, scene);
        live.reopen(std::move(scene), undo_with_this_scene(live),
                    [&live, said = std::move(said),
                     before = live.main_.session->layout()](AppState& later) {
                        const auto bytes = pool_change(before, live.main_.session->layout());
                        if (said || bytes) later.notice = Notice{.said = said ? *said : *bytes};
                    });
    }
    // Commands of the engine take effect between two iterations. Where the cursor stands in the
    // past, the run is played once more up to here, and has another future from here on.
    static void command_engine(LiveRun& live, AppState& state, const EngineCommand& command) {
        const RunSession& session = *live.main_.session;
        Scene next = live.main_.scene;
        next.commands.push_back({session.now().iteration, command});
        require_allowed(live, next);
        const bool at_the_end = !session.busy() && session.moment() == session.trace().size();
        UndoHistory<Scene> undo = undo_with_this_scene(live);
        if (at_the_end) {
            command_now(live, state, command, std::move(undo));
            return;
        }
        // begin() has given live.undo_ the list above before the lambda runs. `main` and `before`
        // are of now, for a refusal.
        live.reopen(past_of(live.main_.scene, session.now().iteration), std::move(undo),
                    [&live, command, main = live.main_, before = live.undo_](AppState& later) {
                        if (!command_now(live, later, command, live.undo_))
                            put_back(live, main, before);
                    });
    }
    // False where the engine refuses it; it says why.
    static bool command_now(LiveRun& live, AppState& state, const EngineCommand& command,
                            UndoHistory<Scene> undo) {
        PlayedSide& main = live.main_;
        if (const auto refusal = main.session->command(command)) {
            state.notice = Notice{.said = Said::as_is(*refusal), .refused = true};
            return false;
        }
        live.undo_ = std::move(undo);
        main.scene.commands.push_back({main.session->now().iteration, command});
        if (auto change = live.comparison_.repeatable())
            live.comparison_.start(main, *std::move(change), live.comparison_.asked_by());
        if (const std::string* name = newcomer_of(command)) {
            live.focus_.await(*name);
            state.notice =
                Notice{.said = Said("run.added"_t, {{"name", *name}}), .until_it_comes = true};
        }
        return true;
    }
    // A command was refused in the past: the run has the future that it had, and stands where it
    // stood.
    static void put_back(LiveRun& live, const PlayedSide& main, const UndoHistory<Scene>& undo) {
        live.main_ = main, live.undo_ = undo;
        live.refusals_shown_of_ = main.id;
        live.view_.reset(), live.looks_.forget();
        live.comparison_.start_again(live.main_);
    }

    enum class UndoWay : std::uint8_t { Back, Forward };
    // If what is taken back was to bring a request, nobody waits for it any more.
    static void travel(LiveRun& live, AppState& state, UndoWay way) {
        const bool is_undo = way == UndoWay::Back;
        const Scene& now = live.main_.scene;
        UndoHistory<Scene> undo = live.undo_;
        std::optional<Scene> to = is_undo ? undo.back(now) : undo.forward(now);
        if (!to) {
            const TextId is_over = is_undo ? "run.nothing_to_undo"_t : "run.nothing_to_redo"_t;
            state.notice = Notice{.said = Said(is_over)};
            return;
        }
        live.reopen(*std::move(to), std::move(undo));
        live.focus_.await_nobody();
        if (state.notice && state.notice->until_it_comes) state.notice.reset();
    }
    static void undo_set(LiveRun& live, AppState& state, const Command&) {
        travel(live, state, UndoWay::Back);
    }
    static void redo_set(LiveRun& live, AppState& state, const Command&) {
        travel(live, state, UndoWay::Forward);
    }

    // What of it a person can change
    static void restart(LiveRun& live, AppState&, const Command&) {
        live.open({.scene = live.main_.scene,
                   .place = live.main_.place,
                   .folder = live.main_.folder,
                   .keeps_task = true,
                   .undo = live.undo_});
    }
    static void set_for_all(LiveRun& live, const std::string& words) {
        Scene scene = with_setting(live.main_.scene, words);
        std::optional<Said> said = set_again(scene, words);
        change(live, std::move(scene), std::move(said));
    }
    static void set_model(LiveRun& live, AppState&, const Command& wish) {
        Scene scene = live.main_.scene;
        scene.model = word_argument(wish);
        scene.sha256.reset();
        change(live, std::move(scene));
    }
    static void set(LiveRun& live, AppState&, const Command& wish) {
        set_for_all(live, word_argument(wish));
    }
    static void toggle_cache(LiveRun& live, AppState&, const Command&) {
        set_for_all(live, live.main_.scene.settings.cache ? "cache off" : "cache on");
    }
    static void do_command(LiveRun& live, AppState& state, const Command& wish) {
        command_engine(live, state, engine_command(word_argument(wish)));
    }
    static std::string free_name_of(const LiveRun& live) {
        return free_name(live.main_.session->now(), live.main_.scene);
    }
    static void add(LiveRun& live, AppState& state, const Command& wish) {
        const RunSession& session = *live.main_.session;
        require_room(word_argument(wish), session.model(), session.layout());
        command_engine(live, state, AddRequest{free_name_of(live), word_argument(wish)});
    }
    static void fork(LiveRun& live, AppState& state, const Command& wish) {
        command_engine(live, state, ForkRequest{word_argument(wish), free_name_of(live)});
    }

    // Comparing the run with another
    static void start_comparison(LiveRun& live, AppState& state, SceneChange change) {
        live.comparison_.start(live.main_, std::move(change));
        state.layout = LayoutName::Compare;
        if (state.attach.other) state.attach.wishes.push_back({"attach.alone", {}});
    }
    static void branch(LiveRun& live, AppState& state, const Command& wish) {
        start_comparison(live, state, {word_argument(wish), live.main_.session->now().iteration});
    }
    static void compare(LiveRun& live, AppState& state, const Command& wish) {
        start_comparison(live, state, {word_argument(wish), {}});
    }
    // What was right is the run now, and what was left is compared with it.
    static void swap_sides(LiveRun& live, AppState&, const Command&) {
        live.comparison_.swap(live.main_);
        live.driver_.stop();
        live.undo_ = {};
        live.looks_.forget();
    }
    static void show_difference_event(LiveRun& live, AppState& state, const Command&) {
        const std::uint64_t moment =
            live.comparison_.moment_of_difference(live.main_, state.run.focus);
        live.driver_.go([moment](RunCursor& run) { return run.to_moment(moment), Moved::Yes; });
        apply(state, {"layout.explore", {}});
        apply(state, {"panel.show", std::string("events")});
    }
    static void end_comparison(LiveRun& live, AppState&, const Command&) { live.comparison_.end(); }

    // Asking what it costs, whether it is right, and what it holds
    static void measure_price(LiveRun& live, AppState& state, const Command&) {
        live.price_.follow(*live.main_.session, live.main_.id, state.run.focus.request);
        live.price_.measure(state.run.price.text);
    }
    static void cancel_price(LiveRun& live, AppState&, const Command&) { live.price_.cancel(); }
    static void add_price(LiveRun& live, AppState&, const Command& wish) {
        live.price_.add(word_argument(wish));
    }
    static void prove(LiveRun& live, AppState&, const Command&) {
        live.looks_.prove(*live.main_.session);
    }
    static void select_address(LiveRun& live, AppState& state, const Command& wish) {
        const RunSession& session = *live.main_.session;
        kv::select_address(state.run.focus, session.now(),
                           {session.layout(), session.lanes(), state.run.bounds.n_heads},
                           word_argument(wish));
    }
    // A question may have asked to save first; what it held back goes on once that is done.
    static void save_scene(LiveRun& live, AppState& state, const Command& wish) {
        const std::string path = word_argument(wish);
        save_file(path, scene_text(*live.scene_as_shown(state)));
        live.work_.keep(live.main_.scene, false);
        state.run.own_work = {};
        const std::string whole = std::filesystem::absolute(path).lexically_normal().string();
        state.notice = Notice{.said = Said("message.saved"_t, {{"path", whole}}), .file = whole};
        if (state.question && state.question->saving) apply(state, {"question.drop", {}});
    }

    // Commands of a lesson have their rows in LessonDesk::Wishes (lessons/desk.cpp).
    static void lesson(LiveRun& live, AppState& state, const Command& wish) {
        live.lessons_.carry_out(wish);
        if (wish.id == "lesson.close") {
            if (state.layout != LayoutName::Learn) state.layout = LayoutName::Learn;
            state.bring_to_front = {PanelId::Lesson};
        }
        const bool opens_task = wish.id == "task.open" && live.lessons_.view().task;
        if (opens_task && state.layout == LayoutName::Learn) apply(state, {"layout.explore", {}});
        live.take_lesson(state, 0);
    }

    static std::span<const Row> table() {
        // Not constexpr: looking up so many ids in one constant is too long for clang 14.
        static const Row kAll[] = {
            {"run.cancel", Needs::Nothing, cancel},
            {"file.open_scene", Needs::Nothing, open_scene},
            {"minute.start", Needs::Nothing, start_minute},
            {"minute.next", Needs::Run, next_stop},
            {"minute.back", Needs::Run, stop_before},
            {"minute.skip", Needs::Nothing, skip_minute},
            {"start.sentence", Needs::Nothing, open_sentence},

            {"file.read_as", Needs::Run, read_as},
            {"run.forward", Needs::Run, forward},
            {"run.back", Needs::Run, back},
            {"run.finer_forward", Needs::Run, finer_forward},
            {"run.finer_back", Needs::Run, finer_back},
            {"run.first", Needs::Run, to_first},
            {"run.last", Needs::Run, to_last},
            {"run.goto", Needs::Run, to_iteration},
            {"run.moment", Needs::Run, to_moment},
            {"run.next_event", Needs::Run, next_event},
            {"run.previous_event", Needs::Run, previous_event},
            {"run.until", Needs::Run, until},
            {"run.next_difference", Needs::Run, next_difference},
            {"select.follow", Needs::Run, follow_line},

            {"run.restart", Needs::Engine, restart},
            {"run.model", Needs::Engine, set_model},
            {"file.open_model", Needs::Engine, set_model},
            {"run.set", Needs::Engine, set},
            {"run.cache", Needs::Engine, toggle_cache},
            {"run.undo_set", Needs::Engine, undo_set},
            {"run.redo_set", Needs::Engine, redo_set},
            {"run.do", Needs::Engine, do_command},
            {"run.add", Needs::Engine, add},
            {"run.fork", Needs::Engine, fork},
            {"run.branch", Needs::Engine, branch},
            {"run.compare", Needs::Engine, compare},
            {"run.swap_sides", Needs::Engine, swap_sides},
            {"run.difference_event", Needs::Engine, show_difference_event},
            {"run.end_comparison", Needs::Engine, end_comparison},
            {"price.measure", Needs::Engine, measure_price},
            {"price.cancel", Needs::Engine, cancel_price},
            {"price.add", Needs::Engine, add_price},
            {"run.prove", Needs::Engine, prove},
            {"select.address", Needs::Engine, select_address},
            {"file.save_scene", Needs::Engine, save_scene},
        };
        return kAll;
    }

    static const Row* of(CommandId id) {
        const auto all = table();
        const auto row =
            std::find_if(all.begin(), all.end(), [id](const Row& each) { return each.id == id; });
        return row == all.end() ? nullptr : &*row;
    }
};

bool LiveRun::carries_out(CommandId id) {
    return Wishes::of(id) != nullptr;
}

void LiveRun::carry_out(AppState& state, const Command& wish) {
    if (row_of(wish.id).owner == CommandOwner::Lesson) return Wishes::lesson(*this, state, wish);
    const Wishes::Row* row = Wishes::of(wish.id);
    KV_ASSERT(row != nullptr);
    if (row->needs != Needs::Nothing && !run()) throw Refused("refused.no_run"_t);
    if (row->needs == Needs::Engine && !main_.session)
        throw Refused("refused.trace.no_engine"_t, {{"file", shown(recorded_.run()->name())}});
    row->run(*this, state, wish);
}

}  // namespace kv
