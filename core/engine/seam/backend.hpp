#pragma once
// The one seam between bookkeeping and arithmetic. A backend holds a model's weights and a pool of
// blocks; it is told which tokens go to which slots and answers with logits. It keeps no books: who
// owns a block is the caller's business, and what is seen, but for two rules that a backend carries
// out: the model's sliding window (first_visible) and the choice of blocks under Quest (HeadReads).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/cache/kv_pool.hpp"
#include "core/engine/seam/batch.hpp"
#include "core/engine/seam/taps.hpp"
#include "core/engine/seam/work.hpp"
#include "core/trace/event/parts.hpp"

namespace kv {

struct ForwardResult {
    std::vector<float> logits;  // (rows asked for, vocab_size), sequence by sequence
    Work work;
    std::vector<Operation> parts;  // of the pass, in order, if the batch has a clock
};

class Backend {
public:
    virtual ~Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    virtual std::string_view name() const = 0;
    virtual const KvLayout& layout() const = 0;

    // Appends every new token's K and V to the pool and attends to it and all before it.
    virtual ForwardResult forward(const Batch& batch, TapSink* taps = nullptr) = 0;

    // The pool as this backend really holds it, for the inspector and for moving blocks.
    virtual void read_pool(std::uint64_t offset, std::span<std::byte> out) const = 0;
    virtual void write_pool(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
    // The first slots of a block onto another, bit for bit, where the pool lies.
    virtual void copy_block(BlockId from, BlockId to, std::uint32_t slots) = 0;

    // The scales that lie beside the pool, of ':tensor' codecs: each is taken from the first pass
    // that stores something, unless it is given before.
    virtual SharedScale shared_scale(LayerId layer, Side side) const = 0;
    virtual void set_shared_scale(LayerId layer, Side side, SharedScale scale) = 0;

    // Where a codec has a residual, a sequence's newest tokens wait in a row set of their own. This
    // gives its memory back.
    virtual void free_residual(std::uint32_t row_set) = 0;
    // What all row sets take.
    virtual std::uint64_t residual_bytes() const = 0;

protected:
    Backend() = default;
};

// So that a pool of its own stores what the other one would have stored.
void copy_shared_scales(const Backend& from, Backend& to);

}  // namespace kv
