#pragma once
// The tiers below the device: places of the host, then places of the file, numbered through. A
// place holds one block: of a request that was swapped out, or cached, which belongs to nobody and
// is given up, the one idle longest first, when its place is needed.

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/base/ids.hpp"
#include "core/cache/prefix/index.hpp"
#include "core/trace/snapshot.hpp"

namespace kv {

class Tiers {
public:
    Tiers(std::uint32_t n_host, std::uint32_t n_file);

    std::uint32_t size() const { return static_cast<std::uint32_t>(places_.size()); }
    Medium medium(std::uint32_t place) const;
    std::uint32_t number(std::uint32_t place) const;  // within its tier
    std::uint32_t place(Medium tier, std::uint32_t number) const;

    std::uint32_t n_free() const;
    std::uint32_t n_free(Medium tier) const;
    std::uint32_t n_cached() const;
    std::uint32_t n_used(Medium tier) const;
    // The lowest free place, of the host before the file.
    std::optional<std::uint32_t> next_free() const;
    std::optional<std::uint32_t> next_free(Medium tier) const;
    std::optional<std::uint32_t> oldest_cached(Medium tier) const;

    struct Place {
        PlaceState state = PlaceState::Free;
        std::optional<SeqId> request;  // whose block was swapped out into it; or
        std::optional<PrefixId> node;  // whose cached block it keeps
        std::uint32_t entry = 0, slots = 0;
        std::uint64_t checksum = 0;
        std::uint64_t stamp = 0;  // of a cached block: higher than of all that came before
    };
    const Place& operator[](std::uint32_t place) const { return places_[place]; }

    void take(std::uint32_t place, SeqId request, std::uint32_t entry, std::uint32_t slots);
    void take(std::uint32_t place, PrefixId node, std::uint32_t slots);
    void arrived(std::uint32_t place, std::uint64_t checksum);
    void leave(std::uint32_t place);  // a transfer out of it has begun: it is not given up now
    void release(std::uint32_t place);

private:
    using Idle = std::set<std::pair<std::uint64_t, std::uint32_t>>;  // by stamp, oldest first
    Idle& idle(std::uint32_t place) { return idle_[medium(place) == Medium::Host ? 0 : 1]; }
    void occupy(std::uint32_t place, const Place& with);

    std::uint32_t n_host_;
    std::vector<Place> places_;
    std::set<std::uint32_t> free_;
    Idle idle_[2];  // cached places of the host and of the file
    std::uint64_t clock_ = 0;

    friend class Tamper;  // of the tests: breaks a rule so that check() must say so
};

}  // namespace kv
