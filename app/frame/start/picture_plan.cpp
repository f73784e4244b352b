#include "app/frame/start/picture_plan.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/stage/plan/lines.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

constexpr float kTrack = 6, kTag = 36;

float flexible(float value, float least, float most) {
    return std::clamp(std::floor(value), least, std::max(least, most));
}

std::uint32_t rows_of_pool(const PicturePlan& plan, const PictureNeeds& needs) {
    return (std::max(1u, needs.n_blocks) + plan.columns - 1) / plan.columns;
}

// Chips at the left of `room`, the two columns of the table at its right.
void place_rows(PicturePlan& plan, const PictureNeeds& needs, const Rect& room, float tag_w,
                float table_w) {
    const auto page = static_cast<float>(std::max(1u, needs.page));
    plan.tag = {room.x, room.y, tag_w, plan.chip_h};
    plan.chips = {room.x + tag_w, room.y, room.w - tag_w - table_w,
                  plan.row_pitch * static_cast<float>(needs.n_rows)};
    plan.chip_pitch = plan.chips.w / page;
    plan.chip_w = std::floor(plan.chip_pitch) - 4;
    plan.physical_w = std::round(table_w * 0.36f);
    plan.physical_x = room.right() - plan.physical_w;
    plan.logical_w = std::round(table_w * 0.21f);
    plan.logical_x = room.right() - table_w + std::round(table_w * 0.14f);
    plan.entry_h = std::min(37.0f, plan.chip_h);
}

void place_pool(PicturePlan& plan, const Rect& room) {
    const auto columns = static_cast<float>(plan.columns);
    plan.pool = room;
    plan.cell_w = std::floor((room.w - plan.cell_gap * (columns - 1)) / columns);
}

// Sentence, rows, pool, what it comes to, and the steps, one under the other.
void place_tall(PicturePlan& plan, const Rect& room, const PictureNeeds& needs) {
    constexpr float kSentence = 34, kOffsets = 34, kPoolHead = 26, kSum = 30, kProse = 56,
                    kPlay = 34;
    const auto n_rows = static_cast<float>(std::max(1u, needs.n_rows)),
               n_pool = static_cast<float>(rows_of_pool(plan, needs));
    const bool has_prose = room.h >= 640;
    plan.gutter = 40, plan.cell_gap = 14;
    const float fixed = kSentence + kOffsets + 22 + kPoolHead + n_pool * plan.gutter + 22 + kSum +
                        (has_prose ? kProse : 0) + 30 + kPlay;
    const float flex = std::max(0.0f, room.h - fixed);
    plan.row_pitch = flexible(flex * 0.5f / n_rows, 24, 62);
    plan.chip_h = std::round(plan.row_pitch * 0.81f);
    plan.cell_h = flexible((flex - plan.row_pitch * n_rows) / n_pool, 36, 128);

    float y = room.y;
    plan.step = {room.right() - 130, y, 130, kSentence};
    plan.sentence = {room.x, y, room.w - 140, kSentence};
    y += kSentence;
    place_rows(plan, needs, {room.x, y + kOffsets, room.w - 110, plan.chip_h}, 64, 172);
    plan.offsets = {plan.chips.x, y, plan.chips.w, kOffsets};
    y = plan.chips.bottom() + 22;
    plan.pool_head = {room.x, y, room.w, kPoolHead};
    y += kPoolHead;
    place_pool(plan, {room.x, y, room.w, n_pool * (plan.gutter + plan.cell_h)});
    plan.first_track = room.right() + 14;
    y = plan.pool.bottom() + 22;
    plan.rule = y;
    plan.sum = {room.x, y + 6, room.w, kSum};
    y = plan.sum.bottom();
    if (has_prose) plan.prose = Rect{room.x, y + 4, room.w, kProse - 4};
    plan.play = {room.x, room.bottom() - kPlay, 120, kPlay};
    plan.track = {room.x + 140, plan.play.y, room.w - 140 - 8, kPlay};
}

// Rows and table at the left, the pool at the right of them.
void place_wide(PicturePlan& plan, const Rect& room, const PictureNeeds& needs) {
    constexpr float kSentence = 26, kOffsets = 18, kFootRow = 34;
    const auto n_rows = static_cast<float>(std::max(1u, needs.n_rows)),
               n_pool = static_cast<float>(rows_of_pool(plan, needs));
    plan.wide = true, plan.gutter = 24, plan.cell_gap = 10;
    const float left_w = std::floor(room.w * 0.46f), channel = 28 + kTrack * n_rows;
    const float body = room.h - kSentence - kFootRow - 8;
    plan.row_pitch = flexible((body - kOffsets) / n_rows, 20, 56);
    plan.chip_h = plan.row_pitch - 5;
    plan.sentence = {room.x, room.y, room.w - 130, kSentence};
    plan.step = {room.right() - 120, room.y, 120, kSentence};
    const float top = room.y + kSentence;
    place_rows(plan, needs, {room.x, top + kOffsets, left_w, plan.chip_h}, 46, 128);
    plan.offsets = {plan.chips.x, top, plan.chips.w, kOffsets};
    const float pool_x = room.x + left_w + channel;
    plan.pool_head = {pool_x, top, room.right() - pool_x, kOffsets + 2};
    const float pool_h = body - plan.pool_head.h;
    plan.cell_h = flexible(pool_h / n_pool - plan.gutter, 28, 110);
    place_pool(plan, {pool_x, plan.pool_head.bottom(), room.right() - pool_x,
                      n_pool * (plan.gutter + plan.cell_h)});
    plan.first_track = room.x + left_w + 12;
    const float foot = room.bottom() - kFootRow + 2;
    plan.sum = {room.x, foot, left_w, kFootRow - 2};
    plan.play = {pool_x, foot, 104, kFootRow - 4};
    plan.track = {pool_x + 120, foot, room.right() - pool_x - 120 - 8, kFootRow - 4};
}

}  // namespace

Rect PicturePlan::chip(std::uint32_t row, std::uint32_t offset) const {
    return {chips.x + std::round(chip_pitch * static_cast<float>(offset)),
            chips.y + row_pitch * static_cast<float>(row), chip_w, chip_h};
}
Rect PicturePlan::logical(std::uint32_t row) const {
    const float y = chips.y + row_pitch * static_cast<float>(row);
    return {logical_x, y + std::round((chip_h - entry_h) / 2), logical_w, entry_h};
}
Rect PicturePlan::physical(std::uint32_t row) const {
    const Rect left = logical(row);
    return {physical_x, left.y, physical_w, left.h};
}
Rect PicturePlan::cell(std::uint32_t block) const {
    const auto column = static_cast<float>(block % columns);
    const std::uint32_t line = block / columns;
    return {pool.x + column * (cell_w + cell_gap),
            pool.y + static_cast<float>(line) * (cell_h + gutter) + gutter, cell_w, cell_h};
}

PicturePlan plan_picture(const Rect& room, const PictureNeeds& needs) {
    PicturePlan plan;
    if (room.w > 2 * room.h)
        place_wide(plan, room, needs);
    else
        place_tall(plan, room, needs);
    return plan;
}

StoredNow stored_now(const RunView& run) {
    StoredNow stored;
    const auto at = run.trace.find_back(run.moment, [&](const Event& event) {
        return std::holds_alternative<TokensStored>(event.what);
    });
    if (!at) return stored;
    const Event event = run.trace.event(*at);
    const auto& told = std::get<TokensStored>(event.what);
    if (event.iteration != run.now.iteration || !event.request) return stored;
    stored.first = told.first, stored.n = told.count;
    for (std::uint32_t i = 0; i < told.count; ++i)
        if (const auto place = place_of_token(run.lane(), {*event.request, told.first + i}))
            stored.places.push_back(*place);
    return stored;
}

List<PictureLine> lines_of(const PicturePlan& plan, const Table& table) {
    List<PictureLine> lines;
    List<LineEnd> ends;
    for (std::uint32_t row = 0; row < table.size(); ++row) {
        if (!table[row]) continue;
        const BlockId block = *table[row];
        const Rect entry = plan.physical(row), cell = plan.cell(block.value);
        lines.push_back({row, block, {}});
        ends.push_back({{entry.right(), std::floor(entry.center().y)},
                        {std::floor(cell.center().x), cell.y},
                        block.value / plan.columns});
    }
    const List<List<Vec2>> paths = route_lines(ends, {.first_track = plan.first_track,
                                                      .track_pitch = kTrack,
                                                      .above_block = plan.wide ? 10.0f : 15.0f,
                                                      .gutter_pitch = plan.wide ? 5.0f : 6.0f,
                                                      .gutter = plan.gutter,
                                                      .top = plan.pool.y});
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].points = paths[i];
    return lines;
}

namespace {
float length_of(Vec2 a, Vec2 b) {
    return std::abs(b.x - a.x) + std::abs(b.y - a.y);  // every piece is level or upright
}
}  // namespace

Vec2 point_on(std::span<const Vec2> points, float share) {
    if (points.empty()) return {};
    float all = 0;
    for (std::size_t i = 1; i < points.size(); ++i) all += length_of(points[i - 1], points[i]);
    float left = all * std::clamp(share, 0.0f, 1.0f);
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Vec2 a = points[i - 1], b = points[i];
        const float piece = length_of(a, b);
        if (piece > 0 && left <= piece)
            return {a.x + (b.x - a.x) * left / piece, a.y + (b.y - a.y) * left / piece};
        left -= piece;
    }
    return points.back();
}

Vec2 rest_on(std::span<const Vec2> points) {
    for (std::size_t i = points.size(); i-- > 1;)
        if (points[i].y == points[i - 1].y && points[i].x != points[i - 1].x)
            return {(points[i].x + points[i - 1].x) / 2, points[i].y};
    return points.empty() ? Vec2{} : points.back();
}

}  // namespace kv
