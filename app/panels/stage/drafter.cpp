// The draft model on the Stage: what it holds of the request in focus, as a lane with a dashed tag
// of the same letter, and its own pool in a dashed frame.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/stage/paint.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

Text drafter_block_name(std::uint32_t block) {
    return "d" + with_commas(block);
}

// Whose block of the draft model's pool it is.
std::optional<SeqId> drafter_holder_of(const Snapshot& now, std::uint32_t block) {
    for (std::uint32_t i = 0; i < now.requests.size(); ++i) {
        const auto& blocks = now.requests[i].drafter_blocks;
        if (std::find(blocks.begin(), blocks.end(), block) != blocks.end()) return SeqId(i);
    }
    return std::nullopt;
}

void dashed_tag(const StagePicture& s, const Painter& p, Vec2 center, float size, SeqId request) {
    const float side = s.ui.px(size);
    const Rect box{std::round(center.x - side / 2), std::round(center.y - side / 2), side, side};
    dashed_outline(p, box, s.hue(request).ink, 2, 1.4f);
    const TextStyle letter{s.ui.fonts.bold, size * 0.6f, s.hue(request).ink, Align::Center};
    text_in(p, letter, box, request_name(s.own.facts.tag_index(request)));
}

// A bar for each slot of a block, those that hold a token filled.
void paint_drafter_slots(const StagePicture& s, const Painter& p, const Rect& box,
                         std::uint32_t filled, SeqId request) {
    const std::uint32_t n = std::max(1u, s.now().drafter->block_size);
    const float pitch = box.w / static_cast<float>(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        const float x = std::round(box.x + static_cast<float>(i) * pitch);
        const Rect bar{x, box.y, std::max(1.0f, std::floor(pitch - s.ui.px(1))), box.h};
        fill(p, bar, i < filled ? s.hue(request).ink : s.ui.colors.line);
    }
}

std::uint32_t drafter_filled_in(const Snapshot& now, const RequestView& r, std::uint32_t entry) {
    const std::uint32_t bs = now.drafter->block_size, first = entry * bs;
    return std::clamp(r.drafter_stored, first, first + bs) - first;
}

void paint_drafter_lane(const StagePicture& s, const Painter& p) {
    const Ui& ui = s.ui;
    const Snapshot& now = s.now();
    if (s.focus.request.index() >= now.requests.size()) return;
    const RequestView& r = now.requests[s.focus.request.index()];
    const Rect line = s.on_screen(*s.plan.drafter_lane);
    dashed_tag(s, p, {line.x + ui.px(12), line.center().y}, 20, s.focus.request);
    const TextStyle name = sized(type::strong(ui), 12);
    const Text who = Text(ui.text["stage.drafter"_t]) + " " + now.drafter->model;
    float x = line.x + ui.px(30);
    text_in(p, name, {x, line.y, 0, line.h}, who);
    x += std::ceil(text_width(ui, name, who)) + ui.px(14);

    const Text held =
        fill(ui.text["stage.drafter.keeps"_t], {{"n", with_commas(r.drafter_stored)}});
    const TextStyle quiet = type::caption(ui);
    const float words = std::ceil(text_width(ui, quiet, held));
    const float id_w = ui.px(26), gap = ui.px(10);
    const auto n = static_cast<float>(std::max<std::size_t>(1, r.drafter_blocks.size()));
    const float room = line.right() - words - ui.px(14) - x;
    const float block_w = std::min(ui.px(72), std::floor(room / n) - gap - id_w);
    for (std::uint32_t i = 0; i < r.drafter_blocks.size() && block_w >= ui.px(8); ++i) {
        text_in(p, type::number_small(ui), {x, line.y, id_w, line.h},
                drafter_block_name(r.drafter_blocks[i]));
        const Rect box{x + id_w, line.y + std::round((line.h - ui.px(12)) / 2), block_w, ui.px(12)};
        paint_drafter_slots(s, p, box, drafter_filled_in(now, r, i), s.focus.request);
        x = box.right() + gap;
    }
    text_in(p, quiet, {x, line.y, 0, line.h}, held);
}

void paint_drafter_cell(const StagePicture& s, const Painter& p, const Rect& cell,
                        std::uint32_t block) {
    const Ui& ui = s.ui;
    const auto holder = drafter_holder_of(s.now(), block);
    fill(p, cell, holder ? ui.colors.wash_of(s.hue(*holder)) : ui.colors.inset, 3);
    if (holder)
        dashed_outline(p, cell, s.hue(*holder).ink, 3);
    else
        outline(p, cell, ui.colors.line, 3);
    if (cell.w < ui.px(20)) return;
    const TextStyle style{ui.fonts.mono, 12, holder ? ui.colors.text : ui.colors.text3,
                          Align::Center};
    text_that_fits(p, style, cell, drafter_block_name(block));
}

void paint_drafter_pool(const StagePicture& s, const Painter& p) {
    const Ui& ui = s.ui;
    const DrafterView& drafter = *s.now().drafter;
    std::uint64_t used = 0;
    for (std::uint32_t i = 0; i < s.now().requests.size(); ++i)
        used += s.now().requests[i].drafter_blocks.size();
    const Text size = fill(ui.text["stage.drafter.size"_t],
                           {{"blocks", with_commas(drafter.n_blocks)},
                            {"each", bytes_binary(drafter.block_bytes)},
                            {"all", bytes_binary(drafter.block_bytes * drafter.n_blocks)}});
    const Text counts =
        fill(ui.text["stage.drafter.used"_t],
             {{"used", with_commas(used)}, {"free", with_commas(drafter.n_blocks - used)}});
    const TextStyle number = colored(type::number(ui), ui.colors.text2);
    const std::array runs{Run{type::section(ui), ui.text["stage.drafter.pool"_t]},
                          Run{number, size, 14}, Run{number, counts, 14}};
    runs_in(p, runs, s.on_screen(*s.plan.drafter_head));
    const Rect frame = s.on_screen(*s.plan.drafter);
    const PoolGrid grid = fit_pool(frame.inset(ui.px(4)), drafter.n_blocks, ui.unit);
    grid.each_visible([&](std::uint32_t id) { paint_drafter_cell(s, p, grid.cell(id), id); });
    dashed_outline(p, frame, ui.colors.edge, 4);
}

}  // namespace

void paint_drafter(const StagePicture& s) {
    if (!s.now().drafter) return;
    const Painter p(s.ui);
    if (s.plan.drafter_lane) paint_drafter_lane(s, p);
    if (s.plan.drafter) paint_drafter_pool(s, p);
}

}  // namespace kv
