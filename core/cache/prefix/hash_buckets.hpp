#pragma once
// Finds numbers by their hashes: a table with open addressing that holds the numbers alone and asks
// `hash_of` for the hash of each. A number lies in its hash's own bucket or, where that was taken,
// in the next one that was empty. All of it is in the header: a find of the cache must not pay for
// a call.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace kv {

class HashBuckets {
public:
    // The first number, from the hash's own bucket on, that `is_it` accepts, as the id that it is.
    // `is_it` is asked about numbers of other hashes, too.
    template <class IdType, class IsIt>
    std::optional<IdType> find(std::uint64_t hash, const IsIt& is_it) const {
        for (std::size_t i = home(hash);; i = next(i)) {
            const std::uint32_t number = buckets_[i];
            if (number == kEmpty) return std::nullopt;
            if (is_it(number)) return IdType(number);
        }
    }

    template <class HashOf>
    void put(std::uint32_t number, const HashOf& hash_of) {
        std::size_t i = home(hash_of(number));
        while (buckets_[i] != kEmpty) i = next(i);
        buckets_[i] = number;
    }

    // find() goes on from a hash's own bucket to the first empty one, so the gap that the number
    // leaves has to be closed: one further on moves into it, unless its own bucket lies behind the
    // gap, where find() begins without meeting it. Then the bucket that it left is the gap.
    template <class HashOf>
    void take_out(std::uint32_t number, const HashOf& hash_of) {
        std::size_t gap = home(hash_of(number));
        while (buckets_[gap] != number) gap = next(gap);
        buckets_[gap] = kEmpty;
        for (std::size_t i = next(gap); buckets_[i] != kEmpty; i = next(i)) {
            const std::size_t own = home(hash_of(buckets_[i]));
            if (((i - own) & mask()) < ((i - gap) & mask())) continue;
            buckets_[gap] = buckets_[i];
            buckets_[i] = kEmpty;
            gap = i;
        }
    }

    // Grows until at least half of the buckets stay empty with so many numbers.
    template <class HashOf>
    void make_room(std::size_t n_numbers, const HashOf& hash_of) {
        if (2 * n_numbers <= buckets_.size()) return;
        const std::vector<std::uint32_t> old =
            std::exchange(buckets_, std::vector<std::uint32_t>(2 * buckets_.size(), kEmpty));
        for (const std::uint32_t number : old)
            if (number != kEmpty) put(number, hash_of);
    }

private:
    static constexpr std::uint32_t kEmpty = 0xFFFFFFFFu;
    static constexpr std::size_t kFirstBuckets = 64;  // a power of two, as mask() needs

    std::size_t mask() const { return buckets_.size() - 1; }
    std::size_t home(std::uint64_t hash) const { return hash & mask(); }
    std::size_t next(std::size_t i) const { return (i + 1) & mask(); }

    std::vector<std::uint32_t> buckets_ = std::vector<std::uint32_t>(kFirstBuckets, kEmpty);
};

}  // namespace kv
