#pragma once
// What the parts of the race's picture share: places in pixels, and how kinds of slots look.

#include "app/panels/race/plan.hpp"
#include "app/panels/race/words.hpp"
#include "app/widgets/hit.hpp"

namespace kv {

struct RaceFrame {
    const Ui& ui;
    RaceUi& own;
    const RacePlan& plan;
    Vec2 origin;  // pixels

    const RacedWorkload& race() const { return *own.race; }
    const RaceRecord& lane(std::size_t i) const { return own.race->lanes[i]; }
    Rect px(const Rect& logical) const {
        const float x = origin.x + ui.px(logical.x), y = origin.y + ui.px(logical.y);
        return {x, y, std::max(0.0f, origin.x + ui.px(logical.right()) - x),
                std::max(0.0f, origin.y + ui.px(logical.bottom()) - y)};
    }
};

// Gaps that fit nobody are hatched, all others are filled.
Color color_of(const Palette& colors, SlotKind kind);
// The paler colour of what is still to come.
Color pale(const Palette& colors, Color color);
void fill_kind(const Painter& p, const Rect& r, SlotKind kind);

void draw_race_head(const RaceFrame& frame);  // the title, and what can be chosen
void draw_race_choices(const RaceFrame& frame);
float race_choices_width(const Ui& ui, const RaceUi& own, bool as_list);

void draw_race_strips(const RaceFrame& frame);  // with the axis and the playhead
void use_race_strips(const RaceFrame& frame, const Hit& hit);
void draw_race_lanes(const RaceFrame& frame);  // what stands beside the strips
void draw_race_bar(const RaceFrame& frame, std::size_t lane);

void draw_race_foot(const RaceFrame& frame);
float race_transport_width(const Ui& ui, const RaceUi& own);
float race_legend_width(const Ui& ui);
float race_measured_width(const Ui& ui);

}  // namespace kv
