// One of two servers: who it is, how the connection is, and what the shown rank remembers. Places
// have the same size and shades the same scale on both sides.

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/attach/parts.hpp"
#include "app/panels/compare_servers/panels.hpp"
#include "app/panels/compare_servers/words.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kHeadH = 40, kSideLine = 20, kSideBar = 14, kSideRamp = 120, kSideRanks = 110,
                kLeastName = 180;

const ServerView& side_of(const AttachUi& own, CompareSide side) {
    return side == CompareSide::Left ? *own.view : *own.other;
}

// Which of its ranks stands here; one that has a single rank asks nothing. Gives the room left of
// it.
float draw_side_ranks(const Ui& ui, const ServerView& s, CompareSide side, const Rect& head,
                      float right) {
    const float w = ui.px(kSideRanks), x = right - w - ui.px(8);
    if (s.tank.ranks.size() < 2 || x - head.x < ui.px(kLeastName)) return right;
    List<Text> names;
    std::size_t shown = 0;
    for (const RankCard& card : s.tank.ranks) {
        if (card.rank.rank == s.rank) shown = names.size();
        names.push_back(fill(ui.text["attach.rank"_t], {{"n", std::to_string(card.rank.rank)}}));
    }
    const List<std::string_view> words(names.begin(), names.end());
    ImGui::SetCursorScreenPos(
        {std::floor(x), std::floor(head.y + (head.h - control_height(ui, true)) / 2)});
    if (const auto next = dropdown(ui, "rank", words, shown, {.width = w}))
        ui.out.push(
            side == CompareSide::Left ? CommandId("attach.rank") : CommandId("attach.rank_beside"),
            static_cast<std::uint64_t>(s.tank.ranks[*next].rank.rank));
    return x;
}

void draw_side_name(const Ui& ui, const Painter& p, const ServerView& s, CompareSide side,
                    const Rect& head) {
    const float pill_w = pill_width(ui);
    const Rect pill =
        snap({head.right() - pill_w, head.y + (head.h - ui.px(kPillH)) / 2, pill_w, ui.px(kPillH)});
    draw_state_pill(p, pill, state_words(s));
    constexpr float kMarkSize = 11;
    draw_side_mark(p, {head.x + ui.px(8), std::round(head.y + ui.px(kSideLine / 2))}, kMarkSize,
                   side, ui.colors.text);
    const float end = draw_side_ranks(ui, s, side, head, pill.x);
    const float x = head.x + ui.px(22), w = std::max(1.0f, end - x - ui.px(10));
    text_in(p, sized(type::number_strong(ui), 15), {x, head.y, w, ui.px(kSideLine)},
            name_of_server(s, ui.text));
    // What stands under the head: where the picture stands, and how the connection is.
    const Text trouble = s.trouble.empty() ? state_sentence(ui.text, s) : Text(s.trouble);
    const Text words = s.events == 0
                           ? trouble
                           : fill(ui.text["servers.where"_t],
                                  {{"state", trouble}, {"moment", moment_sentence(ui.text, s)}});
    text_in(p, type::caption(ui), {x, head.y + ui.px(kSideLine), w, ui.px(kSideLine)}, words);
}

void draw_side_places(const Ui& ui, const Painter& p, const ServerView& s, std::size_t most,
                      double oldest_s, const Rect& room) {
    draw_places(p, s.tank.pool.texels, place_grid({room.w, room.h}, ui.unit, most), oldest_s, room);
}

// "now [ramp] 12 min ago": one scale for both sides.
void draw_side_scale(const Ui& ui, const Painter& p, double oldest_s, const Rect& line) {
    const TextStyle quiet = type::caption(ui);
    const Text now(ui.text["attach.now"_t]);
    text_in(p, quiet, {line.x, line.y, 0, line.h}, now);
    const float x = line.x + text_width(ui, quiet, now) + ui.px(8);
    const Rect ramp = snap({x, line.y + ui.px(5), ui.px(kSideRamp), line.h - ui.px(10)});
    draw_age_ramp(p, ramp);
    const float after = ramp.right() + ui.px(8);
    text_in(p, quiet, {after, line.y, std::max(1.0f, line.right() - after), line.h},
            fill(ui.text["servers.scale"_t], {{"oldest", age_of(oldest_s)}}));
}

void draw_side_count(const Ui& ui, const Painter& p, const ServerView& s, const Rect& line) {
    const TankPool& pool = s.tank.pool;
    const Text blocks = with_commas(pool.blocks), tokens = with_commas(pool.tokens);
    const RankCard* card = s.shown_rank();
    const bool knows_pool = card != nullptr && card->pool;
    Text count = knows_pool
                     ? fill(ui.text["attach.pool.of"_t],
                            {{"n", blocks}, {"pool", with_commas(*card->pool)}, {"tokens", tokens}})
                     : fill(ui.text["attach.pool.blocks"_t], {{"n", blocks}, {"tokens", tokens}});
    const Text each =
        pool.blocks_per_texel == 1
            ? Text()
            : fill(ui.text["attach.pool.each"_t], {{"n", with_commas(pool.blocks_per_texel)}});
    const float right = marked_number(p, type::number_small(ui), line, exact_of(s), count);
    if (!each.empty())
        text_in(
            p, type::caption(ui),
            {right + ui.px(12), line.y, std::max(1.0f, line.right() - right - ui.px(12)), line.h},
            each);
}

}  // namespace

void draw_servers_side(const Ui& ui, const AttachUi& own, CompareSide side) {
    const Flush flush;
    if (!own.compares()) return draw_no_server(ui, "servers.nothing"_t, "servers.nothing.why"_t);
    const ServerView& s = side_of(own, side);
    const Painter p(ui);
    const Rect room = panel_room();
    draw_side_name(ui, p, s, side, {room.x, room.y, room.w, ui.px(kHeadH)});
    const auto &left = own.view->tank.pool.texels, &right = own.other->tank.pool.texels;
    const double oldest_s = std::max(oldest_of(left), oldest_of(right));
    const float below = ui.px(2 * kSideLine + kSideBar + 8);
    const float top = room.y + ui.px(kHeadH + 6);
    const Rect places{room.x, top, room.w, std::max(ui.px(24), room.bottom() - below - top)};
    draw_side_places(ui, p, s, std::max(left.size(), right.size()), oldest_s, places);
    float y = places.bottom() + ui.px(2);
    draw_side_scale(ui, p, oldest_s, {room.x, y, room.w, ui.px(kSideLine)});
    y += ui.px(kSideLine + 2);
    if (const RankCard* card = s.shown_rank()) {
        draw_rank_bar(p, snap({room.x, y, room.w, ui.px(kSideBar)}), *card);
        draw_side_count(ui, p, s, {room.x, y + ui.px(kSideBar), room.w, ui.px(kSideLine)});
    }
    ImGui::SetCursorScreenPos({room.x, room.y});
    ImGui::Dummy({room.w, std::max(room.h, y + ui.px(kSideBar + kSideLine) - room.y)});
}

}  // namespace kv
