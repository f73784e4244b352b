#include "core/attach/picture/facts.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace kv {
namespace {

constexpr double kMinute_s = 60;
constexpr std::array<std::string_view, 2> kHits{"vllm:prefix_cache_hits_total",
                                                "vllm:prefix_cache_hits"};
constexpr std::array<std::string_view, 2> kQueries{"vllm:prefix_cache_queries_total",
                                                   "vllm:prefix_cache_queries"};

// The first of these names that the server has.
const MetricTrack* first_of(const std::vector<MetricTrack>& tracks,
                            const std::array<std::string_view, 2>& names, std::int64_t rank) {
    for (const std::string_view name : names)
        if (const MetricTrack* track = track_of(tracks, name, rank)) return track;
    return nullptr;
}

// What both counters grew by between two polls.
struct HitGrowth {
    double found = 0, asked = 0;
    std::optional<double> share() const {
        if (asked <= 0 || found < 0) return std::nullopt;
        return found / asked;
    }
};
HitGrowth growth_of(const HitTracks& tracks, std::size_t first, std::size_t last) {
    const auto &hits = tracks.hits->points, &queries = tracks.queries->points;
    return {hits[last].second - hits[first].second, queries[last].second - queries[first].second};
}

std::size_t polls_of(const HitTracks& tracks) {
    return std::min(tracks.hits->points.size(), tracks.queries->points.size());
}

// Several ranks weigh as much as was asked of each; shares that are not counted weigh the same.
class HitMean {
public:
    void add(const HitTracks& tracks) {
        if (!tracks.any()) return;
        if (tracks.share != nullptr) {
            if (tracks.share->points.empty()) return;
            shares_ += tracks.share->points.back().second;
            ++n_shares_;
            return;
        }
        const std::size_t n = polls_of(tracks);
        if (n < 2) return;
        std::size_t first = 0;
        while (tracks.hits->points[first].first < tracks.hits->points[n - 1].first - kMinute_s)
            ++first;
        const HitGrowth grown = growth_of(tracks, std::min(first, n - 2), n - 1);
        if (!grown.share()) return;
        sum_.found += grown.found, sum_.asked += grown.asked;
    }
    std::optional<double> mean() const {
        if (n_shares_ > 0) return shares_ / n_shares_;
        return sum_.share();
    }

private:
    HitGrowth sum_;
    double shares_ = 0;
    int n_shares_ = 0;
};

// The mean over those that have it.
class UsageMean {
public:
    void add(const std::optional<double>& usage) {
        if (usage) sum_ += *usage, ++n_;
    }
    std::optional<double> mean() const { return n_ > 0 ? std::optional(sum_ / n_) : std::nullopt; }

private:
    double sum_ = 0;
    int n_ = 0;
};

}  // namespace

const MetricTrack* track_of(const std::vector<MetricTrack>& tracks, std::string_view name,
                            std::int64_t rank) {
    const std::string label = "engine=\"" + std::to_string(rank) + "\"";
    const MetricTrack* any = nullptr;
    for (const MetricTrack& track : tracks) {
        if (track.name != name) continue;
        if (track.labels.find(label) != std::string::npos) return &track;
        if (track.labels.find("engine=") == std::string::npos && any == nullptr) any = &track;
    }
    return any;
}

HitTracks hit_tracks_of(const std::vector<MetricTrack>& tracks, std::int64_t rank) {
    return {.share = track_of(tracks, "sglang:cache_hit_rate", rank),
            .hits = first_of(tracks, kHits, rank),
            .queries = first_of(tracks, kQueries, rank)};
}

std::vector<std::pair<double, double>> hit_rates_of(const HitTracks& tracks) {
    if (tracks.share != nullptr) return {tracks.share->points.begin(), tracks.share->points.end()};
    std::vector<std::pair<double, double>> rates;
    if (!tracks.any()) return rates;
    const auto& hits = tracks.hits->points;
    for (std::size_t i = 1, from = 0; i < polls_of(tracks); ++i) {
        while (hits[from].first < hits[i].first - kMinute_s) ++from;
        const auto share = growth_of(tracks, std::min(from, i - 1), i).share();
        if (share) rates.emplace_back(hits[i].first, *share);
    }
    return rates;
}

TankFacts tank_facts_of(const TankPicture& picture, std::optional<std::int64_t> rank) {
    TankFacts facts{.exact = picture.exact};
    HitMean hits;
    UsageMean usage;
    std::uint64_t pool = 0;
    bool knows_pool = true, any = false;
    for (const RankCard& card : picture.ranks) {
        const RankTank& one = card.rank;
        if (rank && one.rank != *rank) continue;
        any = true;
        facts.cached += card.cached;
        facts.blocks_stored += one.blocks_stored, facts.blocks_removed += one.blocks_removed;
        facts.tokens_again += one.tokens_again;
        facts.missed += one.missed, facts.restarts += one.restarts;
        knows_pool = knows_pool && card.pool.has_value();
        pool += card.pool.value_or(0);
        usage.add(card.usage);
        hits.add(hit_tracks_of(picture.tracks, one.rank));
    }
    if (any && knows_pool) facts.pool = pool;
    facts.usage = usage.mean();
    facts.hit_rate = hits.mean();
    facts.needed_again = picture.found.total() + picture.too_late.total();
    if (facts.needed_again > 0)
        facts.found_share =
            static_cast<double>(picture.found.total()) / static_cast<double>(facts.needed_again);
    facts.lifetime_s = picture.lifetimes.median_s();
    facts.idle_s = picture.idle.median_s();
    return facts;
}

}  // namespace kv
