#pragma once
// Finds a block by a number that stands for its hash: one table with open addressing, so that a
// million blocks cost a few dozen megabytes and copying it is one move of memory. Who asks compares
// the hashes themselves.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace kv {

using BlockRef = std::uint32_t;

class BlockIndex {
public:
    // The first block under `key` that `is_it` accepts.
    template <class IsIt>
    std::optional<BlockRef> find(std::uint64_t key, const IsIt& is_it) const {
        if (places_.empty()) return std::nullopt;
        const std::uint32_t mixed = mixed_of(key);
        for (std::size_t at = home(mixed); places_[at].taken; at = next(at))
            if (places_[at].mixed == mixed && is_it(places_[at].block)) return places_[at].block;
        return std::nullopt;
    }
    void add(std::uint64_t key, BlockRef block);
    void remove(std::uint64_t key, BlockRef block);
    void clear();
    std::uint64_t memory_bytes() const { return places_.capacity() * sizeof(Place); }

private:
    struct Place {
        std::uint32_t mixed = 0;  // of the key: says where the block would like to lie
        BlockRef block = 0;
        bool taken = false;
    };
    static std::uint32_t mixed_of(std::uint64_t key);
    std::size_t home(std::uint32_t mixed) const { return mixed & (places_.size() - 1); }
    std::size_t next(std::size_t at) const { return (at + 1) & (places_.size() - 1); }
    void put(Place place);
    void grow();

    std::vector<Place> places_;  // a power of two, at most two thirds of it taken
    std::size_t taken_ = 0;
};

}  // namespace kv
