#include "app/shell/drawn_parts.hpp"

#include <algorithm>

namespace kv {
namespace {

// Where the window that is being drawn lets something be seen.
Rect seen_of(const Rect& r) {
    const ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 from = list.GetClipRectMin(), to = list.GetClipRectMax();
    const float x = std::max(r.x, from.x), y = std::max(r.y, from.y);
    return {x, y, std::min(r.right(), to.x) - x, std::min(r.bottom(), to.y) - y};
}

}  // namespace

void tell_part(const Ui& ui, const PartName& name, const Rect& rect) {
    constexpr float kMost = 0.6f;  // of its width and of its height
    if (ui.parts == nullptr) return;
    const Rect seen = seen_of(rect);
    if (seen.w < 1 || seen.h < 1 || seen.w < kMost * rect.w || seen.h < kMost * rect.h) return;
    ui.parts->add({name, seen});
}

void tell_line(const Ui& ui, const PartName& name, const List<Vec2>& way) {
    if (ui.parts == nullptr || way.empty()) return;
    Vec2 from = way.front(), to = way.front();
    for (const Vec2 p : way) {
        from = {std::min(from.x, p.x), std::min(from.y, p.y)};
        to = {std::max(to.x, p.x), std::max(to.y, p.y)};
    }
    ui.parts->add({name, {from.x, from.y, to.x - from.x, to.y - from.y}, way});
}

}  // namespace kv
