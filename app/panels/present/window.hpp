#pragma once
// The one window of Present, over everything and without a frame. Open as long as it lives.

#include "app/shell/ui.hpp"

namespace kv {

class PresentWindow {
public:
    PresentWindow(const Ui& ui, const Rect& room);
    ~PresentWindow() { ImGui::End(); }
    PresentWindow(const PresentWindow&) = delete;
    PresentWindow& operator=(const PresentWindow&) = delete;
};

}  // namespace kv
