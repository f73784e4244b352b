// How long blocks lived, and how soon they were needed again, on one logarithmic axis of time. The
// line through both is the median idle time before removal: what came later than that is what more
// memory could have kept.

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/attach/paint.hpp"
#include "app/panels/attach/panels.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kAgeHead = 24, kAgeAxis = 22, kAgeKey = 22, kAgeGap = 6, kLeastAgeLeft = 62;
constexpr std::array<double, 6> kDecades{0.1, 1, 10, 100, 1000, 10000};

// `left`: where its labels may begin.
void draw_age_bars(const Painter& p, float left, const Rect& plot, const AgeHistogram& below,
                   const AgeHistogram* above, std::uint64_t most) {
    const Ui& ui = p.ui;
    hline(p, plot.x, plot.right(), plot.bottom(), ui.colors.edge);
    hline(p, plot.x, plot.right(), plot.y, ui.colors.line);
    const TextStyle tick = aligned(type::tick_label(ui), Align::Right);
    const float w = plot.x - ui.px(kAgeGap) - left;
    text_in(p, tick, {left, plot.y - ui.px(8), w, ui.px(16)}, with_commas(most));
    text_in(p, tick, {left, plot.bottom() - ui.px(8), w, ui.px(16)}, "0");
    if (most == 0) return;
    for (std::size_t i = 0; i < AgeHistogram::kBars; ++i) {
        const float x0 = std::round(plot.x + plot.w * static_cast<float>(i) / AgeHistogram::kBars) +
                         1,
                    x1 = std::round(plot.x +
                                    plot.w * static_cast<float>(i + 1) / AgeHistogram::kBars) -
                         1;
        float y = plot.bottom();
        const auto stack = [&](std::uint64_t n, Color color) {
            if (n == 0) return;
            const float h = std::max(
                1.0f, std::round(plot.h * static_cast<float>(n) / static_cast<float>(most)));
            fill(p, {x0, y - h, x1 - x0, h}, color);
            y -= h;
        };
        stack(below.bars()[i], ui.colors.cached.ink);
        if (above != nullptr) stack(above->bars()[i], ui.colors.loss.fill);
    }
}

// A decade whose label would touch the one before it goes without.
void draw_age_axis(const Painter& p, const Rect& plot, float y) {
    const Ui& ui = p.ui;
    float free_from = plot.x;
    for (const double at : kDecades) {
        const float x = plot.x + plot.w * static_cast<float>(age_share(at));
        const Text label =
            at < 1 ? Text("0.1 s")
                   : Text(with_commas(static_cast<std::uint64_t>(at)) + std::string(" s"));
        const float w = text_width(ui, type::tick_label(ui), label);
        const float left = std::min(std::max(plot.x, x - w / 2), plot.right() - w);
        if (left < free_from) continue;
        text_in(p, type::tick_label(ui), {left, y, 0, ui.px(kAgeAxis)}, label);
        free_from = left + w + ui.px(6);
    }
}

}  // namespace

void draw_attach_ages(const Ui& ui, AttachUi& own) {
    const Flush flush;
    if (!own.shows_server()) return draw_no_server(ui, "attach.nothing"_t, "attach.nothing.why"_t);
    const TankPicture& tank = own.view->tank;
    const Painter p(ui);
    const Rect room = panel_room();
    const float plot_h = std::max(
        ui.px(36), std::floor((room.h - ui.px(2 * kAgeHead + kAgeAxis + kAgeKey + 14)) / 2));
    AgeHistogram both = tank.found;
    both.add(tank.too_late);
    const float label = text_width(ui, type::tick_label(ui),
                                   with_commas(std::max(most_of(tank.lifetimes), most_of(both))));
    const float left =
        room.x + std::max(ui.px(kLeastAgeLeft), std::ceil(label) + ui.px(kAgeGap + 2));
    const Rect first{left, room.y + ui.px(kAgeHead + 6), room.right() - left - ui.px(6), plot_h};
    const Rect second{left, first.bottom() + ui.px(kAgeHead + 8), first.w, plot_h};
    const Texts& t = ui.text;
    const Text removed =
        fill(t["attach.ages.removed"_t], {{"n", with_commas(tank.lifetimes.total())}});
    const std::array lived{Run{type::section(ui), t["attach.ages.lifetime"_t]},
                           Run{type::caption(ui), removed, 10}};
    runs_in(p, lived, {room.x, room.y, room.w, ui.px(kAgeHead)});
    draw_age_bars(p, room.x, first, tank.lifetimes, nullptr, most_of(tank.lifetimes));
    text_in(p, type::section(ui), {room.x, second.y - ui.px(kAgeHead + 2), room.w, ui.px(kAgeHead)},
            t["attach.ages.gap"_t]);
    draw_age_bars(p, room.x, second, tank.found, &tank.too_late, most_of(both));
    draw_age_axis(p, second, second.bottom() + ui.px(2));
    const std::optional<double> median = tank.idle.median_s();
    if (median) {
        const float x = std::round(first.x + first.w * static_cast<float>(age_share(*median)));
        for (const Rect& plot : {first, second})  // not through the words between them
            dashed_line(p, {x, plot.y - ui.px(2)}, {x, plot.bottom()}, ui.colors.focus, 1.6f);
        const Text words = fill(t["attach.ages.median"_t], {{"age", age_of(*median)}});
        const TextStyle style = type::strong(ui);
        const float w = text_width(ui, style, words);
        const bool fits_left = x - w - ui.px(8) > first.x;
        text_in(p, style,
                {fits_left ? x - w - ui.px(8) : x + ui.px(8), first.y + ui.px(2), 0, ui.px(18)},
                words);
    }
    const float y = second.bottom() + ui.px(kAgeAxis);
    const auto key = [&](float x, Color color, const Text& words) {
        fill(p, snap({x, y + ui.px(6), ui.px(10), ui.px(10)}), color);
        text_in(p, type::caption(ui), {x + ui.px(16), y, 0, ui.px(kAgeKey)}, words);
        return x + ui.px(16) + text_width(ui, type::caption(ui), words) + ui.px(20);
    };
    const float x = key(left, ui.colors.cached.ink,
                        fill(t["attach.ages.found"_t], {{"n", with_commas(tank.found.total())}}));
    key(x, ui.colors.loss.fill,
        fill(t["attach.ages.late"_t], {{"n", with_commas(tank.too_late.total())}}));
    ImGui::Dummy({room.w, y + ui.px(kAgeKey) - room.y});
}

}  // namespace kv
