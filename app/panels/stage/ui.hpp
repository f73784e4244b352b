#pragma once
// What the Stage keeps for itself between frames: how the pool is looked at, how far the rows are
// moved, and what it gathered of the moment.

#include <cstdint>
#include <optional>

#include "app/panels/stage/plan/facts.hpp"
#include "app/panels/stage/plan/grid.hpp"
#include "app/panels/stage/plan/prompt_words.hpp"
#include "app/panels/stage/texels.hpp"

namespace kv {

// The pool in the class of drawing that zooming has just left, which fades out over the new one.
struct LookFade {
    std::optional<BlockClass> seen, from;
    double since = 0;  // seconds, by Dear ImGui's clock
    float zoom = 1;    // at which `seen` was drawn
};

// How much of the old class is left after that many seconds: 1 to 0 over 120 ms.
float fade_left(double seconds);

struct StageUi {
    ZoomAndPan pool;
    std::int64_t row_scroll = 0;
    std::optional<SeqId> seen;  // the request that row_scroll belongs to
    bool panning = false;       // the mouse went down on the pool and moved
    std::optional<Vec2> pressed_at;
    Vec2 pan_at_press;

    LookFade fade;
    bool is_moving = false;  // so the next picture is another one

    StageFacts facts;
    PromptWords words;
    StageTexels texels;
};

}  // namespace kv
