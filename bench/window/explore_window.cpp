#include "bench/window/explore_window.hpp"

#include <imgui.h>

#include <utility>

namespace kv::bench {
namespace {

AppState state_of(LayoutName layout) {
    AppState state;
    state.layout = layout;
    state.settings.reduced_motion = true;
    return state;
}

}  // namespace

ExploreWindow::ExploreWindow(std::unique_ptr<Surface> surface, LayoutName layout)
    : surface_(std::move(surface)), gui_(*surface_), frame_(state_of(layout), Texts()) {
    gui_.set_style(palette(ThemeName::Dark), 1);
}

void ExploreWindow::build(const RunView& run, const RunView* other) {
    gui_.begin_frame();
    frame_.draw({.read_keys = false, .run = &run, .other = other}, gui_.fonts());
}

void ExploreWindow::build() {
    gui_.begin_frame();
    frame_.draw({.read_keys = false}, gui_.fonts());
}

void ExploreWindow::build_empty() {
    gui_.begin_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetMainViewport()->Size);
    ImGui::Begin("empty", nullptr, ImGuiWindowFlags_NoDecoration);
    ImGui::End();
}

void ExploreWindow::end() {
    gui_.end_frame(frame_.background());
}

}  // namespace kv::bench
