#pragma once
// What lies in memory beside what the formula counts. Whole blocks are held, and the last one may
// be partly filled; the device also carries weights, activations and a reserve. The items sum
// exactly: payload + scales + empty = allocated, and weights + activations + reserve + kv + free =
// capacity + missing.

#include <optional>
#include <vector>

#include "core/cost/budget.hpp"
#include "core/cost/cache/bytes.hpp"
#include "core/cost/model/derivation.hpp"
#include "core/cost/model/shape.hpp"

namespace kv {

// One token of all layers, keys or values alone. A latent vector is both and counts as keys.
u64 side_bytes_per_token(const CacheShape& shape, const CodecPair& codecs, Side side);

// The part of the payload that is one product: a kind of layer, and one side or both.
struct PayloadTerm {
    LayerCache layer;
    u64 layers = 0;
    u64 kept = 0;              // tokens of each sequence that these layers keep
    std::optional<Side> side;  // none: K and V alike, or a latent vector
    u64 bytes = 0;             // of all sequences, without scales (kivi: with them)
};
// Their sum is the payload. K and V are one term where they are stored alike.
std::vector<PayloadTerm> payload_terms(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                                       u64 batch);
// Keys or values of all sequences, scales included; a latent vector counts as keys.
u64 side_bytes(const CacheShape& shape, const CodecPair& codecs, u64 tokens, u64 batch, Side side);

struct Occupancy {
    u64 blocks_per_sequence = 0, blocks = 0, block_bytes = 0;
    u64 payload = 0;                   // codes of the stored elements
    u64 scales = 0;                    // what it takes to read them
    u64 empty = 0;                     // held and not in use
    u64 empty_slots_per_sequence = 0;  // in the last block; a window leaves further slots behind
    u64 allocated = 0;
};
// What whole blocks hold; nothing when a codec keeps tokens beside the blocks, as kivi does with
// the newest 128.
std::optional<Occupancy> occupy(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                                u64 batch, u64 block_size);
Derived derive_allocated_bytes(const Occupancy& held);

struct DeviceUse {
    u64 capacity = 0, weights = 0, activations = 0, reserve = 0, kv = 0;
    u64 free = 0;     // 0 when it does not fit
    u64 missing = 0;  // 0 when it fits
    u64 used = 0;     // the sum of the four
    bool fits() const { return missing == 0; }
};
// "room_tokens": whole blocks of the memory that is left for the cache, on one card or on all.
Derived derive_room(const Operand& budget, const Operand& block_bytes, u64 block_size);
DeviceUse use_device(const BudgetRequest& request, u64 kv_bytes);
Derived derive_device_use(const BudgetRequest& request, const Operand& cache);  // "used_bytes"

}  // namespace kv
