#include "app/panels/attach/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attach/picture/facts.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr double kLeastOldest_s = 60, kLeastSpan_s = 60;
constexpr float kLargestPlace = 16;    // logical pixels of a side
constexpr float kNarrowestBox = 0.5f;  // pixels
constexpr float kNarrowestBar = 3;

Text two_digits(int n) {
    return Text(std::string(n < 10 ? "0" : "") + std::to_string(n));
}

// A round number of tokens for the bottom of the axis: the next power of two.
std::uint64_t round_depth(std::uint64_t deepest) {
    std::uint64_t depth = 64;
    while (depth < deepest && depth < (std::uint64_t{1} << 62)) depth *= 2;
    return depth;
}

}  // namespace

double freshness(double age_s, double oldest_s) {
    if (!(age_s > 0)) return 1;
    return std::clamp(1 - math::log1p(age_s) / math::log1p(oldest_s), 0.0, 1.0);
}

double oldest_of(std::span<const PoolTexel> texels) {
    double oldest = kLeastOldest_s;
    for (const PoolTexel& texel : texels)
        oldest = std::max(oldest, static_cast<double>(texel.age_s));
    return oldest;
}

int shade_of(double age_s, double oldest_s) {
    return std::min(kAgeShades - 1, static_cast<int>(freshness(age_s, oldest_s) * kAgeShades));
}

// shade_of is the rule; turned around it says where a shade ends, but for rounding. From there the
// loops walk to the very last age for which the rule gives the shade, so that both say the same.
AgeShades::AgeShades(double oldest_s) {
    constexpr float kFar = std::numeric_limits<float>::max();
    for (int shade = 1; shade < kAgeShades; ++shade) {
        const double left = 1 - static_cast<double>(shade) / kAgeShades;
        auto age = static_cast<float>(math::exp(left * math::log1p(oldest_s)) - 1);
        const auto has_shade = [&](float at) {
            return shade_of(static_cast<double>(at), oldest_s) >= shade;
        };
        while (!has_shade(age)) age = std::nextafter(age, 0.0f);
        while (has_shade(std::nextafter(age, kFar))) age = std::nextafter(age, kFar);
        longest_[static_cast<std::size_t>(shade - 1)] = age;
    }
}

int AgeShades::of(float age_s) const {
    const auto shorter = std::partition_point(longest_.begin(), longest_.end(),
                                              [&](float longest) { return age_s <= longest; });
    return static_cast<int>(shorter - longest_.begin());
}

PlaceGrid place_grid(Vec2 room, float unit, std::uint64_t places) {
    PlaceGrid grid;
    for (int side = std::max(1, static_cast<int>(kLargestPlace * unit)); side >= 1; --side) {
        grid.side = static_cast<float>(side);
        grid.columns = std::max(1, static_cast<int>(room.x / grid.side));
        grid.rows = std::max(1, static_cast<int>(room.y / grid.side));
        if (static_cast<std::uint64_t>(grid.columns) * static_cast<std::uint64_t>(grid.rows) >=
            places)
            break;
    }
    return grid;
}

std::optional<std::size_t> place_at(const PlaceGrid& grid, Vec2 point) {
    const Rect all{0, 0, static_cast<float>(grid.columns) * grid.side,
                   static_cast<float>(grid.rows) * grid.side};
    if (!all.contains(point)) return std::nullopt;
    const auto column = static_cast<std::size_t>(point.x / grid.side),
               row = static_cast<std::size_t>(point.y / grid.side);
    return row * static_cast<std::size_t>(grid.columns) + column;
}

void plan_places(std::span<const PoolTexel> texels, const PlaceGrid& grid, double oldest_s,
                 List<PlaceRun>& runs) {
    runs.clear();
    const auto columns = static_cast<std::size_t>(grid.columns);
    const std::size_t most = columns * static_cast<std::size_t>(grid.rows);
    const AgeShades shades(oldest_s);
    for (std::size_t i = 0; i < texels.size() && i < most; ++i) {
        const int shade = shades.of(texels[i].age_s);
        const int row = static_cast<int>(i / columns), x = static_cast<int>(i % columns);
        if (x > 0 && runs.back().shade == shade)
            ++runs.back().w;
        else
            runs.push_back({row, x, 1, shade});
    }
}

List<PlateSpan> plate_spans(std::span<const PoolTexel> texels) {
    List<PlateSpan> spans;
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < texels.size(); ++i) {
        const std::uint32_t plate = texels[i].plate;
        if (plate != 0 && plate == before)
            ++spans.back().count;
        else if (plate != 0)
            spans.push_back({plate, i, 1});
        before = plate;
    }
    return spans;
}

const PrefixBox* PrefixPlan::at(Vec2 point) const {
    for (std::size_t i = boxes.size(); i-- > 0;) {
        const PrefixBox& b = boxes[i];
        if (Rect{b.x, b.y, b.w_top, b.h}.contains(point)) return &b;
    }
    return nullptr;
}

const PrefixCrowd* PrefixPlan::crowd_at(Vec2 point) const {
    const auto found = std::find_if(crowds.begin(), crowds.end(),
                                    [point](const PrefixCrowd& c) { return c.at.contains(point); });
    return found == crowds.end() ? nullptr : &*found;
}

namespace {

// Neighbours that begin at the same token become one; what is still too narrow is not drawn.
List<PrefixCrowd> crowds_of(const TankTree& tree, List<std::size_t> narrow, const Rect& room,
                            float per_block, float per_token) {
    const auto bar_of = [&](std::size_t i) -> const TreeBar& { return tree.bars[i]; };
    std::sort(narrow.begin(), narrow.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(bar_of(a).from_token, bar_of(a).left) <
               std::pair(bar_of(b).from_token, bar_of(b).left);
    });
    List<PrefixCrowd> crowds;
    std::uint64_t end = 0;  // of the last one, in blocks
    for (const std::size_t i : narrow) {
        const TreeBar& bar = bar_of(i);
        const bool goes_on =
            !crowds.empty() && crowds.back().from_token == bar.from_token && end == bar.left;
        if (!goes_on)
            crowds.push_back({.at = {.x = room.x + static_cast<float>(bar.left) * per_block},
                              .from_token = bar.from_token});
        PrefixCrowd& crowd = crowds.back();
        crowd.chains += bar.chains, crowd.blocks += bar.width_top;
        crowd.to_token = std::max(crowd.to_token, bar.to_token);
        crowd.age_s += (bar.age_s - crowd.age_s) * static_cast<float>(bar.chains) /
                       static_cast<float>(crowd.chains);
        end = bar.left + bar.width_top;
    }
    for (PrefixCrowd& crowd : crowds) {
        crowd.at.y = room.y + static_cast<float>(crowd.from_token) * per_token;
        crowd.at.w = static_cast<float>(crowd.blocks) * per_block;
        crowd.at.h =
            std::max(1.0f, static_cast<float>(crowd.to_token - crowd.from_token) * per_token);
    }
    std::erase_if(crowds, [](const PrefixCrowd& crowd) { return crowd.at.w < kNarrowestBox; });
    return crowds;
}

}  // namespace

PrefixPlan plan_prefixes(const TankTree& tree, const Rect& room) {
    PrefixPlan plan;
    plan.depth = round_depth(tree.depth);
    for (std::uint64_t i = 0; i <= 4; ++i) plan.ticks.push_back(plan.depth / 4 * i);
    if (tree.width == 0) return plan;
    const float per_block = room.w / static_cast<float>(tree.width);
    const float per_token = room.h / static_cast<float>(plan.depth);
    List<std::size_t> narrow;
    for (std::size_t i = 0; i < tree.bars.size(); ++i) {
        const TreeBar& bar = tree.bars[i];
        const float w = static_cast<float>(bar.width_top) * per_block;
        if (w < kNarrowestBox || bar.chains > 1) {
            narrow.push_back(i);
            continue;
        }
        const float tokens = static_cast<float>(bar.to_token - bar.from_token);
        plan.boxes.push_back({.bar = i,
                              .x = room.x + static_cast<float>(bar.left) * per_block,
                              .y = room.y + static_cast<float>(bar.from_token) * per_token,
                              .h = std::max(1.0f, tokens * per_token),
                              .w_top = w,
                              .w_bottom = static_cast<float>(bar.width_bottom) * per_block});
    }
    plan.crowds = crowds_of(tree, std::move(narrow), room, per_block, per_token);
    return plan;
}

double age_share(double seconds) {
    const double least = AgeHistogram::lower_edge_s(0),
                 most = AgeHistogram::lower_edge_s(AgeHistogram::kBars);
    if (!(seconds > least)) return 0;
    return std::clamp(math::log(seconds / least) / math::log(most / least), 0.0, 1.0);
}

std::uint64_t most_of(const AgeHistogram& ages) {
    return *std::max_element(ages.bars().begin(), ages.bars().end());
}

StreamSpan stream_span(const ServerView& view) {
    const double from =
        view.tank.rates.empty()
            ? view.tank.start_s
            : std::max(view.tank.start_s,
                       static_cast<double>(view.tank.rates.front().number) * RateBin::kSeconds);
    return {from, std::max({view.newest_s, view.tank.now_s, from + kLeastSpan_s})};
}

List<StreamBar> plan_stream(std::span<const RateBin> rates, const StreamSpan& span, float width) {
    List<StreamBar> bars;
    const float pitch = span.x_of(span.from_s + RateBin::kSeconds, width);
    if (!(pitch > 0)) return bars;
    const float w = std::max(pitch, std::ceil(kNarrowestBar / pitch) * pitch);
    for (const RateBin& bin : rates) {
        const float x = span.x_of(static_cast<double>(bin.number) * RateBin::kSeconds, width);
        const float left = std::max(0.0f, std::floor(x / w) * w);
        if (bars.empty() || bars.back().x < left) bars.push_back({left, w, 0, 0});
        StreamBar& bar = bars.back();
        bar.stored_per_s =
            std::max(bar.stored_per_s, static_cast<double>(bin.stored) / RateBin::kSeconds);
        bar.removed_per_s =
            std::max(bar.removed_per_s, static_cast<double>(bin.removed) / RateBin::kSeconds);
    }
    return bars;
}

std::vector<ShelfCard> ServerView::groups() const {
    std::vector<ShelfCard> groups;
    for (const ShelfCard& card : tank.shelves)
        if (card.shelf.name.rank == rank && card.shelf.name.medium == "GPU") groups.push_back(card);
    std::sort(groups.begin(), groups.end(), [](const ShelfCard& a, const ShelfCard& b) {
        return a.shelf.name.group < b.shelf.name.group;
    });
    return groups;
}

const MetricTrack* ServerView::track(std::string_view name) const {
    return track_of(tank.tracks, name, rank);
}

// A difference of two moments of a server's clock is a little less than it should be.
Text clock_of(double seconds) {
    constexpr double kRounding_s = 1e-3;
    const auto whole = static_cast<std::int64_t>(std::max(0.0, std::floor(seconds + kRounding_s)));
    const auto s = static_cast<int>(whole % 60), m = static_cast<int>(whole / 60 % 60);
    const std::int64_t h = whole / 3600;
    const Text minutes = h == 0 ? Text(std::to_string(m)) : two_digits(m);
    const std::string hours = h == 0 ? std::string() : std::to_string(h) + ":";
    return Text(hours + std::string(minutes) + ":" + std::string(two_digits(s)));
}

Text age_of(double seconds) {
    if (seconds < 100) return Text(fixed(seconds, 1) + " s");
    if (seconds < 6000) return Text(fixed(seconds / 60, 0) + " min");
    return Text(fixed(seconds / 3600, 1) + " h");
}

}  // namespace kv
