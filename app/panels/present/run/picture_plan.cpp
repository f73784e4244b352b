#include "app/panels/present/run/picture_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kv {
namespace {

constexpr float kRowsShare = 0.46f;      // of the height; more where the pool has room to spare
constexpr float kMostRowsShare = 0.72f;  // and at most
constexpr std::array kDensities{1.85f, 1.6f, 1.5f};
constexpr float kPoolHead = 40, kBand = 30, kBandPitch = 6;

// The widths of a column that do not depend on its rows.
StagePlan column_plan(float width, float unit, std::uint32_t block_size, std::uint32_t n_tracks) {
    const auto px = [unit](float logical) { return std::round(logical * unit); };
    StagePlan s;
    s.learn = true;  // the density that says where each row begins
    s.track_pitch = px(4);
    s.n_tracks = std::max(1u, n_tracks);
    const float right = std::floor(width - px(9) - s.track_pitch * static_cast<float>(s.n_tracks));
    s.first_track = right + px(9);
    s.physical_w = px(41), s.logical_w = px(24), s.entry_h = px(26);
    s.physical_x = right - s.physical_w;
    s.logical_x = s.physical_x - px(18) - s.logical_w;
    const float left = px(46), end = s.logical_x - px(12);
    const auto n = static_cast<float>(std::max(1u, block_size));
    s.chip_pitch = std::clamp((end - left) / n, 1.0f, px(96));
    s.chip_w = std::max(1.0f, s.chip_pitch - px(2));
    s.chip_h = px(28), s.row_pitch = px(32);
    s.chips = {left, px(20), std::round(n * s.chip_pitch), 0};
    s.offsets = {0, 0, right, px(20)};
    return s;
}

// Every row that is shown, in order, and the quiet lines where some are left out.
List<StageRow> lines_of(const RowsShown& shown) {
    List<StageRow> lines;
    const auto left_out = [&](std::uint32_t count) {
        if (count > 0) lines.push_back({0, 0, count});
    };
    if (shown.first_apart) lines.push_back({0, 0, 0});
    left_out(shown.above);
    for (std::uint32_t entry = shown.begin; entry < shown.end; ++entry)
        lines.push_back({0, entry, 0});
    left_out(shown.below);
    return lines;
}

// A quiet line takes the place of a row, and there are at most two of them: one where that is
// enough.
RowsShown rows_that_fit(const PresentRunNeeds& needs, std::uint32_t fit) {
    const RowsShown one =
        rows_shown(needs.n_rows, fit, fit - std::min(fit - 1, 1u), needs.anchor, 0);
    if (one.above == 0 || one.below == 0) return one;
    return rows_shown(needs.n_rows, fit, fit - std::min(fit - 1, 2u), needs.anchor, 0);
}

// The density at which blocks still show their slots, the largest first.
float pool_unit(const Rect& pool, std::uint32_t n_blocks, float unit) {
    for (const float density : kDensities)
        if (fit_pool(pool, n_blocks, unit * density).look == BlockClass::Slots)
            return unit * density;
    return unit * kDensities.back();
}

// The room between the last row and the blocks of the pool.
float room_between(float unit) {
    return std::round((4 + kPoolHead + 2 + kBand) * unit);
}

// Rows of a column: all of them, as long as the blocks below still show their slots; at least the
// share of the height that rows always have.
std::uint32_t rows_of_column(const Rect& tokens, float pool_width, float unit,
                             const PresentRunNeeds& needs, float head, float pitch) {
    const auto rows_in = [&](float height) {
        return std::max<std::uint32_t>(
            2, static_cast<std::uint32_t>(std::max(0.0f, height - head) / pitch));
    };
    const auto columns = static_cast<std::uint32_t>(columns_of(needs.block_size));
    const std::uint32_t usual = rows_in(std::floor(tokens.h * kRowsShare)),
                        all = (needs.n_rows + columns - 1) / columns,
                        most = rows_in(std::floor(tokens.h * kMostRowsShare));
    for (std::uint32_t n = std::min(all, most); n > usual; --n) {
        const float above = head + pitch * static_cast<float>(n) + room_between(unit);
        const Rect pool{0, 0, pool_width, tokens.h - above};
        if (pool.h > 0 &&
            fit_pool(pool, needs.n_blocks, unit * kDensities.back()).look == BlockClass::Slots)
            return n;
    }
    return usual;
}

}  // namespace

std::size_t RunPicturePlan::n_lines() const {
    std::size_t n = 0;
    for (const RowColumn& column : columns) n += column.stage.rows.size();
    return n;
}

std::size_t columns_of(std::uint32_t block_size) {
    if (block_size > 4) return 1;
    return block_size > 2 ? 2 : 5 - block_size;
}

RunPicturePlan plan_run_picture(const Rect& tokens, float pool_width, float unit,
                                const PresentRunNeeds& needs) {
    const float own = unit * kPresentTokens;
    const auto px = [own](float logical) { return std::round(logical * own); };
    const auto design = [unit](float length) { return std::round(length * unit); };
    const std::size_t n_columns = columns_of(needs.block_size);
    const float head = px(20), pitch = px(32);
    const std::uint32_t per_column = rows_of_column(tokens, pool_width, unit, needs, head, pitch);
    const auto fit = per_column * static_cast<std::uint32_t>(n_columns);
    const RowsShown shown = rows_that_fit(needs, fit);
    const List<StageRow> lines = lines_of(shown);

    RunPicturePlan plan;
    // There are as many columns as rows fill, each as wide as if all were there.
    const float gap = design(40);
    const float width = std::floor((tokens.w - gap * static_cast<float>(n_columns - 1)) /
                                   static_cast<float>(n_columns));
    std::size_t longest = 0;
    for (std::size_t from = 0, c = 0; needs.with_rows && (c == 0 || from < lines.size()); ++c) {
        const std::size_t n = std::min<std::size_t>(per_column, lines.size() - from);
        RowColumn column;
        column.origin = {tokens.x + std::floor(static_cast<float>(c) * (width + gap)), tokens.y};
        column.stage = column_plan(width, own, needs.block_size, static_cast<std::uint32_t>(n));
        column.stage.shown = shown;
        for (std::size_t i = 0; i < n; ++i) {
            StageRow row = lines[from + i];
            row.y = head + pitch * static_cast<float>(i);
            column.stage.rows.push_back(row);
        }
        column.stage.chips.h = pitch * static_cast<float>(n);
        plan.columns.push_back(std::move(column));
        longest = std::max(longest, n);
        from += n;
        if (n == 0) break;
    }
    const float rows_end =
        needs.with_rows ? tokens.y + head + pitch * static_cast<float>(longest) : tokens.y;
    plan.pool_head = {tokens.x, rows_end + design(4), pool_width, design(kPoolHead)};
    plan.band_y = plan.pool_head.bottom() + design(2);
    plan.band_pitch = std::min(
        design(kBandPitch),
        (design(kBand) - design(6)) / static_cast<float>(std::max<std::size_t>(1, plan.n_lines())));
    const float top = plan.band_y + design(needs.with_rows ? kBand : 4);
    plan.pool = {tokens.x, top, pool_width, std::max(1.0f, tokens.bottom() - top)};
    plan.pool_unit = pool_unit(plan.pool, needs.n_blocks, unit);
    return plan;
}

List<Vec2> present_line(const RunPicturePlan& plan, const RowColumn& column, const Rect& entry,
                        const Rect& cell, float gap, const PoolLinePlace& place) {
    // Lines that leave higher stand further right and lower in the band, so that none crosses
    // another one where it turns.
    const auto from_last = [](std::size_t n, std::size_t at) {
        return static_cast<float>(n - std::min(n, at + 1));
    };
    const StagePlan& s = column.stage;
    const float x = std::round(column.origin.x + s.first_track +
                               from_last(s.n_tracks, place.track) * s.track_pitch);
    const float y =
        std::round(plan.band_y + from_last(plan.n_lines(), place.band) * plan.band_pitch);
    const float left =
        std::round(cell.x - gap / 2 - static_cast<float>(place.beside) * std::max(2.0f, gap / 4));
    const float middle = std::round(cell.center().y), from = std::round(entry.center().y);
    return {{entry.right(), from}, {x, from}, {x, y}, {left, y}, {left, middle}, {cell.x, middle}};
}

}  // namespace kv
