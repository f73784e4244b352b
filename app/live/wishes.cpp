// What each wish of the window does to the run.

#include <algorithm>
#include <charconv>
#include <utility>

#include "app/live/live_run.hpp"
#include "app/live/run_until.hpp"
#include "app/live/scene/change.hpp"
#include "app/panels/view/facts.hpp"
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

void LiveRun::carry_out(AppState& state, const Command& wish) {
    if (wish.name == "run.cancel") return cancel(state);
    if (wish.name == "file.open_scene") return open_as_shown(word_argument(wish));
    if (wish.name.starts_with("lesson.")) return carry_out_lesson(state, wish);
    if (!run()) throw Error(ErrorCode::Usage, "There is no run yet; open a scene first.");
    if (move(state, wish)) return;
    require_engine();
    if (!edit(state, wish)) KV_ASSERT(false);
}

bool LiveRun::move(AppState& state, const Command& wish) {
    const Granularity step = state.run.playback.step;
    const auto go = [&](Goal goal) {
        goal_ = std::move(goal), then_ = {};
        return true;
    };
    const auto forward = [&](Granularity size) {
        return go([size](RunCursor& run) { return run.try_forward(size); });
    };
    const auto back = [&](Granularity size) {
        return go([size](RunCursor& run) { return run.back(size) ? Moved::Yes : Moved::AtTheEnd; });
    };
    if (wish.name == "run.forward") return forward(step);
    if (wish.name == "run.back") return back(step);
    if (wish.name == "run.finer_forward") return forward(one_finer(step));
    if (wish.name == "run.finer_back") return back(one_finer(step));
    if (wish.name == "run.first")
        return go([](RunCursor& run) { return run.to_moment(0), Moved::Yes; });
    if (wish.name == "run.last") return go([](RunCursor& run) { return run.try_to_end(); });
    if (wish.name == "run.goto")
        return go([n = static_cast<std::uint32_t>(std::min<std::uint64_t>(
                       whole_argument(wish), UINT32_MAX - 1))](RunCursor& run) {
            return run.try_to_iteration(n);
        });
    if (wish.name == "run.moment")
        return go([n = whole_argument(wish)](RunCursor& run) {
            return run.to_moment(std::min(n, run.trace().size())), Moved::Yes;
        });
    const auto until = [&](Trace::Wanted wanted) {
        return go([wanted = std::move(wanted), from = run()->moment()](RunCursor& run) mutable {
            return run.try_to_next(wanted, from);
        });
    };
    if (wish.name == "run.next_event") return until(changes_a_block);
    if (wish.name == "run.next_difference") {
        require_other();
        return go([this, from = run()->moment()](RunCursor& run) mutable {
            return to_difference(run, from);
        });
    }
    if (wish.name == "run.until") {
        std::vector<std::string> names;
        if (session_)
            for (const SceneRequest& request : scene_.requests) names.push_back(request.id);
        static_cast<void>(wanted_by(word_argument(wish), run()->trace().end(), names));
        return go([words = word_argument(wish), names,
                   from = run()->moment()](RunCursor& run) mutable {
            const Moved moved = run.try_to_next(wanted_by(words, run.trace().end(), names), from);
            if (moved == Moved::AtTheEnd)
                throw Error(ErrorCode::Usage,
                            "After this step nothing more happens in this run that " +
                                shown(words) + " names; go back with Home, or name another event.");
            return moved;
        });
    }
    if (wish.name == "run.previous_event")
        return go([](RunCursor& run) {
            return run.to_previous(changes_a_block) ? Moved::Yes : Moved::AtTheEnd;
        });
    if (wish.name == "select.follow") return follow(state.run.focus), true;
    return false;
}

bool LiveRun::edit(AppState& state, const Command& wish) {
    const auto travel = [&](std::vector<Scene>& from, std::vector<Scene>& to) {
        if (from.empty()) return;
        to.push_back(scene_);
        Scene scene = std::move(from.back());
        from.pop_back();
        reopen(std::move(scene));
    };
    if (wish.name == "run.restart")
        open({scene_, place_, folder_, 0, {}});
    else if (wish.name == "run.model" || wish.name == "file.open_model") {
        Scene scene = scene_;
        scene.model = word_argument(wish);
        scene.sha256.reset();
        undo_.push_back(scene_);
        reopen(std::move(scene));
    } else if (wish.name == "run.set")
        set(word_argument(wish));
    else if (wish.name == "run.undo_set")
        travel(undo_, redo_);
    else if (wish.name == "run.redo_set")
        travel(redo_, undo_);
    else if (wish.name == "run.do")
        tell_engine(state, engine_command(word_argument(wish)));
    else if (wish.name == "run.add")
        tell_engine(state, AddRequest{free_name(session_->now()), word_argument(wish)});
    else if (wish.name == "run.fork")
        tell_engine(state, ForkRequest{word_argument(wish), free_name(session_->now())});
    else if (wish.name == "run.branch")
        compare(state, {word_argument(wish), session_->now().iteration});
    else if (wish.name == "run.compare")
        compare(state, {word_argument(wish), {}});
    else if (wish.name == "run.swap_sides")
        swap_sides();
    else if (wish.name == "run.difference_event")
        to_difference_event(state);
    else if (wish.name == "run.end_comparison")
        end_comparison();
    else if (wish.name == "price.measure") {
        price_.follow(*session_, id_, state.run.focus.request);
        price_.measure(state.run.price.text);
    } else if (wish.name == "price.cancel")
        price_.cancel();
    else if (wish.name == "price.add")
        price_.add(word_argument(wish));
    else if (wish.name == "run.prove")
        prove();
    else if (wish.name == "select.address")
        select_address(state, word_argument(wish));
    else if (wish.name == "file.save_scene")
        save_scene(state, word_argument(wish));
    else
        return false;
    return true;
}

// "block_size 8": the scene with that setting, from its first step on.
void LiveRun::set(const std::string& words) {
    Scene scene = with_setting(scene_, words);
    undo_.push_back(scene_);
    redo_.clear();
    reopen(std::move(scene));
}

// Commands take effect between two iterations. In the past that means: the run up to here once
// more, and another future from here on.
void LiveRun::tell_engine(AppState& state, const EngineCommand& command) {
    const auto tell = [this, command](AppState& later) {
        if (const auto refusal = session_->command(command)) {
            later.notice = Notice{.text = *refusal, .refused = true};
            return;
        }
        scene_.commands.push_back({session_->now().iteration, command});
        if (change_ && !is_swapped_branch_) start_other(SceneChange(*change_));
        if (const std::string* name = newcomer_of(command)) {
            awaited_ = *name;
            later.notice = Notice{.text = fill(Texts()["run.added"_t], {{"name", *name}}),
                                  .until_it_comes = true};
        }
    };
    if (!session_->busy() && session_->moment() == session_->trace().size()) return tell(state);
    Scene past = scene_;
    const std::uint32_t iteration = session_->now().iteration;
    past.commands.erase(std::remove_if(past.commands.begin(), past.commands.end(),
                                       [&](const SceneCommand& c) { return c.at > iteration; }),
                        past.commands.end());
    reopen(std::move(past), tell);
}

void LiveRun::prove() {
    const Snapshot& now = session_->now();
    const std::uint32_t iteration = now.iteration - (now.in_iteration ? 1 : 0);
    std::vector<JudgedRow> rows;
    for (const JudgedRow& row : session_->judged_rows())
        if (row.iteration == iteration) rows.push_back(row);
    if (rows.empty())
        throw Error(ErrorCode::Usage,
                    "Step " + std::to_string(iteration) +
                        " has no logits to prove: it drew no token, or they are too old to be "
                        "kept. Step on to one that draws a token.");
    if (std::any_of(rows.begin(), rows.end(), [](const JudgedRow& row) { return row.recoded; }))
        throw Error(ErrorCode::Usage,
                    "Step " + std::to_string(iteration) +
                        " read tokens whose bytes were written anew, in another codec or turned in "
                        "place, which no computation from the beginning repeats. Go to a step "
                        "before that.");
    proof_iteration_ = iteration;
    proving_ = std::async(std::launch::async, [model = session_->shared_model(), spec = look_spec(),
                                               rows = std::move(rows), wake = wake_] {
        ProofView proof = prove_rows(*model, spec, rows);
        if (wake) wake();
        return proof;
    });
}

// From a token to its block, and from a block back to the first of its tokens: those of the request
// in focus, or of whoever holds it.
void LiveRun::follow(RunFocus& focus) const {
    const Snapshot& now = run()->now();
    if (!focus.block) {
        const auto position = inspected_position(now, focus);
        const auto place =
            position ? place_of_token(now, {focus.request, *position}) : std::nullopt;
        if (!place)
            throw Error(
                ErrorCode::Usage,
                "There is no line to follow: nothing is stored on the device here. Select a "
                "token or a block.");
        focus.block = place->block;
        focus.token.reset();
        return;
    }
    const List<Holder> holders = holders_of(now, *focus.block);
    if (holders.empty())
        throw Error(ErrorCode::Usage, "There is no line to follow: no request holds block " +
                                          std::to_string(focus.block->value) + " now.");
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
    const KvLayout& layout = session_->layout();
    if (failed != std::errc() || end != digits.data() + digits.size() || digits.empty() ||
        address >= layout.pool_bytes())
        throw Error(ErrorCode::Usage, "`" + text +
                                          "` is no address of the pool; write one from 0 "
                                          "to " +
                                          std::to_string(layout.pool_bytes() - 1) +
                                          ", such as 0x3B160.");
    const KvPlace place = place_of(layout, address);
    RunFocus& focus = state.run.focus;
    focus.layer = place.layer.value, focus.side = place.side, focus.kv_head = place.head.value;
    focus.query_head = focus.kv_head * group_size(state.run.bounds.n_heads, layout.n_kv_heads);
    focus.dim = place.byte * 8 / std::max(1u, layout.vector(place.side).element_bits);
    focus.token.reset(), focus.block.reset();
    const List<Holder> holders = holders_of(session_->now(), place.block);
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

}  // namespace kv
