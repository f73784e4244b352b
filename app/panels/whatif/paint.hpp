#pragma once
// What the parts of the picture share: places in pixels, heads, and how the lines look.

#include <algorithm>

#include "app/panels/whatif/plan.hpp"
#include "app/panels/whatif/ui.hpp"
#include "app/panels/whatif/words.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {

struct WhatIfFrame {
    const Ui& ui;
    WhatIfUi& own;
    const WeighedRecording& weighed;
    const WhatIfPlan& plan;
    Vec2 origin;  // pixels

    // Block sizes or orders, where they are shown and have been weighed.
    const WhatIfChoices* choices() const { return own.side().choices.get(); }
    bool shows_pools() const { return own.view == WhatIfView::Pool; }

    Rect px(const Rect& logical) const {
        const float x = origin.x + ui.px(logical.x), y = origin.y + ui.px(logical.y);
        return {x, y, std::max(0.0f, origin.x + ui.px(logical.right()) - x),
                std::max(0.0f, origin.y + ui.px(logical.bottom()) - y)};
    }
};

// Title at the left, a quiet caption at the right, a hairline under both; what is left of the room.
Rect whatif_head(const Painter& p, const Rect& room, std::string_view title,
                 std::string_view caption);
// The head where something else stands at the left, so wide.
Rect whatif_head_beside(const Painter& p, const Rect& room, float width, std::string_view caption);
// The views as tabs in place of the title: one stop of the Tab key, arrows move inside it.
Rect whatif_tabs(const WhatIfFrame& frame, const Rect& room, std::string_view caption);

// Exact and replayed lines are solid, others dashed; each has a mark of its own.
void whatif_line(const Painter& p, WhatIfLine line, Vec2 from, Vec2 to, Color color, float width);
void whatif_mark(const Painter& p, WhatIfLine line, Vec2 at, Color color);
// How its number was come by: a small filled square, an open one, or two dashes.
enum class WhatIfMark : std::uint8_t { Exact, Replayed, Modelled };
void known_mark(const Painter& p, WhatIfMark mark, Vec2 middle, Color color);

// The memories that choices are weighed in, the one all is held against in front.
void draw_choice_chart(const WhatIfFrame& frame, const Rect& room);
// One bar for each choice in the memory all is held against.
void draw_choice_again(const WhatIfFrame& frame, const Rect& room);
void draw_choice_first_token(const WhatIfFrame& frame, const Rect& room);
// Says, while there are no choices yet, how far they are, or why there are none.
void draw_choices_instead(const WhatIfFrame& frame, const Rect& room);
void draw_choices_awaited(const WhatIfFrame& frame, const Rect& room);

// How many lines the answer takes in the width of the frame's plan.
std::size_t whatif_answer_lines(const WhatIfFrame& frame);
void draw_whatif_answer(const WhatIfFrame& frame);
void draw_whatif_curve(const WhatIfFrame& frame);
void draw_whatif_again(const WhatIfFrame& frame);
void draw_whatif_first_token(const WhatIfFrame& frame);
void draw_whatif_points(const WhatIfFrame& frame);
void draw_whatif_assumptions(const WhatIfFrame& frame);

}  // namespace kv
