// How long the blocks of both servers lived, one above the other on one logarithmic axis of time
// and with bars of one height for one count. The lines are the medians.

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/attach/paint.hpp"
#include "app/panels/compare_servers/panels.hpp"
#include "app/panels/compare_servers/words.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kLivesHead = 22, kLivesAxis = 20;
constexpr std::array<double, 6> kLivesDecades{0.1, 1, 10, 100, 1000, 10000};

void draw_lives(const Painter& p, const AgeHistogram& lives, std::uint64_t most, const Rect& plot) {
    const Ui& ui = p.ui;
    hline(p, plot.x, plot.right(), plot.bottom(), ui.colors.edge);
    for (std::size_t i = 0; i < AgeHistogram::kBars && most > 0; ++i) {
        if (lives.bars()[i] == 0) continue;
        const auto edge = [&](std::size_t bar) {
            return std::round(plot.x + plot.w * static_cast<float>(bar) / AgeHistogram::kBars);
        };
        const float h = std::max(1.0f, std::round(plot.h * static_cast<float>(lives.bars()[i]) /
                                                  static_cast<float>(most)));
        fill(p, {edge(i) + 1, plot.bottom() - h, edge(i + 1) - edge(i) - 2, h},
             ui.colors.cached.ink);
    }
    if (const auto median = lives.median_s()) {
        const float x = std::round(plot.x + plot.w * static_cast<float>(age_share(*median)));
        dashed_line(p, {x, plot.y}, {x, plot.bottom()}, ui.colors.focus, 1.4f);
    }
}

void draw_lives_head(const Painter& p, const ServerView& s, CompareSide side, const Rect& line) {
    const Ui& ui = p.ui;
    draw_side_mark(p, {line.x + ui.px(6), line.center().y}, 8, side, ui.colors.text2);
    const AgeHistogram& lives = s.tank.lifetimes;
    const auto median = lives.median_s();
    const Text words = median ? fill(ui.text["servers.lives"_t],
                                     {{"n", with_commas(lives.total())}, {"age", age_of(*median)}})
                              : Text(ui.text["servers.lives.none"_t]);
    marked_number(p, type::body(ui),
                  {line.x + ui.px(16), line.y, std::max(1.0f, line.w - ui.px(16)), line.h},
                  exact_of(s), words);
}

void draw_lives_axis(const Painter& p, const Rect& plot, float y) {
    const Ui& ui = p.ui;
    float free_from = plot.x;
    for (const double at : kLivesDecades) {
        const Text label =
            at < 1 ? Text("0.1 s")
                   : Text(with_commas(static_cast<std::uint64_t>(at)) + std::string(" s"));
        const float w = text_width(ui, type::tick_label(ui), label);
        const float x = plot.x + plot.w * static_cast<float>(age_share(at));
        const float left = std::min(std::max(plot.x, x - w / 2), plot.right() - w);
        if (left < free_from) continue;
        text_in(p, type::tick_label(ui), {left, y, 0, ui.px(kLivesAxis)}, label);
        free_from = left + w + ui.px(6);
    }
}

}  // namespace

void draw_servers_ages(const Ui& ui, const AttachUi& own) {
    const Flush flush;
    if (!own.compares()) return draw_no_server(ui, "servers.nothing"_t, "servers.nothing.why"_t);
    const Painter p(ui);
    const Rect room = panel_room();
    const std::array<const ServerView*, 2> views{own.view.get(), own.other.get()};
    const std::uint64_t most =
        std::max(most_of(views[0]->tank.lifetimes), most_of(views[1]->tank.lifetimes));
    const float plot_h =
        std::max(ui.px(24), std::floor((room.h - ui.px(2 * kLivesHead + kLivesAxis + 8)) / 2));
    float y = room.y;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto side = i == 0 ? CompareSide::Left : CompareSide::Right;
        draw_lives_head(p, *views[i], side, {room.x, y, room.w, ui.px(kLivesHead)});
        y += ui.px(kLivesHead);
        draw_lives(p, views[i]->tank.lifetimes, most, {room.x, y, room.w, plot_h});
        y += plot_h + ui.px(4);
    }
    draw_lives_axis(p, {room.x, y, room.w, ui.px(kLivesAxis)}, y);
    ImGui::SetCursorScreenPos({room.x, room.y});
    ImGui::Dummy({room.w, y + ui.px(kLivesAxis) - room.y});
}

}  // namespace kv
