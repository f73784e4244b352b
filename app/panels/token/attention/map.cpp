// The heat map: query heads by tokens, with the names of both.

#include <algorithm>
#include <cmath>

#include "app/panels/token/attention/parts.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

// The block under a group of tokens: "block 44", or only its number; a dash where none of them has
// one. Survivors that moved together may lie in several: then no name would be true.
Text block_name(const AttentionFrame& frame, std::size_t i, bool long_form) {
    const Snapshot& now = frame.run.now;
    const std::uint32_t first = frame.plan.blocks[i].entry * now.block_size;
    const std::uint32_t end = std::min(first + now.block_size, frame.picture.n_keys());
    std::optional<BlockId> block;
    for (std::uint32_t position = first; position < end; ++position) {
        const auto place = place_of_token(frame.run.lane(), {frame.picture.request, position});
        if (place && block && place->block != *block) return {};
        if (place) block = place->block;
    }
    if (!block) return long_form ? frame.ui.text["attention.no_block"_t] : "–";
    const Text id = std::to_string(block->value);
    return long_form ? fill(frame.ui.text["attention.block"_t], {{"n", id}}) : id;
}

void draw_blocks(const AttentionFrame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Rect marks = frame.placed(frame.plan.marks);
    const auto selected = frame.selected();
    const auto style_of = [&](bool chosen) {
        const TextStyle style = aligned(type::tick_label(ui), Align::Center);
        return chosen ? colored(style, ui.colors.text) : style;
    };
    // All by their whole name or all by their number.
    bool whole = true;
    for (std::size_t i = 0; i + 1 < frame.plan.blocks.size(); ++i)
        whole &= text_width(ui, style_of(false), block_name(frame, i, true)) + ui.px(6) <=
                 frame.plan.blocks[i].w;
    for (std::size_t i = 0; i < frame.plan.blocks.size(); ++i) {
        const AttentionPlan::Block& block = frame.plan.blocks[i];
        const float x = block.x + frame.origin.x;
        const bool chosen =
            selected && *selected / std::max(1u, frame.run.now.block_size) == block.entry;
        if (block.w >= 3)
            hline(p, x, x + block.w, marks.bottom() - ui.line(),
                  chosen ? ui.colors.text : ui.colors.edge);
        for (const bool long_form : {true, false}) {
            const Text name = block_name(frame, i, long_form);
            const TextStyle style = style_of(chosen);
            if ((long_form && !whole) || text_width(ui, style, name) + ui.px(2) > block.w) continue;
            text_in(p, style, {x, marks.y - ui.px(2), block.w, marks.h - ui.px(2)}, name);
            break;
        }
    }
}

void draw_cells(const AttentionFrame& frame) {
    const Painter p(frame.ui);
    const AttentionPlan& plan = frame.plan;
    const Color nothing = frame.ui.colors.panel;
    for (std::uint32_t head = 0; head < plan.rows.size(); ++head) {
        const auto weights = frame.weights(head);
        for (const PixelSpan& column : plan.columns) {
            const float most =
                *std::max_element(weights.begin() + column.first, weights.begin() + column.end);
            const bool hole = column.end == column.first + 1 && frame.is_hole(column.first);
            fill(p, frame.placed({column.x, plan.rows[head].x, column.w, plan.rows[head].w}),
                 hole ? nothing : ramp_color(frame.ui.colors, ramp_position(most)));
        }
    }
}

void draw_row_names(const AttentionFrame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const AttentionPlan& plan = frame.plan;
    for (std::uint32_t head = 0; head < plan.rows.size(); ++head) {
        const bool chosen = head == frame.head;
        if (!plan.every_row_has_label && !chosen) continue;
        const PixelSpan& row = plan.rows[head];
        TextStyle style = sized(type::number_small(ui), 12);
        if (chosen) style = colored(with_font(style, ui.fonts.mono_bold), ui.colors.text);
        text_in(p, aligned(style, Align::Right),
                frame.placed({plan.labels_right - ui.px(40), row.x, ui.px(40), row.w}),
                frame.head_name(head));
    }
}

// A bracket and the KV head that these query heads read.
void draw_group(const AttentionFrame& frame, std::uint32_t kv_head,
                const AttentionPlan::Group& group) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const float x = frame.origin.x + frame.plan.bracket_x, top = frame.origin.y + group.y,
                bottom = frame.origin.y + group.bottom, arm = ui.px(5);
    vline(p, x, top, bottom, ui.colors.edge, 1.5f);
    hline(p, x, x + arm, top, ui.colors.edge, 1.5f);
    hline(p, x, x + arm, bottom - ui.px(1.5f), ui.colors.edge, 1.5f);
    const TextStyle number = aligned(type::number_small(ui), Align::Center);
    const float w = frame.plan.bracket_x - ui.px(3), middle = std::floor((top + bottom) / 2);
    const Rect one{frame.origin.x, middle - ui.px(8), w, ui.px(16)};
    if (bottom - top >= ui.px(36)) {
        text_in(p, aligned(type::tick_label(ui), Align::Center),
                {one.x, one.y - ui.px(8), w, one.h}, ui.text["attention.kv"_t]);
        text_in(p, number, {one.x, one.y + ui.px(7), w, one.h}, std::to_string(kv_head));
    } else if (bottom - top >= ui.px(11)) {
        text_in(p, number, one, std::to_string(kv_head));
    }
}

void draw_selection(const AttentionFrame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const AttentionPlan& plan = frame.plan;
    const auto column = [&](std::uint32_t position) {
        const auto at = span_of(plan.columns, position);
        const Rect& heat = plan.heat;
        return frame.placed({plan.columns[*at].x, plan.marks.bottom(), plan.columns[*at].w,
                             heat.bottom() + ui.px(4) - plan.marks.bottom()});
    };
    const auto& pointed = frame.focus.pointed.token;
    if (pointed && pointed->request == frame.picture.request &&
        pointed->position < frame.picture.n_keys()) {
        const Rect r = column(pointed->position);
        outline(p, {r.x - ui.px(1), r.y, r.w + 2 * ui.px(1), r.h}, ui.colors.text2);
    }
    if (const auto selected = frame.selected()) {
        const Rect r = column(*selected);
        for (const float x : {r.x - ui.px(1), r.right()})
            dotted_line(p, {x, r.y}, {x, r.bottom()}, ui.colors.focus);
    }
    const PixelSpan& row = plan.rows[frame.head];
    const Rect r = frame.placed({plan.heat.x, row.x, plan.heat.w, row.w});
    outline(p, r.inset(-ui.px(3)), ui.colors.focus, 0, 1.5f);
}

void explain(const AttentionFrame& frame, const AttentionCell& cell) {
    if (!ImGui::BeginTooltip()) return;
    const Text text = fill(frame.ui.text["attention.tip"_t],
                           {{"head", frame.head_name(cell.head)},
                            {"n", std::to_string(cell.position)},
                            {"word", word_at(frame.run, {frame.picture.request, cell.position})},
                            {"weight", fixed(frame.weights(cell.head)[cell.position], 3)}});
    ImGui::TextUnformatted(text.c_str());
    ImGui::EndTooltip();
}

void move(const AttentionFrame& frame) {
    const Arrows arrows = keep_arrows("map");
    if (!arrows) return;
    const auto step = [](std::uint32_t from, int by, std::uint32_t count) {
        return static_cast<std::uint32_t>(
            std::clamp(static_cast<int>(from) + by, 0, static_cast<int>(count) - 1));
    };
    select_attention(frame, step(frame.head, arrows.down, frame.picture.n_heads),
                     step(frame.selected().value_or(frame.picture.position), arrows.right,
                          frame.picture.n_keys()));
}

}  // namespace

// A token that was given up: by the policy, or its entry of the table is empty although the request
// holds others.
bool AttentionFrame::is_hole(std::uint32_t position) const {
    if (is_dropped(run.lane(), {picture.request, position})) return true;
    const Table* table = run.lane().table(picture.request);
    if (table == nullptr || run.now.requests[picture.request.index()].swapped) return false;
    const auto entry = entry_of(run.lane(), {picture.request, position});
    return entry && *entry < table->size() && !(*table)[*entry];
}

void select_attention(const AttentionFrame& frame, std::uint32_t head, std::uint32_t position) {
    CommandSink& out = frame.ui.out;
    if (head != frame.focus.query_head) out.push("select.query_head", std::uint64_t{head});
    if (frame.focus.request != frame.picture.request)
        out.push("focus.request", name_of_request(frame.run.now, frame.picture.request));
    if (frame.selected() != position || frame.focus.block)
        out.push("select.token", std::uint64_t{position});
}

void draw_attention_map(const AttentionFrame& frame) {
    const Rect heat = frame.placed(frame.plan.heat);
    ImGui::SetCursorScreenPos(im(heat.min()));
    const Hit hit = hit_item("map", {heat.w, heat.h});
    draw_blocks(frame);
    draw_cells(frame);
    draw_row_names(frame);
    for (std::uint32_t i = 0; i < frame.plan.groups.size(); ++i)
        draw_group(frame, i, frame.plan.groups[i]);
    draw_selection(frame);
    if (hit.hovered) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const Vec2 at{mouse.x - frame.origin.x, mouse.y - frame.origin.y};
        if (const auto cell = attention_cell_at(frame.plan, at, frame.layer_weights())) {
            frame.focus.next_pointed.token = TokenAt{frame.picture.request, cell->position};
            explain(frame, *cell);
            if (hit.pressed) select_attention(frame, cell->head, cell->position);
        }
    }
    if (!hit.focused) return;
    focus_ring(Painter(frame.ui), hit.rect.inset(-frame.ui.px(4)), 2);
    move(frame);
}

}  // namespace kv
