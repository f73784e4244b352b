// What a wish of the window does to the run, where that is more than a few lines: see deeds.cpp.

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
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/base/shown.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

// Whom the next step brings; null where a command brings nobody.
const std::string* newcomer_of(const EngineCommand& command) {
    if (const auto* added = std::get_if<AddRequest>(&command)) return &added->name;
    if (const auto* fork = std::get_if<ForkRequest>(&command)) return &fork->name;
    return nullptr;
}

}  // namespace

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

// Whoever was to come by what is taken back does not.
void LiveRun::travel(AppState& state, std::optional<Scene> to, TextId where_it_ends) {
    if (!to) {
        state.notice = Notice{.said = Said(where_it_ends)};
        return;
    }
    awaited_.reset();
    if (state.notice && state.notice->until_it_comes) state.notice.reset();
    reopen(std::move(*to));
}

// "block_size 8": the scene with that setting, from its first step on.
void LiveRun::set(const std::string& words) {
    Scene scene = with_setting(main_.scene, words);
    require_allowed(scene);
    history_.remember(main_.scene);
    reopen(std::move(scene), tell_of_pool());
}

// A pool that keeps its blocks takes other bytes when they are of another size: nobody asked for
// that by name, so it is told.
Playhead::Then LiveRun::tell_of_pool() const {
    const KvLayout before = main_.session->layout();
    return [this, before](AppState& state) {
        const KvLayout& now = main_.session->layout();
        if (now.n_blocks != before.n_blocks || now.pool_bytes() == before.pool_bytes()) return;
        state.notice = Notice{
            .said = Said("run.pool_changed"_t, {{"n", with_commas(now.n_blocks)},
                                                {"block", bytes_binary(bytes_per_block(now))},
                                                {"bytes", bytes_binary(now.pool_bytes())},
                                                {"before", bytes_binary(before.pool_bytes())}})};
    };
}

// Commands take effect between two iterations. In the past that means: the run up to here once
// more, and another future from here on.
void LiveRun::tell_engine(AppState& state, const EngineCommand& command) {
    Scene told = main_.scene;
    told.commands.push_back({main_.session->now().iteration, command});
    require_allowed(told);
    const bool at_the_end =
        !main_.session->busy() && main_.session->moment() == main_.session->trace().size();
    if (!at_the_end) history_.remember(main_.scene);
    const auto tell = [this, command, at_the_end](AppState& later) {
        if (const auto refusal = main_.session->command(command)) {
            later.notice = Notice{.said = Said::as_is(*refusal), .refused = true};
            return;
        }
        if (at_the_end) history_.remember(main_.scene);
        main_.scene.commands.push_back({main_.session->now().iteration, command});
        if (auto change = comparison_.repeatable())
            comparison_.start(main_, place_, *std::move(change), comparison_.asked_by());
        if (const std::string* name = newcomer_of(command)) {
            awaited_ = *name;
            later.notice =
                Notice{.said = Said("run.added"_t, {{"name", *name}}), .until_it_comes = true};
        }
    };
    if (at_the_end) return tell(state);
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
    const LaneAt first_lane{now};
    if (!focus.block) {
        const auto position = inspected_position(now, focus);
        const auto place =
            position ? place_of_token(first_lane, {focus.request, *position}) : std::nullopt;
        if (!place) throw Refused("refused.follow"_t);
        focus.block = place->block;
        focus.token.reset();
        return;
    }
    const List<Holder> holders = holders_of(first_lane, *focus.block);
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
    const List<Holder> holders = holders_of({main_.session->now()}, place.block);
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
    history_.clear();
    look_.forget();
    proof_.forget();
}

// The token that parts the sides is drawn in no block, so the log does not list it: what it lists
// last about that request leads to it.
void LiveRun::show_difference_event(AppState& state) {
    comparison_.require_side();
    const RunFocus& focus = state.run.focus;
    const RunView left = view_of(*main_.session, main_.id, focus),
                  right = view_of(*comparison_.side()->session, comparison_.side()->id, focus);
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
