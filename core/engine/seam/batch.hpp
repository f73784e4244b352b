#pragma once
// What a backend is asked to compute: for each sequence its new tokens, where each of them stands
// (position, for the rotation) and which of its sequence it is (index, and slot where nothing was
// dropped), and the tables that turn a sequence's slots into blocks of the pool. Spans and pointers
// belong to the caller and live as long as the call.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/ids.hpp"
#include "core/cache/codec/kivi.hpp"
#include "core/cache/eviction/key_positions.hpp"
#include "core/cache/layout/lane_shape.hpp"
#include "core/engine/seam/head_reads.hpp"
#include "core/engine/seam/kept_inputs.hpp"
#include "core/engine/seam/pass_clock.hpp"

namespace kv {

// One table may serve the whole sequence, each layer may have its own, or each KV head of each
// layer: the same type with a narrower scope. A hole, whose block was given up, is a number that no
// block of the pool has; whoever reads through it is caught.
struct BlockTables {
    TableScope scope = TableScope::Sequence;
    std::uint32_t n_kv_heads = 1;
    std::vector<std::vector<BlockId>> tables;  // 1, n_layers, or n_layers x n_kv_heads of them

    const std::vector<BlockId>& of(LayerId layer, HeadId head) const {
        switch (scope) {
            case TableScope::Sequence:
                return tables[0];
            case TableScope::Layer:
                return tables[layer.index()];
            case TableScope::Head:
                break;
        }
        return tables[layer.index() * n_kv_heads + head.index()];
    }
};

// Places [begin, end) in a lane's list of keys.
struct KeyRange {
    std::uint32_t begin, end;
    friend bool operator==(const KeyRange&, const KeyRange&) = default;
};

// The keys of one lane that a pass may look at, oldest first; the last are the new tokens' own.
struct LaneKeys {
    std::vector<std::uint32_t> slots, positions;  // positions in the text
    std::vector<std::vector<KeyRange>> rows;      // what each new token sees of them, rising
};

// What the new tokens of a sequence see where that is not simply everything up to themselves. As
// many heads to a layer as there are query heads give each of them a sight of its own.
struct VisibleKeys {
    LaneShape shape;
    KeyRotation key_rotation = KeyRotation::WhenStored;
    std::vector<LaneKeys> lanes;

    const LaneKeys& of(LayerId layer, HeadId head) const {
        return lanes[shape.lane_of(layer, head).index()];
    }
};

struct SequenceWork {
    std::span<const std::uint32_t> tokens;  // the new ones
    // Where each new token stands: the position in the text, or, with keys that are shifted in
    // place, the one in the cache. WhenStored rotates its key there.
    std::span<const std::uint32_t> positions;
    // How many tokens of its sequence come before each new token, rising. Without `visible` that is
    // its slot as well (own_slots() in core/engine/pool answers for both), and a query sees
    // the slots up to its own. Slot s of a sequence is slot s % block_size of entry s / block_size
    // of its table.
    std::span<const std::uint32_t> token_indices;
    const BlockTables* tables = nullptr;
    std::span<const std::uint32_t> logit_rows;  // indices into tokens, rising
    // Each token attends as if it had come in a pass of its own: to itself as it was computed, to
    // all before it as they are stored. So a pass that checks a draft gives the logits, bit by bit,
    // that the same tokens give one after the other.
    bool one_by_one = false;
    // Where this sequence's layer inputs are kept, if they are: the backend writes those of the new
    // tokens, for whose slots the caller has made room.
    KeptInputs* kept_inputs = nullptr;
    // K and V of the slots below this one, all of them before the new tokens', are computed once
    // more from kept_inputs before anyone attends.
    std::uint32_t recomputed = 0;
    Residual residual = {};  // where a codec has one
    // Where this is given, slots and what is seen are as it says, lane by lane.
    const VisibleKeys* visible = nullptr;
    // Quest. The backend chooses blocks by this rule and writes down what it chose; only with
    // everything visible, and keys rotated when they are stored.
    HeadReads* reads = nullptr;
};

struct Batch {
    std::vector<SequenceWork> sequences;
    // The backend marks the end of each part of the pass on it, if there is one.
    PassClock* clock = nullptr;
};

}  // namespace kv
