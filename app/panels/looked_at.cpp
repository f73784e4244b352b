#include "app/panels/looked_at.hpp"

#include <algorithm>
#include <cmath>

#include "core/cache/kivi.hpp"

namespace kv {
namespace {

const BlockView* block_view(const RunView& run, BlockId block) {
    if (run.now.lanes.empty() || block.index() >= run.now.lanes[0].blocks.size()) return nullptr;
    return &run.now.lanes[0].blocks[block.index()];
}

// A slot beyond what the block has filled may still hold the bytes of an earlier owner, which
// nobody can reach; it counts as not written.
PayloadLog::Found find_slot(const RunView& run, BlockId block, Slot slot) {
    const BlockView* view = block_view(run, block);
    if (view == nullptr || slot.value >= view->filled) return {};
    const PayloadLog::Found found = run.payloads.find(run.moment, LaneId(0), block, slot);
    // Between a change of codec and the moment when this block went over.
    const bool as_before = found.state == PayloadLog::State::Known &&
                           found.bytes.size() != bytes_per_token(run.layout);
    return as_before ? PayloadLog::Found{PayloadLog::State::Forgotten, {}} : found;
}

Held held(PayloadLog::State state) {
    switch (state) {
        case PayloadLog::State::Known:
            return Held::Written;
        case PayloadLog::State::Forgotten:
            return Held::Forgotten;
        case PayloadLog::State::NeverWritten:
            break;
    }
    return Held::NotWritten;
}

void decode_side(const RunView& run, std::span<const unsigned char> slot, std::uint32_t n,
                 LayerId layer, KvSide side, BlockValues& out) {
    const KvVector& vector = run.layout.vector(side);
    const KvFormat codec = run.codec_in_slot(side);
    std::vector<float>& values = side == KvSide::K ? out.k : out.v;
    float& largest = side == KvSide::K ? out.k_largest : out.v_largest;
    for (std::uint32_t head = 0; head < run.layout.n_kv_heads; ++head) {
        const auto* bytes = reinterpret_cast<const std::byte*>(
            slot.data() + payload_offset(run.layout, layer, side, HeadId(head)));
        float* to = &values[(std::size_t{n} * run.layout.n_kv_heads + head) * vector.dim];
        decode_vector(codec, bytes, vector.dim, to, run.shared_scale(layer, side));
        for (std::uint32_t i = 0; i < vector.dim; ++i)
            if (std::isfinite(to[i])) largest = std::max(largest, std::abs(to[i]));
    }
}

}  // namespace

LookedAt look_at(const RunView& run, const RunFocus& focus) {
    LookedAt at;
    std::optional<TokenPlace> place;
    const auto position = inspected_position(run.now, focus);
    if (position) place = place_of_token(run.now, {focus.request, *position});
    if (focus.block && block_view(run, *focus.block) != nullptr) {
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

namespace {

// A token whose vector of that side has its codes in its own slot: always, but for codecs that code
// the newest tokens later, or a group of keys together.
bool lies_in_slot(const RunView& run, BlockId block, Slot slot, KvSide side) {
    if (!run.codec(side).has_residual()) return true;
    if (side == KvSide::K) return false;
    const BlockView* view = block_view(run, block);
    if (view != nullptr && view->hash) return true;  // it can be found, so all of it is coded
    const std::vector<Holder> holders = holders_of(run.now, block);
    if (holders.empty()) return false;
    const Holder& first = holders.front();
    const std::uint32_t position = first.entry * run.layout.block_size + slot.value;
    return position < coded_tokens(side, run.now.requests[first.request.index()].stored, 0);
}

}  // namespace

StoredVector stored_vector(const RunView& run, BlockId block, Slot slot,
                           const VectorChoice& choice) {
    const PayloadLog::Found found = find_slot(run, block, slot);
    const Held state = held(found.state);
    if (state != Held::Written) return {state, {}};
    if (!lies_in_slot(run, block, slot, choice.side)) return {Held::Apart, {}};
    const std::uint64_t at = payload_offset(run.layout, choice.layer, choice.side, choice.head);
    return {state, found.bytes.subspan(at, run.layout.vector(choice.side).bytes)};
}

BlockValues block_values(const RunView& run, BlockId block, LayerId layer) {
    const KvLayout& layout = run.layout;
    BlockValues values;
    values.slots.assign(layout.block_size, Held::NotWritten);
    values.k.assign(std::size_t{layout.block_size} * layout.n_kv_heads * layout.k.dim, 0.0f);
    values.v.assign(std::size_t{layout.block_size} * layout.n_kv_heads * layout.v.dim, 0.0f);
    for (std::uint32_t slot = 0; slot < layout.block_size; ++slot) {
        const PayloadLog::Found found = find_slot(run, block, Slot(slot));
        values.slots[slot] = held(found.state);
        if (values.slots[slot] != Held::NotWritten) ++values.n_written;
        if (values.slots[slot] != Held::Written) continue;
        for (const KvSide side : {KvSide::K, KvSide::V})
            if (lies_in_slot(run, block, Slot(slot), side))
                decode_side(run, found.bytes, slot, layer, side, values);
    }
    return values;
}

std::string word_at(const RunView& run, TokenAt token) {
    if (token.request.index() >= run.now.requests.size()) return {};
    const RequestView& request = run.now.requests[token.request.index()];
    if (token.position >= request.tokens.size()) return {};
    const std::string& word = run.word(request.tokens[token.position]);
    const std::size_t first = word.find_first_not_of(' ');
    if (first == std::string::npos) return "\"" + word + "\"";
    return word.substr(first);
}

}  // namespace kv
