// What the vector would become in a smaller format, element by element.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/token/bytes/parts.hpp"
#include "app/panels/view/token_line.hpp"
#include "app/widgets/controls.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

TextStyle cell_style(const Ui& ui, Color color) {
    return aligned(colored(type::number(ui), color), Align::Right);
}

std::string code_text(const PreviewElement& element, PreviewCodec codec) {
    return codec == PreviewCodec::Fp8 ? hex_code(static_cast<std::uint32_t>(element.code), 8)
                                      : std::to_string(element.code);
}

void draw_table_head(const BytesFrame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Rect r = frame.placed(frame.plan.head);
    const std::string label = format_label(frame.codec());
    const std::array<std::string_view, 6> names{
        ui.text["bytes.column.dim"_t],   label,
        ui.text["bytes.column.value"_t], ui.text["bytes.column.code"_t],
        ui.text["bytes.column.back"_t],  ui.text["bytes.column.error"_t]};
    for (std::size_t i = 0; i < names.size(); ++i)
        text_in(p, aligned(type::caption(ui), Align::Right),
                {frame.origin.x + frame.plan.rights[i], r.y, 0, r.h}, names[i]);
    hline(p, r.x, r.right(), r.bottom(), ui.colors.line);
}

void draw_row(const BytesFrame& frame, std::uint32_t i, const PreviewElement& shown,
              PreviewCodec codec, bool hovered) {
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

void draw_table(const BytesFrame& frame, const ValuePreview& preview, PreviewCodec codec) {
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

void draw_preview_switch(const BytesFrame& frame, BytesUi& own) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Rect r = frame.placed(frame.plan.preview);
    const std::string_view label = ui.text["bytes.preview"_t];
    const float label_w = std::ceil(text_width(ui, type::body(ui), label)) + ui.px(12);
    text_in(p, type::body(ui), {r.x, r.y, label_w, r.h}, label);
    ImGui::SetCursorScreenPos({r.x + label_w, r.y});
    if (const auto next =
            segmented(ui, "preview", kPreviewNames, static_cast<std::size_t>(own.preview), {}))
        own.preview = static_cast<PreviewCodec>(*next);
    const float x = r.x + label_w + segmented_width(ui, kPreviewNames) + ui.px(10);
    const std::string_view quiet = ui.text["bytes.preview.not_stored"_t];
    if (text_width(ui, type::caption(ui), quiet) <= r.right() - x)
        text_in(p, aligned(type::caption(ui), Align::Right), {x, r.y, r.right() - x, r.h}, quiet);
}

void draw_foot(const BytesFrame& frame, const ValuePreview& preview, PreviewCodec codec) {
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
    draw_line(p, frame.placed(frame.plan.foot[0]), {words},
              ui.text[is_fp8 ? "bytes.scale.tensor"_t : "bytes.scale"_t], scale);
    const auto bytes = [](std::uint64_t n) { return bytes_exact(n); };
    const std::array becomes{
        LinePlace{"from", words, bytes(frame.vector().bytes)},
        LinePlace{"codes", strong, with_commas(preview.code_bytes)},
        LinePlace{"scales", strong, with_commas(preview.scale_bytes)},
        LinePlace{"to", strong, bytes(preview.code_bytes + preview.scale_bytes)}};
    const Rect r = frame.placed(frame.plan.foot[1]);
    const float w = draw_line(
        p, r, {words}, ui.text[is_fp8 ? "bytes.becomes.plain"_t : "bytes.becomes"_t], becomes);
    const std::array rms{LinePlace{"rms", number, value_text(preview.rms_error, 5, 9)}};
    const float x = r.x + w + ui.px(16);
    draw_line(p, {x, r.y, std::max(1.0f, r.right() - x), r.h}, {words}, ui.text["bytes.rms"_t],
              rms);
}

}  // namespace

void draw_preview(const BytesFrame& frame, BytesUi& own) {
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

}  // namespace kv
