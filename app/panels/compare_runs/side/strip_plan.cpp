#include "app/panels/compare_runs/side/strip_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kv {
namespace {

constexpr float kStripWordGap = 4, kLeastStripWord = 26, kStripBlockGap = 6, kMostStripCell = 24;

// `ease`: 0 as close as can be read, 1 as designed, more where there is room to spare.
PairStripPlan plan_strip_rows(Vec2 room, const WholePixels& m, float ease) {
    const auto between = [&](float close, float wide) {
        return m.px(close + ease * (wide - close));
    };
    PairStripPlan plan;
    plan.n_bars = ease > 1 ? 5 : 3;
    plan.bar_pitch = between(15, 19);
    plan.label_width = m.px(64);
    float y = 0;
    const auto next = [&](float close, float wide, float gap = 0) {
        const Rect row{0, y, room.x, between(close, wide)};
        y = row.bottom() + between(0, gap);
        return row;
    };
    plan.title = next(24, 28);
    plan.key = next(16, 20);
    plan.strip = next(18, 24);
    plan.ticks = next(15, 17);
    plan.lead = next(18, 25);
    const Rect words = next(24, 30);
    plan.words = {words};
    plan.indices = next(15, 20, 8);
    plan.answer = next(24, 32, 10);
    plan.prediction_head = next(18, 24);
    plan.prediction = {0, y, room.x, static_cast<float>(plan.n_bars) * plan.bar_pitch};
    y = plan.prediction.bottom() + between(2, 6);
    plan.rule = {0, y, room.x, 1};
    y += 1 + between(1, 5);
    plan.stored_head = next(19, 24);
    plan.height = plan.stored_head.bottom();
    return plan;
}

void plan_strip_cells(PairStripPlan& plan, const PairStripNeeds& needs, const WholePixels& m) {
    plan.n_tokens = needs.n_tokens, plan.block_size = std::max(1u, needs.block_size);
    if (needs.n_tokens == 0) return;
    const double width = plan.strip.w, n = needs.n_tokens;
    const double gaps = std::ceil(n / plan.block_size) - 1;
    // Gaps take a fifth of the strip at most, and a text of few tokens does not become a wall.
    plan.block_gap = gaps > 0 ? std::min<double>(m.px(kStripBlockGap), width / 5 / gaps) : 0;
    if (plan.block_gap < 2) plan.block_gap = 0;
    plan.cell_w = std::min<double>((width - gaps * plan.block_gap) / n, m.px(kMostStripCell));
}

// Each as wide as it would like to be, all of them stretched or shrunk to the room; those that have
// no room at all are left out at the end.
void plan_strip_words(PairStripPlan& plan, const PairStripNeeds& needs, const WholePixels& m) {
    const Rect row = plan.words.front();
    plan.words.clear();
    const float gap = m.px(kStripWordGap), least = m.px(kLeastStripWord);
    const auto room_for = static_cast<std::size_t>(std::max(1.0f, (row.w + gap) / (least + gap)));
    const std::size_t n = std::min(needs.widths.size(), room_for);
    plan.shown = {needs.unfolded.first, needs.unfolded.first};
    if (n == 0) return;
    plan.shown.last = needs.unfolded.first + static_cast<std::uint32_t>(n) - 1;
    const float room = row.w - static_cast<float>(n - 1) * gap;
    const float wanted = std::accumulate(
        needs.widths.begin(), needs.widths.begin() + static_cast<std::ptrdiff_t>(n), 0.0f);
    const float spare = room - static_cast<float>(n) * least;
    const float over = std::max(1.0f, wanted - static_cast<float>(n) * least);
    float x = row.x;
    for (std::size_t i = 0; i < n; ++i) {
        const float w = wanted <= room
                            ? needs.widths[i] + (room - wanted) / static_cast<float>(n)
                            : least + (needs.widths[i] - least) * std::max(0.0f, spare) / over;
        const float left = std::floor(x), right = std::floor(x + std::max(1.0f, w));
        plan.words.push_back({left, row.y, right - left, row.h});
        x += w + gap;
    }
}

}  // namespace

PairStripPlan plan_pair_strip(Vec2 room, const PairStripNeeds& needs) {
    const WholePixels m{needs.unit};
    room.x = std::max(1.0f, room.x);
    PairStripPlan plan = plan_strip_rows(room, m, 0);
    for (const float ease : {1.5f, 1.25f, 1.0f, 0.75f, 0.5f, 0.25f}) {
        PairStripPlan wider = plan_strip_rows(room, m, ease);
        if (wider.height > room.y) continue;
        plan = std::move(wider);
        break;
    }
    plan_strip_cells(plan, needs, m);
    plan_strip_words(plan, needs, m);
    return plan;
}

double PairStripPlan::x_of(std::uint32_t token) const {
    return static_cast<double>(strip.x) + token * cell_w + token / block_size * block_gap;
}

Rect PairStripPlan::cell(std::uint32_t token) const {
    const double left = std::round(x_of(token)), right = std::round(x_of(token) + cell_w);
    const double w = right - left - (has_gaps() ? 1 : 0);
    return {static_cast<float>(left), strip.y, static_cast<float>(std::max(1.0, w)), strip.h};
}

Rect PairStripPlan::cells(const WordRange& range) const {
    const Rect first = cell(range.first), last = cell(range.last);
    return {first.x, strip.y, last.right() - first.x, strip.h};
}

std::uint32_t PairStripPlan::token_at_x(float x) const {
    if (n_tokens == 0) return 0;
    const double block = block_size * cell_w + block_gap,
                 at = std::max(0.0, static_cast<double>(x - strip.x));
    const double whole = std::floor(at / block);
    const double inside = std::min((at - whole * block) / cell_w, block_size - 1.0);
    return static_cast<std::uint32_t>(
        std::min(whole * block_size + std::floor(inside), n_tokens - 1.0));
}

std::optional<std::uint32_t> PairStripPlan::word_at(Vec2 p) const {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i].contains(p)) return shown.first + static_cast<std::uint32_t>(i);
    return std::nullopt;
}

std::uint32_t PairStripPlan::tick_blocks(float apart) const {
    const double block = block_size * cell_w + block_gap;
    if (block <= 0) return 1;
    return static_cast<std::uint32_t>(std::max(1.0, std::ceil(static_cast<double>(apart) / block)));
}

}  // namespace kv
