#pragma once
// What a recorded server would have found in other pools: the answer as a sentence, the hit rate
// over pool size, tokens computed again and first tokens, the points, and what they rest on.

#include "app/panels/whatif/ui.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_whatif(const Ui& ui, WhatIfUi& own);

}  // namespace kv
