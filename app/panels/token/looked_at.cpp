#include "app/panels/token/looked_at.hpp"

#include <algorithm>
#include <cmath>

#include "core/cache/codec/kivi.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

const BlockView* block_view(const LaneAt& lane, BlockId block) {
    const SharedArray<BlockView>& blocks = lane.blocks();
    return block.index() < blocks.size() ? &blocks[block.index()] : nullptr;
}

// For a slot that the step at hand has written in that layer: the moment from which the log has its
// bytes, which is behind the event that reports all layers of the token. None for any other slot.
// Say at moment 120 layers 0 and 1 have written a token that event 134 will report: for layer 1 the
// answer is 135, for layer 2 there is none.
std::optional<std::uint64_t> known_in_step(const RunView& run, BlockId block, Slot slot,
                                           LaneId lane, LayerId layer) {
    if (layer.value >= layers_written(run)) return std::nullopt;
    const auto token = token_being_stored({run.now, lane}, block, slot);
    if (!token) return std::nullopt;
    const auto stored = run.trace.find(run.moment, [&](const Event& event) {
        return std::holds_alternative<IterationFinished>(event.what) ||
               (event.request == token->request &&
                std::holds_alternative<TokensStored>(event.what));
    });
    return stored ? std::optional(*stored + 1) : std::nullopt;
}

// A slot beyond what the block has filled may still hold the bytes of an earlier owner, which
// nobody can reach; it counts as not written.
PayloadLog::Found find_slot(const RunView& run, BlockId block, Slot slot, LaneId lane,
                            LayerId layer) {
    const BlockView* view = block_view({run.now, lane}, block);
    if (view == nullptr) return {};
    std::uint64_t moment = run.moment;
    if (slot.value >= view->filled) {
        const auto known = known_in_step(run, block, slot, lane, layer);
        if (!known) return {};
        moment = *known;
    }
    const PayloadLog::Found found = run.payloads.find(moment, lane, block, slot);
    // After a change of codec a block keeps its old bytes until it is coded anew.
    const bool as_before =
        found.state == PayloadLog::State::Known && found.bytes.size() != slot_bytes(run);
    return as_before ? PayloadLog::Found{PayloadLog::State::Forgotten, {}} : found;
}

SlotBytes held(PayloadLog::State state) {
    switch (state) {
        case PayloadLog::State::Known:
            return SlotBytes::Written;
        case PayloadLog::State::Forgotten:
            return SlotBytes::Forgotten;
        case PayloadLog::State::NeverWritten:
            break;
    }
    return SlotBytes::NotWritten;
}

// Whether the vector of that side has its codes in its own slot: always, but for codecs that code
// the newest tokens later, or a group of keys together.
bool lies_in_slot(const RunView& run, BlockId block, Slot slot, Side side) {
    if (!run.codec(side).has_residual()) return true;
    if (side == Side::K) return false;
    const BlockView* view = block_view(run.lane(), block);
    if (view != nullptr && view->hash) return true;  // it can be found, so all of it is coded
    const List<Holder> holders = holders_of(run.lane(), block);
    if (holders.empty()) return false;
    const Holder& first = holders.front();
    const std::uint32_t position = first.entry * run.layout.block_size + slot.value;
    return position < coded_tokens(side, run.now.requests[first.request.index()].stored, 0);
}

void decode_head(const RunView& run, std::span<const unsigned char> bytes, std::uint32_t slot,
                 const VectorChoice& at, BlockValues& out) {
    const KvVector& vector = run.layout.vector(at.side);
    List<float>& values = at.side == Side::K ? out.k : out.v;
    float& largest = at.side == Side::K ? out.k_largest : out.v_largest;
    const auto* from = reinterpret_cast<const std::byte*>(
        bytes.data() + payload_offset(run.layout, run.lanes, at.layer, at.side, at.head));
    float* to = &values[(std::size_t{slot} * run.layout.n_kv_heads + at.head.value) * vector.dim];
    decode_vector(run.codec_in_slot(at.side), from, vector.dim, to,
                  run.shared_scale(at.layer, at.side));
    for (std::uint32_t i = 0; i < vector.dim; ++i)
        if (std::isfinite(to[i])) largest = std::max(largest, std::abs(to[i]));
}

}  // namespace

LookedAt look_at(const RunView& run, const RunFocus& focus) {
    LookedAt at;
    std::optional<TokenPlace> place;
    const auto position = inspected_position(run.now, focus);
    if (position) place = place_of_token(run.lane(), {focus.request, *position});
    if (focus.block && block_view(run.lane(), *focus.block) != nullptr) {
        at.block = focus.block;
        if (place && place->block == *focus.block) at.slot = place->slot;
        return at;
    }
    if (!position) return at;
    at.token = TokenAt{focus.request, *position};
    at.place = place;
    if (place) {
        at.block = place->block;
        at.slot = place->slot;
    }
    return at;
}

VectorChoice chosen_vector(const RunView& run, const RunFocus& focus) {
    const auto below = [](std::uint32_t chosen, std::uint32_t count) {
        return count == 0 ? 0 : std::min(chosen, count - 1);
    };
    return {LayerId(below(focus.layer, run.layout.n_layers)), focus.side,
            HeadId(below(focus.kv_head, run.layout.n_kv_heads)),
            below(focus.dim, run.layout.vector(focus.side).dim)};
}

StoredVector stored_vector(const RunView& run, BlockId block, Slot slot,
                           const VectorChoice& choice) {
    const PayloadLog::Found found =
        find_slot(run, block, slot, run.lanes.lane_of(choice.layer, choice.head), choice.layer);
    const SlotBytes state = held(found.state);
    if (state != SlotBytes::Written) return {state, {}};
    if (!lies_in_slot(run, block, slot, choice.side)) return {SlotBytes::Apart, {}};
    const std::uint64_t at =
        payload_offset(run.layout, run.lanes, choice.layer, choice.side, choice.head);
    return {state, found.bytes.subspan(at, run.layout.vector(choice.side).bytes)};
}

BlockValues block_values(const RunView& run, BlockId block, LayerId layer) {
    const KvLayout& layout = run.layout;
    BlockValues values;
    values.slots.assign(layout.block_size, SlotBytes::NotWritten);
    for (std::uint32_t slot = 0; slot < layout.block_size; ++slot) {
        values.k_apart.push_back(!lies_in_slot(run, block, Slot(slot), Side::K));
        values.v_apart.push_back(!lies_in_slot(run, block, Slot(slot), Side::V));
    }
    values.k.assign(std::size_t{layout.block_size} * layout.n_kv_heads * layout.k.dim, 0.0f);
    values.v.assign(std::size_t{layout.block_size} * layout.n_kv_heads * layout.v.dim, 0.0f);
    for (std::uint32_t slot = 0; slot < layout.block_size; ++slot) {
        for (std::uint32_t head = 0; head < layout.n_kv_heads; ++head) {
            // Where each head has a table of its own, a slot may be written in some of them only.
            const PayloadLog::Found found =
                find_slot(run, block, Slot(slot), run.lanes.lane_of(layer, HeadId(head)), layer);
            const SlotBytes state = held(found.state);
            if (values.slots[slot] != SlotBytes::Written) values.slots[slot] = state;
            if (state != SlotBytes::Written) continue;
            for (const Side side : {Side::K, Side::V})
                if (values.held(side, slot) == SlotBytes::Written)
                    decode_head(run, found.bytes, slot, {layer, side, HeadId(head), 0}, values);
        }
        if (values.slots[slot] != SlotBytes::NotWritten) ++values.n_written;
    }
    return values;
}

Text word_at(const RunView& run, TokenAt token) {
    if (token.request.index() >= run.now.requests.size()) return {};
    const RequestView& request = run.now.requests[token.request.index()];
    const auto there = token_at(request, token.position);
    return there ? spoken_word(run, *there) : Text();
}

}  // namespace kv
