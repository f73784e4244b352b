#pragma once
// The card that palette and help share: it lies over the dimmed picture, takes the
// keyboard, and is closed by Esc or a click outside.

#include "app/shell/ui.hpp"

namespace kv {

struct OverlayLook {
    float width = 640;       // logical pixels
    float height = 0;        // 0: as high as its content
    float top_share = 0.5f;  // where the card's middle stands (as its top, for 0 < top_share < 0.3)
};

// Draws `content` inside the card while `open`; content may set `open` to false.
void overlay(const Ui& ui, const char* id, const OverlayLook& look, bool& open, auto&& content);

// The two halves of overlay(); begin returns whether the content is to be drawn.
bool begin_overlay(const Ui& ui, const char* id, const OverlayLook& look, bool& open);
void end_overlay(bool open);

void overlay(const Ui& ui, const char* id, const OverlayLook& look, bool& open, auto&& content) {
    if (!begin_overlay(ui, id, look, open)) return;
    content();
    end_overlay(open);
}

}  // namespace kv
