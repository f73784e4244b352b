#include "app/widgets/edge_list.hpp"

namespace kv {

void draw_edge_list(const Ui& ui, const char* id, float height, std::size_t count, float row,
                    const DrawEdgeRow& draw) {
    const float width = ImGui::GetContentRegionAvail().x;
    const float pad = ImGui::GetCursorScreenPos().x - ImGui::GetWindowPos().x;
    const float edge = ui.line();  // of the panel's outline
    ImGui::SetCursorScreenPos({ImGui::GetWindowPos().x + edge, ImGui::GetCursorScreenPos().y});
    ImGui::BeginChild(id, {width + 2 * (pad - edge), height}, ImGuiChildFlags_None,
                      ImGuiWindowFlags_NoBackground);
    const float row_height = ui.px(row);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(count), row_height);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            ImGui::SetCursorPosX(pad - edge);
            const auto index = static_cast<std::size_t>(i);
            const Hit hit = hit_item(PartId(index).c_str(), {width, row_height});
            const Rect& r = hit.rect;
            draw(index, {hit, {r.x - pad, r.y, r.w + 2 * pad, r.h}});
        }
    ImGui::EndChild();
}

}  // namespace kv
