#include "app/panels/race/plan.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

constexpr float kThickestStrip = 122, kThinnestStrip = 52, kControlRow = 32, kTextRow = 22;
constexpr float kBeside = 20;  // between things of one row
constexpr float kLow = 240;    // below, what the tab says already would leave no strip in view

// What a room of that size can afford.
struct StripSizes {
    float pad, head_gap, name, running, bar;
    bool tall;
};

StripSizes sizes_for(Vec2 room) {
    const bool wide = room.x >= 1500;
    StripSizes s{};
    s.tall = room.y >= 860;
    s.pad = room.x >= 1200 ? 16 : 0;
    s.head_gap = s.tall ? 20 : 8;
    if (wide) {
        s.name = 200, s.running = 164, s.bar = 404;
    } else if (room.x >= 1000) {
        s.name = 132, s.running = 100, s.bar = std::clamp(room.x * 0.24f, 220.0f, 404.0f);
    } else if (room.x >= 640) {
        s.name = 124, s.running = 88;
    }
    return s;
}

class RacePlanner {
public:
    RacePlanner(Vec2 room, const RaceWidths& widths, std::size_t n)
        : room_(room), widths_(widths), n_(n), scale_(sizes_for(room)) {
        plan_.names_above = scale_.name == 0;
        left_ = scale_.pad, right_ = room.x - scale_.pad;
    }

    RacePlan plan() {
        head();
        const float below = foot_height();
        lanes(std::max(0.0f, room_.y - y_ - below));
        foot();
        plan_.height = y_;
        return plan_;
    }

private:
    float inner() const { return right_ - left_; }

    // Title and choices share a row where both have room, subtitle and note another one.
    void head() {
        if (room_.y < kLow) return low_head();
        plan_.title_size = scale_.tall && inner() >= 900 ? 26 : 19;
        plan_.short_choices = widths_.choices > inner();
        const float title = widths_.title * plan_.title_size / 26;
        const float choices = std::min(widths_.choices, inner());
        y_ = scale_.tall ? 8 : 0;
        const bool shared = title + kBeside + choices <= inner();
        plan_.title = {left_, y_, shared ? inner() - choices - kBeside : inner(), kControlRow};
        if (!shared) y_ += kControlRow + 4;
        plan_.choices = {shared ? right_ - choices : left_, y_, choices, kControlRow};
        y_ += kControlRow + (scale_.tall ? 8 : 2);
        const bool beside = widths_.subtitle + kBeside + widths_.note <= inner();
        if (!shared) {
            // The choices stand between; the words about them come last.
            plan_.subtitle = {left_, y_, beside ? widths_.subtitle : inner(), kTextRow};
            if (!beside) y_ += kTextRow;
            plan_.note = {beside ? right_ - widths_.note : left_, y_,
                          beside ? widths_.note : inner(), kTextRow};
        } else {
            plan_.subtitle = {left_, y_, beside ? widths_.subtitle : inner(), kTextRow};
            if (!beside) y_ += kTextRow;
            // Under the choices where both have room there.
            const float behind = left_ + widths_.subtitle + kBeside;
            const float at =
                beside ? std::clamp(plan_.choices.x, behind, right_ - widths_.note) : left_;
            plan_.note = {at, y_, right_ - at, kTextRow};
        }
        y_ += kTextRow + scale_.head_gap;
    }

    void low_head() {
        plan_.short_choices = widths_.choices > inner();
        plan_.choices = {left_, y_, std::min(widths_.choices, inner()), kControlRow};
        y_ += kControlRow + 2;
    }

    bool foot_is_one_row() const {
        return widths_.transport + kBeside + widths_.sentence <= inner();
    }
    bool legend_fits() const { return widths_.legend <= inner(); }
    float foot_height() const {
        const float axis = scale_.tall ? 40 : 26;
        const float legend = legend_fits() ? (scale_.tall ? 36.0f : 26.0f) : 0;
        const float rows = foot_is_one_row() ? kControlRow : kControlRow + kTextRow + 4;
        return axis + legend + (scale_.tall ? 24 : 10) + rows;
    }

    void lanes(float left_over) {
        const float head = kTextRow + 2;
        const float least = plan_.names_above ? kThinnestStrip + 14 : kThinnestStrip;
        const float pitch = std::clamp(std::floor((left_over - head) / static_cast<float>(n_)),
                                       least, kThickestStrip);
        const float gap = pitch >= 110 ? 18 : pitch >= 70 ? 10 : 6;
        const float above = plan_.names_above ? 20 : 0;
        plan_.rules = pitch - gap >= 88 && !plan_.names_above;
        const float strip_x = left_ + scale_.name;
        const float bar_x = right_ - scale_.bar;
        const float running_x = bar_x - scale_.running;
        const float strip_w = std::floor(running_x - strip_x);
        plan_.strip_head = {strip_x, y_, strip_w, kTextRow};
        plan_.running_head = {running_x, y_, scale_.running, kTextRow};
        plan_.bar_head = {bar_x, y_, scale_.bar, kTextRow};
        y_ += head;
        for (std::size_t i = 0; i < n_; ++i, y_ += pitch) {
            RaceLanePlan lane;
            const float h = pitch - gap;
            lane.whole = {std::max(0.0f, left_ - 16), y_ - gap / 2,
                          inner() + 2 * (left_ - std::max(0.0f, left_ - 16)), pitch};
            lane.strip = {strip_x, y_ + above, strip_w, h - above};
            lane.running = {running_x, y_, scale_.running, h};
            lane.name = {left_, y_, scale_.name - 12, h};
            lane.bar = {bar_x, y_, scale_.bar, h};
            if (plan_.names_above) {
                lane.name = {left_, y_, inner(), above};
                lane.running = {left_, y_, inner(), above};
                lane.bar.w = 0;
            }
            plan_.lanes.push_back(lane);
        }
        y_ -= gap;
        plan_.axis = {strip_x, y_, strip_w, scale_.tall ? 40.0f : 26.0f};
        y_ += plan_.axis.h;
    }

    void foot() {
        if (legend_fits()) {
            const float at = std::min(plan_.axis.x, right_ - widths_.legend);
            plan_.legend = {at, y_, widths_.legend, kTextRow};
            const float x = plan_.bar_head.w > 0 ? plan_.bar_head.x : right_ - widths_.measured;
            if (at + widths_.legend + kBeside <= x && x + widths_.measured <= right_)
                plan_.measured = {x, y_, widths_.measured, kTextRow};
            y_ += scale_.tall ? 36 : 26;
        }
        y_ += scale_.tall ? 8 : 2;
        plan_.rule_y = y_;
        y_ += scale_.tall ? 16 : 8;
        if (!foot_is_one_row()) {
            plan_.sentence = {left_, y_, inner(), kTextRow};
            y_ += kTextRow + 4;
        }
        plan_.transport = {left_, y_, std::min(widths_.transport, inner()), kControlRow};
        if (foot_is_one_row()) {
            const float x = left_ + widths_.transport + kBeside;
            plan_.sentence = {x, y_, right_ - x, kControlRow};
        }
        y_ += kControlRow;
    }

    Vec2 room_;
    const RaceWidths& widths_;
    std::size_t n_;
    StripSizes scale_;
    RacePlan plan_;
    float left_ = 0, right_ = 0, y_ = 0;
};

}  // namespace

RacePlan plan_race(Vec2 room, const RaceWidths& widths, std::size_t n_lanes) {
    return RacePlanner(room, widths, n_lanes).plan();
}

}  // namespace kv
