#pragma once
// What the Stage keeps for itself between frames: how the pool is looked at, how far the rows are
// moved, and what it gathered of the moment.

#include <cstdint>
#include <optional>

#include "app/panels/stage_facts.hpp"
#include "app/panels/stage_pool_grid.hpp"
#include "app/panels/stage_texels.hpp"

namespace kv {

struct StageUi {
    ZoomAndPan pool;
    std::int64_t row_scroll = 0;
    std::optional<SeqId> seen;  // the request that row_scroll belongs to
    bool panning = false;       // the mouse went down on the pool and moved
    std::optional<Vec2> pressed_at;
    Vec2 pan_at_press;

    StageFacts facts;
    StageTexels texels;
};

}  // namespace kv
