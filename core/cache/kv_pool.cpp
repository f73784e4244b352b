#include "core/cache/kv_pool.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr std::align_val_t kAlignment{64};

}  // namespace

void KvPool::Free::operator()(std::byte* bytes) const {
    ::operator delete[](bytes, kAlignment);
}

KvPool::KvPool(const KvLayout& layout, KvFormat k, KvFormat v) : layout_(layout), k_(k), v_(v) {
    KV_ASSERT(layout.k.bytes == vector_of(k, layout.k.dim).bytes);
    KV_ASSERT(layout.v.bytes == vector_of(v, layout.v.dim).bytes);
    const std::uint64_t size = std::max<std::uint64_t>(layout.pool_bytes(), 1);
    void* memory = ::operator new[](size, kAlignment, std::nothrow);
    if (memory == nullptr)
        throw Error(ErrorCode::World, "There is no memory for a pool of " + std::to_string(size) +
                                          " bytes. Make it smaller with --pool.");
    bytes_.reset(static_cast<std::byte*>(memory));
    poison();
}

// 0xFF in every byte is NaN in all formats of floating-point numbers.
void KvPool::poison() {
    std::memset(bytes_.get(), 0xFF, layout_.pool_bytes());
}

std::byte* KvPool::vector(LayerId layer, KvSide side, HeadId head, BlockId block, Slot slot) {
    return bytes_.get() + layout_.vector_offset(layer, side, head, block, slot);
}

const std::byte* KvPool::vector(LayerId layer, KvSide side, HeadId head, BlockId block,
                                Slot slot) const {
    return bytes_.get() + layout_.vector_offset(layer, side, head, block, slot);
}

}  // namespace kv
