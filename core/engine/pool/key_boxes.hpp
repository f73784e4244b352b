#pragma once
// Boxes: the least and the largest number in every channel of a block's keys, for each block, layer
// and KV head; a policy (Quest) chooses blocks by them. They are made from the keys as the pool
// holds them, when somebody asks: a box to which a key was added is widened, and one whose keys
// were written over, copied or moved is made anew. Numbers of 16 and 32 bits are kept in the
// pool's own format, exactly; of float64, and where keys are coded with loss, boxes are float32.

#include <cstdint>
#include <span>
#include <vector>

#include "core/cache/eviction/quest.hpp"
#include "core/cache/kv_pool.hpp"

namespace kv {

// Bytes of the box of one block in one layer and KV head, which a query reads to judge the block.
std::uint64_t box_bytes(const KvLayout& layout);
// Bytes of a block's boxes in all layers and KV heads.
std::uint64_t box_bytes_per_block(const KvLayout& layout);

class KeyBoxes {
public:
    explicit KeyBoxes(const KvPool& pool);

    // The key in that slot is written; what was known of it and those behind it is no longer true.
    void forget(LayerId layer, BlockId block, Slot from);
    // Bytes of the pool were written from outside.
    void forget_bytes(std::uint64_t offset, std::uint64_t n);
    void forget(BlockId block);  // in all layers

    // Brings the boxes of a block up to date with its first n slots.
    void cover(LayerId layer, BlockId block, std::uint32_t n);
    struct Of {
        LayerId layer;
        HeadId head;
        BlockId block;
        std::uint32_t n;  // slots that the query sees; cover() was called with these or more
    };
    // `room`: three vectors of floats, of the caller's own.
    float bound(const Of& of, std::span<const float> q, std::span<float> room) const;

private:
    std::size_t count_index(LayerId layer, BlockId block) const;
    std::byte* box(LayerId layer, HeadId head, BlockId block);
    const std::byte* box(LayerId layer, HeadId head, BlockId block) const;
    void read_key(LayerId layer, HeadId head, BlockId block, std::uint32_t slot, float* out) const;
    void widen_by_keys(const Of& of, std::uint32_t known, std::span<float> room) const;

    const KvPool& pool_;
    Codec codec_;
    std::size_t vector_bytes_;
    // Both empty until somebody asks.
    std::vector<std::uint32_t> n_known_;  // (layers, blocks): slots that the boxes stand for
    std::vector<std::byte> boxes_;        // (layers, blocks, KV heads, 2, vector)
};

}  // namespace kv
