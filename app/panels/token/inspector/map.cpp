// The byte map of a block: keys at the left, values at the right, a row per slot.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/token/element_bits.hpp"
#include "app/panels/token/inspector/parts.hpp"
#include "app/panels/view/token_line.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kSlotLabels = 26,
                kBetweenMaps = 32;  // logical pixels: slot numbers, and between the maps

struct Maps {
    Rect keys_room, values_room;
    ByteMapPlan keys, values;
    const ByteMapPlan& of(Side side) const { return side == Side::K ? keys : values; }
};
Maps plan_maps(const InspectorFrame& frame, const Rect& room) {
    const Ui& ui = frame.ui;
    const KvLayout& layout = frame.run.layout;
    const float labels = std::min(ui.px(kSlotLabels), std::floor(room.w / 4));
    const float between = std::min(ui.px(kBetweenMaps), std::floor(room.w / 4));
    const float w = std::max(1.0f, std::floor((room.w - labels - between) / 2));
    const auto plan = [&](float x, const KvVector& vector) {
        return plan_byte_map({x, room.y, w, room.h}, ui.unit,
                             {layout.block_size, layout.n_kv_heads, vector.dim});
    };
    const float x = room.x + labels;
    Maps maps{{x, room.y, w, room.h}, {x + w + between, room.y, w, room.h}, {}, {}};
    maps.keys = plan(maps.keys_room.x, layout.k);
    maps.values = plan(maps.values_room.x, layout.v);
    return maps;
}

void draw_texels(const Painter& p, const ByteMapPlan& plan, const BlockValues& values, Side side,
                 const Hue& hue) {
    const std::span<const float> all = values.of(side);
    const double largest = std::max(values.largest(side), 1e-30f);
    const auto length = static_cast<std::uint32_t>(all.size() / values.slots.size());
    fill(p, plan.area, p.ui.colors.inset);
    for (const PixelSpan& row : plan.rows) {
        bool written = false;
        for (auto slot = row.first; slot < row.end; ++slot)
            written = written || values.held(side, slot) == SlotBytes::Written;
        if (!written) {
            if (row.w >= 3)
                hline(p, plan.area.x, plan.area.right(), row.x + row.w, p.ui.colors.panel);
            continue;
        }
        for (const PixelSpan& column : plan.columns) {
            const double value = pooled_value(all, length, row, column);
            fill(p, {column.x, row.x, column.w, row.w}, value_color(hue, value / largest));
        }
    }
}

// Why a slot shows no numbers of that side.
TextId absence_of(Side side, SlotBytes held) {
    if (held == SlotBytes::Forgotten) return "bytes.map.forgotten"_t;
    if (held != SlotBytes::Apart) return "bytes.map.empty"_t;
    return side == Side::K ? "bytes.map.apart.k"_t : "bytes.map.apart.v"_t;
}

// "not written yet" where there is room for it: in the longest run of rows without values.
void draw_absence(const Painter& p, const ByteMapPlan& plan, const BlockValues& values, Side side,
                  SlotBytes which, std::string_view words) {
    std::size_t best = 0, best_from = 0, from = 0;
    for (std::size_t i = 0; i <= plan.rows.size(); ++i) {
        if (i < plan.rows.size() && values.held(side, plan.rows[i].first) == which) continue;
        if (i - from > best) best = i - from, best_from = from;
        from = i + 1;
    }
    if (best == 0) return;
    const PixelSpan &a = plan.rows[best_from], &b = plan.rows[best_from + best - 1];
    const Rect room{plan.area.x, a.x, plan.area.w, b.x + b.w - a.x};
    const TextStyle style = aligned(type::caption(p.ui), Align::Center);
    const float w = text_width(p.ui, style, words) + p.ui.px(12), h = p.ui.px(16);
    if (room.h < h || room.w < w) return;
    const Rect plate{std::floor(room.center().x - w / 2), std::floor(room.center().y - h / 2), w,
                     h};
    fill(p, plate, p.ui.colors.inset);
    text_in(p, style, plate, words);
}

void draw_head_names(const InspectorFrame& frame, const ByteMapPlan& plan, const Rect& names) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    for (std::size_t head = 0; head < plan.heads.size(); ++head) {
        const bool chosen = head == frame.choice.head.index();
        const Text name = std::to_string(head);
        const Text whole = fill(ui.text["bytes.map.head"_t], {{"n", name}});
        const TextStyle style =
            aligned(chosen ? sized(type::strong(ui), 12) : type::caption(ui), Align::Center);
        Rect r{plan.heads[head].x, names.y, plan.heads[head].w, names.h};
        if (text_width(ui, style, whole) <= r.w)
            text_in(p, style, r, whole);
        else if (text_width(ui, style, name) + ui.px(2) <= r.w || chosen)
            text_in(p, style, {r.x - ui.px(12), r.y, r.w + 2 * ui.px(12), r.h}, name);
    }
}

// The first slot that is not written, the last slot, and the selected one; never on each other.
void draw_slot_names(const InspectorFrame& frame, const Maps& maps, const BlockValues& values) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const auto first_empty = static_cast<std::uint32_t>(
        std::find(values.slots.begin(), values.slots.end(), SlotBytes::NotWritten) -
        values.slots.begin());
    List<std::uint32_t> slots{frame.at.slot.value};
    if (first_empty < values.slots.size()) slots.push_back(first_empty);
    slots.push_back(static_cast<std::uint32_t>(values.slots.size()) - 1);
    slots.push_back(0);
    List<float> taken{maps.keys_room.y + ui.px(2)};  // the letter K stands there
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const Rect row = vector_rect(maps.keys, slots[i], 0);
        const float y = row.center().y;
        const bool free = std::all_of(taken.begin(), taken.end(), [&](float other) {
            return std::abs(other - y) >= ui.px(12);
        });
        if (!free) continue;
        taken.push_back(y);
        const TextStyle style =
            i == 0 ? colored(type::tick_label(ui), ui.colors.text) : type::tick_label(ui);
        text_in(p, aligned(i == 0 ? with_font(style, ui.fonts.mono_bold) : style, Align::Right),
                {maps.keys_room.x - ui.px(kSlotLabels), y - ui.px(8), ui.px(kSlotLabels) - ui.px(6),
                 ui.px(16)},
                std::to_string(slots[i]));
    }
}

void draw_side_letters(const InspectorFrame& frame, const Maps& maps) {
    const Ui& ui = frame.ui;
    for (const Side side : {Side::K, Side::V}) {
        const Rect& room = side == Side::K ? maps.keys_room : maps.values_room;
        const Hue& hue = side == Side::K ? ui.colors.k : ui.colors.v;
        text_in(Painter(ui), colored(aligned(sized(type::strong(ui), 14), Align::Right), hue.ink),
                {room.x - ui.px(24), room.y - ui.px(4), ui.px(24) - ui.px(6), ui.px(16)},
                side_letter(side));
    }
}

void push_vector(const InspectorFrame& frame, Side side, const ByteMapCell& cell) {
    const Ui& ui = frame.ui;
    const auto token = token_in_slot(frame.run, frame.focus, *frame.at.block, cell.slot);
    if (side != frame.choice.side)
        ui.out.push(side == Side::K ? CommandId("select.keys") : CommandId("select.values"));
    if (cell.head != frame.choice.head.value)
        ui.out.push("select.kv_head", std::uint64_t{cell.head});
    if (cell.dim != frame.choice.dim) ui.out.push("select.dim", std::uint64_t{cell.dim});
    if (!token || (frame.at.token == token)) return;
    if (token->request != frame.focus.request)
        ui.out.push("focus.request", name_of_request(frame.run.now, token->request));
    ui.out.push("select.token", std::uint64_t{token->position});
}

void explain(const InspectorFrame& frame, Side side, const ByteMapCell& cell,
             const BlockValues& values, bool pooled) {
    if (!ImGui::BeginTooltip()) return;
    const Texts& text = frame.ui.text;
    const KvVector& vector = frame.run.layout.vector(side);
    const Text place = fill(text["bytes.map.tip"_t], {{"side", side_letter(side)},
                                                      {"slot", std::to_string(cell.slot)},
                                                      {"head", std::to_string(cell.head)},
                                                      {"dim", std::to_string(cell.dim)}});
    ImGui::TextUnformatted(place.c_str());
    const std::size_t at =
        (std::size_t{cell.slot} * frame.run.layout.n_kv_heads + cell.head) * vector.dim + cell.dim;
    const SlotBytes held = values.held(side, cell.slot);
    if (held == SlotBytes::Written) {
        const Text value =
            fill(text["bytes.equals"_t], {{"value", value_text(values.of(side)[at], 4, 9)}});
        ImGui::TextUnformatted(value.c_str());
    } else {
        ImGui::TextUnformatted(text[absence_of(side, held)]);
    }
    if (pooled) ImGui::TextUnformatted(text["bytes.map.tip.pooled"_t]);
    ImGui::EndTooltip();
}

void point(const InspectorFrame& frame, const Hit& hit, const Maps& maps,
           const BlockValues& values) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const Side side : {Side::K, Side::V}) {
        const ByteMapPlan& plan = maps.of(side);
        const auto cell = cell_at(plan, {mouse.x, mouse.y});
        if (!cell) continue;
        frame.focus.next_pointed.block = frame.at.block;
        frame.focus.next_pointed.token =
            token_in_slot(frame.run, frame.focus, *frame.at.block, cell->slot);
        hover_ring(Painter(frame.ui), vector_rect(plan, cell->slot, cell->head), 0);
        explain(frame, side, *cell, values, is_pooled(plan.columns) || is_pooled(plan.rows));
        if (hit.pressed) push_vector(frame, side, *cell);
    }
}

// What the factor that is pointed at in the equation counts, as far as one block shows it.
void ring_factor(const InspectorFrame& frame, const Painter& p, const ByteMapPlan& map,
                 const BlockValues& values) {
    const auto factor = frame.focus.pointed.factor;
    if (factor == BillFactor::Sides) return linked_ring(p, map.area, 0);
    if (factor == BillFactor::KvHeads)
        for (const Rect& head : map.heads) linked_ring(p, head, 0);
    if (factor == BillFactor::HeadDim || factor == BillFactor::ValueBytes)
        linked_ring(p, vector_rect(map, frame.at.slot.value, frame.choice.head.value), 0);
    if (factor != BillFactor::Tokens) return;
    for (std::uint32_t slot = 0; slot < values.slots.size(); ++slot)
        if (values.slots[slot] == SlotBytes::Written) {
            const Rect row = vector_rect(map, slot, 0);
            linked_ring(p, {map.area.x, row.y, map.area.w, row.h}, 0);
        }
}

// Moves the selection by arrows, with the keyboard on the map: from slot to slot and from head to
// head.
void move(const InspectorFrame& frame, const Arrows& arrows) {
    const KvLayout& layout = frame.run.layout;
    const auto step = [](std::uint32_t from, int by, std::uint32_t count) {
        return static_cast<std::uint32_t>(
            std::clamp(static_cast<int>(from) + by, 0, static_cast<int>(count) - 1));
    };
    if (!arrows) return;
    push_vector(frame, frame.choice.side,
                {step(frame.at.slot.value, arrows.down, layout.block_size),
                 step(frame.choice.head.value, arrows.right, layout.n_kv_heads), frame.choice.dim});
}

}  // namespace

std::optional<TokenAt> token_in_slot(const RunView& run, const RunFocus& focus, BlockId block,
                                     std::uint32_t slot) {
    std::optional<TokenAt> token;
    for (const Holder& holder : holders_of(run.lane(), block)) {
        const std::uint32_t position = position_in(run.lane(), holder.request, holder.entry, slot);
        if (position >= run.now.requests[holder.request.index()].tokens.size()) continue;
        if (!token || holder.request == focus.request) token = TokenAt{holder.request, position};
    }
    return token;
}

void draw_byte_map(const InspectorFrame& frame, const InspectorPlan& plan,
                   const BlockValues& values) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const std::array places{
        LinePlace{"block", type::section(ui), std::to_string(frame.at.block->value)},
        LinePlace{"layer", type::section(ui), std::to_string(frame.choice.layer.value)}};
    const float w =
        draw_line(p, plan.map_head, {type::section(ui)}, ui.text["bytes.map"_t], places);
    const float x = plan.map_head.x + w + ui.px(10);
    text_in(p, type::caption(ui),
            {x, plan.map_head.y, std::max(1.0f, plan.map_head.right() - x), plan.map_head.h},
            fill(ui.text["bytes.map.written"_t], {{"n", std::to_string(values.n_written)},
                                                  {"size", std::to_string(values.slots.size())}}));
    const Maps maps = plan_maps(frame, plan.map);
    ImGui::SetCursorScreenPos(im(plan.map.min()));
    const Hit hit = hit_item("map", {plan.map.w, plan.map.h});
    for (const Side side : {Side::K, Side::V}) {
        const ByteMapPlan& map = maps.of(side);
        draw_head_names(frame, map, plan.map_names);
        draw_texels(p, map, values, side, side == Side::K ? ui.colors.k : ui.colors.v);
        for (const SlotBytes held : {SlotBytes::NotWritten, SlotBytes::Forgotten, SlotBytes::Apart})
            draw_absence(p, map, values, side, held, ui.text[absence_of(side, held)]);
        ring_factor(frame, p, map, values);
    }
    draw_side_letters(frame, maps);
    draw_slot_names(frame, maps, values);
    const Rect selected =
        vector_rect(maps.of(frame.choice.side), frame.at.slot.value, frame.choice.head.value);
    // A halo, because a ring in the colour of the selection may meet texels as dark or as light.
    outline(p, selected.inset(-ui.px(2)), ui.colors.panel, 0, 1);
    outline(p, selected.inset(-ui.px(1)), ui.colors.focus, 0, 2);
    if (hit.hovered) point(frame, hit, maps, values);
    if (hit.focused) {
        focus_ring(p, plan.map, 2);
        move(frame, keep_arrows("map"));
    }
}

}  // namespace kv
