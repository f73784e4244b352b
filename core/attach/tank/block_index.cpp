#include "core/attach/tank/block_index.hpp"

namespace kv {
namespace {

constexpr std::size_t kFewest = 64;

}  // namespace

// Neighbouring numbers come to lie apart (the finaliser of MurmurHash3).
std::uint32_t BlockIndex::mixed_of(std::uint64_t key) {
    key ^= key >> 33U;
    key *= 0xFF51AFD7ED558CCDU;
    key ^= key >> 33U;
    key *= 0xC4CEB9FE1A85EC53U;
    key ^= key >> 33U;
    return static_cast<std::uint32_t>(key);
}

void BlockIndex::put(Place place) {
    std::size_t at = home(place.mixed);
    while (places_[at].taken) at = next(at);
    places_[at] = place;
}

void BlockIndex::grow() {
    std::vector<Place> old(places_.empty() ? kFewest : 2 * places_.size());
    old.swap(places_);
    for (const Place& place : old)
        if (place.taken) put(place);
}

void BlockIndex::add(std::uint64_t key, BlockRef block) {
    if (3 * (taken_ + 1) > 2 * places_.size()) grow();
    put({mixed_of(key), block, true});
    ++taken_;
}

void BlockIndex::remove(std::uint64_t key, BlockRef block) {
    if (places_.empty()) return;
    std::size_t hole = home(mixed_of(key));
    while (places_[hole].taken && places_[hole].block != block) hole = next(hole);
    if (!places_[hole].taken) return;
    --taken_;
    // What lies behind moves up, unless that would bring it in front of where it likes to lie.
    const std::size_t mask = places_.size() - 1;
    for (std::size_t at = next(hole); places_[at].taken; at = next(at)) {
        const std::size_t from_home = (at - places_[at].mixed) & mask;
        if (from_home < ((at - hole) & mask)) continue;
        places_[hole] = places_[at];
        hole = at;
    }
    places_[hole] = {};
}

void BlockIndex::clear() {
    places_.clear();
    taken_ = 0;
}

}  // namespace kv
