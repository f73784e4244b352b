#pragma once
// The bytes of the cache in the memory of this machine, addressed through KvLayout alone. A fresh
// pool holds poison, not zeros: a slot that is read before it is written shows as NaN instead of
// as a plausible number.

#include <cstddef>
#include <memory>

#include "core/cache/kv_format.hpp"
#include "core/cache/kv_layout.hpp"

namespace kv {

class KvPool {
public:
    KvPool(const KvLayout& layout, const KvFormat& k, const KvFormat& v);

    const KvLayout& layout() const { return layout_; }
    const KvFormat& format(KvSide side) const { return side == KvSide::K ? k_ : v_; }

    std::byte* vector(LayerId layer, KvSide side, HeadId head, BlockId block, Slot slot);
    const std::byte* vector(LayerId layer, KvSide side, HeadId head, BlockId block,
                            Slot slot) const;
    std::byte* bytes() { return bytes_.get(); }
    const std::byte* bytes() const { return bytes_.get(); }

    void poison();

private:
    struct Free {
        std::size_t alignment;
        void operator()(std::byte* bytes) const;
    };
    KvLayout layout_;
    KvFormat k_, v_;
    std::unique_ptr<std::byte[], Free> bytes_;
};

}  // namespace kv
