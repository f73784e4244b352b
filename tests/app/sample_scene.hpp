#pragma once
// One small scene with a bit of everything the renderer does: both families, stock controls, shapes
// with and without anti-aliasing, and a chart. Without state, so that every drawing of it is the
// same.

#include <imgui.h>
#include <implot.h>

#include <array>
#include <cmath>

#include "app/shell/ui.hpp"

namespace kv {

inline void draw_sample_text(const Ui& ui) {
    for (const float size : {11.0f, 13.0f, 18.0f}) {
        for (ImFont* font : {ui.fonts.regular, ui.fonts.bold, ui.fonts.mono}) {
            ImGui::PushFont(font, ui.px(size));
            ImGui::TextUnformatted("Block 44 \xe2\x86\x92 0x3B160 \xe2\x96\x81");
            ImGui::PopFont();
            ImGui::SameLine();
        }
        ImGui::NewLine();
    }
}

inline void draw_sample_shapes(const Ui& ui) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float s = ui.px(24);
    list.AddRectFilled(at, {at.x + s, at.y + s}, im(ui.colors.k.fill), ui.px(3));
    list.AddCircleFilled({at.x + 2 * s, at.y + s / 2}, s / 2, im(ui.colors.request[1].fill));
    list.AddBezierCubic({at.x + 3 * s, at.y}, {at.x + 4 * s, at.y}, {at.x + 3 * s, at.y + s},
                        {at.x + 4 * s, at.y + s}, im(ui.colors.focus), 1.8f);
    list.AddTriangleFilled({at.x + 5 * s, at.y + s}, {at.x + 6 * s, at.y + s},
                           {at.x + 5.5f * s, at.y}, im(ui.colors.loss.fill));
    ImGui::Dummy({6 * s, s});
}

inline void draw_sample_chart(const Ui& ui) {
    std::array<double, 40> x{}, y{};
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<double>(i);
        y[i] = 100 + 50 * std::sin(x[i] * 0.3);
    }
    if (!ImPlot::BeginPlot("##chart", {ui.px(240), ui.px(110)}, ImPlotFlags_CanvasOnly)) return;
    ImPlot::PlotLine("line", x.data(), y.data(), static_cast<int>(x.size()));
    ImPlot::EndPlot();
}

inline void draw_sample_scene(const Ui& ui) {
    draw_sample_text(ui);
    draw_sample_shapes(ui);
    bool on = true;
    float value = 0.4f;
    ImGui::Button("Previous");
    ImGui::SameLine();
    ImGui::Checkbox("Sharing", &on);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(ui.px(100));
    ImGui::SliderFloat("##value", &value, 0.0f, 1.0f);
    draw_sample_chart(ui);
}

}  // namespace kv
