#include "core/cache/tiers/tiers.hpp"

#include <iterator>

#include "core/base/error.hpp"

namespace kv {

Tiers::Tiers(std::uint32_t n_host, std::uint32_t n_file)
    : n_host_(n_host), places_(std::size_t{n_host} + n_file) {
    for (std::uint32_t p = 0; p < size(); ++p) free_.insert(free_.end(), p);
}

Medium Tiers::medium(std::uint32_t place) const {
    return place < n_host_ ? Medium::Host : Medium::File;
}

std::uint32_t Tiers::number(std::uint32_t place) const {
    return place < n_host_ ? place : place - n_host_;
}

std::uint32_t Tiers::place(Medium tier, std::uint32_t number) const {
    return tier == Medium::File ? n_host_ + number : number;
}

std::uint32_t Tiers::n_free() const {
    return static_cast<std::uint32_t>(free_.size());
}

std::uint32_t Tiers::n_free(Medium tier) const {
    const auto file = free_.lower_bound(n_host_);
    return static_cast<std::uint32_t>(tier == Medium::Host ? std::distance(free_.begin(), file)
                                                           : std::distance(file, free_.end()));
}

std::uint32_t Tiers::n_cached() const {
    return static_cast<std::uint32_t>(idle_[0].size() + idle_[1].size());
}

std::uint32_t Tiers::n_used(Medium tier) const {
    return (tier == Medium::Host ? n_host_ : size() - n_host_) - n_free(tier);
}

std::optional<std::uint32_t> Tiers::next_free() const {
    if (free_.empty()) return std::nullopt;
    return *free_.begin();
}

std::optional<std::uint32_t> Tiers::next_free(Medium tier) const {
    const auto first = free_.lower_bound(tier == Medium::Host ? 0 : n_host_);
    if (first == free_.end() || medium(*first) != tier) return std::nullopt;
    return *first;
}

std::optional<std::uint32_t> Tiers::oldest_cached(Medium tier) const {
    const Idle& list = idle_[tier == Medium::Host ? 0 : 1];
    if (list.empty()) return std::nullopt;
    return list.begin()->second;
}

void Tiers::occupy(std::uint32_t place, const Place& with) {
    const bool was_free = free_.erase(place) == 1;
    KV_ASSERT(was_free);
    places_[place] = with;
    places_[place].state = PlaceState::Arriving;
}

void Tiers::take(std::uint32_t place, SeqId request, std::uint32_t entry, std::uint32_t slots) {
    Place with;
    with.request = request;
    with.entry = entry;
    with.slots = slots;
    occupy(place, with);
}

void Tiers::take(std::uint32_t place, PrefixId node, std::uint32_t slots) {
    Place with;
    with.node = node;
    with.slots = slots;
    with.stamp = ++clock_;
    occupy(place, with);
}

void Tiers::arrived(std::uint32_t place, std::uint64_t checksum) {
    Place& p = places_[place];
    KV_ASSERT(p.state == PlaceState::Arriving);
    p.state = PlaceState::Held;
    p.checksum = checksum;
    if (p.node) idle(place).insert({p.stamp, place});
}

void Tiers::leave(std::uint32_t place) {
    Place& p = places_[place];
    KV_ASSERT(p.state == PlaceState::Held);
    p.state = PlaceState::Leaving;
    if (p.node) idle(place).erase({p.stamp, place});
}

void Tiers::release(std::uint32_t place) {
    Place& p = places_[place];
    KV_ASSERT(p.state != PlaceState::Free);
    if (p.node) idle(place).erase({p.stamp, place});
    p = {};
    free_.insert(place);
}

}  // namespace kv
