#include "core/cache/kv_pool.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstring>
#include <new>

#include "core/base/error.hpp"
#include "core/cache/codec/kivi.hpp"

namespace kv {
namespace {

constexpr std::size_t kLine = 64, kLargePage = std::size_t{2} << 20;

// Attention goes from block to block, and blocks lie anywhere: with pages of the machine that are
// as small as they, each would have its address looked up in memory first. Linux gives large pages
// to a pool that asks for them and begins at one; a pool that fills few is left alone.
std::size_t alignment_of(std::uint64_t size) {
    return size >= 4 * kLargePage ? kLargePage : kLine;
}

void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::uint64_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (alignment_of(size) == kLargePage) madvise(memory, size, MADV_HUGEPAGE);  // or not
#endif
}

}  // namespace

void KvPool::Free::operator()(std::byte* bytes) const {
    ::operator delete[](bytes, std::align_val_t{alignment});
}

KvPool::KvPool(const KvLayout& layout, const Codec& k, const Codec& v)
    : layout_(layout), k_(k), v_(v), shared_scales_(2 * std::size_t{layout.n_layers}, kNoScale) {
    KV_ASSERT(layout.k.bytes == vector_of(k, layout.k.dim, Side::K).bytes);
    KV_ASSERT(layout.v.bytes == vector_of(v, layout.v.dim, Side::V).bytes);
    const std::uint64_t size = std::max<std::uint64_t>(layout.pool_bytes(), 1);
    const std::size_t alignment = alignment_of(size);
    void* memory = ::operator new[](size, std::align_val_t{alignment}, std::nothrow);
    if (memory == nullptr)
        throw Error(ErrorCode::World, "There is no memory for a pool of " + std::to_string(size) +
                                          " bytes. Make it smaller with --pool.");
    bytes_ = {static_cast<std::byte*>(memory), Free{alignment}};
    ask_for_large_pages(memory, size);
    poison();
}

// 0xFF in every byte is NaN in all formats of floating-point numbers, scales among them: an integer
// that was never written has a scale that makes it NaN.
void KvPool::poison() {
    std::memset(bytes_.get(), 0xFF, layout_.pool_bytes());
}

// (layer, side, head, row) of the sides that have a residual; a token's row is its slot modulo
// their number.
std::byte* KvPool::residual_row(std::uint32_t row_set, LayerId layer, Side side, HeadId head,
                                std::uint32_t slot) {
    if (residuals_.size() <= row_set) residuals_.resize(row_set + 1);
    std::vector<std::byte>& rows = residuals_[row_set];
    if (rows.empty()) rows.assign(bytes_of_row_set(layout_), std::byte{0xFF});
    return rows.data() + residual_offset(layout_, layer, side, head, slot);
}

const std::byte* KvPool::residual_row(std::uint32_t row_set, LayerId layer, Side side, HeadId head,
                                      std::uint32_t slot) const {
    KV_ASSERT(row_set < residuals_.size() && !residuals_[row_set].empty());
    return residuals_[row_set].data() + residual_offset(layout_, layer, side, head, slot);
}

void KvPool::free_residual(std::uint32_t row_set) {
    if (row_set < residuals_.size()) residuals_[row_set] = {};
}

std::uint64_t KvPool::residual_bytes() const {
    std::uint64_t sum = 0;
    for (const auto& rows : residuals_) sum += rows.size();
    return sum;
}

std::byte* KvPool::vector(LayerId layer, Side side, HeadId head, BlockId block, Slot slot) {
    return bytes_.get() + layout_.vector_offset(layer, side, head, block, slot);
}

const std::byte* KvPool::vector(LayerId layer, Side side, HeadId head, BlockId block,
                                Slot slot) const {
    return bytes_.get() + layout_.vector_offset(layer, side, head, block, slot);
}

}  // namespace kv
