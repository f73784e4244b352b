#include "app/panels/price/plan.hpp"

#include <algorithm>
#include <cmath>

#include "app/widgets/chart/ticks.hpp"
#include "core/base/numbers/decimal.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cache/eviction/eviction_spec.hpp"

namespace kv {
namespace {

constexpr double kKiBytes = 1024;

// Small numbers are not zero, and zero is.
std::string small(double value, int decimals) {
    if (value == 0) return "0";
    const double least = math::pow(10, -decimals);
    return value < least / 2 ? "<" + fixed(least, decimals) : fixed(value, decimals);
}

std::string codecs_of(const PriceRow& row) {
    return row.k_codec == row.v_codec ? row.k_codec : row.k_codec + " + " + row.v_codec;
}

std::string joined(const PriceRow& row, const std::string& policy) {
    if (!row.drops()) return codecs_of(row);
    const bool usual = row.k_codec == "bf16" && row.v_codec == "bf16";
    return usual ? policy : codecs_of(row) + ", " + policy;
}

bool overlap(const Rect& a, const Rect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

Rect around(const PriceMark& mark) {
    return {mark.at.x - mark.radius, mark.at.y - mark.radius, 2 * mark.radius, 2 * mark.radius};
}

// Whether the line goes through the rectangle: what is left of it between the four sides.
bool cuts(const PriceLine& line, const Rect& r) {
    const Vec2 d = line.to - line.from;
    float begin = 0, end = 1;
    const auto clip = [&](float along, float room) {  // along * t <= room
        if (along == 0) return room >= 0;
        const float t = room / along;
        if (along > 0)
            end = std::min(end, t);
        else
            begin = std::max(begin, t);
        return begin < end;
    };
    return clip(d.x, r.right() - line.from.x) && clip(-d.x, line.from.x - r.x) &&
           clip(d.y, r.bottom() - line.from.y) && clip(-d.y, line.from.y - r.y);
}

// Right, left, above, below, the corners; then above and below flush with the mark.
constexpr std::array<Vec2, 12> kLabelSides{{{1, 0},
                                            {-1, 0},
                                            {0, -1},
                                            {0, 1},
                                            {1, -1},
                                            {-1, -1},
                                            {1, 1},
                                            {-1, 1},
                                            {0.5f, -1},
                                            {0.5f, 1},
                                            {-0.5f, -1},
                                            {-0.5f, 1}}};

bool holds(const Rect& r, Vec2 at) {
    return at.x >= r.x && at.x <= r.right() && at.y >= r.y && at.y <= r.bottom();
}

Rect beside(const PriceMark& mark, Vec2 side, float far) {
    const float d = mark.radius + far;
    const Vec2 c = mark.at;
    const float left = std::abs(side.x) == 1 ? d : -mark.radius;
    const float x = side.x > 0   ? c.x + left
                    : side.x < 0 ? c.x - left - mark.size.x
                                 : c.x - mark.size.x / 2;
    const float y = side.y > 0   ? c.y + d
                    : side.y < 0 ? c.y - d - mark.size.y
                                 : c.y - mark.size.y / 2;
    return {std::floor(x), std::floor(y), mark.size.x, mark.size.y};
}

}  // namespace

double price_of(const PriceNumbers& numbers, PriceScale scale) {
    return scale == PriceScale::Kl ? numbers.kl : numbers.nll;
}

std::string price_name(const PriceRow& row) {
    return joined(row, row.evict);
}

std::string price_label(const PriceRow& row) {
    return joined(row, row.evict.substr(0, row.evict.find(':')));
}

PriceShape shape_of(const PriceRow& row) {
    std::string why;
    const auto spec = parse_eviction(row.evict, why);
    if (!row.drops() || !spec) return PriceShape::Circle;
    return first_query_that_misses(*spec) ? PriceShape::Diamond : PriceShape::Square;
}

bool has_price_legend(const PriceSheet& sheet) {
    return std::any_of(sheet.rows.begin(), sheet.rows.end(),
                       [](const PriceRow& row) { return row.drops(); });
}

std::string_view unit_of_column(PriceColumn column) {
    switch (column) {
        case PriceColumn::Held:
            return "KiB";
        case PriceColumn::Nll:
        case PriceColumn::Kl:
            return "nats";
        case PriceColumn::Needles:
            return {};
        default:
            return "%";
    }
}

TextId title_of(PriceColumn column) {
    constexpr std::array kTitles{"price.held"_t,    "price.kl"_t,     "price.nll"_t,
                                 "price.needles"_t, "price.flips"_t,  "price.mass"_t,
                                 "price.k_error"_t, "price.v_error"_t};
    static_assert(kTitles.size() == kPriceColumns);
    return kTitles[static_cast<std::size_t>(column)];
}

std::string price_cell(const PriceNumbers& n, PriceColumn column) {
    const auto percent = [](const std::optional<double>& share) {
        return share ? small(100 * *share, 2) : std::string();
    };
    switch (column) {
        case PriceColumn::Held:
            return group_thousands(fixed(static_cast<double>(n.held_bytes) / kKiBytes, 1));
        case PriceColumn::Nll:
            return small(n.nll, 4);
        case PriceColumn::Kl:
            return small(n.kl, 4);
        case PriceColumn::Flips:
            return small(100 * n.flips, 1);
        case PriceColumn::Mass:
            return small(100 * n.mass_lost, 1);
        case PriceColumn::Needles:
            return n.needles == 0 ? std::string()
                                  : std::to_string(n.found) + "/" + std::to_string(n.needles);
        case PriceColumn::KError:
            return percent(n.k_error);
        case PriceColumn::VError:
            return percent(n.v_error);
    }
    return {};
}

std::vector<bool> price_frontier(const PriceSheet& sheet, PriceScale scale) {
    const auto beats = [&](const PriceNumbers& a, const PriceNumbers& b) {
        const double of_a = price_of(a, scale), of_b = price_of(b, scale);
        return a.held_bytes <= b.held_bytes && of_a <= of_b &&
               (a.held_bytes < b.held_bytes || of_a < of_b);
    };
    std::vector<bool> on(sheet.rows.size());
    for (std::size_t i = 0; i < on.size(); ++i)
        on[i] = sheet.rows[i].measured() &&
                std::none_of(sheet.rows.begin(), sheet.rows.end(), [&](const PriceRow& other) {
                    return other.measured() && beats(other.numbers, sheet.rows[i].numbers);
                });
    return on;
}

PriceAxes price_axes(const PriceSheet& sheet, PriceScale scale, float height) {
    double most_x = 0, most_y = 0, least_x = 1e300, least_y = 1e300;
    for (const PriceRow& row : sheet.rows) {
        if (!row.measured()) continue;
        const double y = price_of(row.numbers, scale);
        const double x = std::max(1.0, static_cast<double>(row.numbers.held_bytes)) / kKiBytes;
        most_x = std::max(most_x, x), least_x = std::min(least_x, x);
        most_y = std::max(most_y, y);
        if (y > 0) least_y = std::min(least_y, y);
    }
    PriceAxes axes;
    if (most_x == 0) most_x = least_x = 1;
    axes.min_x = math::exp2(std::floor(math::log2(least_x) - 0.2));
    axes.max_x = math::exp2(std::ceil(math::log2(most_x) + 0.2));
    for (const double x : power_ticks(axes.min_x, axes.max_x * 1.001, 2))
        axes.x_ticks.push_back({x, group_thousands(round_trip(x))});
    axes.log_y = scale == PriceScale::Kl && most_y > 0;
    if (!axes.log_y) {
        const auto ys = round_ticks(most_y * 1.08, std::clamp(static_cast<int>(height / 40), 1, 6));
        axes.max_y = ys.back();
        for (const double y : ys) axes.y_ticks.push_back({y, round_trip(y)});
        return axes;
    }
    // Below the smallest price by a whole power at least, so that the line of 0 stands apart.
    const double low = std::max(-8.0, std::floor(math::log10(least_y)) - 1);
    axes.min_y = math::pow(10, low);
    axes.max_y = math::pow(10, std::max(low + 2, std::ceil(math::log10(most_y * 1.3))));
    axes.y_ticks.push_back({axes.min_y, "0"});
    const double powers = math::log10(axes.max_y) - low;
    const double step = std::max(1.0, std::ceil(powers * 18 / std::max(18.0f, height - 56)));
    for (double e = low + step; math::pow(10, e) <= axes.max_y * 1.001; e += step)
        axes.y_ticks.push_back({math::pow(10, e), significant(math::pow(10, e), 1)});
    return axes;
}

PriceLine leader_of(const PriceMark& mark, const Rect& label) {
    const float inner = label.h / 4;
    return {mark.at,
            {std::clamp(mark.at.x, label.x, label.right()),
             std::clamp(mark.at.y, label.y + inner, label.bottom() - inner)}};
}

std::vector<std::optional<PricePlace>> place_labels(std::span<const PriceMark> marks,
                                                    const Rect& room, float gap,
                                                    std::span<const PriceLine> lines) {
    std::vector<std::optional<PricePlace>> places(marks.size());
    std::vector<PriceLine> leaders;
    const auto clear = [](const Rect& r, std::span<const PriceLine> all) {
        return std::none_of(all.begin(), all.end(), [&](const PriceLine& l) { return cuts(l, r); });
    };
    // A line over another mark is better than no label, but not than one a little further off.
    constexpr int kRings = 12, kRingsBesideLines = 3, kRingsBesideMarks = 5;
    const auto free = [&](const PriceMark& mark, const Rect& r, int ring) {
        const bool led = ring > 0, careful = led && ring < kRingsBesideMarks;
        const Rect wide = r.inset(-1);
        if (r.x < room.x || r.y < room.y || r.right() > room.right() || r.bottom() > room.bottom())
            return false;
        const PriceLine leader = leader_of(mark, r);
        for (const PriceMark& other : marks) {
            if (overlap(wide, around(other))) return false;
            if (careful && !holds(around(other), mark.at) && cuts(leader, around(other)))
                return false;
        }
        return clear(wide, leaders) &&
               std::none_of(places.begin(), places.end(), [&](const auto& o) {
                   return o && (overlap(wide, o->rect) || (led && cuts(leader, o->rect)));
               });
    };
    for (int ring = 0; ring < kRings; ++ring)
        for (std::size_t i = 0; i < marks.size(); ++i)
            for (const Vec2 side : kLabelSides) {
                if (places[i]) break;
                const float far = gap + static_cast<float>(ring) * marks[i].size.y;
                const Rect r = beside(marks[i], side, far);
                if (ring < kRingsBesideLines && !clear(r, lines)) continue;
                if (!free(marks[i], r, ring)) continue;
                places[i] = PricePlace{r, ring > 0};
                if (ring > 0) leaders.push_back(leader_of(marks[i], r));
            }
    return places;
}

List<StripPart> price_strip(std::span<const float> widths, float room, float gap) {
    List<StripPart> parts;
    float x = 0;
    std::size_t row = 0;
    for (const float wanted : widths) {
        const float width = std::min(wanted, room);
        if (x > 0 && x + width > room) x = 0, ++row;
        parts.push_back({x, width, row});
        x += width + gap;
    }
    return parts;
}

PriceLayout price_layout(Vec2 room, bool chart_wanted) {
    constexpr float kGap = 24, kChartLeast = 320, kChartHeight = 200;
    if (room.x >= kPriceTableWidth + kGap + kChartLeast) {
        const float chart = std::floor(std::min(room.x - kPriceTableWidth - kGap, room.x * 0.48f));
        const float table = room.x - chart - kGap;
        return {true, true, {0, 0, table, room.y}, {table + kGap, 0, chart, room.y}};
    }
    if (room.y >= kPriceHead + 8 * kPriceRow + kGap + kChartHeight) {
        const float chart = std::floor(std::max(kChartHeight, room.y * 0.42f));
        return {
            true, true, {0, 0, room.x, room.y - chart - kGap}, {0, room.y - chart, room.x, chart}};
    }
    const Rect all{0, 0, room.x, room.y};
    return {!chart_wanted, chart_wanted, all, all};
}

PriceLegend price_legend(float width, std::array<float, 2> parts) {
    constexpr float kGap = 24;
    if (parts[0] + kGap + parts[1] <= width)
        return {{Vec2{0, 0}, Vec2{parts[0] + kGap, 0}}, kPriceLegendRow};
    return {{Vec2{0, 0}, Vec2{0, kPriceLegendRow}}, 2 * kPriceLegendRow};
}

PriceTableWidths price_table_widths(float width) {
    constexpr float kLeast = 58, kMost = 84;
    const float rest = std::max(0.0f, width - kPriceName);
    const auto fit = static_cast<std::size_t>(rest / kLeast);
    const std::size_t n = std::clamp<std::size_t>(fit, 1, kPriceColumns);
    const float column = std::clamp(std::floor(rest / static_cast<float>(n)), 1.0f, kMost);
    return {n, std::max(1.0f, width - column * static_cast<float>(n)), column};
}

}  // namespace kv
