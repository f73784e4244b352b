// One vector element by element, the bits of one of them, and the sectors that reading a head
// takes.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/compare_bills/paint.hpp"
#include "app/panels/token/element_bits.hpp"
#include "app/panels/token/inspector/parts.hpp"
#include "app/panels/view/token_line.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

TextStyle code_style(const InspectorFrame& frame) {
    return aligned(colored(type::number(frame.ui), frame.hue().ink), Align::Center);
}
TextStyle value_style(const Ui& ui) {
    return aligned(type::number_small(ui), Align::Center);
}
std::uint32_t bits_of_element(const InspectorFrame& frame) {
    return frame.run.layout.vector(frame.choice.side).element_bits;
}

// Draws a bar from the middle, to the right when positive; as long as the value's share of the
// vector's largest.
void draw_signed_bar(const InspectorFrame& frame, const Rect& room, double value, double largest) {
    const Painter p(frame.ui);
    const float half = std::floor(room.w / 2), zero = room.x + half;
    const double share = largest > 0 ? std::clamp(value / largest, -1.0, 1.0) : 0;
    const float length =
        value == 0 || !std::isfinite(value)
            ? 0
            : std::max(1.0f, std::round(static_cast<float>(std::abs(share)) * half));
    fill(p, {value < 0 ? zero - length : zero, room.y, length, room.h}, frame.hue().fill);
    vline(p, zero, room.y - frame.ui.px(1), room.bottom() + frame.ui.px(1), frame.ui.colors.text3);
}

void draw_cell(const InspectorFrame& frame, const Rect& r, const Element& element, bool selected,
               bool hovered, double largest) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Palette& c = ui.colors;
    fill(p, r, selected ? mix(c.raised, c.text, 0.16) : c.raised, 2);
    if (c.is_light() || c.raised == c.panel) outline(p, r, c.line, 2);
    text_in(p, code_style(frame), {r.x, r.y + ui.px(3), r.w, ui.px(16)},
            hex_code(element.code, bits_of_element(frame)));
    text_in(p, value_style(ui), {r.x, r.y + ui.px(19), r.w, ui.px(15)},
            value_text(element.value, 3, 6));
    const float pad = ui.px(6);
    draw_signed_bar(frame, {r.x + pad, r.bottom() - ui.px(11), r.w - 2 * pad, ui.px(5)},
                    element.value, largest);
    if (selected)
        outline(p, r, c.focus, 2, 1);
    else if (hovered)
        outline(p, r, c.text, 2, 1);
}

double largest_in(const InspectorFrame& frame, std::span<const unsigned char> bytes) {
    double largest = 0;
    for (std::uint32_t i = 0; i < frame.run.layout.vector(frame.choice.side).dim; ++i)
        if (const double value = frame.element(bytes, i).value; std::isfinite(value))
            largest = std::max(largest, std::abs(value));
    return largest;
}

// The element under the mouse, else nothing.
std::optional<std::uint32_t> element_at(const InspectorPlan& plan, const Hit& hit) {
    if (!hit.hovered) return std::nullopt;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (std::uint32_t i = 0; i < plan.cells.size(); ++i)
        if (plan.cells[i].contains({mouse.x, mouse.y})) return i;
    return std::nullopt;
}

void move(const InspectorFrame& frame, const InspectorPlan& plan, const Arrows& arrows) {
    if (!arrows) return;
    std::uint32_t n_columns = 1;
    while (n_columns < plan.cells.size() && plan.cells[n_columns].y == plan.cells[0].y) ++n_columns;
    const int next = static_cast<int>(frame.choice.dim) + arrows.right +
                     arrows.down * static_cast<int>(n_columns);
    if (next >= 0 && next < static_cast<int>(plan.cells.size()))
        frame.ui.out.push("select.dim", static_cast<std::uint64_t>(next));
}

// Draws the cells; the element whose bits are to be shown: the one under the mouse, or the selected
// one.
std::uint32_t draw_cells(const InspectorFrame& frame, const InspectorPlan& plan,
                         std::span<const unsigned char> bytes, double largest) {
    const Rect &first = plan.cells.front(), &last = plan.cells.back();
    ImGui::SetCursorScreenPos(im(first.min()));
    const float width = plan.vector_head.w;
    const Hit hit = hit_item("elements", {width, last.bottom() - first.y});
    const auto hovered = element_at(plan, hit);
    for (std::uint32_t i = 0; i < plan.cells.size(); ++i)
        if (ImGui::IsRectVisible(im(plan.cells[i].min()), im(plan.cells[i].max())))
            draw_cell(frame, plan.cells[i], frame.element(bytes, i), i == frame.choice.dim,
                      hovered == i, largest);
    if (hovered && hit.pressed && *hovered != frame.choice.dim)
        frame.ui.out.push("select.dim", std::uint64_t{*hovered});
    if (hit.focused) {
        focus_ring(Painter(frame.ui), hit.rect, 2);
        move(frame, plan, keep_arrows("elements"));
    }
    return hovered.value_or(frame.choice.dim);
}

enum class FieldOfBit : std::uint8_t { Sign, Exponent, Fraction };

void draw_bit(const Painter& p, const Rect& r, char bit, FieldOfBit field) {
    const Palette& c = p.ui.colors;
    const bool is_sign = field == FieldOfBit::Sign;
    // A solid sign, an exponent with a bar at its foot, an open fraction: the fields differ without
    // colour.
    fill(p, r, is_sign ? c.text2 : c.inset, 2);
    if (field == FieldOfBit::Exponent) {
        const float foot = std::max(2.0f, std::floor(r.h / 7));
        fill(p, {r.x, r.bottom() - foot, r.w, foot}, c.text2);
    }
    outline(p, r, field == FieldOfBit::Fraction ? c.edge : c.text2, 2);
    const TextStyle style{p.ui.fonts.mono, 12, is_sign ? c.panel : c.text, Align::Center};
    if (text_width(p.ui, style, "0") <= r.w) text_in(p, style, r, bit == '1' ? "1" : "0");
}

void draw_field_names(const InspectorFrame& frame, std::span<const Rect> boxes,
                      const std::array<std::uint32_t, 3>& fields) {
    const Ui& ui = frame.ui;
    const auto number = [](std::uint32_t n) { return std::to_string(n); };
    const std::array<Text, 3> names{
        ui.text["bytes.sign"_t], fill(ui.text["bytes.exponent"_t], {{"n", number(fields[1])}}),
        fill(ui.text[fields[0] == 0 ? "bytes.code"_t : "bytes.fraction"_t],
             {{"n", number(fields[2])}})};
    std::size_t at = 0;
    for (std::size_t i = 0; i < fields.size(); at += fields[i], ++i) {
        if (fields[i] == 0) continue;
        const Rect &a = boxes[at], &b = boxes[at + fields[i] - 1];
        text_at(Painter(ui), aligned(type::caption(ui), Align::Center),
                {(a.x + b.right()) / 2, a.bottom() + ui.px(14)}, names[i]);
    }
}

// "dim 5", and for an integer what its code is multiplied by: "dim 5, scale 0.0102".
Text name_of_element(const InspectorFrame& frame, std::uint32_t dim,
                     std::span<const unsigned char> vector) {
    const Texts& text = frame.ui.text;
    const auto scale = scale_of(frame.codec(), frame.dim(), vector, dim, frame.shared_scale());
    const TextId words = !scale        ? "bytes.dim"_t
                         : scale->zero ? "bytes.dim.scale_zero"_t
                                       : "bytes.dim.scale"_t;
    return fill(text[words], {{"n", std::to_string(dim)},
                              {"scale", scale ? value_text(scale->scale, 6, 9) : ""},
                              {"zero", scale ? value_text(scale->zero.value_or(0), 4, 8) : ""}});
}

void draw_bits(const InspectorFrame& frame, const Rect& room, std::uint32_t dim,
               std::span<const unsigned char> vector) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Element element = frame.element(vector, dim);
    const BitFields bits = bits_by_field(frame.codec(), element.code);
    const Text name = name_of_element(frame, dim, vector);
    const Text value =
        fill(ui.text["bytes.equals"_t], {{"value", value_text(element.value, 4, 10)}});
    const float name_w = std::ceil(text_width(ui, type::caption(ui), name)) + ui.px(10);
    const float value_w = std::ceil(text_width(ui, type::number_strong(ui), value)) + ui.px(10);
    const auto size = [](std::string_view field) {
        return static_cast<std::uint32_t>(field.size());
    };
    const std::array<std::uint32_t, 3> fields{size(bits.sign), size(bits.exponent),
                                              size(bits.fraction)};
    const Rect middle{room.x + name_w, room.y, room.w - name_w - value_w, room.h};
    const List<Rect> boxes = layout_bits(middle, ui.unit, fields);
    const Text all = bits.sign + bits.exponent + bits.fraction;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        draw_bit(p, boxes[i], all[i],
                 i < fields[0]               ? FieldOfBit::Sign
                 : i < fields[0] + fields[1] ? FieldOfBit::Exponent
                                             : FieldOfBit::Fraction);
    draw_field_names(frame, boxes, fields);
    text_in(p, type::caption(ui), {room.x, room.y, name_w, room.h}, name);
    text_in(p, aligned(type::number_strong(ui), Align::Right),
            {room.right() - value_w, room.y, value_w, room.h}, value);
}

void draw_vector_head(const InspectorFrame& frame, const Rect& r) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const KvVector& vector = frame.run.layout.vector(frame.choice.side);
    const TextStyle strong = type::strong(ui);
    const std::array places{
        LinePlace{"side", colored(strong, frame.hue().ink), Text(side_letter(frame.choice.side))},
        LinePlace{"slot", strong, std::to_string(frame.at.slot.value)},
        LinePlace{"head", strong, std::to_string(frame.choice.head.value)}};
    const float w = draw_line(p, r, {strong}, ui.text["bytes.vector"_t], places);
    const SectorRead read = sectors_of(frame.run.layout, frame.vector_at(), 1);
    const bool whole = vector.bytes % kSectorBytes == 0;
    const char* words = !whole              ? ui.text["bytes.vector.part"_t]
                        : read.sectors == 1 ? ui.text["bytes.vector.one"_t]
                                            : ui.text["bytes.vector.many"_t];
    const float x = r.x + w + ui.px(10);
    text_in(p, type::caption(ui), {x, r.y, std::max(1.0f, r.right() - x), r.h},
            fill(words, {{"dim", std::to_string(vector.dim)},
                         {"format", format_label(frame.codec())},
                         {"bytes", bytes_exact(vector.bytes)},
                         {"n", with_commas(read.sectors)}}));
}

Text sectors_text(const Texts& text, std::uint64_t n) {
    return fill(text["bytes.sectors"_t], {{"n", with_commas(n)}});
}

TextId read_sentence(const SectorRead& read, std::uint32_t n_slots) {
    if (n_slots == 0) return "bytes.read.none"_t;
    if (n_slots == 1) return "bytes.read.one"_t;
    if (read.apart == 0) return "bytes.read.run"_t;
    return read.in_a_run == 1 ? "bytes.read.apart"_t : "bytes.read.runs"_t;
}

void draw_sectors(const InspectorFrame& frame, const Rect& r, std::uint32_t n_slots) {
    const Ui& ui = frame.ui;
    const SectorRead read = sectors_of(frame.run.layout, frame.vector_at(), n_slots);
    const TextStyle words = sized(type::body(ui), 12);
    const TextStyle number = sized(type::number_strong(ui), 12);
    const std::array places{LinePlace{"side", words, Text(side_letter(frame.choice.side))},
                            LinePlace{"head", words, std::to_string(frame.choice.head.value)},
                            LinePlace{"n", number, sectors_text(ui.text, read.sectors)},
                            LinePlace{"size", words, bytes_exact(kSectorBytes)},
                            LinePlace{"run", number, with_commas(read.in_a_run)},
                            LinePlace{"stride", number, bytes_exact(read.apart)}};
    draw_line(Painter(ui), r, {words}, ui.text[read_sentence(read, n_slots)], places);
}

}  // namespace

float least_cell_width(const InspectorFrame& frame) {
    const Ui& ui = frame.ui;
    const Text code((bits_of_element(frame) + 3) / 4, '0');
    return std::ceil(std::max(text_width(ui, code_style(frame), code),
                              text_width(ui, value_style(ui), "-0.000"))) +
           ui.px(4);
}

void draw_vector(const InspectorFrame& frame, const InspectorPlan& plan) {
    const Ui& ui = frame.ui;
    draw_vector_head(frame, plan.vector_head);
    const StoredVector stored =
        stored_vector(frame.run, *frame.at.block, frame.at.slot, frame.choice);
    if (stored.held == SlotBytes::Written) {
        const std::uint32_t dim =
            draw_cells(frame, plan, stored.bytes, largest_in(frame, stored.bytes));
        draw_bits(frame, plan.bits, dim, stored.bytes);
    } else {
        wrapped_at(Painter(ui), type::body(ui), 19,
                   {plan.cells[0].x, plan.cells[0].y, plan.vector_head.w, 0},
                   stored.held == SlotBytes::Forgotten ? ui.text["bytes.forgotten"_t]
                   : stored.held == SlotBytes::Apart   ? ui.text["bytes.apart"_t]
                                                       : ui.text["bytes.not_written"_t]);
    }
    const auto n_slots =
        static_cast<std::uint32_t>(frame.run.lane().blocks()[frame.at.block->index()].filled);
    draw_sectors(frame, plan.sectors, n_slots);
}

}  // namespace kv
