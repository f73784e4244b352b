#pragma once
// The bytes of the cache in the memory of this machine, addressed through KvLayout alone. A fresh
// pool holds poison, not zeros: a slot that is read before it is written shows as NaN instead of
// as a plausible number.

#include <cstddef>
#include <memory>
#include <vector>

#include "core/cache/codec/vector_codec.hpp"
#include "core/cache/layout/kv_layout.hpp"

namespace kv {

class KvPool {
public:
    KvPool(const KvLayout& layout, const Codec& k, const Codec& v);

    const KvLayout& layout() const { return layout_; }
    const Codec& codec(Side side) const { return side == Side::K ? k_ : v_; }

    std::byte* vector(LayerId layer, Side side, HeadId head, BlockId block, Slot slot);
    const std::byte* vector(LayerId layer, Side side, HeadId head, BlockId block, Slot slot) const;
    std::byte* bytes() { return bytes_.get(); }
    const std::byte* bytes() const { return bytes_.get(); }

    // The scale of a ':tensor' codec: kNoScale until the first vectors of a layer and side come.
    SharedScale shared_scale(LayerId layer, Side side) const {
        return shared_scales_[scale_index(layer, side)];
    }
    void set_shared_scale(LayerId layer, Side side, SharedScale scale) {
        shared_scales_[scale_index(layer, side)] = scale;
    }

    // The rows of a sequence's newest tokens, where a codec has a residual: fp16, addressed behind
    // the pool, in row sets (Residual::row_set, one a sequence) that take memory when they are
    // first used.
    std::byte* residual_row(std::uint32_t row_set, LayerId layer, Side side, HeadId head,
                            std::uint32_t slot);
    const std::byte* residual_row(std::uint32_t row_set, LayerId layer, Side side, HeadId head,
                                  std::uint32_t slot) const;
    void free_residual(std::uint32_t row_set);
    std::uint64_t residual_bytes() const;  // of all row sets that have memory

    void poison();

private:
    static std::size_t scale_index(LayerId layer, Side side) {
        return 2 * layer.index() + (side == Side::V ? 1 : 0);
    }
    struct Free {
        std::size_t alignment;
        void operator()(std::byte* bytes) const;
    };
    KvLayout layout_;
    Codec k_, v_;
    std::vector<SharedScale> shared_scales_;         // (layers, 2)
    std::vector<std::vector<std::byte>> residuals_;  // by row set
    std::unique_ptr<std::byte[], Free> bytes_;
};

}  // namespace kv
