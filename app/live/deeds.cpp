// One row for each wish of the window: what it needs, and what it does.

#include <algorithm>
#include <span>
#include <utility>

#include "app/live/live_run.hpp"
#include "app/live/run_until.hpp"
#include "app/live/scene/change.hpp"
#include "app/live/start/own_sentence.hpp"
#include "app/panels/view/facts.hpp"
#include "core/base/error.hpp"

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
        if (const std::string name = request_name(i);
            !request_named(now, name) && !is_to_come(name))
            return name;
}

}  // namespace

// Moving the cursor needs a run, and changing it an engine as well, which a record of a run does
// not have.
enum class Needs : std::uint8_t { Nothing, Run, Engine };
struct LiveRun::Deeds {
    struct Deed {
        CommandId id;
        Needs needs;
        void (*run)(LiveRun& live, AppState& state, const Command& wish);
    };

    static void cancel(LiveRun& live, AppState& state, const Command&) { live.cancel(state); }
    static void open_scene(LiveRun& live, AppState&, const Command& wish) {
        live.open_as_shown(word_argument(wish));
    }

    static void start_minute(LiveRun& live, AppState& state, const Command&) {
        live.start_minute(state);
    }
    static void next_stop(LiveRun& live, AppState& state, const Command&) {
        live.go_to_stop(state, 1);
    }
    static void stop_before(LiveRun& live, AppState& state, const Command&) {
        live.go_to_stop(state, -1);
    }
    static void skip_minute(LiveRun&, AppState& state, const Command&) {
        state.minute.open = false;
    }
    static void open_sentence(LiveRun& live, AppState& state, const Command& wish) {
        state.start.problem = {};
        live.open_sentence(word_argument(wish));
    }

    static void read_as(LiveRun& live, AppState&, const Command& wish) {
        live.recorded_.read_as(word_argument(wish));
    }

    // Moving the cursor
    static void step(LiveRun& live, Granularity size) {
        live.playhead_.go([size](RunCursor& run) { return run.try_forward(size); });
    }
    static void step_back(LiveRun& live, Granularity size) {
        live.playhead_.go(
            [size](RunCursor& run) { return run.back(size) ? Moved::Yes : Moved::AtTheEnd; });
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
        live.playhead_.go([](RunCursor& run) { return run.to_moment(0), Moved::Yes; });
    }
    static void to_last(LiveRun& live, AppState&, const Command&) {
        live.playhead_.go([](RunCursor& run) { return run.try_to_end(); });
    }
    static void to_iteration(LiveRun& live, AppState&, const Command& wish) {
        // The iteration behind it has a number as well.
        const auto n = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(whole_argument(wish), UINT32_MAX - 1));
        // A film goes on until the run ends, wherever that is.
        live.playhead_.go([n](RunCursor& run) { return run.try_to_iteration(n); },
                          [&live, n](AppState& state) {
                              if (state.film.empty()) refuse_beyond(live.run()->now(), n);
                          });
    }
    static void to_moment(LiveRun& live, AppState&, const Command& wish) {
        live.playhead_.go([n = whole_argument(wish)](RunCursor& run) {
            return run.to_moment(std::min(n, run.trace().size())), Moved::Yes;
        });
    }
    static void next_event(LiveRun& live, AppState&, const Command&) {
        live.playhead_.go([from = live.run()->moment()](RunCursor& run) mutable {
            return run.try_to_next(changes_a_block, from);
        });
    }
    static void previous_event(LiveRun& live, AppState&, const Command&) {
        live.playhead_.go([](RunCursor& run) {
            return run.to_previous(changes_a_block) ? Moved::Yes : Moved::AtTheEnd;
        });
    }
    static void until(LiveRun& live, AppState&, const Command& wish) {
        live.until(word_argument(wish));
    }
    static void next_difference(LiveRun& live, AppState&, const Command&) {
        live.comparison_.require_side();
        live.playhead_.go([&live, from = live.run()->moment()](RunCursor& run) mutable {
            return live.comparison_.to_difference(run, from);
        });
    }
    static void follow_line(LiveRun& live, AppState& state, const Command&) {
        live.follow_line(state.run.focus);
    }

    // Changing the run
    static void restart(LiveRun& live, AppState&, const Command&) {
        live.open({.scene = live.main_.scene,
                   .place = live.place_,
                   .folder = live.main_.folder,
                   .keeps_task = true});
    }
    static void set_model(LiveRun& live, AppState&, const Command& wish) {
        Scene scene = live.main_.scene;
        scene.model = word_argument(wish);
        scene.sha256.reset();
        live.require_allowed(scene);
        live.history_.remember(live.main_.scene);
        live.reopen(std::move(scene), live.tell_of_pool());
    }
    static void set(LiveRun& live, AppState&, const Command& wish) {
        live.set(word_argument(wish));
    }
    static void toggle_cache(LiveRun& live, AppState&, const Command&) {
        live.set(live.main_.scene.settings.cache ? "cache off" : "cache on");
    }
    static void undo_set(LiveRun& live, AppState& state, const Command&) {
        live.travel(state, live.history_.back(live.main_.scene), "run.nothing_to_undo"_t);
    }
    static void redo_set(LiveRun& live, AppState& state, const Command&) {
        live.travel(state, live.history_.forward(live.main_.scene), "run.nothing_to_redo"_t);
    }
    static void do_command(LiveRun& live, AppState& state, const Command& wish) {
        live.tell_engine(state, engine_command(word_argument(wish)));
    }
    static std::string free_name_of(const LiveRun& live) {
        return free_name(live.main_.session->now(), live.main_.scene);
    }
    static void add(LiveRun& live, AppState& state, const Command& wish) {
        const RunSession& session = *live.main_.session;
        require_room(word_argument(wish), session.model(), session.layout());
        live.tell_engine(state, AddRequest{free_name_of(live), word_argument(wish)});
    }
    static void fork(LiveRun& live, AppState& state, const Command& wish) {
        live.tell_engine(state, ForkRequest{word_argument(wish), free_name_of(live)});
    }

    // Comparing it with another
    static void start_comparison(LiveRun& live, AppState& state, SceneChange change) {
        live.comparison_.start(live.main_, live.place_, std::move(change));
        state.layout = LayoutName::Compare;
        if (state.attach.other) state.attach.wishes.push_back({"attach.alone", {}});
    }
    static void branch(LiveRun& live, AppState& state, const Command& wish) {
        start_comparison(live, state, {word_argument(wish), live.main_.session->now().iteration});
    }
    static void compare(LiveRun& live, AppState& state, const Command& wish) {
        start_comparison(live, state, {word_argument(wish), {}});
    }
    static void swap_sides(LiveRun& live, AppState&, const Command&) { live.swap_sides(); }
    static void show_difference_event(LiveRun& live, AppState& state, const Command&) {
        live.show_difference_event(state);
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
        live.proof_.begin(*live.main_.session);
    }
    static void select_address(LiveRun& live, AppState& state, const Command& wish) {
        live.select_address(state, word_argument(wish));
    }
    static void save_scene(LiveRun& live, AppState& state, const Command& wish) {
        live.save_scene(state, word_argument(wish));
    }

    static std::span<const Deed> table() {
        // Not constexpr: looking up so many ids in one constant is too long for clang 14.
        static const Deed kAll[] = {
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

    static const Deed* of(CommandId id) {
        const auto all = table();
        const auto deed =
            std::find_if(all.begin(), all.end(), [id](const Deed& d) { return d.id == id; });
        return deed == all.end() ? nullptr : &*deed;
    }
};

bool LiveRun::has_deed(CommandId id) {
    return Deeds::of(id) != nullptr;
}

void LiveRun::carry_out(AppState& state, const Command& wish) {
    if (row_of(wish.id).owner == CommandOwner::Lesson) return carry_out_lesson(state, wish);
    const Deeds::Deed* deed = Deeds::of(wish.id);
    KV_ASSERT(deed != nullptr);
    if (deed->needs != Needs::Nothing && !run()) throw Refused("refused.no_run"_t);
    if (deed->needs == Needs::Engine) require_engine();
    deed->run(*this, state, wish);
}

}  // namespace kv
