#include "app/panels/token/bytes/bytes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/token/bytes/parts.hpp"
#include "app/panels/view/token_line.hpp"
#include "app/shell/drawn_parts.hpp"
#include "app/widgets/fields.hpp"
#include "app/widgets/message.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

constexpr float kField = 100;  // logical pixels

// ---- title and switches ----------------------------------------------------------------------

struct BytesTitle {
    TokenLineLook look;
    std::string_view text;
    List<LinePlace> places;
};
BytesTitle bytes_title(const Ui& ui, const RunView& run, const RunFocus& focus, const LookedAt& at,
                       LayerId layer) {
    const TextStyle strong = sized(type::section(ui), 14);
    BytesTitle title{
        .look = {.words = sized(type::body(ui), 14), .lead = strong, .lead_end = "block"},
        .text = ui.text["bytes.at.free"_t],
        .places = {{"block", strong, std::to_string(at.block->value)},
                   {"slot", sized(type::body(ui), 14), std::to_string(at.slot.value)},
                   {"layer", sized(type::body(ui), 14), std::to_string(layer.value)}}};
    std::optional<TokenAt> token = at.token;
    if (!token)
        for (const Holder& holder : holders_of(run.lane(), *at.block))
            if (!token || holder.request == focus.request)
                token = TokenAt{holder.request, position_in(run.lane(), holder.request,
                                                            holder.entry, at.slot.value)};
    const Text word = token ? word_at(run, *token) : Text();
    if (word.empty()) return title;
    title.text = ui.text["bytes.at"_t];
    title.places.push_back({"word", strong, word});
    return title;
}

IndexSwitch head_switch(const RunView& run, const VectorChoice& choice) {
    return {.id = "head",
            .command = "select.kv_head",
            .count = run.layout.n_kv_heads,
            .chosen = choice.head.value,
            .prefix = "h"};
}

void draw_head(const BytesFrame& frame, const BytesTitle& title) {
    const Ui& ui = frame.ui;
    draw_line(Painter(ui), frame.placed(frame.plan.title), title.look, title.text, title.places);
    const Rect r = frame.placed(frame.plan.switches);
    draw_side_switch(ui, frame.choice.side == Side::K, r.min());
    const float x = r.x + side_switch_width(ui) + ui.px(10);
    const IndexSwitch heads = head_switch(frame.run, frame.choice);
    draw_index_switch(ui, heads, {x, r.y, r.right() - x, r.h});
    // What a factor of the equation counts, while it is pointed at.
    const auto ring = [&](float from, float width) {
        outline(Painter(ui), Rect{from, r.y, width, r.h}.inset(-ui.px(3)), ui.colors.text, 4);
    };
    const auto factor = frame.focus.pointed.factor;
    if (factor == BillFactor::Sides) ring(r.x, side_switch_width(ui));
    if (factor == BillFactor::KvHeads) ring(x, index_switch_width(ui, heads, r.right() - x));
}

// ---- the bytes -------------------------------------------------------------------------------

// Two digits a byte, in the order of the addresses; of an element in a part of a byte its code.
Text bytes_of_element(const BytesFrame& frame, std::uint32_t i) {
    const std::uint32_t bits = frame.vector().element_bits;
    if (bits < 8) return hex_code(frame.element(i).code, bits);
    Text text;
    for (const unsigned char byte : frame.stored.bytes.subspan(i * bits / 8, bits / 8))
        text += hex_code(byte, 8);
    return text;
}

void draw_hex(const BytesFrame& frame, const AddressPlan& address) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const BytesPlan& plan = frame.plan;
    const Rect first = frame.placed(plan.addresses.front());
    ImGui::SetCursorScreenPos(im(first.min()));
    const Hit hit = hit_item(
        "hex", {frame.plan.preview.w, frame.placed(plan.addresses.back()).bottom() - first.y});
    const auto hovered = hovered_in(plan.elements, frame, hit);
    std::size_t row = 0;
    for (std::uint32_t i = 0; i < plan.elements.size(); ++i) {
        const Rect r = frame.placed(plan.elements[i]);
        if (i == 0 || plan.elements[i].y != plan.elements[i - 1].y)
            text_in(
                p, colored(type::number(ui), ui.colors.text3), frame.placed(plan.addresses[row++]),
                hex_address(address.address + i * frame.vector().element_bits / 8, address.digits));
        if (i == frame.choice.dim) fill(p, r.inset(-ui.px(2)), ui.colors.pressed_wash(), 2);
        if (hovered == i) outline(p, r.inset(-ui.px(2)), ui.colors.text, 2);
        text_in(p, aligned(colored(type::number(ui), frame.hue().ink), Align::Center), r,
                bytes_of_element(frame, i));
    }
    if (hovered && frame.at.token) frame.focus.next_pointed.token = frame.at.token;
    if (frame.focus.pointed.factor == BillFactor::HeadDim)
        outline(p, hit.rect.inset(-ui.px(3)), ui.colors.text, 3);
    if (hit.pressed) select_dim(frame, hovered);
    if (!hit.focused) return;
    focus_ring(p, hit.rect, 2);
    const auto per_row = static_cast<int>((plan.elements.size() + plan.addresses.size() - 1) /
                                          plan.addresses.size());
    const Arrows arrows = keep_arrows("hex");
    step_dim(frame, arrows.right + arrows.down * per_row);
}

// How the vector lies in sectors, or the broken rule of an address that was typed.
void draw_lie(const BytesFrame& frame, const BytesUi& own, const AddressPlan& address) {
    const Ui& ui = frame.ui;
    const Rect r = frame.placed(frame.plan.lie);
    const SectorRead read = sectors_of(frame.run.layout, frame.vector_at(), 1);
    const char* words =
        read.sectors == 1 ? ui.text["bytes.lie.one"_t] : ui.text["bytes.lie.many"_t];
    const Text end = hex_address(frame.run.layout.pool_bytes(), address.digits);
    const Text sentence =
        own.address_refused
            ? fill(ui.text["bytes.find.refused"_t], {{"end", end}})
            : fill(words,
                   {{"n", with_commas(read.sectors)},
                    {"size", bytes_exact(kSectorBytes)},
                    {"stride", bytes_exact(frame.run.layout.slot_stride(frame.choice.side))}});
    const TextStyle style =
        colored(type::caption(ui), own.address_refused ? ui.colors.loss.ink : ui.colors.text3);
    if (frame.plan.sentence.h > 0 && !own.address_refused) return;
    if (text_width(ui, style, sentence) <= r.w)
        text_in(Painter(ui), style, r, sentence);
    else
        wrapped_at(Painter(ui), style, 15, r, sentence);
}

void draw_field(const BytesFrame& frame, BytesUi& own) {
    const Ui& ui = frame.ui;
    const Rect r = frame.placed(frame.plan.field);
    ImGui::SetCursorScreenPos(im(r.min()));
    const auto typed =
        text_field(ui, "address", "",
                   {.wrong = own.address_refused, .width = r.w, .hint = ui.text["bytes.find"_t]});
    if (!typed) return;
    own.address_refused = !typed->empty() && !read_address(*typed, frame.run.layout.pool_bytes());
    if (!typed->empty() && !own.address_refused) ui.out.push("select.address", *typed);
}

// ---- the whole -------------------------------------------------------------------------------

BytesNeeds needs_of(const BytesFrame& frame, const BytesTitle& title, const AddressPlan& address,
                    std::string_view why, float width) {
    const Ui& ui = frame.ui;
    const auto chars = [&](std::size_t n) {
        return std::ceil(text_width(ui, type::number(ui), Text(n, '0')));
    };
    const std::size_t digits = (frame.vector().element_bits + 3) / 4;
    BytesNeeds needs;
    needs.title_w = line_width(ui, title.look, title.text, title.places);
    needs.switches_w = side_switch_width(ui) + ui.px(10) +
                       index_switch_width(ui, head_switch(frame.run, frame.choice), width);
    needs.field_w = ui.px(kField);
    needs.address_w = chars(static_cast<std::size_t>(address.digits) + 2);
    needs.element_w = chars(digits);
    needs.dim = frame.vector().dim;
    needs.columns = {chars(3), chars(digits), chars(7), chars(4), chars(7), chars(7)};
    if (!why.empty()) needs.sentence_height = wrapped_height(ui, type::body(ui), 19, width, why);
    return needs;
}

void draw_empty(const Ui& ui, TextId why) {
    const std::array<std::string_view, 1> lines{ui.text[why]};
    message_centered(ui, "empty", {.title = ui.text["panel.bytes.empty"_t], .lines = lines});
}

}  // namespace

std::optional<std::uint32_t> hovered_in(std::span<const Rect> rects, const BytesFrame& frame,
                                        const Hit& hit) {
    if (!hit.hovered) return std::nullopt;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (std::uint32_t i = 0; i < rects.size(); ++i)
        if (frame.placed(rects[i]).contains({mouse.x, mouse.y})) return i;
    return std::nullopt;
}

void select_dim(const BytesFrame& frame, std::optional<std::uint32_t> dim) {
    if (dim && *dim != frame.choice.dim) frame.ui.out.push("select.dim", std::uint64_t{*dim});
}

void step_dim(const BytesFrame& frame, int by) {
    const auto dim = static_cast<int>(frame.choice.dim) + by;
    if (by != 0 && dim >= 0 && dim < static_cast<int>(frame.vector().dim))
        select_dim(frame, static_cast<std::uint32_t>(dim));
}

void draw_bytes(const Ui& ui, const RunView& run, RunFocus& focus, BytesUi& own) {
    const LookedAt at = look_at(run, focus);
    if (!at.block) return draw_empty(ui, "bytes.nothing"_t);
    const ImVec2 cursor = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const VectorChoice choice = chosen_vector(run, focus);
    BytesFrame frame{ui,     run,
                     focus,  at,
                     choice, stored_vector(run, *at.block, at.slot, choice),
                     {},     {std::floor(cursor.x), std::floor(cursor.y)}};
    const char* why = frame.stored.held == SlotBytes::Written     ? ""
                      : frame.stored.held == SlotBytes::Forgotten ? ui.text["bytes.forgotten"_t]
                      : frame.stored.held == SlotBytes::Apart     ? ui.text["bytes.apart"_t]
                                                                  : ui.text["bytes.not_written"_t];
    const BytesTitle title = bytes_title(ui, run, focus, at, choice.layer);
    const AddressPlan address = plan_address(run.layout, frame.vector_at(), ui.text);
    frame.plan = layout_bytes({room.x, room.y}, ui.unit,
                              needs_of(frame, title, address, why, std::floor(room.x)));
    draw_head(frame, title);
    if (frame.stored.held == SlotBytes::Written)
        draw_hex(frame, address);
    else
        wrapped_at(Painter(ui), type::body(ui), 19, frame.placed(frame.plan.sentence), why);
    const Rect top = frame.placed(frame.plan.title);
    const Rect below = frame.placed(frame.plan.lie);
    const float bottom =
        frame.plan.addresses.empty() ? below.y : frame.placed(frame.plan.addresses.back()).bottom();
    tell_part(ui, {PartKind::Vector}, {top.x, top.y, std::floor(room.x), bottom - top.y});
    draw_lie(frame, own, address);
    draw_field(frame, own);
    if (frame.stored.held == SlotBytes::Written) draw_preview(frame, own);
    ImGui::SetCursorScreenPos(cursor);
    ImGui::Dummy({std::max(1.0f, room.x), frame.plan.height});
}

}  // namespace kv
