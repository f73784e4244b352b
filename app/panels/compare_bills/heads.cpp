#include "app/panels/compare_bills/heads.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/compare_bills/layout.hpp"

namespace kv {
namespace {

constexpr u64 kMostHeads = 512;  // more would be narrower than a pixel

void paint_half(const Painter& p, const Rect& r, const Hue& hue, std::string_view letter) {
    const Ui& ui = p.ui;
    fill(p, r, hue.fill);
    if (ui.colors.is_light()) outline(p, r, hue.ink);
    if (r.w < ui.px(11)) return;
    text_in(p, {ui.fonts.bold, 11, ui.colors.on_fill, Align::Center}, r, letter);
}

void paint_kv_head(const Painter& p, const Rect& box, bool lit) {
    const Palette& colors = p.ui.colors;
    const float half = std::ceil(box.w / 2);
    paint_half(p, {box.x, box.y, half, box.h}, colors.k, "K");
    paint_half(p, {box.x + half, box.y, box.w - half, box.h}, colors.v, "V");
    if (lit) ring(p, box, {.color = colors.focus, .radius = 2, .width = 1.5f, .gap = 1});
}

void paint_query_head(const Painter& p, const Rect& box, float bus_y) {
    const Palette& colors = p.ui.colors;
    fill(p, box, colors.raised);
    outline(p, box, colors.edge);
    vline(p, std::floor(box.center().x), box.bottom(), bus_y, colors.edge);
}

}  // namespace

void paint_heads(const Painter& p, const ModelShape& shape, const Rect& room, bool lit) {
    if (shape.n_heads > kMostHeads) return;
    const Ui& ui = p.ui;
    const std::string_view query_text = ui.text["compare.heads.query"_t],
                           kv_text = ui.text["compare.heads.kv"_t];
    const TextStyle label = type::caption(ui);
    const float label_w =
        std::ceil(std::max(text_width(ui, label, query_text), text_width(ui, label, kv_text))) +
        ui.px(12);
    const u64 n_kv = is_latent(shape.cache) ? 1 : shape.cache.n_kv_heads;
    const HeadsPlan plan = layout_heads(shape.n_heads, n_kv, room.w - label_w, ui.unit);
    const Vec2 corner{room.x + label_w, room.y};
    const float bus = corner.y + plan.bus_y;

    const Rect upper = moved(plan.query.front(), corner),
               lower = moved(plan.kv.front().box, corner);
    text_in(p, label, {room.x, upper.y, label_w, upper.h}, query_text);
    text_in(p, label, {room.x, lower.y, label_w, lower.h}, kv_text);
    for (const Rect& query : plan.query) paint_query_head(p, moved(query, corner), bus);
    for (const HeadsPlan::KvHead& kv : plan.kv) {
        const Rect box = moved(kv.box, corner);
        const float first = std::floor(corner.x + kv.first), last = std::floor(corner.x + kv.last);
        hline(p, first, last + ui.line(), bus, ui.colors.edge);
        vline(p, std::floor(box.center().x), bus, box.y, ui.colors.edge);
        paint_kv_head(p, box, lit);
    }
}

}  // namespace kv
