#include "app/panels/compare_runs/side_plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kv {
namespace {

std::uint32_t lines_in(float room, float pitch) {
    return room <= 0 ? 0 : static_cast<std::uint32_t>(room / pitch);
}
std::uint32_t lines_for(std::uint32_t n, std::uint32_t per_line) {
    return (n + per_line - 1) / per_line;
}

struct Measure {
    float unit;
    float px(float logical) const { return std::floor(logical * unit + 0.5f); }
};

// Rows of tokens and lines of blocks share the room: first some of both, then all tokens, then
// blocks.
struct Share {
    std::uint32_t rows = 0, lines = 0;
};
std::uint32_t stepped(std::uint32_t from, std::int64_t by, std::uint32_t most) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(std::int64_t{from} + by, 0, std::int64_t{most}));
}

Share share_room(float room, float row, float line, std::uint32_t rows, std::uint32_t lines) {
    constexpr std::uint32_t kSomeRows = 2, kSomeLines = 4;
    Share share;
    const auto take = [&room](std::uint32_t& have, std::uint32_t wish, float pitch) {
        const std::uint32_t more = std::min(wish - std::min(wish, have), lines_in(room, pitch));
        have += more;
        room -= static_cast<float>(more) * pitch;
    };
    take(share.rows, std::min(rows, kSomeRows), row);
    take(share.lines, std::min(lines, kSomeLines), line);
    take(share.rows, rows, row);
    take(share.lines, lines, line);
    return share;
}

void plan_columns(PairSidePlan& plan, float width, const Measure& m, std::uint32_t block_size) {
    plan.gutter = m.px(36);
    plan.pitch_x = std::max(1.0f, std::floor((width - plan.gutter) / kPairColumns));
    plan.chip_w = std::max(1.0f, plan.pitch_x - m.px(3));
    // A block of 16 stands under a row of 16 tokens; small blocks share a line.
    plan.per_line = std::max(1u, kPairColumns / std::max(1u, block_size));
    plan.id_w = m.px(30), plan.id_gap = m.px(4);
    const float slots = static_cast<float>(std::max(1u, block_size));
    plan.block_pitch = std::floor((plan.per_line == 1 ? width - plan.gutter : width + m.px(10)) /
                                  static_cast<float>(plan.per_line));
    const float beside = plan.per_line == 1 ? 0 : plan.id_w + plan.id_gap + m.px(10);
    const float cell = std::max(0.5f, (plan.block_pitch - beside) / slots);
    plan.cell_pitch = cell < 4 ? cell : std::floor(cell);
    if (block_size == kPairColumns) plan.cell_pitch = plan.pitch_x;
    plan.cell_gap = plan.cell_pitch > m.px(20) ? m.px(3) : plan.cell_pitch > 6 ? m.px(1) : 0;
}

}  // namespace

namespace {

// `ease`: 1 as far apart as designed, 0 as close as can be read.
PairSidePlan plan_side(Vec2 room, const PairSideNeeds& needs, float ease) {
    const Measure m{needs.unit};
    const auto between = [&](float close, float wide) {
        return m.px(close + ease * (wide - close));
    };
    PairSidePlan plan;
    plan_columns(plan, room.x, m, needs.block_size);
    plan.pitch_y = between(27.0f, 33.0f), plan.chip_h = between(24.0f, 29.0f);
    plan.line_pitch = between(20.0f, 26.0f), plan.line_h = between(18.0f, 22.0f);
    plan.bar_pitch = between(16.0f, 20.0f);
    plan.n_bars = ease > 0 ? 4 : 3;
    const float head = between(20.0f, 26.0f), gap = between(4.0f, 12.0f);
    const float quiet = m.px(18);

    plan.title = {0, 0, room.x, between(24.0f, 30.0f)};
    const float note = needs.has_note ? between(20.0f, 24.0f) : 0;
    const float bars = head + static_cast<float>(plan.n_bars) * plan.bar_pitch;
    const float rest = room.y - plan.title.h - gap - note - gap - head - gap - bars;
    const std::uint32_t all_rows = lines_for(needs.n_tokens, kPairColumns),
                        all_lines = lines_for(needs.n_blocks, plan.per_line);
    Share share;
    // What is left out is said in a line of its own, which may leave out more.
    for (float said = 0, says = -1; says != said;) {
        share = share_room(rest - said, plan.pitch_y, plan.line_pitch, all_rows, all_lines);
        says = std::exchange(said, std::max(said, (share.rows < all_rows ? quiet : 0) +
                                                      (share.lines < all_lines ? quiet : 0)));
    }
    plan.n_rows = share.rows, plan.n_lines = share.lines;
    const std::uint32_t anchor = needs.anchor / kPairColumns;
    const std::uint32_t last = std::min(all_rows, anchor + 2);
    const std::uint32_t row =
        std::min(last > plan.n_rows ? last - plan.n_rows : 0, all_rows - plan.n_rows);
    const std::uint32_t line = all_lines - plan.n_lines;
    plan.first_row = stepped(row, needs.row_scroll, all_rows - plan.n_rows);
    plan.first_line = stepped(line, needs.line_scroll, line);
    plan.row_scroll = std::int64_t{plan.first_row} - row;
    plan.line_scroll = std::int64_t{plan.first_line} - line;
    const bool rows_fit = plan.n_rows >= all_rows, lines_fit = plan.n_lines >= all_lines;

    float y = plan.title.bottom() + gap;
    if (!rows_fit) {
        const float half = std::floor((room.x - plan.gutter) / 2);
        plan.rows_left = Rect{plan.gutter, y, half, quiet};
        plan.rows_after = Rect{plan.gutter + half, y, half, quiet};
        y += quiet;
    }
    plan.chips_y = y;
    y += static_cast<float>(plan.n_rows) * plan.pitch_y;
    if (needs.has_note) plan.note = Rect{0, y, room.x, note};
    y += note + gap;
    plan.stored_head = {0, y, room.x, head};
    y += head;
    if (!lines_fit) {
        const float half = std::floor((room.x - plan.gutter) / 2);
        plan.blocks_left = Rect{plan.gutter, y, half, quiet};
        plan.blocks_after = Rect{plan.gutter + half, y, half, quiet};
        y += quiet;
    }
    plan.stored_y = y;
    y += static_cast<float>(plan.n_lines) * plan.line_pitch + gap;
    plan.prediction_head = {0, y, room.x, head};
    plan.prediction = {0, y + head, room.x, bars - head};
    plan.height = plan.prediction.bottom();
    return plan;
}

}  // namespace

// As far apart as everything is shown; what does not fit at all is left out of the closest.
PairSidePlan plan_pair_side(Vec2 room, const PairSideNeeds& needs) {
    for (const float ease : {1.0f, 0.75f, 0.5f, 0.25f}) {
        const PairSidePlan plan = plan_side(room, needs, ease);
        const bool shows_all =
            !plan.blocks_left && !plan.rows_left && plan.n_rows * kPairColumns >= needs.n_tokens;
        if (shows_all && plan.height <= room.y) return plan;
    }
    return plan_side(room, needs, 0);
}

Rect PairSidePlan::chip(std::uint32_t token) const {
    const auto row = static_cast<float>(token / kPairColumns - first_row);
    const auto column = static_cast<float>(token % kPairColumns);
    return {gutter + column * pitch_x, chips_y + row * pitch_y, chip_w, chip_h};
}

Rect PairSidePlan::block_id(std::uint32_t block) const {
    const Rect first = slot(block, 0);
    return {per_line == 1 ? 0 : first.x - id_gap - id_w, first.y, id_w, line_h};
}

Rect PairSidePlan::slot(std::uint32_t block, std::uint32_t slot) const {
    const auto line = static_cast<float>(block / per_line - first_line);
    const float left =
        per_line == 1 ? gutter : static_cast<float>(block % per_line) * block_pitch + id_w + id_gap;
    const float x = left + static_cast<float>(slot) * cell_pitch;
    return {cell_pitch < 4 ? x : std::floor(x), stored_y + line * line_pitch,
            std::max(1.0f, cell_pitch - cell_gap), line_h};
}

bool PairSidePlan::shows_token(std::uint32_t token) const {
    const std::uint32_t row = token / kPairColumns;
    return row >= first_row && row < first_row + n_rows;
}

bool PairSidePlan::shows_block(std::uint32_t block) const {
    const std::uint32_t line = block / per_line;
    return line >= first_line && line < first_line + n_lines;
}

std::optional<std::uint32_t> PairSidePlan::token_at(Vec2 p, std::uint32_t n_tokens) const {
    if (p.x < gutter || p.y < chips_y || pitch_y <= 0) return std::nullopt;
    const auto row = static_cast<std::uint32_t>((p.y - chips_y) / pitch_y);
    const auto column = static_cast<std::uint32_t>((p.x - gutter) / pitch_x);
    if (row >= n_rows || column >= kPairColumns) return std::nullopt;
    const std::uint32_t token = (first_row + row) * kPairColumns + column;
    if (token >= n_tokens || !chip(token).contains(p)) return std::nullopt;
    return token;
}

std::optional<std::uint32_t> PairSidePlan::block_at(Vec2 p, std::uint32_t block_size,
                                                    std::uint32_t n_blocks) const {
    if (p.y < stored_y || line_pitch <= 0) return std::nullopt;
    const auto line = static_cast<std::uint32_t>((p.y - stored_y) / line_pitch);
    if (line >= n_lines) return std::nullopt;
    for (std::uint32_t i = 0; i < per_line; ++i) {
        const std::uint32_t block = (first_line + line) * per_line + i;
        if (block >= n_blocks) break;
        const Rect id = block_id(block), end = slot(block, block_size - 1);
        if (p.x >= id.x && p.x < end.right()) return block;
    }
    return std::nullopt;
}

}  // namespace kv
