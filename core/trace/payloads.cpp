#include "core/trace/payloads.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << 16;
constexpr std::uint64_t kChunksInBudget = 8;  // so that giving up one chunk gives up little

}  // namespace

void PayloadLog::record(std::uint64_t n, LaneId lane, BlockId block, Slot slot,
                        std::span<const unsigned char> bytes) {
    KV_ASSERT(writes_.empty() || n >= writes_.back().n);
    KV_ASSERT(bytes.size() <= UINT32_MAX);
    if ((n_slots_ + 1) * 4 > index_.size() * 3) grow_index();
    const Key key{lane.value, block.value, slot.value};
    Last& last = index_[place_of(key)];
    if (last.write == 0) ++n_slots_;
    last.key = key;

    Chunk& chunk = chunk_with_room(bytes.size());
    if (!bytes.empty()) std::memcpy(chunk.bytes.get() + chunk.used, bytes.data(), bytes.size());
    writes_.push_back({n, last.write, first_chunk_ + static_cast<std::uint32_t>(chunks_.size() - 1),
                       static_cast<std::uint32_t>(chunk.used),
                       static_cast<std::uint32_t>(bytes.size())});
    chunk.used += bytes.size();
    ++chunk.n_writes;
    last.write = first_ + writes_.size();
    while (memory_bytes() > budget_ && !writes_.empty()) drop_oldest();
}

PayloadLog::Found PayloadLog::find(std::uint64_t moment, LaneId lane, BlockId block,
                                   Slot slot) const {
    if (index_.empty()) return {};
    std::uint64_t at = index_[place_of({lane.value, block.value, slot.value})].write;
    while (at > 0) {
        if (at <= first_) return {State::Forgotten, {}};
        const Write& write = writes_[at - 1 - first_];
        if (write.n < moment) {
            const Chunk& chunk = chunks_[write.chunk - first_chunk_];
            return {State::Known, {chunk.bytes.get() + write.offset, write.size}};
        }
        at = write.previous;
    }
    return {};
}

std::uint64_t PayloadLog::memory_bytes() const {
    return writes_.size() * sizeof(Write) + chunk_bytes_ + chunks_.size() * sizeof(Chunk) +
           index_.size() * sizeof(Last);
}

// Where the key's entry is, or the empty place where it would be.
std::size_t PayloadLog::place_of(const Key& key) const {
    std::uint64_t hash = (std::uint64_t{key.lane} << 32U | key.block) * 0x9E3779B97F4A7C15U;
    hash = (hash ^ hash >> 29U ^ key.slot) * 0xBF58476D1CE4E5B9U;
    std::size_t at = (hash ^ hash >> 32U) & (index_.size() - 1);
    while (index_[at].write != 0 && !(index_[at].key == key)) at = (at + 1) & (index_.size() - 1);
    return at;
}

// Sizes are powers of two, so that place_of() can mask a hash.
void PayloadLog::grow_index() {
    constexpr std::size_t kFirstSize = 64;
    std::vector<Last> old(std::max(kFirstSize, index_.size() * 2));
    std::swap(old, index_);
    for (const Last& last : old)
        if (last.write != 0) index_[place_of(last.key)] = last;
}

PayloadLog::Chunk& PayloadLog::chunk_with_room(std::uint64_t bytes) {
    if (chunks_.empty() || chunks_.back().size - chunks_.back().used < bytes) {
        Chunk chunk;
        chunk.size = std::max(bytes, std::min(kChunkBytes, budget_ / kChunksInBudget));
        chunk.bytes = std::make_unique<unsigned char[]>(chunk.size);
        chunk_bytes_ += chunk.size;
        chunks_.push_back(std::move(chunk));
    }
    return chunks_.back();
}

void PayloadLog::drop_oldest() {
    const Write& oldest = writes_.front();
    dropped_before_ = oldest.n + 1;
    --chunks_[oldest.chunk - first_chunk_].n_writes;
    while (!chunks_.empty() && chunks_.front().n_writes == 0) {
        chunk_bytes_ -= chunks_.front().size;
        chunks_.pop_front();
        ++first_chunk_;
    }
    writes_.pop_front();
    ++first_;
}

}  // namespace kv
