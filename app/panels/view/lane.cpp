#include "app/panels/view/lane.hpp"

#include "app/panels/view/facts.hpp"

namespace kv {

const LaneView& LaneAt::view() const {
    static const LaneView none;
    return id.index() < now.lanes.size() ? now.lanes[id.index()] : none;
}

const Table* LaneAt::table(SeqId request) const {
    if (!is_known(now, request)) return nullptr;
    const std::vector<Table>& tables = now.requests[request.index()].tables;
    return id.index() < tables.size() ? &tables[id.index()] : nullptr;
}

const SlotMap* LaneAt::slots(SeqId request) const {
    if (!is_known(now, request)) return nullptr;
    const std::vector<SlotMap>& slots = now.requests[request.index()].slots;
    return id.index() < slots.size() ? &slots[id.index()] : nullptr;
}

namespace {

std::optional<std::uint32_t> slot_in_table(const LaneAt& lane, TokenAt token) {
    if (lane.now.block_size == 0) return std::nullopt;
    const SlotMap* slots = lane.slots(token.request);
    return slots == nullptr ? std::optional(token.position) : slots->find(token.position);
}

}  // namespace

std::optional<std::uint32_t> entry_of(const LaneAt& lane, TokenAt token) {
    const auto slot = slot_in_table(lane, token);
    return slot ? std::optional(*slot / lane.now.block_size) : std::nullopt;
}

std::optional<std::uint32_t> slot_offset_of(const LaneAt& lane, TokenAt token) {
    const auto slot = slot_in_table(lane, token);
    return slot ? std::optional(*slot % lane.now.block_size) : std::nullopt;
}

std::uint32_t position_in(const LaneAt& lane, SeqId request, std::uint32_t entry,
                          std::uint32_t slot) {
    const std::uint32_t at = entry * lane.now.block_size + slot;
    const SlotMap* slots = lane.slots(request);
    return slots == nullptr ? at : slots->token_in(at);
}

std::uint32_t slots_taken(const LaneAt& lane, SeqId request, std::uint32_t tokens) {
    const SlotMap* slots = lane.slots(request);
    return slots == nullptr ? tokens : slots->slots_taken(tokens);
}

bool is_dropped_slot(const LaneAt& lane, SeqId request, std::uint32_t entry, std::uint32_t slot) {
    const SlotMap* slots = lane.slots(request);
    return slots != nullptr && slots->is_dropped(entry * lane.now.block_size + slot);
}

bool is_dropped(const LaneAt& lane, TokenAt token) {
    const SlotMap* slots = lane.slots(token.request);
    if (slots == nullptr || slots->is_plain()) return false;
    if (token.position >= lane.now.requests[token.request.index()].stored) return false;
    const auto slot = slots->find(token.position);
    return !slot || slots->is_dropped(*slot);
}

std::uint32_t dropped_in(const LaneAt& lane, SeqId request) {
    const SlotMap* slots = lane.slots(request);
    if (slots == nullptr || slots->is_plain()) return 0;
    const std::uint32_t stored = lane.now.requests[request.index()].stored;
    return stored - (slots->slots_taken(stored) - slots->n_dropped());
}

std::uint32_t held_in(const LaneAt& lane, SeqId request) {
    if (!is_known(lane.now, request)) return 0;
    return lane.now.requests[request.index()].stored - dropped_in(lane, request);
}

std::uint64_t count_held(const Table& table) {
    std::uint64_t held = 0;
    table.each([&](std::size_t, const TableEntry& block) { held += block.has_value() ? 1 : 0; });
    return held;
}

std::uint64_t blocks_held(const LaneAt& lane, SeqId request) {
    const Table* table = lane.table(request);
    return table == nullptr ? 0 : count_held(*table);
}

MarkedKept count_marked(const LaneAt& lane, SeqId request, const MarkedTokens& marked) {
    MarkedKept count;
    if (!is_known(lane.now, request)) return count;
    const RequestView& r = lane.now.requests[request.index()];
    count.all = marked.last - marked.first + 1;
    for (std::size_t i = 0; i < r.slots.size(); ++i) {
        std::uint32_t kept = 0;
        for (std::uint32_t token = marked.first; token <= marked.last; ++token) {
            const auto slot = r.slots[i].find(token);
            kept += token < r.stored && slot && !r.slots[i].is_dropped(*slot);
        }
        if (i == lane.id.index()) count.kept = kept;
        count.whole_tables += kept == count.all;
        ++count.tables;
    }
    return count;
}

std::optional<TokenPlace> place_of_token(const LaneAt& lane, TokenAt token) {
    const Table* table = lane.table(token.request);
    const auto slot = slot_in_table(lane, token);
    if (table == nullptr || !slot || is_dropped(lane, token)) return std::nullopt;
    const std::uint32_t entry = *slot / lane.now.block_size;
    if (entry >= table->size() || !(*table)[entry]) return std::nullopt;
    return TokenPlace{entry, *(*table)[entry], Slot(*slot % lane.now.block_size)};
}

std::uint32_t inspected_row(const LaneAt& lane, const RunFocus& focus) {
    const auto position = inspected_position(lane.now, focus);
    return position ? entry_of(lane, {focus.request, *position}).value_or(0) : 0;
}

List<Holder> holders_of(const LaneAt& lane, BlockId block) {
    List<Holder> holders;
    for (std::uint32_t i = 0; i < lane.now.requests.size(); ++i) {
        const Table* table = lane.table(SeqId(i));
        for (std::uint32_t entry = 0; table != nullptr && entry < table->size(); ++entry)
            if ((*table)[entry] == block) holders.push_back({SeqId(i), entry});
    }
    return holders;
}

List<List<Holder>> all_holders(const LaneAt& lane) {
    List<List<Holder>> holders(lane.blocks().size());
    for (std::uint32_t i = 0; i < lane.now.requests.size(); ++i) {
        const Table* table = lane.table(SeqId(i));
        for (std::uint32_t entry = 0; table != nullptr && entry < table->size(); ++entry)
            if (const TableEntry& block = (*table)[entry])
                holders[block->index()].push_back({SeqId(i), entry});
    }
    return holders;
}

}  // namespace kv
