#include "app/shell/surface/gui.hpp"

#include <imgui.h>
#include <imgui_internal.h>
#include <implot.h>

#include "app/shell/fonts.hpp"
#include "app/shell/style.hpp"

namespace kv {

Gui::Gui(Surface& surface)
    : surface_(surface), context_(ImGui::CreateContext()), plot_context_(ImPlot::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    ImPlot::SetCurrentContext(plot_context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // layouts are code; nothing is written to the current folder
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_DockingEnable | ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigNavCursorVisibleAlways = false;  // a key shows it, the mouse hides it
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    io.ConfigInputTextCursorBlink = false;  // nothing is redrawn while nothing changes
    fonts_ = load_fonts(*io.Fonts);
    io.FontDefault = fonts_.regular;
    surface_.attach();
    set_style(palette(ThemeName::Dark), surface_.scale());
}

Gui::~Gui() {
    ImGui::SetCurrentContext(context_);
    surface_.make_current();
    surface_.detach();
    ImPlot::DestroyContext(plot_context_);
    ImGui::DestroyContext(context_);
}

void Gui::set_style(const Palette& palette, float unit) {
    ImGui::SetCurrentContext(context_);
    ImPlot::SetCurrentContext(plot_context_);
    apply_style(palette, unit);
}

void Gui::make_current() {
    ImGui::SetCurrentContext(context_);
    ImPlot::SetCurrentContext(plot_context_);
    surface_.make_current();
}

void Gui::begin_frame() {
    make_current();
    surface_.begin_frame();
    ImGui::NewFrame();
}

void Gui::end_frame(Color background) {
    ImGui::Render();
    surface_.present(background);
}

bool Gui::has_input_waiting() const {
    return !context_->InputEventsQueue.empty();
}

}  // namespace kv
