// The pools of both sides, block for block on one axis: whose block it is, how much of it is live,
// and what a policy has left empty.

#include <algorithm>
#include <cmath>

#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/compare_runs/pools_plan.hpp"
#include "app/panels/compare_runs/words.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

struct PoolPicture {
    const Ui& ui;
    const RunView& run;
    const StageFacts& facts;
    CompareSide side;
    PoolRow row;
    Vec2 origin;
    Rect on_screen(const Rect& r) const { return {r.x + origin.x, r.y + origin.y, r.w, r.h}; }
    const BlockView& block(std::uint32_t id) const { return run.lane().blocks()[id]; }
};

PoolAsk pool_of(const RunView& run) {
    return {.n_blocks = static_cast<std::uint32_t>(run.lane().blocks().size()),
            .block = measure_of_block(run)};
}

Color hue_of(const PoolPicture& s, std::uint32_t id) {
    const auto holders = s.facts.holders(BlockId(id));
    if (holders.empty()) return s.ui.colors.cached.ink;
    if (holders.size() > 1) return s.ui.colors.shared;
    return request_hue(s.ui.colors, s.facts.tag_index(holders.front().request)).fill;
}

// From below the live slots, in the hue of who holds the block; above them, hatched, the dead ones,
// whose tokens all holders have dropped. A free block is an outline.
void paint_block(const PoolPicture& s, const Painter& p, std::uint32_t id) {
    const Rect box = s.on_screen(s.row.block(id));
    const BlockView& block = s.block(id);
    const Palette& colors = s.ui.colors;
    if (block.state() == BlockState::Free) return outline(p, box, colors.line);
    fill(p, box, colors.inset);
    const auto size = static_cast<float>(std::max(1u, s.run.now.block_size));
    const Color hue = hue_of(s, id);
    const auto rows = [&](std::uint32_t slots) {
        return std::round(box.h * static_cast<float>(slots) / size);
    };
    const float filled = rows(block.filled), dead = rows(block.dead);
    fill(p, {box.x, box.bottom() - filled + dead, box.w, filled - dead},
         block.state() == BlockState::Cached ? mix(colors.panel, hue, 0.5) : hue);
    if (dead > 0) hatch(p, {box.x, box.bottom() - filled, box.w, dead}, colors.loss.ink);
    outline(p, box, hue);
    const TextStyle label{s.ui.fonts.mono_bold, 11, colors.text, Align::Left};
    const Text number = with_commas(id);
    const float w = text_width(s.ui, label, number) + s.ui.px(4);
    if (w > box.w - s.ui.px(2) || box.h < s.ui.px(16)) return;
    const Rect plate{box.x + 1, box.y + 1, w, s.ui.px(14)};
    fill(p, plate, colors.panel);
    text_in(p, label, {plate.x + s.ui.px(2), plate.y, w, plate.h}, number);
}

// Paints many blocks into one pixel: the share of them that is used.
void paint_columns(const PoolPicture& s, const Painter& p) {
    constexpr std::uint32_t kLooks = 16;  // at blocks of one pixel: a pool may have a million
    for (float x = 0; x < s.row.cells.w; ++x) {
        const PoolRow::Range range = s.row.blocks_at(s.row.cells.x + x);
        const std::uint32_t step = std::max(1u, (range.end - range.first) / kLooks);
        std::uint32_t looks = 0, used = 0;
        for (std::uint32_t id = range.first; id < range.end; id += step, ++looks)
            used += s.block(id).state() != BlockState::Free;
        if (looks == 0) continue;
        const double share = static_cast<double>(used) / looks;
        fill(p, s.on_screen({s.row.cells.x + x, s.row.cells.y, 1, s.row.cells.h}),
             mix(s.ui.colors.inset, s.ui.colors.text2, share));
    }
}

void paint_head(const PoolPicture& s, const Painter& p, std::string_view name) {
    const PoolCounts counts = count_pool(s.run.now);
    const Rect line = s.on_screen(s.row.head);
    const float mark = s.ui.px(16);
    draw_side_mark(p, {line.x + s.ui.px(5), std::floor(line.center().y)}, 9, s.side,
                   s.ui.colors.text);
    const Text live = measured(counts.live_slots * measure_of_slot(s.run), s.run.layout, s.ui.text);
    const Text words = fill(
        s.ui.text["pair.pool"_t],
        {{"used", with_commas(counts.used)}, {"all", with_commas(counts.blocks)}, {"live", live}});
    const std::array runs{Run{type::strong(s.ui), name}, Run{type::number_small(s.ui), words, 10}};
    runs_in(p, runs, {line.x + mark, line.y, line.w - mark, line.h});
}

void point(const PoolPicture& s, RunFocus& focus, const Hit& hit) {
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto id = s.row.at({mouse.x - s.origin.x, mouse.y - s.origin.y});
    if (!hit.hovered || !id) return;
    if (s.side == CompareSide::Left) {
        focus.next_pointed.block = BlockId(*id);
        if (hit.pressed) s.ui.out.push("select.block", std::uint64_t{*id});
    }
    if (!ImGui::BeginTooltip()) return;
    const Text words = fill(s.ui.text["pair.pool.block"_t],
                            {{"id", with_commas(*id)},
                             {"live", with_commas(s.block(*id).filled - s.block(*id).dead)},
                             {"size", with_commas(s.run.now.block_size)}});
    ImGui::TextUnformatted(words.c_str());
    ImGui::EndTooltip();
}

}  // namespace

void draw_pair_pools(const Ui& ui, const PairView& pair, RunFocus& focus) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const PoolsPlan plan =
        plan_pools({room.x, room.y}, ui.unit, {pool_of(pair.left), pool_of(pair.right)});
    const Painter p(ui);
    for (std::size_t i = 0; i < plan.rows.size(); ++i) {
        const CompareSide side = i == 0 ? CompareSide::Left : CompareSide::Right;
        const PoolPicture s{.ui = ui,
                            .run = pair.of(side),
                            .facts = pair.facts(side),
                            .side = side,
                            .row = plan.rows[i],
                            .origin = {at.x, at.y}};
        const Rect cells = s.on_screen(s.row.cells);
        ImGui::SetCursorScreenPos(im(cells.min()));
        const Hit hit = hit_item(i == 0 ? "left pool" : "right pool", {cells.w, cells.h});
        if (hit.focused) focus_ring(p, hit.rect, 2);
        paint_head(s, p, side_title(s.run, ui.text).title);
        if (s.row.block_w < 1)
            paint_columns(s, p);
        else
            for (std::uint32_t id = 0; id < s.row.n_blocks; ++id) paint_block(s, p, id);
        point(s, focus, hit);
    }
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({room.x, std::max(1.0f, plan.height)});
}

}  // namespace kv
