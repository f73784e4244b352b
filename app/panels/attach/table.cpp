#include "app/panels/attach/table.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/attach/paint.hpp"
#include "app/panels/attach/panels.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kPrefixRowH = 25, kPrefixHead = 26, kPlateW = 24, kNumberW = 84, kHitsW = 190,
                kLeastWords = 120, kLostNumberW = 124;
constexpr int kHiddenBars = 9;

struct HotColumns {
    Rect words, tokens, from, hits, beneath, share, use;
    bool has_from = false, has_beneath = false;
};
HotColumns hot_columns(const Ui& ui, const Rect& line) {
    HotColumns c;
    float right = line.right();
    const auto take = [&](float w) {
        right -= ui.px(w);
        return Rect{right, line.y, ui.px(w), line.h};
    };
    c.use = take(70);
    c.share = take(70);
    c.has_beneath = line.w >= ui.px(620);
    if (c.has_beneath) c.beneath = take(kNumberW + 30);
    c.hits = take(line.w >= ui.px(760) ? kHitsW + 60 : kHitsW - 60);
    c.has_from = line.w >= ui.px(700);
    if (c.has_from) c.from = take(kNumberW);
    c.tokens = take(kNumberW);
    c.words = {line.x + ui.px(kPlateW), line.y,
               std::max(1.0f, right - line.x - ui.px(kPlateW) - ui.px(8)), line.h};
    return c;
}

// Bars that have no relation to the words they stand for.
void draw_hidden_words(const Painter& p, const Rect& room, const ServerHash& hash) {
    const Ui& ui = p.ui;
    float x = room.x;
    const float y = room.center().y - ui.px(3);
    std::uint64_t bits = 1;
    for (const char byte : hash.bytes)
        bits = bits * 0x9E3779B97F4A7C15ULL + static_cast<unsigned char>(byte) + 1;
    bits |= 1;
    for (int i = 0; i < kHiddenBars; ++i) {
        const float w = ui.px(10 + static_cast<float>(bits >> 59));
        bits *= 0xD1342543DE82EF95ULL;
        if (x + w > room.right()) return;
        fill(p, snap({x, y, w, ui.px(7)}), ui.colors.edge, 2);
        x += w + ui.px(5);
    }
}

void draw_hot_head(const Ui& ui, const Painter& p, const ServerView& s, const Rect& line) {
    const HotColumns c = hot_columns(ui, line);
    const Texts& t = ui.text;
    const TextStyle head = type::caption(ui), right = aligned(head, Align::Right);
    text_in(p, type::section(ui), {line.x, line.y, c.words.right() - line.x, line.h},
            t["attach.hottest"_t]);
    const float title = text_width(ui, type::section(ui), t["attach.hottest"_t]) + ui.px(14);
    const bool has_words = s.shows_tokens && s.has_tokens;
    if (!has_words && line.x + title + ui.px(110) < c.words.right()) {
        draw_lock(p, {line.x + title + ui.px(4), line.center().y}, ui.colors.text3);
        text_in(p, head, {line.x + title + ui.px(14), line.y, 0, line.h},
                t[s.shows_tokens ? "attach.left_out"_t : "attach.hidden"_t]);
    }
    text_in(p, right, c.tokens, t["attach.col.tokens"_t]);
    if (c.has_from) text_in(p, right, c.from, t["attach.col.from"_t]);
    text_in(p, head, {c.hits.x + ui.px(24), line.y, 0, line.h}, t["attach.col.hits"_t]);
    if (c.has_beneath) text_in(p, right, c.beneath, t["attach.col.beneath"_t]);
    text_in(p, right, c.share, t["attach.col.share"_t]);
    text_in(p, right, c.use, t["attach.col.use"_t]);
}

void draw_words(const Painter& p, const Rect& room, const TankPrefixRow& row) {
    if (row.words.empty()) return draw_hidden_words(p, room, row.hash);
    text_in(p, type::number_small(p.ui), room, row.words);
}

void draw_hot_row(const Ui& ui, const Painter& p, const AttachUi& own, const TankPrefixRow& row,
                  std::uint64_t most, std::size_t i) {
    const ServerView& s = *own.view;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Hit hit =
        hit_item(PartId(i).c_str(), {ImGui::GetContentRegionAvail().x, ui.px(kPrefixRowH)});
    const bool selected = row.plate != 0 && row.plate == own.selected;
    if (selected || hit.hovered)
        fill(p, hit.rect, selected ? ui.colors.raised : ui.colors.hover_wash());
    if (selected) fill(p, {hit.rect.x, hit.rect.y, ui.px(3), hit.rect.h}, ui.colors.focus);
    if (hit.focused) focus_ring(p, hit.rect);
    if (hit.pressed && row.plate != 0) ui.out.push("attach.select", std::uint64_t{row.plate});
    const Rect line{at.x + ui.px(6), at.y, hit.rect.w - ui.px(12), hit.rect.h};
    const HotColumns c = hot_columns(ui, line);
    if (row.plate != 0)
        draw_plate(p, {line.x, line.center().y - ui.px(kPlate / 2)}, row.plate, selected);
    draw_words(p, c.words, row);
    const TextStyle number = aligned(type::number_small(ui), Align::Right);
    text_in(p, number, c.tokens, with_commas(row.tokens));
    if (c.has_from) text_in(p, number, c.from, with_commas(row.from_start));
    const float bar = std::max(0.0f, c.hits.w - ui.px(24 + 66));
    const float w =
        most == 0 ? 0 : std::round(bar * static_cast<float>(row.hits) / static_cast<float>(most));
    const Rect hits = snap({c.hits.x + ui.px(24), line.center().y - ui.px(5), w, ui.px(10)});
    if (w > 0) fill(p, hits, ui.colors.cached.ink);
    text_in(p, with_font(type::number_small(ui), ui.fonts.mono_bold),
            {hits.right() + ui.px(6), line.y, 0, line.h}, with_commas(row.hits));
    if (c.has_beneath) text_in(p, number, c.beneath, with_commas(row.blocks_beneath));
    const double all = static_cast<double>(std::max<std::uint64_t>(1, s.tank.tree.width));
    text_in(p, number, c.share,
            fill(ui.text["attach.percent"_t],
                 {{"n", fixed(100 * static_cast<double>(row.blocks_beneath) / all, 1)}}));
    text_in(p, number, c.use,
            row.last_use_s < 1 ? Text(ui.text["attach.now"_t]) : age_of(row.last_use_s));
}

}  // namespace

void draw_hottest(const Ui& ui, const AttachUi& own, float height) {
    const TankPicture& tank = own.view->tank;
    ImGui::BeginChild("hottest", {0, height});
    const Painter p(ui);
    const Rect room = panel_room();
    draw_hot_head(ui, p, *own.view,
                  {room.x + ui.px(6), room.y, room.w - ui.px(12), ui.px(kPrefixHead)});
    ImGui::SetCursorScreenPos({room.x, room.y + ui.px(kPrefixHead)});
    std::uint64_t most = 0;
    for (const TankPrefixRow& row : tank.hottest) most = std::max(most, row.hits);
    for (std::size_t i = 0; i < tank.hottest.size(); ++i)
        draw_hot_row(ui, p, own, tank.hottest[i], most, i);
    if (tank.hottest.empty()) {
        ImGui::Indent(ui.px(6));
        paragraph(ui, type::caption(ui), 18, ui.text["attach.hottest.none"_t]);
        ImGui::Unindent(ui.px(6));
    }
    ImGui::Dummy({1, 1});  // also where there is no row
    ImGui::EndChild();
}

void draw_attach_lost(const Ui& ui, AttachUi& own) {
    const Flush flush;
    if (!own.shows_server()) return draw_no_server(ui, "attach.nothing"_t, "attach.nothing.why"_t);
    const ServerView& s = *own.view;
    if (s.tank.lost.empty())
        return draw_no_server(ui, "attach.lost.empty"_t, "attach.lost.empty.why"_t);
    const Painter p(ui);
    // Words at the left, where there is room, and four numbers beside them.
    const auto draw_line = [&](const TextStyle& style, const std::array<Text, 4>& cells,
                               const auto& draw_name) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float all = ImGui::GetContentRegionAvail().x, h = ui.px(kPrefixRowH);
        const float least = ui.px(kLeastWords), of_number = ui.px(kLostNumberW);
        const float w = std::min(of_number, std::max(all - least, all / 2) / 4);
        draw_name(Rect{at.x, at.y, std::max(1.0f, all - 4 * w - ui.px(12)), h});
        for (std::size_t i = 0; i < cells.size(); ++i)
            text_in(p, aligned(style, Align::Right),
                    {at.x + all - w * static_cast<float>(4 - i), at.y, w - ui.px(6), h}, cells[i]);
        ImGui::Dummy({all, h});
    };
    const Texts& t = ui.text;
    paragraph(ui, type::body(ui), 20, t["attach.lost.what"_t]);
    space(ui, 8);
    draw_line(
        type::caption(ui),
        {t["attach.col.tokens"_t], t["attach.col.from"_t], t["attach.col.again"_t],
         t["attach.col.hits"_t]},
        [&](const Rect& room) { text_in(p, type::caption(ui), room, t["attach.col.words"_t]); });
    for (const TankPrefixRow& row : s.tank.lost)
        draw_line(type::number_small(ui),
                  {with_commas(row.tokens), with_commas(row.from_start), with_commas(row.again),
                   with_commas(row.hits)},
                  [&](const Rect& room) { draw_words(p, room, row); });
}

}  // namespace kv
