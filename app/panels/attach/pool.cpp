// What the shown rank remembers: one place a cached block, its shade the time since its last use.
// Events carry no block ids, so a place is no address.

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

constexpr float kPlacesHead = 34, kPoolScale = 22, kShareBar = 14, kPoolFoot = 24, kRampW = 150;
constexpr std::array kPoolOrders{"prefix", "last_use", "stored"};

void draw_pool_head(const Ui& ui, const Painter& p, const AttachUi& own, const Rect& room) {
    const ServerView& s = *own.view;
    const Texts& t = ui.text;
    const std::array<std::string_view, 3> names{t["attach.order.prefix"_t], t["attach.order.use"_t],
                                                t["attach.order.stored"_t]};
    const float x = room.right() - segmented_width(ui, names);
    ImGui::SetCursorScreenPos({x, room.y + std::floor((room.h - control_height(ui, true)) / 2)});
    if (const auto chosen = segmented(ui, "order", names, static_cast<std::size_t>(own.order)))
        ui.out.push("attach.order", std::string(kPoolOrders[*chosen]));
    const Text rank(std::to_string(s.rank));
    const Text title = s.group ? fill(t["attach.pool.title.group"_t],
                                      {{"n", rank}, {"group", std::to_string(*s.group)}})
                               : fill(t["attach.pool.title"_t], {{"n", rank}});
    const RankCard* card = s.shown_rank();
    const Text blocks = with_commas(s.tank.pool.blocks), tokens = with_commas(s.tank.pool.tokens);
    const Text count =
        card != nullptr && card->pool
            ? fill(t["attach.pool.of"_t],
                   {{"n", blocks}, {"pool", with_commas(*card->pool)}, {"tokens", tokens}})
            : fill(t["attach.pool.blocks"_t], {{"n", blocks}, {"tokens", tokens}});
    const std::array all{Run{type::section(ui), title}, Run{type::number_small(ui), count, 10}};
    const float left = x - room.x - ui.px(12);
    const bool fits = runs_width(ui, all) <= left;
    runs_in(p, std::span(all.data(), fits ? 2 : 1), {room.x, room.y, left, room.h});
}

// Around places that follow each other, which may begin and end inside of a line: then the outline
// has a step at either end.
void outline_span(const Painter& p, const PlaceGrid& grid, const Rect& room,
                  const PlateSpan& span) {
    const auto columns = static_cast<std::size_t>(grid.columns);
    const std::size_t last = span.first + span.count - 1;
    const int top = static_cast<int>(span.first / columns),
              bottom = static_cast<int>(last / columns);
    if (bottom >= grid.rows) return;
    const int x0 = static_cast<int>(span.first % columns),
              x1 = static_cast<int>(last % columns) + 1;
    const Color c = p.ui.colors.focus;
    if (top == bottom)
        return outline(p, rect_of(grid, room, {.row = top, .x = x0, .w = x1 - x0}), c, 0, 2);
    const float left = room.x, right = room.x + static_cast<float>(grid.columns) * grid.side;
    const float y0 = room.y + static_cast<float>(top) * grid.side, y1 = y0 + grid.side;
    const float y3 = room.y + static_cast<float>(bottom + 1) * grid.side, y2 = y3 - grid.side;
    const float from = left + static_cast<float>(x0) * grid.side,
                to = left + static_cast<float>(x1) * grid.side;
    const std::array<Vec2, 9> path{{{from, y0},
                                    {right, y0},
                                    {right, y2},
                                    {to, y2},
                                    {to, y3},
                                    {left, y3},
                                    {left, y1},
                                    {from, y1},
                                    {from, y0}}};
    for (std::size_t i = 0; i + 1 < path.size(); ++i) stroke(p, path[i], path[i + 1], c, 2);
}

// The number of a prefix where its first place is; a prefix that lies in several parts has it once.
void draw_pool_plates(const Painter& p, const AttachUi& own, const PlaceGrid& grid,
                      const Rect& room) {
    List<std::uint32_t> drawn;
    const float size = p.ui.px(kPlate);
    for (const PlateSpan& span : plate_spans(own.view->tank.pool.texels)) {
        const bool selected = span.plate == own.selected;
        if (selected) outline_span(p, grid, room, span);
        if (std::find(drawn.begin(), drawn.end(), span.plate) != drawn.end()) continue;
        drawn.push_back(span.plate);
        const auto columns = static_cast<std::size_t>(grid.columns);
        const Rect r = rect_of(grid, room,
                               {.row = static_cast<int>(span.first / columns),
                                .x = static_cast<int>(span.first % columns),
                                .w = 1});
        draw_plate(p, {std::min(r.x, room.right() - size), std::min(r.y, room.bottom() - size)},
                   span.plate, selected);
    }
}

void draw_pool_places(const Ui& ui, const Painter& p, const AttachUi& own, const Rect& room) {
    const TankPool& pool = own.view->tank.pool;
    const PlaceGrid grid = place_grid({room.w, room.h}, ui.unit, pool.texels.size());
    ImGui::SetCursorScreenPos({room.x, room.y});
    const Hit hit = hit_item("places", {room.w, room.h});
    draw_places(p, pool.texels, grid, oldest_of(pool.texels), room);
    if (own.order == PoolOrder::Prefix) draw_pool_plates(p, own, grid, room);
    if (hit.focused) focus_ring(p, room);
    if (!hit.pressed) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto place = place_at(grid, {mouse.x - room.x, mouse.y - room.y});
    if (place && *place < pool.texels.size() && pool.texels[*place].plate != 0)
        ui.out.push("attach.select", std::uint64_t{pool.texels[*place].plate});
}

void draw_age_scale(const Ui& ui, const Painter& p, const ServerView& s, const Rect& room) {
    const TextStyle quiet = type::caption(ui);
    const Text label(ui.text["attach.pool.last_use"_t]);
    text_in(p, quiet, {room.x, room.y, 0, room.h}, label);
    const float x = room.x + text_width(ui, quiet, label) + ui.px(10);
    const Rect ramp = snap({x, room.y + ui.px(6), ui.px(kRampW), room.h - ui.px(12)});
    draw_age_ramp(p, ramp);
    const float after = ramp.right() + ui.px(10);
    Text scale =
        fill(ui.text["attach.pool.scale"_t], {{"oldest", age_of(oldest_of(s.tank.pool.texels))}});
    const Text with_use = fill(ui.text["attach.pool.use"_t], {{"scale", scale}});
    if (after + text_width(ui, quiet, with_use) <= room.right()) scale = with_use;
    text_in(p, quiet, {after, room.y, room.right() - after, room.h}, scale);
    if (s.tank.pool.blocks_per_texel == 1) return;
    const Text each =
        fill(ui.text["attach.pool.each"_t], {{"n", with_commas(s.tank.pool.blocks_per_texel)}});
    const float w = text_width(ui, quiet, each);
    if (after + text_width(ui, quiet, scale) + w + ui.px(16) < room.right())
        text_in(p, quiet, {room.right() - w, room.y, w, room.h}, each);
}

// White: in use, and its end is sampled; grey: cached; the rest has no full block.
void draw_share(const Ui& ui, const Painter& p, const RankCard& card, const Rect& bar) {
    const double pool =
        static_cast<double>(card.pool.value_or(std::max<std::uint64_t>(1, card.cached)));
    fill(p, bar, ui.colors.inset);
    const auto width = [&](double share) {
        return std::round(bar.w * static_cast<float>(std::clamp(share, 0.0, 1.0)));
    };
    fill(p, {bar.x, bar.y, width(static_cast<double>(card.cached) / pool), bar.h},
         ui.colors.cached.fill);
    if (card.usage) {
        const float w = width(*card.usage);
        fill(p, {bar.x, bar.y, w, bar.h}, ui.colors.text);
        dashed_line(p, {bar.x + w, bar.y - ui.px(2)}, {bar.x + w, bar.bottom() + ui.px(2)},
                    ui.colors.focus, 1.4f);
    }
    outline(p, bar, ui.colors.line);
}

// What the parts of the bar are; a part that has no room is left out.
class ShareWords {
public:
    ShareWords(const Ui& ui, const Painter& p, const Rect& room) : ui_(ui), p_(p), room_(room) {}
    void say(NumberSource source, TextId label, const Text& value) {
        const std::array runs{Run{type::strong(ui_), ui_.text[label]},
                              Run{type::number_small(ui_), value, 8}};
        const float w = ui_.px(12) + runs_width(ui_, runs);
        if (room_.w < w) return;
        source_mark(p_, {room_.x + ui_.px(3), room_.center().y}, source);
        runs_in(p_, runs, {room_.x + ui_.px(12), room_.y, w, room_.h});
        room_.x += w + ui_.px(22), room_.w -= w + ui_.px(22);
    }

private:
    const Ui& ui_;
    const Painter& p_;
    Rect room_;
};

void draw_share_words(const Ui& ui, const Painter& p, const ServerView& s, const RankCard& card,
                      const Rect& room) {
    const Texts& t = ui.text;
    ShareWords words(ui, p, room);
    if (!card.pool) {
        words.say(exact_of(s), "attach.cached"_t, with_commas(card.cached));
        words.say(NumberSource::Sampled, "attach.pool_size"_t, t["attach.pool_size.unknown"_t]);
        return;
    }
    const auto pool = static_cast<double>(*card.pool);
    const auto blocks = [&](double n) {
        return fill(t["attach.blocks"_t], {{"n", with_commas(static_cast<std::uint64_t>(n))},
                                           {"share", fixed(100 * n / std::max(1.0, pool), 1)}});
    };
    if (card.usage) {
        const double used = std::round(*card.usage * pool);
        words.say(NumberSource::Sampled, "attach.in_use"_t, blocks(used));
        const double idle = std::max(0.0, static_cast<double>(card.cached) - used);
        words.say(
            NumberSource::Sampled, "attach.idle"_t,
            fill(t["attach.at_least"_t], {{"n", with_commas(static_cast<std::uint64_t>(idle))}}));
    } else {
        words.say(exact_of(s), "attach.cached"_t, blocks(static_cast<double>(card.cached)));
    }
    words.say(exact_of(s), "attach.no_block"_t,
              blocks(std::max(0.0, pool - static_cast<double>(card.cached))));
}

}  // namespace

void draw_attach_pool(const Ui& ui, AttachUi& own) {
    const Flush flush;
    if (!own.shows_server()) return draw_no_server(ui, "attach.nothing"_t, "attach.nothing.why"_t);
    const ServerView& s = *own.view;
    const RankCard* card = s.shown_rank();
    const Painter p(ui);
    const Rect room = panel_room();
    draw_pool_head(ui, p, own, {room.x, room.y, room.w, ui.px(kPlacesHead)});
    const float below = ui.px(kPoolScale + kShareBar + kPoolFoot + 12);
    const float top = room.y + ui.px(kPlacesHead + 4);
    const Rect places{room.x, top, room.w, std::max(ui.px(24), room.bottom() - below - top)};
    draw_pool_places(ui, p, own, places);
    float y = places.bottom() + ui.px(2);
    draw_age_scale(ui, p, s, {room.x, y, room.w, ui.px(kPoolScale)});
    y += ui.px(kPoolScale + 4);
    if (card != nullptr) {
        draw_share(ui, p, *card, snap({room.x, y, room.w, ui.px(kShareBar)}));
        y += ui.px(kShareBar + 4);
        draw_share_words(ui, p, s, *card, {room.x, y, room.w, ui.px(kPoolFoot)});
    }
    ImGui::SetCursorScreenPos({room.x, room.y});
    ImGui::Dummy({room.w, std::max(room.h, y + ui.px(kPoolFoot) - room.y)});
}

}  // namespace kv
