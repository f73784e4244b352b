// What each wish of the window does to the run.

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "app/live/live_run.hpp"
#include "app/live/run_until.hpp"
#include "app/live/scene/change.hpp"
#include "app/panels/view/facts.hpp"
#include "app/panels/view/pair.hpp"
#include "core/base/error.hpp"
#include "core/base/kv_head.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

Granularity one_finer(Granularity step) {
    return step == Granularity::Operation ? step
                                          : static_cast<Granularity>(static_cast<int>(step) - 1);
}

// The first letter that no request has, or a letter with a digit.
std::string free_name(const Snapshot& now) {
    for (std::size_t i = now.requests.size();; ++i)
        if (!request_named(now, request_name(i))) return request_name(i);
}

// Whom the next step brings; null where a command brings nobody.
const std::string* newcomer_of(const EngineCommand& command) {
    if (const auto* added = std::get_if<AddRequest>(&command)) return &added->name;
    if (const auto* fork = std::get_if<ForkRequest>(&command)) return &fork->name;
    return nullptr;
}

}  // namespace

// What each command does to the run. Moving the cursor needs a run, and changing it an engine as
// well, which a record of a run does not have.
enum class Needs : std::uint8_t { Nothing, Run, Engine };
struct LiveRun::Deeds {
    struct Deed {
        CommandId id;
        Needs needs;
        void (*run)(LiveRun& live, AppState& state, const Command& wish);
    };
    static void step(LiveRun& live, Granularity size) {
        live.playhead_.go([size](RunCursor& run) { return run.try_forward(size); });
    }
    static void step_back(LiveRun& live, Granularity size) {
        live.playhead_.go(
            [size](RunCursor& run) { return run.back(size) ? Moved::Yes : Moved::AtTheEnd; });
    }
    // A film goes on until the run ends, wherever that is.
    static void go_to(LiveRun& live, std::uint32_t n) {
        live.playhead_.go([n](RunCursor& run) { return run.try_to_iteration(n); },
                          [&live, n](AppState& state) {
                              if (state.film.empty()) refuse_beyond(live.run()->now(), n);
                          });
    }
    static void set_model(LiveRun& live, AppState&, const Command& wish) {
        Scene scene = live.main_.scene;
        scene.model = word_argument(wish);
        scene.sha256.reset();
        live.undo_.push_back(live.main_.scene);
        live.reopen(std::move(scene));
    }
    static void compare(LiveRun& live, AppState& state, SceneChange change) {
        live.comparison_.start(live.main_, live.place_, std::move(change));
        state.layout = LayoutName::Compare;
    }
    static std::string free_name_of(const LiveRun& live) {
        return free_name(live.main_.session->now());
    }

    static constexpr auto
        kAll =
            std::
                to_array<Deed>(
                    {
                        {"run.cancel", Needs::Nothing,
                         [](LiveRun& live, AppState& state, const Command&) {
                             live.cancel(state);
                         }},
                        {"file.open_scene", Needs::Nothing,
                         [](LiveRun& live, AppState&, const Command& wish) {
                             live.open_as_shown(word_argument(wish));
                         }},

                        {"run.forward", Needs::Run,
                         [](LiveRun& live, AppState& state, const Command&) {
                             step(live, state.run.playback.step);
                         }},
                        {"run.back", Needs::Run,
                         [](LiveRun& live, AppState& state, const Command&) {
                             step_back(live, state.run.playback.step);
                         }},
                        {"run.finer_forward", Needs::Run,
                         [](LiveRun& live, AppState& state, const Command&) {
                             step(live, one_finer(state.run.playback.step));
                         }},
                        {"run.finer_back", Needs::Run,
                         [](LiveRun& live, AppState& state, const Command&) {
                             step_back(live, one_finer(state.run.playback.step));
                         }},
                        {"run.first", Needs::Run,
                         [](LiveRun& live, AppState&, const Command&) {
                             live.playhead_.go(
                                 [](RunCursor& run) { return run.to_moment(0), Moved::Yes; });
                         }},
                        {"run.last", Needs::Run,
                         [](LiveRun& live, AppState&, const Command&) {
                             live.playhead_.go([](RunCursor& run) { return run.try_to_end(); });
                         }},
                        {"run.goto", Needs::Run,
                         [](LiveRun& live, AppState&, const Command& wish) {
                             go_to(live, static_cast<std::uint32_t>(std::min<std::uint64_t>(
                                             whole_argument(wish), UINT32_MAX - 1)));
                         }},
                        {"run.moment", Needs::Run,
                         [](LiveRun& live, AppState&, const Command& wish) {
                             live.playhead_.go([n = whole_argument(wish)](RunCursor& run) {
                                 return run.to_moment(std::min(n, run.trace().size())), Moved::Yes;
                             });
                         }},
                        {"run.next_event", Needs::Run,
                         [](LiveRun& live, AppState&, const Command&) {
                             live.playhead_.go(
                                 [from = live.run()->moment()](RunCursor& run) mutable {
                                     return run.try_to_next(changes_a_block, from);
                                 });
                         }},
                        {"run.previous_event", Needs::Run,
                         [](LiveRun& live, AppState&, const Command&) {
                             live.playhead_.go([](RunCursor& run) {
                                 return run.to_previous(changes_a_block) ? Moved::Yes
                                                                         : Moved::AtTheEnd;
                             });
                         }},
                        {"run.until", Needs::Run,
                         [](LiveRun& live, AppState&, const Command& wish) {
                             live.until(word_argument(wish));
                         }},
                        {"run.next_difference", Needs::Run,
                         [](LiveRun& live, AppState&, const Command&) {
                             live.comparison_.require_side();
                             live.playhead_.go(
                                 [&live, from = live.run()->moment()](RunCursor& run) mutable {
                                     return live.comparison_.to_difference(run, from);
                                 });
                         }},
                        {"select.follow", Needs::Run,
                         [](LiveRun& live, AppState& state, const Command&) {
                             live.follow_line(state.run.focus);
                         }},

                        {"run.restart", Needs::Engine,
                         [](LiveRun& live, AppState&, const Command&) {
                             live.open({live.main_.scene, live.place_, live.main_.folder, 0, {}});
                         }},
                        {"run.model", Needs::Engine, set_model},
                        {"file.open_model", Needs::Engine, set_model},
                        {"run.set", Needs::Engine,
                         [](LiveRun& live, AppState&, const Command& wish) {
                             live.set(word_argument(wish));
                         }},
                        {"run.undo_set", Needs::Engine,
                         [](LiveRun& live, AppState&, const Command&) {
                             live.travel(live.undo_, live.redo_);
                         }},
                        {"run.redo_set", Needs::Engine,
                         [](LiveRun& live, AppState&, const Command&) {
                             live.travel(live.redo_, live.undo_);
                         }},
                        {"run.do", Needs::Engine,
                         [](LiveRun& live, AppState& state, const Command& wish) {
                             live.tell_engine(state, engine_command(word_argument(wish)));
                         }},
                        {"run.add", Needs::Engine,
                         [](LiveRun& live, AppState& state, const Command& wish) {
                             live.tell_engine(state,
                                              AddRequest{free_name_of(live), word_argument(wish)});
                         }},
                        {"run.fork", Needs::Engine,
                         [](LiveRun& live, AppState& state, const Command& wish) {
                             live.tell_engine(state,
                                              ForkRequest{word_argument(wish), free_name_of(live)});
                         }},
                        {"run.branch", Needs::Engine,
                         [](LiveRun& live, AppState& state, const Command& wish) {
                             compare(live, state,
                                     {word_argument(wish), live.main_.session->now().iteration});
                         }},
                        {"run.compare", Needs::Engine,
                         [](LiveRun& live, AppState& state, const Command& wish) {
                             compare(live, state, {word_argument(wish), {}});
                         }},
                        {"run.swap_sides", Needs::Engine,
                         [](LiveRun& live, AppState&, const Command&) { live.swap_sides(); }},
                        {"run.difference_event", Needs::Engine,
                         [](LiveRun& live, AppState& state, const Command&) {
                             live.show_difference_event(state);
                         }},
                        {"run.end_comparison", Needs::Engine,
                         [](LiveRun& live, AppState&, const Command&) { live.comparison_.end(); }},
                        {"price.measure", Needs::Engine,
                         [](LiveRun& live, AppState& state, const Command&) {
                             live.price_.follow(*live.main_.session, live.main_.id,
                                                state.run.focus.request);
                             live.price_.measure(state.run.price.text);
                         }},
                        {"price.cancel", Needs::Engine,
                         [](LiveRun& live, AppState&, const Command&) { live.price_.cancel(); }},
                        {"price.add", Needs::Engine,
                         [](LiveRun& live, AppState&, const Command& wish) {
                             live.price_.add(word_argument(wish));
                         }},
                        {"run.prove", Needs::Engine,
                         [](LiveRun& live, AppState&,
                            const Command&) { live.proof_.begin(*live.main_.session); }},
                        {"select.address", Needs::Engine,
                         [](LiveRun& live, AppState& state, const Command& wish) {
                             live.select_address(state, word_argument(wish));
                         }},
                        {"file.save_scene", Needs::Engine,
                         [](LiveRun& live, AppState& state, const Command& wish) {
                             live.save_scene(state, word_argument(wish));
                         }},
                    });

    static const Deed* of(CommandId id) {
        const auto deed =
            std::find_if(kAll.begin(), kAll.end(), [id](const Deed& d) { return d.id == id; });
        return deed == kAll.end() ? nullptr : &*deed;
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

// To the next event that the words name.
void LiveRun::until(const std::string& words) {
    std::vector<std::string> names;
    if (main_.session)
        for (const SceneRequest& request : main_.scene.requests) names.push_back(request.id);
    static_cast<void>(wanted_by(words, run()->trace().end(), names));
    playhead_.go([words, names, from = run()->moment()](RunCursor& run) mutable {
        const Moved moved = run.try_to_next(wanted_by(words, run.trace().end(), names), from);
        if (moved == Moved::AtTheEnd)
            throw Refused("refused.until.nothing"_t, {{"words", shown(words)}});
        return moved;
    });
}

void LiveRun::travel(std::vector<Scene>& from, std::vector<Scene>& to) {
    if (from.empty()) return;
    to.push_back(main_.scene);
    Scene scene = std::move(from.back());
    from.pop_back();
    reopen(std::move(scene));
}

// "block_size 8": the scene with that setting, from its first step on.
void LiveRun::set(const std::string& words) {
    Scene scene = with_setting(main_.scene, words);
    undo_.push_back(main_.scene);
    redo_.clear();
    reopen(std::move(scene));
}

// Commands take effect between two iterations. In the past that means: the run up to here once
// more, and another future from here on.
void LiveRun::tell_engine(AppState& state, const EngineCommand& command) {
    const auto tell = [this, command](AppState& later) {
        if (const auto refusal = main_.session->command(command)) {
            later.notice = Notice{.said = Said::as_is(*refusal), .refused = true};
            return;
        }
        main_.scene.commands.push_back({main_.session->now().iteration, command});
        if (auto change = comparison_.repeatable())
            comparison_.start(main_, place_, *std::move(change));
        if (const std::string* name = newcomer_of(command)) {
            awaited_ = *name;
            later.notice =
                Notice{.said = Said("run.added"_t, {{"name", *name}}), .until_it_comes = true};
        }
    };
    if (!main_.session->busy() && main_.session->moment() == main_.session->trace().size())
        return tell(state);
    Scene past = main_.scene;
    const std::uint32_t iteration = main_.session->now().iteration;
    past.commands.erase(std::remove_if(past.commands.begin(), past.commands.end(),
                                       [&](const SceneCommand& c) { return c.at > iteration; }),
                        past.commands.end());
    reopen(std::move(past), tell);
}

// From a token to its block, and from a block back to the first of its tokens: those of the request
// in focus, or of whoever holds it.
void LiveRun::follow_line(RunFocus& focus) const {
    const Snapshot& now = run()->now();
    if (!focus.block) {
        const auto position = inspected_position(now, focus);
        const auto place =
            position ? place_of_token(now, {focus.request, *position}) : std::nullopt;
        if (!place) throw Refused("refused.follow"_t);
        focus.block = place->block;
        focus.token.reset();
        return;
    }
    const List<Holder> holders = holders_of(now, *focus.block);
    if (holders.empty())
        throw Refused("refused.follow.block"_t, {{"block", std::to_string(focus.block->value)}});
    const auto ours = std::find_if(holders.begin(), holders.end(), [&](const Holder& holder) {
        return holder.request == focus.request;
    });
    const Holder& to = ours == holders.end() ? holders.front() : *ours;
    focus.request = to.request;
    focus.token = to.entry * now.block_size;
    focus.block.reset();
}

void LiveRun::select_address(AppState& state, const std::string& text) {
    std::string_view digits = text;
    const bool hex = digits.substr(0, 2) == "0x" || digits.substr(0, 2) == "0X";
    if (hex) digits.remove_prefix(2);
    std::uint64_t address = 0;
    const auto [end, failed] =
        std::from_chars(digits.data(), digits.data() + digits.size(), address, hex ? 16 : 10);
    const KvLayout& layout = main_.session->layout();
    if (failed != std::errc() || end != digits.data() + digits.size() || digits.empty() ||
        address >= layout.pool_bytes())
        throw Refused("refused.address"_t,
                      {{"words", text}, {"last", std::to_string(layout.pool_bytes() - 1)}});
    const KvPlace place = place_of(layout, address);
    RunFocus& focus = state.run.focus;
    focus.layer = place.layer.value, focus.side = place.side, focus.kv_head = place.head.value;
    focus.query_head = focus.kv_head * group_size(state.run.bounds.n_heads, layout.n_kv_heads);
    focus.dim = place.byte * 8 / std::max(1u, layout.vector(place.side).element_bits);
    focus.token.reset(), focus.block.reset();
    const List<Holder> holders = holders_of(main_.session->now(), place.block);
    if (holders.empty()) {
        focus.block = place.block;
        return;
    }
    const auto ours = std::find_if(holders.begin(), holders.end(), [&](const Holder& holder) {
        return holder.request == focus.request;
    });
    const Holder holder = ours == holders.end() ? holders.front() : *ours;
    focus.request = holder.request;
    focus.token = holder.entry * layout.block_size + place.slot.value;
}

// What was right is the run now, and what was left is compared with it.
void LiveRun::swap_sides() {
    comparison_.swap(main_);
    playhead_.stop();
    undo_.clear(), redo_.clear();
    look_.forget();
    proof_.forget();
}

// The token that parts the sides is drawn in no block, so the log does not list it: what it lists
// last about that request leads to it.
void LiveRun::show_difference_event(AppState& state) {
    comparison_.require_side();
    std::array<LaneLens, 2> lenses;
    const RunFocus& focus = state.run.focus;
    const RunView left = view_of(*main_.session, main_.id, lenses[0], focus),
                  right = view_of(*comparison_.side()->session, comparison_.side()->id, lenses[1],
                                  focus);
    const SeqId request = focus.request;
    const std::string name = name_of_request(left.now, request);
    RunPair pair;
    pair.follow(left, right, request);
    const TokenParting* parting = pair.parting_of(name);
    if (parting == nullptr) throw Refused("refused.difference.request"_t, {{"name", name}});
    const std::uint64_t last = parting->left ? parting->event + 1 : left.trace.size();
    const auto listed = left.trace.find_back(
        last, [request](const Event& event) { return event.request == request && mark_of(event); });
    const std::uint64_t moment = (listed ? *listed : parting->event) + 1;
    playhead_.go([moment](RunCursor& run) { return run.to_moment(moment), Moved::Yes; });
    apply(state, {"layout.explore", {}});
    apply(state, {"panel.show", std::string("events")});
}

}  // namespace kv
