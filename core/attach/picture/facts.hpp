#pragma once
// What two caches are compared by: of one rank, or of all of them together. Counted from events
// where nothing else is said; what comes from the metrics was true at the last poll.

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/attach/picture/tank_picture.hpp"

namespace kv {

// The track of that rank under that name, whatever its other labels are; null: there is none.
const MetricTrack* track_of(const std::vector<MetricTrack>& tracks, std::string_view name,
                            std::int64_t rank);
// vLLM counts hits and what was asked for, SGLang says a share.
struct HitTracks {
    const MetricTrack *share = nullptr, *hits = nullptr, *queries = nullptr;
    bool any() const { return share != nullptr || (hits != nullptr && queries != nullptr); }
};
HitTracks hit_tracks_of(const std::vector<MetricTrack>& tracks, std::int64_t rank);
// Moment and share of prompt tokens that were found: at each poll of the last minute before it.
std::vector<std::pair<double, double>> hit_rates_of(const HitTracks& tracks);

struct TankFacts {
    bool exact = true;
    std::uint64_t cached = 0;                // blocks of the asked medium
    std::optional<std::uint64_t> pool = {};  // sampled or given; none: of some rank it is not known
    std::optional<double> usage = {};        // sampled; of all ranks: their mean
    std::optional<double> hit_rate = {};     // sampled, of the last minute
    std::uint64_t needed_again = 0;          // uses of a block that had been used before
    std::optional<double> found_share = {};  // of these, the block was still there
    std::optional<double> lifetime_s = {}, idle_s = {};  // the middle one
    std::uint64_t blocks_stored = 0, blocks_removed = 0, tokens_again = 0;
    std::uint64_t missed = 0, restarts = 0;
};
// The picture is one of that rank, or of all ranks where none is named.
TankFacts tank_facts_of(const TankPicture& picture, std::optional<std::int64_t> rank);

}  // namespace kv
