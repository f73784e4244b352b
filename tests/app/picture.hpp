#pragma once
// A picture of any ImGui code, for tests and for looking at what one has drawn:
//
//     kv::write_png("/tmp/chips.png", kv::picture({640, 360}, kv::ThemeName::Dark, 1.0f,
//                                                 [](const kv::Ui& ui) { draw_chips(ui); }));
//
// `draw` runs inside a borderless window that fills the picture, once per frame for three frames
// (ImGui needs a frame to learn sizes).

#include <imgui.h>

#include <functional>

#include "app/shell/surface/gui.hpp"

namespace kv {

inline void draw_full_window(const std::function<void(const Ui&)>& draw, const Ui& ui) {
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    ImGui::SetNextWindowPos(viewport.Pos);
    ImGui::SetNextWindowSize(viewport.Size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::Begin("picture", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar(2);
    draw(ui);
    ImGui::End();
}

// Three frames on any surface, so that a test can put the same scene on two of them.
inline void draw_frames(Surface& surface, Gui& gui, ThemeName theme, float unit,
                        const std::function<void(const Ui&)>& draw) {
    const Palette& colors = palette(theme);
    const Texts texts;
    CommandSink sink;
    const Ui ui{colors, gui.fonts(), texts, sink, unit, true};
    gui.set_style(colors, unit);
    for (int frame = 0; frame < 3; ++frame) {
        surface.wait_events(0.0);
        gui.begin_frame();
        draw_full_window(draw, ui);
        gui.end_frame(colors.app);
    }
}

inline Image picture(PixelSize size, ThemeName theme, float unit,
                     const std::function<void(const Ui&)>& draw) {
    const std::unique_ptr<Surface> surface = open_headless(size);
    Gui gui(*surface);
    draw_frames(*surface, gui, theme, unit, draw);
    return surface->read_pixels();
}

}  // namespace kv
