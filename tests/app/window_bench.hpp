#pragma once
// The whole window on the null surface, driven like a person drives it.

#include <imgui.h>

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/screen/screen.hpp"

namespace kv::test {

inline AppState with_text_scale(float scale) {
    AppState state;
    state.settings.text_scale = scale;
    return state;
}

struct WindowBench {
    Screen screen;

    explicit WindowBench(PixelSize size = {1280, 720}, AppState state = {})
        : WindowBench(open_null(size), std::move(state)) {}
    explicit WindowBench(std::unique_ptr<Surface> surface, AppState state = {})
        : screen(std::move(surface), std::move(state), Texts()) {}

    AppState& state() { return screen.frame().state(); }
    const RunView& run() { return *screen.run().view(); }
    const LessonView& lesson() { return screen.run().lesson(); }

    void open(const std::string& scene, std::optional<std::uint32_t> step = {}) {
        screen.open_scene(scene, step);
        screen.finish_run();
    }
    // What a frame asks of the run is done behind it, and the next one shows it.
    void settle(int rounds = 2) {
        for (int i = 0; i < rounds; ++i) screen.draw(true), screen.finish_run();
        screen.draw(true);
    }
    // The words of a command, carried out before any frame.
    void ask_unseen(const std::string& words) {
        std::string why;
        const auto command = parse_command(words, why);
        INFO(words << " " << why);
        REQUIRE(command);
        apply_or_explain(state(), *command);
        screen.finish_run();
    }
    void ask(const std::string& words) {
        ask_unseen(words);
        settle();
    }
    void press(ImGuiKey key, ImGuiKey modifier = ImGuiKey_None) {
        ImGuiIO& io = ImGui::GetIO();
        if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, true);
        io.AddKeyEvent(key, true);
        screen.draw(true);
        io.AddKeyEvent(key, false);
        if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, false);
        settle();
    }
    void type(const char* text) {
        ImGui::GetIO().AddInputCharactersUTF8(text);
        settle(4);  // Dear ImGui takes one event of a kind in a frame
    }
    void click(Vec2 at) {
        ImGuiIO& io = ImGui::GetIO();
        io.AddMousePosEvent(at.x, at.y);
        settle();
        io.AddMouseButtonEvent(0, true);
        screen.draw(true);
        io.AddMouseButtonEvent(0, false);
        settle();
    }
    // All that stands in the window once it is at rest.
    std::vector<WrittenText> written(bool read_keys = true) {
        std::vector<WrittenText> all;
        for (int i = 0; i < 3; ++i) all.clear(), screen.draw(read_keys, 1, &all);
        return all;
    }
};

// Every vertex of the frame drawn last has a place.
inline void check_finite() {
    for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
        for (const ImDrawVert& v : list->VtxBuffer)
            REQUIRE((std::isfinite(v.pos.x) && std::isfinite(v.pos.y)));
}

}  // namespace kv::test
