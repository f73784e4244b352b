#include "app/panels/compare_runs/side/rows_plan.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

constexpr float kLeastPitch = 44;  // logical pixels of a token in which most words are whole

std::uint32_t lines_for(std::uint32_t n, std::uint32_t per_line) {
    return (n + per_line - 1) / per_line;
}

void plan_columns(PairSidePlan& plan, float width, const WholePixels& m, std::uint32_t block_size) {
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

// `ease`: 1 as far apart as designed, 0 as close as can be read.
PairSidePlan plan_side(Vec2 room, const PairSideNeeds& needs, float ease) {
    const WholePixels m{needs.unit};
    const auto between = [&](float close, float wide) {
        return m.px(close + ease * (wide - close));
    };
    PairSidePlan plan;
    plan_columns(plan, room.x, m, needs.block_size);
    plan.pitch_y = between(27.0f, 33.0f), plan.chip_h = between(24.0f, 29.0f);
    plan.line_pitch = between(20.0f, 26.0f), plan.line_h = between(18.0f, 22.0f);
    plan.bar_pitch = between(16.0f, 20.0f);
    plan.n_bars = ease > 0 ? 4 : 3;
    plan.label_width = plan.gutter + m.px(30);
    plan.n_rows = lines_for(needs.n_tokens, kPairColumns);
    plan.n_lines = lines_for(needs.n_blocks, plan.per_line);
    const float head = between(20.0f, 26.0f), gap = between(4.0f, 12.0f);

    plan.title = {0, 0, room.x, between(24.0f, 30.0f)};
    float y = plan.chips_y = plan.title.bottom() + gap;
    y += static_cast<float>(plan.n_rows) * plan.pitch_y;
    if (needs.has_note) {
        plan.note = Rect{0, y, room.x, between(20.0f, 24.0f)};
        y = plan.note->bottom();
    }
    plan.stored_head = {0, y + gap, room.x, head};
    y = plan.stored_y = plan.stored_head.bottom();
    y += static_cast<float>(plan.n_lines) * plan.line_pitch + gap;
    plan.prediction_head = {0, y, room.x, head};
    plan.prediction = {0, y + head, room.x, static_cast<float>(plan.n_bars) * plan.bar_pitch};
    plan.height = plan.prediction.bottom();
    return plan;
}

}  // namespace

std::optional<PairSidePlan> plan_pair_side(Vec2 room, const PairSideNeeds& needs) {
    for (const float ease : {1.0f, 0.75f, 0.5f, 0.25f, 0.0f}) {
        const PairSidePlan plan = plan_side(room, needs, ease);
        if (plan.pitch_x < kLeastPitch * needs.unit) return std::nullopt;
        if (plan.height <= room.y) return plan;
    }
    return std::nullopt;
}

Rect PairSidePlan::chip(std::uint32_t token) const {
    const auto row = static_cast<float>(token / kPairColumns);
    const auto column = static_cast<float>(token % kPairColumns);
    return {gutter + column * pitch_x, chips_y + row * pitch_y, chip_w, chip_h};
}

Rect PairSidePlan::block_id(std::uint32_t block) const {
    const Rect first = slot(block, 0);
    return {per_line == 1 ? 0 : first.x - id_gap - id_w, first.y, id_w, line_h};
}

Rect PairSidePlan::slot(std::uint32_t block, std::uint32_t slot) const {
    const auto line = static_cast<float>(block / per_line);
    const float left =
        per_line == 1 ? gutter : static_cast<float>(block % per_line) * block_pitch + id_w + id_gap;
    const float x = left + static_cast<float>(slot) * cell_pitch;
    return {cell_pitch < 4 ? x : std::floor(x), stored_y + line * line_pitch,
            std::max(1.0f, cell_pitch - cell_gap), line_h};
}

std::optional<std::uint32_t> PairSidePlan::token_at(Vec2 p, std::uint32_t n_tokens) const {
    if (p.x < gutter || p.y < chips_y || pitch_y <= 0) return std::nullopt;
    const auto row = static_cast<std::uint32_t>((p.y - chips_y) / pitch_y);
    const auto column = static_cast<std::uint32_t>((p.x - gutter) / pitch_x);
    if (row >= n_rows || column >= kPairColumns) return std::nullopt;
    const std::uint32_t token = row * kPairColumns + column;
    if (token >= n_tokens || !chip(token).contains(p)) return std::nullopt;
    return token;
}

std::optional<std::uint32_t> PairSidePlan::block_at(Vec2 p, std::uint32_t block_size,
                                                    std::uint32_t n_blocks) const {
    if (p.y < stored_y || line_pitch <= 0) return std::nullopt;
    const auto line = static_cast<std::uint32_t>((p.y - stored_y) / line_pitch);
    if (line >= n_lines) return std::nullopt;
    for (std::uint32_t i = 0; i < per_line; ++i) {
        const std::uint32_t block = line * per_line + i;
        if (block >= n_blocks) break;
        const Rect id = block_id(block), end = slot(block, block_size - 1);
        if (p.x >= id.x && p.x < end.right()) return block;
    }
    return std::nullopt;
}

}  // namespace kv
