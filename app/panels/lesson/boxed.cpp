#include "app/panels/lesson/boxed.hpp"

namespace kv {

void wrapped(const Ui& ui, const TextStyle& style, float pitch, float width,
             std::string_view text) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = wrapped_at(Painter(ui), style, pitch, {at.x, at.y, width, 0}, text);
    ImGui::Dummy({width, height});
}

void head_line(const Ui& ui, float width, std::string_view title, std::string_view caption) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float h = ui.px(20);
    const Painter p(ui);
    text_in(p, type::section(ui), {at.x, at.y, width, h}, title);
    text_in(p, aligned(type::caption(ui), Align::Right), {at.x, at.y, width, h}, caption);
    ImGui::Dummy({width, h});
}

}  // namespace kv
