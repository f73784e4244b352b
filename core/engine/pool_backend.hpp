#pragma once
// What the backends on this machine's memory share: the pool, and how a slot of a sequence is found
// in it.

#include "core/engine/backend.hpp"
#include "core/engine/pool_spec.hpp"

namespace kv {

class PoolBackend : public Backend {
public:
    const KvLayout& layout() const override { return pool_.layout(); }
    void read_pool(std::uint64_t offset, std::span<std::byte> out) const override;
    void write_pool(std::uint64_t offset, std::span<const std::byte> bytes) override;
    void copy_blocks(std::span<const std::pair<BlockId, BlockId>> from_to) override;

protected:
    PoolBackend(const ModelConfig& config, const PoolSpec& pool);

    const PoolSpec& spec() const { return spec_; }
    KvPool& pool() { return pool_; }
    const KvPool& pool() const { return pool_; }

    struct At {
        BlockId block;
        Slot slot;
    };
    At place(const SequenceWork& work, LayerId layer, HeadId head, std::uint32_t slot) const;

private:
    PoolSpec spec_;
    KvPool pool_;
};

// The first slot that the query at `slot` sees in this layer: 0, or the edge of its window.
std::uint32_t first_visible(const ModelConfig& config, LayerId layer, std::uint32_t slot);

}  // namespace kv
