#include "app/live/scene/follow.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "app/panels/view/facts.hpp"
#include "app/panels/view/lane.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/kv_head.hpp"

namespace kv {
namespace {

// The request in focus where it holds the block, else the first that does; nothing where none does.
std::optional<Holder> holder_of(const Snapshot& now, BlockId block, const RunFocus& focus) {
    const List<Holder> holders = holders_of({now}, block);
    if (holders.empty()) return std::nullopt;
    const auto ours = std::find_if(holders.begin(), holders.end(), [&](const Holder& holder) {
        return holder.request == focus.request;
    });
    return ours == holders.end() ? holders.front() : *ours;
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

void follow_line(RunFocus& focus, const Snapshot& now) {
    if (!focus.block) {
        const auto position = inspected_position(now, focus);
        const auto place =
            position ? place_of_token({now}, {focus.request, *position}) : std::nullopt;
        if (!place) throw Refused("refused.follow"_t);
        focus.block = place->block;
        focus.token.reset();
        return;
    }
    const auto holder = holder_of(now, *focus.block, focus);
    if (!holder)
        throw Refused("refused.follow.block"_t, {{"block", std::to_string(focus.block->value)}});
    focus.request = holder->request;
    focus.token = holder->entry * now.block_size;
    focus.block.reset();
}

void select_address(RunFocus& focus, const Snapshot& now, const KvLayout& layout,
                    std::uint32_t n_heads, const std::string& words) {
    const KvPlace place = place_of(layout, address_in(layout, words));
    focus.layer = place.layer.value, focus.side = place.side, focus.kv_head = place.head.value;
    focus.query_head = focus.kv_head * group_size(n_heads, layout.n_kv_heads);
    focus.dim = place.byte * 8 / std::max(1u, layout.vector(place.side).element_bits);
    focus.token.reset(), focus.block.reset();
    const auto holder = holder_of(now, place.block, focus);
    if (!holder) {
        focus.block = place.block;
        return;
    }
    focus.request = holder->request;
    focus.token = holder->entry * layout.block_size + place.slot.value;
}

}  // namespace kv
