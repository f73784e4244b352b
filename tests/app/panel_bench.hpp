#pragma once
// One panel in a window of its own on the null surface, driven like a person drives it.

#include <imgui.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/surface/gui.hpp"

namespace kv::test {

class PanelBench {
public:
    explicit PanelBench(PixelSize size, ThemeName theme = ThemeName::Dark, float unit = 1)
        : surface_(open_null(size)), gui_(*surface_), colors_(palette(theme)), unit_(unit) {
        gui_.set_style(colors_, unit);
        ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    }

    void frames(const RunView& run, int count) {
        for (int i = 0; i < count; ++i) frame(run);
    }
    void move(const RunView& run, float x, float y) {
        ImGui::GetIO().AddMousePosEvent(x, y);
        frames(run, 2);
    }
    void click(const RunView& run, float x, float y) {
        move(run, x, y);
        ImGui::GetIO().AddMouseButtonEvent(0, true);
        frame(run);
        ImGui::GetIO().AddMouseButtonEvent(0, false);
        frames(run, 2);
    }
    void press(const RunView& run, ImGuiKey key) {
        ImGui::GetIO().AddKeyEvent(key, true);
        frame(run);
        ImGui::GetIO().AddKeyEvent(key, false);
        frames(run, 2);
    }

    // Where a text was written in the last frame; nothing when it was not.
    const WrittenText* find(std::string_view text) const {
        for (const WrittenText& one : written)
            if (one.text == text) return &one;
        return nullptr;
    }
    std::vector<std::string> asked() {
        std::vector<std::string> all;
        for (const Command& command : sink.take()) all.push_back(print(command));
        return all;
    }

    std::function<void(const Ui&, const RunView&)> draw;
    RunFocus focus;
    Texts texts;
    CommandSink sink;
    std::vector<WrittenText> written;

private:
    void frame(const RunView& run) {
        surface_->wait_events(0.0);
        gui_.begin_frame();
        focus.new_frame();
        written.clear();
        const Ui ui{colors_, gui_.fonts(), texts, sink, unit_, true, &written};
        const ImGuiViewport& viewport = *ImGui::GetMainViewport();
        ImGui::SetNextWindowPos(viewport.Pos);
        ImGui::SetNextWindowSize(viewport.Size);
        ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
        draw(ui, run);
        ImGui::End();
        gui_.end_frame(colors_.app);
    }

    std::unique_ptr<Surface> surface_;
    Gui gui_;
    const Palette& colors_;
    float unit_;
};

}  // namespace kv::test
