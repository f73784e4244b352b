#include "app/panels/attention.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/attention_plan.hpp"
#include "app/panels/looked_at.hpp"
#include "app/panels/token_line.hpp"
#include "app/widgets/hit.hpp"
#include "app/widgets/message.hpp"
#include "core/base/text.hpp"

namespace kv {
namespace {

constexpr std::size_t kBars = 4;  // and one for the others

struct Frame {
    const Ui& ui;
    const RunView& run;
    RunFocus& focus;
    const AttentionPicture& picture;
    std::uint32_t layer, head, n_kv_heads;
    TopWeights top;
    AttentionPlan plan;
    Vec2 origin;

    Rect placed(Rect r) const { return {r.x + origin.x, r.y + origin.y, r.w, r.h}; }
    std::span<const float> weights(std::uint32_t of_head) const {
        return picture.of(layer, of_head);
    }
    std::span<const float> layer_weights() const {
        return std::span(picture.weights)
            .subspan(std::size_t{layer} * picture.n_heads * picture.n_keys(),
                     std::size_t{picture.n_heads} * picture.n_keys());
    }
    std::string head_name(std::uint32_t of_head) const {
        return fill(ui.text["attention.head"_t], {{"n", std::to_string(of_head)}});
    }
    std::string token_name(std::uint32_t position) const {
        return fill(ui.text["attention.selected"_t],
                    {{"n", std::to_string(position)},
                     {"word", word_at(run, {picture.request, position})}});
    }
    // Selected in this very request, and one of the tokens that are looked at.
    std::optional<std::uint32_t> selected() const {
        if (focus.request != picture.request || !focus.token) return std::nullopt;
        if (*focus.token >= picture.n_keys()) return std::nullopt;
        return focus.token;
    }
    bool is_hole(std::uint32_t position) const;
};

// A token that was given up: its entry of the table is empty although the request holds others.
bool Frame::is_hole(std::uint32_t position) const {
    const Table* table = table_of(run.now, picture.request);
    if (table == nullptr || run.now.requests[picture.request.index()].swapped) return false;
    const std::uint32_t entry = position / std::max(1u, run.now.block_size);
    return entry < table->size() && !(*table)[entry];
}

// ---- title -----------------------------------------------------------------------------------

struct Title {
    TextStyle words;
    std::array<LinePlace, 3> places;
};
Title title_of(const Ui& ui, const RunView& run, const AttentionPicture& picture) {
    const TextStyle strong = sized(type::section(ui), 14);
    return {sized(type::body(ui), 14),
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

// ---- the map ---------------------------------------------------------------------------------

void draw_blocks(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Table* table = table_of(frame.run.now, frame.picture.request);
    const Rect marks = frame.placed(frame.plan.marks);
    const auto selected = frame.selected();
    for (const AttentionPlan::Block& block : frame.plan.blocks) {
        const float x = block.x + frame.origin.x;
        const bool chosen =
            selected && *selected / std::max(1u, frame.run.now.block_size) == block.entry;
        if (block.w >= 3)
            hline(p, x, x + block.w, marks.bottom() - ui.line(),
                  chosen ? ui.colors.text : ui.colors.edge);
        const bool held = table != nullptr && block.entry < table->size() && (*table)[block.entry];
        const std::string id = held ? std::to_string((*table)[block.entry]->value) : "–";
        const std::string whole = held ? fill(ui.text["attention.block"_t], {{"n", id}})
                                       : std::string(ui.text["attention.no_block"_t]);
        TextStyle style = aligned(sized(type::tick_label(ui), 11), Align::Center);
        if (chosen) style = colored(style, ui.colors.text);
        const Rect r{x, marks.y - ui.px(2), block.w, marks.h - ui.px(2)};
        if (text_width(ui, style, whole) <= r.w)
            text_in(p, style, r, whole);
        else if (text_width(ui, style, id) + ui.px(2) <= r.w)
            text_in(p, style, r, id);
    }
}

void draw_cells(const Frame& frame) {
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

void draw_row_names(const Frame& frame) {
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
void draw_group(const Frame& frame, std::uint32_t kv_head, const AttentionPlan::Group& group) {
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

void draw_selection(const Frame& frame) {
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

void explain(const Frame& frame, const AttentionCell& cell) {
    if (!ImGui::BeginTooltip()) return;
    const std::string text =
        fill(frame.ui.text["attention.tip"_t],
             {{"head", frame.head_name(cell.head)},
              {"n", std::to_string(cell.position)},
              {"word", word_at(frame.run, {frame.picture.request, cell.position})},
              {"weight", fixed(frame.weights(cell.head)[cell.position], 3)}});
    ImGui::TextUnformatted(text.c_str());
    ImGui::EndTooltip();
}

void select(const Frame& frame, std::uint32_t head, std::uint32_t position) {
    CommandSink& out = frame.ui.out;
    if (head != frame.focus.query_head) out.push("select.query_head", std::uint64_t{head});
    if (frame.focus.request != frame.picture.request)
        out.push("focus.request", name_of_request(frame.run.now, frame.picture.request));
    if (frame.selected() != position || frame.focus.block)
        out.push("select.token", std::uint64_t{position});
}

void move(const Frame& frame) {
    const Arrows arrows = keep_arrows("map");
    if (!arrows) return;
    const auto step = [](std::uint32_t from, int by, std::uint32_t count) {
        return static_cast<std::uint32_t>(
            std::clamp(static_cast<int>(from) + by, 0, static_cast<int>(count) - 1));
    };
    select(frame, step(frame.head, arrows.down, frame.picture.n_heads),
           step(frame.selected().value_or(frame.picture.position), arrows.right,
                frame.picture.n_keys()));
}

void draw_map(const Frame& frame) {
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
            if (hit.pressed) select(frame, cell->head, cell->position);
        }
    }
    if (!hit.focused) return;
    focus_ring(Painter(frame.ui), hit.rect.inset(-frame.ui.px(4)), 2);
    move(frame);
}

// ---- the legend ------------------------------------------------------------------------------

// The scale at the left; returns where it ends.
float draw_scale(const Frame& frame, const Rect& r) {
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

void draw_legend(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Rect r = frame.placed(frame.plan.legend);
    const float from = draw_scale(frame, r);
    const std::string_view scale = ui.text[is_pooled(frame.plan.columns) ? "attention.pooled"_t
                                                                         : "attention.scale"_t];
    const float scale_w =
        std::min(std::ceil(text_width(ui, type::caption(ui), scale)), r.right() - from);
    if (scale_w > ui.px(16))
        text_in(p, aligned(type::caption(ui), Align::Right),
                {r.right() - scale_w, r.y, scale_w, r.h}, scale);
    const auto selected = frame.selected();
    if (!selected) return;
    const std::string name = frame.token_name(*selected);
    const float w = std::ceil(text_width(ui, type::strong(ui), name));
    const float end = r.right() - scale_w - ui.px(12);
    if (w > end - from) return;
    const PixelSpan& column = frame.plan.columns[*span_of(frame.plan.columns, *selected)];
    const float x = frame.origin.x + column.x + (column.w - w) / 2;
    text_in(p, type::strong(ui), {std::floor(std::clamp(x, from, end - w)), r.y, w, r.h}, name);
}

// ---- the largest weights ---------------------------------------------------------------------

void draw_bar(const Frame& frame, const Rect& r, std::string_view label, double weight, Color color,
              bool strong) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const float label_w = std::floor(std::min(ui.px(96), r.w / 3)), gap = ui.px(8);
    const float x = r.x + label_w + gap;
    const TextStyle number = type::number(ui);
    const float full = r.right() - x - gap - std::ceil(text_width(ui, number, "0.000"));
    TextStyle style = strong ? type::strong(ui) : sized(type::body(ui), 12);
    text_in(p, aligned(style, Align::Right), {r.x, r.y, label_w, r.h}, label);
    const float w = std::max(1.0f, std::round(static_cast<float>(std::clamp(weight, 0.0, 1.0)) *
                                              std::max(1.0f, full)));
    const Rect bar{x, r.y + ui.px(2), w, r.h - 2 * ui.px(2) - ui.px(1)};
    fill(p, bar, color);
    if (contrast(color, ui.colors.panel) < 1.5) outline(p, bar, ui.colors.text3);
    text_in(p, strong ? number : colored(number, ui.colors.text2), {bar.right() + gap, r.y, 0, r.h},
            fixed(weight, 3));
}

void point_at_bar(const Frame& frame, const Rect& r, std::uint32_t position) {
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(im(r.min()), im(r.max()))) return;
    frame.focus.next_pointed.token = TokenAt{frame.picture.request, position};
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) select(frame, frame.head, position);
}

void draw_bars(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const TextStyle strong = type::section(ui), quiet = sized(type::caption(ui), 13);
    // The name of the head stands out, what is said of it does not.
    const std::array places{LinePlace{"head", strong, frame.head_name(frame.head)},
                            LinePlace{"sum", quiet, fixed(frame.top.sum, 3)}};
    const std::string_view text = ui.text["attention.sum"_t];
    const std::size_t end = text.find("{head}");
    const std::size_t cut = end == std::string_view::npos ? 0 : end + 6;
    const Rect r = frame.placed(frame.plan.head);
    const float w = draw_line(p, r, strong, text.substr(0, cut), places) + ui.px(3);
    draw_line(p, {r.x + w, r.y, std::max(1.0f, r.w - w), r.h}, quiet, text.substr(cut), places);
    for (std::size_t i = 0; i < frame.top.largest.size(); ++i) {
        const TopWeights::One& one = frame.top.largest[i];
        const Rect bar = frame.placed(frame.plan.bars[i]);
        draw_bar(frame, bar, frame.token_name(one.position), one.weight,
                 ramp_color(ui.colors, ramp_position(one.weight)), i == 0);
        point_at_bar(frame, bar, one.position);
    }
    if (frame.top.n_others == 0) return;
    const std::string others =
        frame.top.n_others == 1
            ? ui.text["attention.other"_t]
            : fill(ui.text["attention.others"_t], {{"n", with_commas(frame.top.n_others)}});
    draw_bar(frame, frame.placed(frame.plan.bars.back()), others, frame.top.others,
             mix(ui.colors.panel, ui.colors.text, 0.25), false);
}

// ---- the whole -------------------------------------------------------------------------------

void divide(const Ui& ui, float y) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImGui::PushClipRect(at, {at.x + size.x, at.y + size.y}, false);
    hline(Painter(ui), std::floor(at.x), std::floor(at.x + size.x), y, ui.colors.line);
    ImGui::PopClipRect();
}

void draw_none(const Ui& ui, const RunView& run, const RunFocus& focus) {
    const std::string why = query_position(run.now, focus.request) == 0u
                                ? std::string(ui.text["attention.first"_t])
                                : fill(ui.text["attention.none"_t],
                                       {{"request", name_of_request(run.now, focus.request)}});
    const std::array<std::string_view, 1> lines{why};
    message_centered(ui, "empty", {.title = ui.text["panel.attention.empty"_t], .lines = lines});
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
    Frame frame{ui, run, focus, picture, layer, head,
                std::clamp(run.layout.n_kv_heads, 1u, picture.n_heads),
                top_weights(picture.of(layer, head), kBars), {}, {}};
    const ImVec2 cursor = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    frame.origin = {std::floor(cursor.x), std::floor(cursor.y)};
    const Title title = title_of(ui, run, picture);
    const IndexSwitch layers = layer_switch(ui, picture, layer);
    const std::string_view words = ui.text["attention.query"_t];
    frame.plan = layout_attention(
        {room.x, room.y}, ui.unit,
        {.n_heads = picture.n_heads,
         .n_kv_heads = frame.n_kv_heads,
         .n_keys = picture.n_keys(),
         .block_size = run.now.block_size,
         .layer_w = index_switch_width(ui, layers, std::floor(room.x)),
         .title_w = line_width(ui, title.words, words, title.places),
         .n_bars = frame.top.largest.size() + (frame.top.n_others > 0 ? 1 : 0)});
    draw_line(Painter(ui), frame.placed(frame.plan.title), title.words, words, title.places);
    draw_index_switch(ui, layers, frame.placed(frame.plan.layer));
    draw_map(frame);
    draw_legend(frame);
    divide(ui, frame.origin.y + frame.plan.divider);
    draw_bars(frame);
    ImGui::SetCursorScreenPos(cursor);
    ImGui::Dummy({std::max(1.0f, room.x), frame.plan.height});
}

}  // namespace kv
