#include "app/live/scene/follow.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "app/panels/view/facts.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/kv_head.hpp"

namespace kv {
namespace {

// The request in focus where it holds the block, else the first that does; nothing where none does.
std::optional<Holder> holder_of(const LaneAt& lane, BlockId block, const RunFocus& focus) {
    const List<Holder> holders = holders_of(lane, block);
    if (holders.empty()) return std::nullopt;
    const auto ours = std::find_if(holders.begin(), holders.end(), [&](const Holder& holder) {
        return holder.request == focus.request;
    });
    return ours == holders.end() ? holders.front() : *ours;
}

// The first token of a row; one that was dropped only where no other is stored there.
std::uint32_t first_token(const LaneAt& lane, const Holder& at) {
    const std::uint32_t stored = lane.now.requests[at.request.index()].stored;
    for (std::uint32_t slot = 0; slot < lane.now.block_size; ++slot) {
        const std::uint32_t position = position_in(lane, at.request, at.entry, slot);
        if (position < stored && !is_dropped_slot(lane, at.request, at.entry, slot))
            return position;
    }
    return position_in(lane, at.request, at.entry, 0);
}

std::uint64_t address_in(const KvLayout& layout, const std::string& words) {
    std::string_view digits = words;
    const bool hex = digits.substr(0, 2) == "0x" || digits.substr(0, 2) == "0X";
    if (hex) digits.remove_prefix(2);
    std::uint64_t address = 0;
    const auto [end, failed] =
        std::from_chars(digits.data(), digits.data() + digits.size(), address, hex ? 16 : 10);
    if (failed != std::errc() || end != digits.data() + digits.size() || digits.empty() ||
        address >= layout.pool_bytes())
        throw Refused("refused.address"_t,
                      {{"words", words}, {"last", std::to_string(layout.pool_bytes() - 1)}});
    return address;
}

}  // namespace

void follow_line(RunFocus& focus, const LaneAt& lane) {
    if (!focus.block) {
        const auto position = inspected_position(lane.now, focus);
        const auto place =
            position ? place_of_token(lane, {focus.request, *position}) : std::nullopt;
        if (!place) throw Refused("refused.follow"_t);
        focus.block = place->block;
        focus.token.reset();
        return;
    }
    const auto holder = holder_of(lane, *focus.block, focus);
    if (!holder)
        throw Refused("refused.follow.block"_t, {{"block", std::to_string(focus.block->value)}});
    focus.request = holder->request;
    focus.token = first_token(lane, *holder);
    focus.block.reset();
}

void select_address(RunFocus& focus, const Snapshot& now, const AddressedPool& pool,
                    const std::string& words) {
    const KvLayout& layout = pool.layout;
    const KvPlace place = place_of(layout, address_in(layout, words));
    const LaneAt lane{now, pool.lanes.lane_of(place.layer, place.head)};
    focus.layer = place.layer.value, focus.side = place.side, focus.kv_head = place.head.value;
    focus.query_head = focus.kv_head * group_size(pool.n_heads, layout.n_kv_heads);
    focus.dim = place.byte * 8 / std::max(1u, layout.vector(place.side).element_bits);
    focus.token.reset(), focus.block.reset();
    const auto holder = holder_of(lane, place.block, focus);
    if (!holder) {
        focus.block = place.block;
        return;
    }
    focus.request = holder->request;
    focus.token = position_in(lane, holder->request, holder->entry, place.slot.value);
}

}  // namespace kv
