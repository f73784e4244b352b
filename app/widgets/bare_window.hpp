#pragma once
// A window without a frame, a title or room at its edges, at a place that is not the person's to
// move. Open as long as it lives.

#include <imgui.h>

#include "app/shell/ui.hpp"

namespace kv {

class BareWindow {
public:
    BareWindow(const char* id, const Rect& box, Color background);
    ~BareWindow() { ImGui::End(); }
    BareWindow(const BareWindow&) = delete;
    BareWindow& operator=(const BareWindow&) = delete;
};

}  // namespace kv
