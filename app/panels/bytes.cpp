#include "app/panels/bytes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/address_plan.hpp"
#include "app/panels/bytes_layout.hpp"
#include "app/panels/element_bits.hpp"
#include "app/panels/looked_at.hpp"
#include "app/panels/token_line.hpp"
#include "app/widgets/fields.hpp"
#include "app/widgets/message.hpp"
#include "core/base/text.hpp"
#include "core/base/units.hpp"

namespace kv {
namespace {

constexpr float kField = 100;  // logical pixels

struct Frame {
    const Ui& ui;
    const RunView& run;
    RunFocus& focus;
    LookedAt at;
    VectorChoice choice;
    StoredVector stored;
    BytesPlan plan;
    Vec2 origin;

    const Hue& hue() const { return choice.side == KvSide::K ? ui.colors.k : ui.colors.v; }
    KvFormat codec() const { return choice.side == KvSide::K ? run.k_codec : run.v_codec; }
    const KvVector& vector() const { return run.layout.vector(choice.side); }
    VectorAt vector_at() const {
        return {choice.layer, choice.side, choice.head, *at.block, at.slot};
    }
    Rect placed(Rect r) const { return {r.x + origin.x, r.y + origin.y, r.w, r.h}; }
    Element element(std::size_t i) const { return element_of(codec(), stored.bytes, i); }
};

// ---- title and switches ----------------------------------------------------------------------

struct Title {
    TextStyle words;
    std::string_view text;
    std::vector<LinePlace> places;
};
Title title_of(const Ui& ui, const RunView& run, const RunFocus& focus, const LookedAt& at,
               LayerId layer) {
    const TextStyle strong = sized(type::section(ui), 14);
    Title title{.words = sized(type::body(ui), 14),
                .text = ui.text["bytes.at.free"_t],
                .places = {{"block", strong, std::to_string(at.block->value)},
                           {"slot", sized(type::body(ui), 14), std::to_string(at.slot.value)},
                           {"layer", sized(type::body(ui), 14), std::to_string(layer.value)}}};
    std::optional<TokenAt> token = at.token;
    if (!token)
        for (const Holder& holder : holders_of(run.now, *at.block))
            if (!token || holder.request == focus.request)
                token = TokenAt{holder.request,
                                holder.entry * run.now.block_size + at.slot.value};
    const std::string word = token ? word_at(run, *token) : std::string();
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

void draw_head(const Frame& frame, const Title& title) {
    const Ui& ui = frame.ui;
    draw_line(Painter(ui), frame.placed(frame.plan.title), title.words, title.text, title.places);
    const Rect r = frame.placed(frame.plan.switches);
    draw_side_switch(ui, frame.choice.side == KvSide::K, r.min());
    const float x = r.x + side_switch_width(ui) + ui.px(10);
    draw_index_switch(ui, head_switch(frame.run, frame.choice), {x, r.y, r.right() - x, r.h});
}

// ---- the bytes -------------------------------------------------------------------------------

// Two digits a byte, in the order of the addresses.
std::string bytes_of_element(std::span<const unsigned char> bytes) {
    std::string text;
    for (const unsigned char byte : bytes) text += hex_code(byte, 8);
    return text;
}

std::optional<std::uint32_t> hovered_in(const std::vector<Rect>& rects, const Frame& frame,
                                        const Hit& hit) {
    if (!hit.hovered) return std::nullopt;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (std::uint32_t i = 0; i < rects.size(); ++i)
        if (frame.placed(rects[i]).contains({mouse.x, mouse.y})) return i;
    return std::nullopt;
}

void select_dim(const Frame& frame, std::optional<std::uint32_t> dim) {
    if (dim && *dim != frame.choice.dim) frame.ui.out.push("select.dim", std::uint64_t{*dim});
}

void step_dim(const Frame& frame, int by) {
    const auto dim = static_cast<int>(frame.choice.dim) + by;
    if (by != 0 && dim >= 0 && dim < static_cast<int>(frame.vector().dim))
        select_dim(frame, static_cast<std::uint32_t>(dim));
}

void draw_hex(const Frame& frame, const AddressPlan& address) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const BytesPlan& plan = frame.plan;
    const std::size_t size = frame.vector().element_bits / 8;
    const Rect first = frame.placed(plan.addresses.front());
    ImGui::SetCursorScreenPos(im(first.min()));
    const Hit hit = hit_item("hex", {frame.plan.preview.w,
                                     frame.placed(plan.addresses.back()).bottom() - first.y});
    const auto hovered = hovered_in(plan.elements, frame, hit);
    std::size_t row = 0;
    for (std::uint32_t i = 0; i < plan.elements.size(); ++i) {
        const Rect r = frame.placed(plan.elements[i]);
        if (i == 0 || plan.elements[i].y != plan.elements[i - 1].y)
            text_in(p, colored(type::number(ui), ui.colors.text3),
                    frame.placed(plan.addresses[row++]),
                    hex_address(address.address + i * size, address.digits));
        if (i == frame.choice.dim) fill(p, r.inset(-ui.px(2)), ui.colors.pressed_wash(), 2);
        if (hovered == i) outline(p, r.inset(-ui.px(2)), ui.colors.text, 2);
        text_in(p, aligned(colored(type::number(ui), frame.hue().ink), Align::Center), r,
                bytes_of_element(frame.stored.bytes.subspan(i * size, size)));
    }
    if (hit.pressed) select_dim(frame, hovered);
    if (!hit.focused) return;
    focus_ring(p, hit.rect, 2);
    const auto per_row = static_cast<int>(
        (plan.elements.size() + plan.addresses.size() - 1) / plan.addresses.size());
    const Arrows arrows = keep_arrows("hex");
    step_dim(frame, arrows.right + arrows.down * per_row);
}

// How the vector lies in sectors, or the broken rule of an address that was typed.
void draw_lie(const Frame& frame, const BytesUi& own, const AddressPlan& address) {
    const Ui& ui = frame.ui;
    const Rect r = frame.placed(frame.plan.lie);
    const SectorRead read = sectors_of(frame.run.layout, frame.vector_at(), 1);
    const char* words =
        read.sectors == 1 ? ui.text["bytes.lie.one"_t] : ui.text["bytes.lie.many"_t];
    const std::string end = hex_address(frame.run.layout.pool_bytes(), address.digits);
    const std::string sentence =
        own.address_refused
            ? fill(ui.text["bytes.find.refused"_t], {{"end", end}})
            : fill(words, {{"n", with_commas(read.sectors)},
                           {"size", bytes_exact(kSectorBytes)},
                           {"stride", bytes_exact(frame.run.layout.slot_stride(
                                          frame.choice.side))}});
    const TextStyle style =
        colored(type::caption(ui), own.address_refused ? ui.colors.loss.ink : ui.colors.text3);
    if (frame.plan.sentence.h > 0 && !own.address_refused) return;
    if (text_width(ui, style, sentence) <= r.w)
        text_in(Painter(ui), style, r, sentence);
    else
        wrapped_at(Painter(ui), style, 15, r, sentence);
}

void draw_field(const Frame& frame, BytesUi& own) {
    const Ui& ui = frame.ui;
    const Rect r = frame.placed(frame.plan.field);
    ImGui::SetCursorScreenPos(im(r.min()));
    const auto typed = text_field(ui, "address", "",
                                  {.wrong = own.address_refused,
                                   .width = r.w,
                                   .hint = ui.text["bytes.find"_t]});
    if (!typed) return;
    own.address_refused =
        !typed->empty() && !read_address(*typed, frame.run.layout.pool_bytes());
    if (!typed->empty() && !own.address_refused) ui.out.push("select.address", *typed);
}

// ---- the preview -----------------------------------------------------------------------------

TextStyle cell_style(const Ui& ui, Color color) {
    return aligned(colored(type::number(ui), color), Align::Right);
}

std::string code_text(const PreviewElement& element, PreviewCodec codec) {
    return codec == PreviewCodec::Fp8
               ? hex_code(static_cast<std::uint32_t>(element.code), 8)
               : std::to_string(element.code);
}

void draw_table_head(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Rect r = frame.placed(frame.plan.head);
    const std::array<std::string_view, 6> names{
        ui.text["bytes.column.dim"_t],   format_label(frame.codec()),
        ui.text["bytes.column.value"_t], ui.text["bytes.column.code"_t],
        ui.text["bytes.column.back"_t],  ui.text["bytes.column.error"_t]};
    for (std::size_t i = 0; i < names.size(); ++i)
        text_in(p, aligned(type::caption(ui), Align::Right),
                {frame.origin.x + frame.plan.rights[i], r.y, 0, r.h}, names[i]);
    hline(p, r.x, r.right(), r.bottom(), ui.colors.line);
}

void draw_row(const Frame& frame, std::uint32_t i, const PreviewElement& shown, PreviewCodec codec,
              bool hovered) {
    const Ui& ui = frame.ui;
    const Palette& c = ui.colors;
    const Painter p(ui);
    const Rect r = frame.placed(frame.plan.rows[i]);
    if (i == frame.choice.dim || hovered)
        fill(p, {r.x - ui.px(4), r.y, r.w + 2 * ui.px(4), r.h},
             i == frame.choice.dim ? c.pressed_wash() : c.hover_wash(), 2);
    const Element element = frame.element(i);
    const std::array<std::pair<std::string, Color>, 6> cells{{
        {std::to_string(i), c.text3},
        {hex_code(element.code, frame.vector().element_bits), frame.hue().ink},
        {value_text(element.value, 4, 7), c.text},
        {code_text(shown, codec), frame.hue().ink},
        {value_text(shown.back, 4, 7), c.text2},
        {value_text(shown.error, 4, 7), c.text3},
    }};
    for (std::size_t k = 0; k < cells.size(); ++k)
        text_in(p, cell_style(ui, cells[k].second),
                {frame.origin.x + frame.plan.rights[k], r.y, 0, r.h}, cells[k].first);
}

void draw_table(const Frame& frame, const ValuePreview& preview, PreviewCodec codec) {
    draw_table_head(frame);
    const Rect first = frame.placed(frame.plan.rows.front()),
               last = frame.placed(frame.plan.rows.back());
    ImGui::SetCursorScreenPos(im(first.min()));
    const Hit hit = hit_item("table", {first.w, last.bottom() - first.y});
    const auto hovered = hovered_in(frame.plan.rows, frame, hit);
    for (std::uint32_t i = 0; i < frame.plan.rows.size(); ++i) {
        const Rect r = frame.placed(frame.plan.rows[i]);
        if (ImGui::IsRectVisible(im(r.min()), im(r.max())))
            draw_row(frame, i, preview.elements[i], codec, hovered == i);
    }
    if (hit.pressed) select_dim(frame, hovered);
    if (!hit.focused) return;
    focus_ring(Painter(frame.ui), hit.rect, 2);
    step_dim(frame, keep_arrows("table").down);
}

void draw_preview_switch(const Frame& frame, BytesUi& own) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Rect r = frame.placed(frame.plan.preview);
    const std::string_view label = ui.text["bytes.preview"_t];
    const float label_w = std::ceil(text_width(ui, type::body(ui), label)) + ui.px(12);
    text_in(p, type::body(ui), {r.x, r.y, label_w, r.h}, label);
    ImGui::SetCursorScreenPos({r.x + label_w, r.y});
    if (const auto next = segmented(ui, "preview", kPreviewNames,
                                    static_cast<std::size_t>(own.preview), {}))
        own.preview = static_cast<PreviewCodec>(*next);
    const float x = r.x + label_w + segmented_width(ui, kPreviewNames) + ui.px(10);
    text_in(p, aligned(type::caption(ui), Align::Right),
            {x, r.y, std::max(1.0f, r.right() - x), r.h},
            ui.text["bytes.preview.not_stored"_t]);
}

void draw_foot(const Frame& frame, const ValuePreview& preview, PreviewCodec codec) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const bool is_fp8 = codec == PreviewCodec::Fp8;
    const TextStyle words = type::body(ui), number = type::number(ui),
                    strong = sized(type::number_strong(ui), 13);
    hline(p, frame.origin.x, frame.origin.x + frame.plan.preview.w,
          frame.origin.y + frame.plan.foot_rule, ui.colors.line);
    const std::array scale{
        LinePlace{"scale", strong, is_fp8 ? "1" : value_text(preview.scale, 6, 9)},
        LinePlace{"code", number, "0x" + hex_code(preview.scale_code, 16)},
        LinePlace{"max", number, value_text(preview.largest, 4, 9)}};
    draw_line(p, frame.placed(frame.plan.foot[0]), words,
              ui.text[is_fp8 ? "bytes.scale.tensor"_t : "bytes.scale"_t], scale);
    const auto bytes = [](std::uint64_t n) { return bytes_exact(n); };
    const std::array becomes{
        LinePlace{"from", words, bytes(frame.vector().bytes)},
        LinePlace{"codes", strong, with_commas(preview.code_bytes)},
        LinePlace{"scales", strong, with_commas(preview.scale_bytes)},
        LinePlace{"to", strong, bytes(preview.code_bytes + preview.scale_bytes)}};
    const Rect r = frame.placed(frame.plan.foot[1]);
    const float w = draw_line(
        p, r, words, ui.text[is_fp8 ? "bytes.becomes.plain"_t : "bytes.becomes"_t], becomes);
    const std::array rms{LinePlace{"rms", number, value_text(preview.rms_error, 5, 9)}};
    const float x = r.x + w + ui.px(16);
    draw_line(p, {x, r.y, std::max(1.0f, r.right() - x), r.h}, words, ui.text["bytes.rms"_t], rms);
}

void draw_preview(const Frame& frame, BytesUi& own) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImGui::PushClipRect(at, {at.x + size.x, at.y + size.y}, false);
    hline(Painter(frame.ui), std::floor(at.x), std::floor(at.x + size.x),
          frame.origin.y + frame.plan.divider, frame.ui.colors.line);
    ImGui::PopClipRect();
    draw_preview_switch(frame, own);
    std::vector<float> values(frame.vector().dim);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = frame.element(i).value;
    const ValuePreview preview = preview_values(values, own.preview);
    draw_table(frame, preview, own.preview);
    draw_foot(frame, preview, own.preview);
}

// ---- the whole -------------------------------------------------------------------------------

BytesNeeds needs_of(const Frame& frame, const Title& title, const AddressPlan& address,
                    std::string_view why, float width) {
    const Ui& ui = frame.ui;
    const auto chars = [&](std::size_t n) {
        return std::ceil(text_width(ui, type::number(ui), std::string(n, '0')));
    };
    const std::size_t digits = frame.vector().element_bits / 4;
    BytesNeeds needs;
    needs.title_w = line_width(ui, title.words, title.text, title.places);
    needs.switches_w = side_switch_width(ui) + ui.px(10) +
                       index_switch_width(ui, head_switch(frame.run, frame.choice), width);
    needs.field_w = ui.px(kField);
    needs.address_w = chars(static_cast<std::size_t>(address.digits) + 2);
    needs.element_w = chars(digits);
    needs.dim = frame.vector().dim;
    needs.columns = {chars(3), chars(digits), chars(7), chars(4), chars(7), chars(7)};
    if (!why.empty())
        needs.sentence_height = wrapped_height(ui, type::body(ui), 19, width, why);
    return needs;
}

void draw_empty(const Ui& ui, TextId why) {
    const std::array<std::string_view, 1> lines{ui.text[why]};
    message_centered(ui, "empty", {.title = ui.text["panel.bytes.empty"_t], .lines = lines});
}

}  // namespace

void draw_bytes(const Ui& ui, const RunView& run, RunFocus& focus, BytesUi& own) {
    const LookedAt at = look_at(run, focus);
    if (!at.block) return draw_empty(ui, "bytes.nothing"_t);
    const ImVec2 cursor = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const VectorChoice choice = chosen_vector(run, focus);
    Frame frame{ui, run, focus, at, choice, stored_vector(run, *at.block, at.slot, choice), {},
                {std::floor(cursor.x), std::floor(cursor.y)}};
    const char* why = frame.stored.held == Held::Written     ? ""
                      : frame.stored.held == Held::Forgotten ? ui.text["bytes.forgotten"_t]
                                                             : ui.text["bytes.not_written"_t];
    const Title title = title_of(ui, run, focus, at, choice.layer);
    const AddressPlan address = plan_address(run.layout, frame.vector_at(), ui.text);
    frame.plan = layout_bytes({room.x, room.y}, ui.unit,
                              needs_of(frame, title, address, why, std::floor(room.x)));
    draw_head(frame, title);
    if (frame.stored.held == Held::Written)
        draw_hex(frame, address);
    else
        wrapped_at(Painter(ui), type::body(ui), 19, frame.placed(frame.plan.sentence), why);
    draw_lie(frame, own, address);
    draw_field(frame, own);
    if (frame.stored.held == Held::Written) draw_preview(frame, own);
    ImGui::SetCursorScreenPos(cursor);
    ImGui::Dummy({std::max(1.0f, room.x), frame.plan.height});
}

}  // namespace kv
