#include "bench/explore_window.hpp"

#include <imgui.h>

#include <utility>

namespace kv::bench {
namespace {

AppState explore() {
    AppState state;
    state.layout = LayoutName::Explore;
    state.settings.reduced_motion = true;
    return state;
}

}  // namespace

ExploreWindow::ExploreWindow(std::unique_ptr<Surface> surface)
    : surface_(std::move(surface)), gui_(*surface_), frame_(explore(), Texts()) {
    gui_.set_style(palette(ThemeName::Dark), 1);
}

void ExploreWindow::build(const RunView& run) {
    gui_.begin_frame();
    frame_.draw({.read_keys = false, .run = &run}, gui_.fonts());
}

void ExploreWindow::build_empty() {
    gui_.begin_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetMainViewport()->Size);
    ImGui::Begin("empty", nullptr, ImGuiWindowFlags_NoDecoration);
    ImGui::End();
}

void ExploreWindow::end() {
    gui_.end_frame(palette(ThemeName::Dark).app);
}

}  // namespace kv::bench
