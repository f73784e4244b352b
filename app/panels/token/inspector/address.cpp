// The derivation of an address, and the facts of a block that was selected by itself.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/token/element_bits.hpp"
#include "app/panels/token/inspector/parts.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kAddressPad = 9, kLeastBox = 36;  // logical pixels

struct FormulaBox {
    Text value;
    std::string_view sign_before = {}, name = {};  // a sign, or words in the place of one
    std::optional<Hue> hue = {};                   // of a request
    bool selected = false;
    std::optional<TokenAt> token = {};  // what it points at
    std::optional<BlockId> block = {};
};

TextStyle box_text(const Ui& ui) {
    return sized(aligned(type::number_strong(ui), Align::Center), 15);
}

bool is_sign(std::string_view text) {
    return text.size() <= 2;  // "÷" is two bytes
}
TextStyle sign_style(const Ui& ui, std::string_view text) {
    return is_sign(text) ? sized(type::number(ui), 14) : type::body(ui);
}

List<Rect> place(const Ui& ui, const Rect& row, std::span<const FormulaBox> boxes) {
    List<BoxNeeds> needs;
    for (const FormulaBox& box : boxes) {
        const float sign = text_width(ui, sign_style(ui, box.sign_before), box.sign_before);
        const float room = ui.px(is_sign(box.sign_before) ? 10 : 11);
        needs.push_back(
            {.width = std::max(ui.px(kLeastBox),
                               text_width(ui, box_text(ui), box.value) + 2 * ui.px(kAddressPad)),
             .gap_before = box.sign_before.empty() ? 0 : std::ceil(sign) + 2 * room});
    }
    return layout_boxes(row, needs);
}

bool is_pointed(const RunFocus& focus, const FormulaBox& box) {
    return (box.token && focus.pointed.token == box.token) ||
           (box.block && focus.pointed.block == box.block);
}

void draw_box(const InspectorFrame& frame, const Rect& r, const FormulaBox& box) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Color edge = box.selected ? ui.colors.focus : box.hue ? box.hue->ink : ui.colors.edge;
    fill(p, r, box.hue ? ui.colors.wash_of(*box.hue) : ui.colors.inset, 4);
    outline(p, r, edge, 4, box.selected ? 1.5f : 1.0f);
    text_in(p, box_text(ui), r, box.value);
    if (mouse_on(r)) {
        frame.focus.next_pointed.token = box.token;
        frame.focus.next_pointed.block = box.block;
    }
    if (is_pointed(frame.focus, box)) linked_ring(p, r, 4);
}

void draw_boxes(const InspectorFrame& frame, const Rect& row, std::span<const FormulaBox> boxes) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const List<Rect> rects = place(ui, row, boxes);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Rect& r = rects[i];
        if (i > 0) {
            const float from = rects[i - 1].right();
            text_in(p, aligned(sign_style(ui, boxes[i].sign_before), Align::Center),
                    {from, r.y, r.x - from, r.h}, boxes[i].sign_before);
        }
        draw_box(frame, r, boxes[i]);
        text_at(p, aligned(type::caption(ui), Align::Center),
                {r.center().x, r.bottom() + ui.px(15)}, boxes[i].name);
    }
}

// Token divided by page is the entry of the table, and what is left is the slot.
void draw_division(const InspectorFrame& frame, const Rect& row) {
    const Texts& text = frame.ui.text;
    const TokenAt token = *frame.at.token;
    const TokenPlace& at = *frame.at.place;
    const Hue& hue = request_hue(frame.ui.colors, tag_of(frame.run.now, token.request).index);
    const std::array boxes{FormulaBox{.value = std::to_string(token.position),
                                      .name = text["bytes.part.token"_t],
                                      .token = token},
                           FormulaBox{.value = std::to_string(frame.run.now.block_size),
                                      .sign_before = "÷",
                                      .name = text["bytes.part.page"_t]},
                           FormulaBox{.value = std::to_string(at.entry),
                                      .sign_before = "=",
                                      .name = text["bytes.part.entry"_t],
                                      .hue = hue,
                                      .block = at.block},
                           FormulaBox{.value = std::to_string(at.slot.value),
                                      .sign_before = text["bytes.part.remainder"_t],
                                      .name = text["bytes.part.offset"_t],
                                      .token = token}};
    draw_boxes(frame, row, boxes);
}

void draw_lookup(const InspectorFrame& frame, const Rect& row) {
    const Ui& ui = frame.ui;
    const TokenAt token = *frame.at.token;
    const TokenPlace& at = *frame.at.place;
    const Hue& hue = request_hue(ui.colors, tag_of(frame.run.now, token.request).index);
    const Text table =
        fill(ui.text["bytes.table"_t], {{"request", name_of_request(frame.run.now, token.request)},
                                        {"entry", std::to_string(at.entry)}});
    const std::array boxes{FormulaBox{.value = table, .hue = hue, .block = at.block},
                           FormulaBox{.value = std::to_string(at.block.value),
                                      .sign_before = "=",
                                      .hue = hue,
                                      .selected = true,
                                      .block = at.block}};
    draw_boxes(frame, row, boxes);
    const float x = place(ui, row, boxes).back().right() + ui.px(12);
    text_in(Painter(ui), type::body(ui), {x, row.y, std::max(1.0f, row.right() - x), row.h},
            ui.text["bytes.part.physical"_t]);
}

// The columns of the terms: label, product, sign, hexadecimal.
struct TermColumns {
    float product_right, sign, hex;
};
TermColumns term_columns(const Ui& ui, const AddressPlan& address, const Rect& row) {
    float label = 0, product = 0;
    for (const AddressTerm& term : address.terms) {
        label = std::max(label, text_width(ui, type::body(ui), term.label));
        product = std::max(product, text_width(ui, type::number(ui), term.product));
    }
    const float hex_w = text_width(ui, sized(type::number_strong(ui), 15),
                                   hex_address(address.address, address.digits));
    const float sign = ui.px(20), gap = ui.px(12);
    const float needed = label + product + sign + 2 * gap;
    const float hex =
        std::floor(std::min(row.right() - hex_w, std::max(row.x + needed, row.x + row.w * 0.6f)));
    return {hex - sign - gap, hex - sign, hex};
}

void draw_term(const InspectorFrame& frame, const AddressTerm& term, const AddressPlan& address,
               const TermColumns& columns, const Rect& row) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    RunPointer& next = frame.focus.next_pointed;
    if (mouse_on(row)) {
        fill(p, row.inset(-ui.px(4)), ui.colors.hover_wash(), 3);
        if (term.part == AddressPart::Block) next.block = frame.at.block;
        if (term.part == AddressPart::SlotInBlock) next.token = frame.at.token;
        if (term.part == AddressPart::Head) next.factor = BillFactor::KvHeads;
        if (term.part == AddressPart::Base) next.factor = BillFactor::Layers;
    }
    const float product_w = std::ceil(text_width(ui, type::number(ui), term.product));
    const float product_x = std::max(row.x, columns.product_right - product_w);
    text_in(p, type::body(ui), {row.x, row.y, std::max(1.0f, product_x - row.x - ui.px(6)), row.h},
            term.label);
    text_in(p, aligned(colored(type::number(ui), ui.colors.text2), Align::Right),
            {product_x, row.y, columns.product_right - product_x, row.h}, term.product);
    if (&term != &address.terms[0])
        text_in(p, colored(type::number(ui), ui.colors.text3), {columns.sign, row.y, 0, row.h},
                "+");
    text_in(p, sized(type::number(ui), 14), {columns.hex, row.y, 0, row.h},
            hex_address(term.bytes, address.digits));
}

void draw_sum(const InspectorFrame& frame, const AddressPlan& address, const TermColumns& columns,
              const InspectorPlan& plan) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Rect& row = plan.sum;
    hline(p, columns.sign - ui.px(4), row.right(), plan.sum_rule, ui.colors.edge);
    text_in(p, type::body(ui),
            {row.x, row.y, std::max(1.0f, columns.sign - row.x - ui.px(4)), row.h},
            fill(ui.text["bytes.first"_t], {{"side", side_letter(frame.choice.side)}}));
    text_in(p, colored(type::number(ui), ui.colors.text3), {columns.sign, row.y, 0, row.h}, "=");
    text_in(p, colored(sized(type::number_strong(ui), 15), frame.hue().ink),
            {columns.hex, row.y, 0, row.h}, hex_address(address.address, address.digits));
}

Text holders_text(const InspectorFrame& frame) {
    const Texts& text = frame.ui.text;
    Text all;
    for (const Holder& holder : holders_of(frame.run.lane(), *frame.at.block)) {
        if (!all.empty()) all += "  ";
        all += fill(text["bytes.fact.holder"_t],
                    {{"request", name_of_request(frame.run.now, holder.request)},
                     {"entry", std::to_string(holder.entry)}});
    }
    return all.empty() ? text["bytes.fact.nobody"_t] : all;
}

}  // namespace

void draw_address(const InspectorFrame& frame, const InspectorPlan& plan) {
    const Ui& ui = frame.ui;
    text_in(Painter(ui), type::section(ui), plan.above_head, ui.text["bytes.address"_t]);
    draw_division(frame, plan.division);
    draw_lookup(frame, plan.lookup);
    const AddressPlan address = plan_address(frame.run.layout, frame.vector_at(), ui.text);
    const TermColumns columns = term_columns(ui, address, plan.terms[0]);
    for (std::size_t i = 0; i < address.terms.size(); ++i)
        draw_term(frame, address.terms[i], address, columns, plan.terms[i]);
    draw_sum(frame, address, columns, plan);
}

void draw_block_facts(const InspectorFrame& frame, const InspectorPlan& plan) {
    const Ui& ui = frame.ui;
    const Texts& text = ui.text;
    const Painter p(ui);
    const BlockView& block = frame.run.lane().blocks()[frame.at.block->index()];
    VectorAt first = frame.vector_at();
    first.slot = Slot(0), first.head = HeadId(0);
    const AddressPlan address = plan_address(frame.run.layout, first, text);
    const std::array<std::array<Text, 2>, kBlockFacts> rows{{
        {text["bytes.fact.holders"_t], holders_text(frame)},
        {text["bytes.fact.references"_t], std::to_string(block.ref_count)},
        {text["bytes.fact.filled"_t], fill(text["bytes.fact.filled.value"_t],
                                           {{"n", std::to_string(block.filled)},
                                            {"size", std::to_string(frame.run.now.block_size)}})},
        {text["bytes.fact.hash"_t],
         block.hash ? hex_address(*block.hash, 16) : text["bytes.fact.no_hash"_t]},
        {fill(text["bytes.fact.first"_t], {{"side", side_letter(frame.choice.side)},
                                           {"layer", std::to_string(first.layer.value)}}),
         hex_address(address.address, address.digits)},
    }};
    text_in(p, type::section(ui), plan.above_head, text["bytes.facts"_t]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Rect& r = plan.terms[i];
        const float label =
            std::min(std::ceil(text_width(ui, type::body(ui), rows[i][0])), r.w / 2);
        const float x = r.x + label + ui.px(12);
        text_in(p, type::body(ui), {r.x, r.y, label, r.h}, rows[i][0]);
        text_in(p, aligned(sized(type::number(ui), 13), Align::Right),
                {x, r.y, std::max(1.0f, r.right() - x), r.h}, rows[i][1]);
    }
}

}  // namespace kv
