#include "app/panels/token/attention/attention.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/token/attention/parts.hpp"
#include "app/panels/view/token_line.hpp"
#include "app/shell/drawn_parts.hpp"
#include "app/widgets/message.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::size_t kBars = 4;  // and one for the others

// ---- title -----------------------------------------------------------------------------------

struct AttentionTitle {
    TokenLineLook look;
    std::array<LinePlace, 3> places;
};
AttentionTitle attention_title(const Ui& ui, const RunView& run, const AttentionPicture& picture) {
    const TextStyle strong = sized(type::section(ui), 14);
    return {{sized(type::body(ui), 14)},
            {LinePlace{"n", strong, std::to_string(picture.position)},
             LinePlace{"word", strong, word_at(run, {picture.request, picture.position})},
             LinePlace{"tag", {}, "", tag_of(run.now, picture.request)}}};
}

IndexSwitch layer_switch(const Ui& ui, const AttentionPicture& picture, std::uint32_t layer) {
    return {.id = "layer",
            .label = ui.text["bytes.layer"_t],
            .command = "select.layer",
            .count = picture.n_layers,
            .chosen = layer};
}

// ---- the legend ------------------------------------------------------------------------------

// The scale at the left; returns where it ends.
float draw_scale(const AttentionFrame& frame, const Rect& r) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const TextStyle words = type::caption(ui), number = type::tick_label(ui);
    const std::string_view label = ui.text["attention.weight"_t];
    float x = r.x;
    const auto put = [&](const TextStyle& style, std::string_view text, float after) {
        text_in(p, style, {x, r.y, 0, r.h}, text);
        x += std::ceil(text_width(ui, style, text)) + ui.px(after);
    };
    put(words, label, 14);
    put(number, "0", 6);
    const float h = ui.px(10), w = ui.px(64), y = std::floor(r.center().y - h / 2);
    for (float i = 0; i < w; ++i)
        fill(p, {x + i, y, 1, h}, ramp_color(ui.colors, ramp_position(i / (w - 1))));
    if (ui.colors.is_light()) outline(p, {x, y, w, h}, ui.colors.edge);
    x += w + ui.px(6);
    put(number, "1", 12);
    return x;
}

void draw_legend(const AttentionFrame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Rect r = frame.placed(frame.plan.legend);
    const float from = draw_scale(frame, r);
    const std::string_view scale =
        ui.text[is_pooled(frame.plan.columns) ? "attention.pooled"_t : "attention.scale"_t];
    const float scale_w =
        std::min(std::ceil(text_width(ui, type::caption(ui), scale)), r.right() - from);
    if (scale_w > ui.px(16))
        text_in(p, aligned(type::caption(ui), Align::Right),
                {r.right() - scale_w, r.y, scale_w, r.h}, scale);
    const auto selected = frame.selected();
    if (!selected) return;
    const Text name = frame.token_name(*selected);
    const float w = std::ceil(text_width(ui, type::strong(ui), name));
    const float end = r.right() - scale_w - ui.px(12);
    if (w > end - from) return;
    const PixelSpan& column = frame.plan.columns[*span_of(frame.plan.columns, *selected)];
    const float x = frame.origin.x + column.x + (column.w - w) / 2;
    text_in(p, type::strong(ui), {std::floor(std::clamp(x, from, end - w)), r.y, w, r.h}, name);
}

// ---- the largest weights ---------------------------------------------------------------------

void draw_bar(const AttentionFrame& frame, const Rect& r, std::string_view label, double weight,
              Color color, bool strong) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const float label_w = std::floor(std::min(ui.px(96), r.w / 3)), gap = ui.px(8);
    const float x = r.x + label_w + gap;
    const TextStyle number = type::number(ui);
    const float full = r.right() - x - gap - std::ceil(text_width(ui, number, "0.000"));
    TextStyle style = strong ? type::strong(ui) : sized(type::body(ui), 12);
    text_in(p, aligned(style, Align::Right), {r.x, r.y, label_w, r.h}, label);
    const float w = std::max(
        1.0f, std::round(static_cast<float>(std::clamp(weight, 0.0, 1.0)) * std::max(1.0f, full)));
    const Rect bar{x, r.y + ui.px(2), w, r.h - 2 * ui.px(2) - ui.px(1)};
    fill(p, bar, color);
    if (contrast(color, ui.colors.panel) < 1.5) outline(p, bar, ui.colors.text3);
    text_in(p, strong ? number : colored(number, ui.colors.text2), {bar.right() + gap, r.y, 0, r.h},
            fixed(weight, 3));
}

void point_at_bar(const AttentionFrame& frame, const Rect& r, std::uint32_t position) {
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(im(r.min()), im(r.max()))) return;
    frame.focus.next_pointed.token = TokenAt{frame.picture.request, position};
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) select_attention(frame, frame.head, position);
}

void draw_bars(const AttentionFrame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const TextStyle strong = type::section(ui), quiet = sized(type::caption(ui), 13);
    const std::array places{LinePlace{"head", strong, frame.head_name(frame.head) + " "},
                            LinePlace{"sum", quiet, fixed(frame.top.sum, 3)}};
    draw_line(p, frame.placed(frame.plan.head),
              {.words = quiet, .lead = strong, .lead_end = "head"}, ui.text["attention.sum"_t],
              places);
    for (std::size_t i = 0; i < frame.top.largest.size(); ++i) {
        const TopWeights::One& one = frame.top.largest[i];
        const Rect bar = frame.placed(frame.plan.bars[i]);
        draw_bar(frame, bar, frame.token_name(one.position), one.weight,
                 ramp_color(ui.colors, ramp_position(one.weight)), i == 0);
        point_at_bar(frame, bar, one.position);
    }
    if (frame.top.n_others == 0) return;
    const Text others = frame.top.n_others == 1 ? ui.text["attention.other"_t]
                                                : fill(ui.text["attention.others"_t],
                                                       {{"n", with_commas(frame.top.n_others)}});
    draw_bar(frame, frame.placed(frame.plan.bars.back()), others, frame.top.others,
             mix(ui.colors.panel, ui.colors.text, 0.25), false);
}

// ---- the whole -------------------------------------------------------------------------------

void divide_parts(const Ui& ui, float y) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImGui::PushClipRect(at, {at.x + size.x, at.y + size.y}, false);
    hline(Painter(ui), std::floor(at.x), std::floor(at.x + size.x), y, ui.colors.line);
    ImGui::PopClipRect();
}

void draw_none(const Ui& ui, const RunView& run, const RunFocus& focus) {
    const Text why = query_position(run.now, focus.request) == 0u
                         ? Text(ui.text["attention.first"_t])
                         : fill(ui.text["attention.none"_t],
                                {{"request", name_of_request(run.now, focus.request)}});
    const std::array<std::string_view, 1> lines{why};
    message_centered(ui, "empty", {.title = ui.text["panel.attention.empty"_t], .lines = lines});
}

void tell_parts(const AttentionFrame& frame, float width) {
    const PixelSpan& row = frame.plan.rows[frame.head];
    const Rect heat = frame.placed(frame.plan.heat), first = frame.placed(frame.plan.head);
    const float bottom = frame.placed(frame.plan.bars.back()).bottom();
    tell_part(frame.ui, {PartKind::AttentionRow, frame.head},
              {heat.x, frame.origin.y + row.x, heat.w, row.w});
    tell_part(frame.ui, {PartKind::AttentionBars, frame.head},
              {first.x, first.y, width, bottom - first.y});
}

bool is_drawable(const AttentionPicture* picture) {
    return picture != nullptr && picture->n_layers > 0 && picture->n_heads > 0 &&
           picture->weights.size() ==
               std::size_t{picture->n_layers} * picture->n_heads * picture->n_keys();
}

}  // namespace

void draw_attention(const Ui& ui, const RunView& run, RunFocus& focus) {
    if (!is_drawable(run.attention)) return draw_none(ui, run, focus);
    const AttentionPicture& picture = *run.attention;
    const std::uint32_t layer = std::min(focus.layer, picture.n_layers - 1),
                        head = std::min(focus.query_head, picture.n_heads - 1);
    AttentionFrame frame{ui,
                         run,
                         focus,
                         picture,
                         layer,
                         head,
                         std::clamp(run.layout.n_kv_heads, 1u, picture.n_heads),
                         top_weights(picture.of(layer, head), kBars),
                         {},
                         {}};
    const ImVec2 cursor = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    frame.origin = {std::floor(cursor.x), std::floor(cursor.y)};
    const AttentionTitle title = attention_title(ui, run, picture);
    const IndexSwitch layers = layer_switch(ui, picture, layer);
    const std::string_view words = ui.text["attention.query"_t];
    frame.plan =
        layout_attention({room.x, room.y}, ui.unit,
                         {.n_heads = picture.n_heads,
                          .n_kv_heads = frame.n_kv_heads,
                          .n_keys = picture.n_keys(),
                          .block_size = run.now.block_size,
                          .layer_w = index_switch_width(ui, layers, std::floor(room.x)),
                          .title_w = line_width(ui, title.look, words, title.places),
                          .n_bars = frame.top.largest.size() + (frame.top.n_others > 0 ? 1 : 0)});
    draw_line(Painter(ui), frame.placed(frame.plan.title), title.look, words, title.places);
    draw_index_switch(ui, layers, frame.placed(frame.plan.layer));
    if (focus.pointed.factor == BillFactor::Layers)
        outline(Painter(ui), frame.placed(frame.plan.layer).inset(-ui.px(3)), ui.colors.text, 4);
    draw_attention_map(frame);
    draw_legend(frame);
    divide_parts(ui, frame.origin.y + frame.plan.divider);
    draw_bars(frame);
    tell_parts(frame, std::floor(room.x));
    ImGui::SetCursorScreenPos(cursor);
    ImGui::Dummy({std::max(1.0f, room.x), frame.plan.height});
}

}  // namespace kv
