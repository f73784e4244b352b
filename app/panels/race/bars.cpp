// Where the slots of the pool are on average while requests wait, and the borders that the paper
// gives as ticks under them.

#include <algorithm>

#include "app/panels/race/paint.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

// Heights in a strip that is so high at least, all in logical pixels.
struct BarSizes {
    float least, head, below_head, bar, ticks, below_ticks, foot;
};
constexpr float kBelowBar = 3;
constexpr BarSizes kHighBar{
    .least = 88, .head = 20, .below_head = 4, .bar = 26, .ticks = 12, .below_ticks = 4, .foot = 18};
constexpr BarSizes kMiddleBar{
    .least = 56, .head = 15, .below_head = 1, .bar = 15, .ticks = 7, .below_ticks = 0, .foot = 15};
constexpr BarSizes kLowBar{
    .least = 0, .head = 15, .below_head = 1, .bar = 11, .ticks = 7, .below_ticks = 0, .foot = 0};

// Rows of the bar in the height that there is.
struct BarRows {
    Rect head, bar, ticks, foot;  // foot: no height where there is no room
};
BarRows rows_in(const Ui& ui, const Rect& room) {
    const BarSizes& size = room.h >= ui.px(kHighBar.least)     ? kHighBar
                           : room.h >= ui.px(kMiddleBar.least) ? kMiddleBar
                                                               : kLowBar;
    BarRows rows;
    rows.head = {room.x, room.y, room.w, ui.px(size.head)};
    rows.bar = {room.x, rows.head.bottom() + ui.px(size.below_head), room.w, ui.px(size.bar)};
    rows.ticks = {room.x, rows.bar.bottom() + ui.px(kBelowBar), room.w, ui.px(size.ticks)};
    rows.foot = {room.x, rows.ticks.bottom() + ui.px(size.below_ticks), room.w, ui.px(size.foot)};
    if (rows.foot.bottom() > room.bottom() + ui.px(4)) rows.foot.h = 0;
    return rows;
}

void draw_at_once(const Painter& p, const Rect& room, const RaceResult& result,
                  const std::optional<PublishedBar>& paper) {
    const Ui& ui = p.ui;
    const TextStyle quiet = type::caption(ui);
    const std::string ours = fixed(*result.mean_batch, 2);
    const std::string theirs = paper ? fixed(paper->mean_batch, 2) : std::string();
    std::vector<Run> runs{{quiet, ui.text["race.at_once"_t]},
                          {sized(type::number_strong(ui), 13), ours, 5}};
    if (paper) {
        runs.push_back({quiet, ui.text["race.paper"_t], 10});
        runs.push_back({type::number_small(ui), theirs, 5});
    }
    while (runs.size() > 2 && runs_width(ui, runs) > room.w) runs.pop_back();
    runs_in(p, runs, room);
}

// Writes the label of a part where it is wide enough.
void label_part(const Painter& p, const Rect& part, SlotKind kind, double share) {
    const Ui& ui = p.ui;
    const Text words = percent(ui.text, share);
    TextStyle style = sized(type::number_strong(ui), 11);
    style.color =
        ui.colors.is_light() && kind == SlotKind::Live ? ui.colors.panel : ui.colors.on_fill;
    const float w = text_width(ui, style, words) + ui.px(12);
    if (w > part.w || part.h < ui.px(13)) return;
    text_in(p, style, {part.x + ui.px(6), part.y, 0, part.h}, words);
}

void draw_shares(const Painter& p, const Rect& bar, const RaceResult& result) {
    double below = 0;
    for (const SlotKind kind : kSlotKinds) {
        const double share = *mean_share(result, kind);
        // Each border is rounded by itself, so that the parts fill the bar.
        const float x0 = bar.x + static_cast<float>(std::round(below * static_cast<double>(bar.w)));
        below += share;
        const float x1 = bar.x + static_cast<float>(std::round(below * static_cast<double>(bar.w)));
        const Rect part{x0, bar.y, x1 - x0, bar.h};
        if (part.w <= 0) continue;
        fill_kind(p, part, kind);
        if (kind == SlotKind::Live || kind == SlotKind::Internal) label_part(p, part, kind, share);
    }
    outline(p, bar, p.ui.colors.edge);
}

// Draws ticks where the paper's parts end; what it does not give has no tick.
void draw_ticks(const Painter& p, const Rect& room, const PublishedBar& paper) {
    const Color ink = p.ui.colors.focus;
    hline(p, room.x, room.right(), room.bottom() - p.ui.line(), p.ui.colors.edge);
    double below = 0;
    for (const SlotKind kind : kSlotKinds) {
        const auto share = paper_share(paper, kind);
        if (!share) break;
        if (*share == 0) continue;
        below += *share;
        const float x =
            room.x +
            static_cast<float>(std::round(std::min(1.0, below) * static_cast<double>(room.w)));
        vline(p, std::min(x, room.right() - p.ui.px(2)), room.y, room.bottom(), ink, 2);
    }
}

void draw_paper_words(const Painter& p, const Rect& room, const PublishedBar& paper) {
    const Ui& ui = p.ui;
    const Text share = percent(ui.text, paper.tokens_share);
    const TextId words = paper.reserved_share ? "race.paper.live"_t : "race.paper.live_only"_t;
    const Text live = fill(ui.text[words], {{"share", share}});
    const std::array<Run, 2> runs{{{type::caption(ui), ui.text["race.paper"_t]},
                                   {colored(type::caption(ui), ui.colors.text2), live, 8}}};
    runs_in(p, runs, room);
}

}  // namespace

void draw_race_bar(const RaceFrame& frame, std::size_t lane) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Rect room = frame.px(frame.plan.lanes[lane].bar);
    const RaceResult& result = frame.lane(lane).result;
    const BarRows rows = rows_in(ui, room);
    if (!result.mean_batch) {
        text_in(p, type::caption(ui), rows.bar, ui.text["race.never_waited"_t]);
        return;
    }
    const auto paper = frame.race().is_published() ? published_bar(result.allocator) : std::nullopt;
    draw_at_once(p, rows.head, result, paper);
    draw_shares(p, rows.bar, result);
    if (paper) {
        draw_ticks(p, rows.ticks, *paper);
        if (rows.foot.h > 0) draw_paper_words(p, rows.foot, *paper);
        return;
    }
    const TextId none = frame.race().is_published() ? "race.paper.none"_t : "race.paper.other"_t;
    const Rect words{room.x, rows.ticks.y, room.w, ui.px(16)};
    if (words.bottom() <= room.bottom() + ui.px(6))
        text_in(p, type::caption(ui), words, ui.text[none]);
}

}  // namespace kv
