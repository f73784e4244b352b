#pragma once
// What the Stage keeps for itself between frames: how the pool is looked at, how far the rows are
// moved, and what it gathered of the moment.

#include <cstdint>
#include <optional>

#include "app/panels/stage/plan/draft.hpp"
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

// The columns of the pool, chosen when a run is first seen in a room of that size, so that no block
// changes its place while the run goes on.
struct PoolColumns {
    std::uint64_t run = 0;
    std::uint32_t n_blocks = 0, columns = 0;
    Vec2 room = {};
    float unit = 0;
};

struct StageUi {
    ZoomAndPan pool;
    PoolColumns columns;
    std::int64_t row_scroll = 0;
    std::optional<SeqId> seen;  // the request that row_scroll belongs to
    bool panning = false;       // the mouse went down on the pool and moved
    std::optional<Vec2> pressed_at;
    Vec2 pan_at_press;
    bool was_clicked = false;  // a token or a block, with the mouse; whoever shows it takes note

    LookFade fade;
    bool is_moving = false;  // so the next picture is another one

    StageFacts facts;
    PromptWords words;
    DraftFacts draft;
    StageTexels texels;
};

}  // namespace kv
