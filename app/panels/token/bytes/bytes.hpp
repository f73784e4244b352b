#pragma once
// The bytes of one vector as they lie, and what they would become in a smaller format.

#include "app/panels/token/value_preview.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

struct BytesUi {
    PreviewCodec preview = PreviewCodec::Int8;
    bool address_refused = false;  // the last one that was typed
};

void draw_bytes(const Ui& ui, const RunView& run, RunFocus& focus, BytesUi& own);

}  // namespace kv
