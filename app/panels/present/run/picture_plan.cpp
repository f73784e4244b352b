#include "app/panels/present/run/picture_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kv {
namespace {

constexpr float kRowsShare = 0.46f;  // of the height, at most
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

// The density at which blocks still show their slots, the largest first.
float pool_unit(const Rect& pool, std::uint32_t n_blocks, float unit) {
    constexpr std::array kDensities{1.85f, 1.6f, 1.5f};
    for (const float density : kDensities)
        if (fit_pool(pool, n_blocks, unit * density).look == BlockClass::Slots)
            return unit * density;
    return unit * kDensities.back();
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
    const float most = std::floor(tokens.h * kRowsShare) - head;
    const auto per_column =
        std::max<std::uint32_t>(2, static_cast<std::uint32_t>(std::max(0.0f, most) / pitch));
    const auto fit = per_column * static_cast<std::uint32_t>(n_columns);
    // A quiet line takes the place of a row; there are at most two of them.
    const RowsShown shown =
        rows_shown(needs.n_rows, fit, fit - std::min(fit - 1, 2u), needs.anchor, 0);
    const List<StageRow> lines = lines_of(shown);

    RunPicturePlan plan;
    // As many columns as rows fill, each as wide as if all were there.
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
