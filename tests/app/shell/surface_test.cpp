// The surfaces that need no display: the same picture twice, sharp edges, and frames that draw
// nothing.

#include "app/shell/surface/surface.hpp"

#include <implot.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "core/base/error.hpp"
#include "tests/app/picture.hpp"
#include "tests/app/sample_scene.hpp"
#include "tests/environment.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using test::EnvironmentVariable;
using test::ScratchFolder;

namespace {

Image picture_of_sample(PixelSize size, ThemeName theme, float unit) {
    const auto surface = open_headless(size);
    Gui gui(*surface);
    draw_frames(*surface, gui, theme, unit, draw_sample_scene);
    return surface->read_pixels();
}

}  // namespace

TEST_CASE("the same scene without a display gives the same bytes", "[surface][pixels]") {
    for (const float unit : {1.0f, 2.0f}) {
        const PixelSize size{static_cast<int>(400 * unit), static_cast<int>(300 * unit)};
        const Image first = picture_of_sample(size, ThemeName::Dark, unit);
        const Image second = picture_of_sample(size, ThemeName::Dark, unit);
        CHECK(first.size == size);
        const auto difference = compare(second, first);
        INFO((difference ? difference->sentence : ""));
        CHECK_FALSE(difference);
        CHECK(encode_png(first) == encode_png(second));
        CHECK_FALSE(first == Image::filled(size, first.at(0, 0)));
    }
}

TEST_CASE("themes differ in the picture", "[surface][pixels]") {
    const Image dark = picture_of_sample({400, 300}, ThemeName::Dark, 1.0f);
    const Image light = picture_of_sample({400, 300}, ThemeName::Light, 1.0f);
    CHECK(compare(light, dark));
}

TEST_CASE("a rectangle on whole pixels has exact colours up to its edge", "[surface][pixels]") {
    const auto surface = open_headless({64, 48});
    Gui gui(*surface);
    const Palette& p = palette(ThemeName::Dark);
    draw_frames(*surface, gui, ThemeName::Dark, 1.0f, [](const Ui& ui) {
        ImGui::GetWindowDrawList()->AddRectFilled({10, 12}, {30, 22}, im(ui.colors.k.fill));
    });
    const Image image = surface->read_pixels();
    for (const auto& [x, y] : {std::pair{10, 12}, {29, 12}, {10, 21}, {29, 21}})
        CHECK(image.at(x, y) == p.k.fill);
    for (const auto& [x, y] : {std::pair{9, 12}, {30, 12}, {10, 11}, {10, 22}})
        CHECK(image.at(x, y) == p.panel);
}

TEST_CASE("what the window does not cover has the background colour", "[surface][pixels]") {
    const auto surface = open_headless({32, 16});
    Gui gui(*surface);
    gui.begin_frame();
    gui.end_frame(rgb(0x0E1217));
    CHECK(surface->read_pixels() == Image::filled({32, 16}, rgb(0x0E1217)));
}

TEST_CASE("the picture follows a change of size", "[surface][pixels]") {
    const auto surface = open_headless({64, 64});
    Gui gui(*surface);
    for (const PixelSize size : {PixelSize{200, 100}, {1, 1}, {64, 200}}) {
        surface->resize(size);
        CHECK(surface->size() == size);
        draw_frames(*surface, gui, ThemeName::Light, 1.0f, [](const Ui&) {});
        CHECK(surface->read_pixels() == Image::filled(size, palette(ThemeName::Light).panel));
    }
}

TEST_CASE("a picture larger than the renderer takes is refused with its size",
          "[surface][pixels]") {
    const auto surface = open_headless({64, 64});
    try {
        surface->resize({1 << 20, 1 << 20});
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::World);
        CHECK_THAT(error.what(), ContainsSubstring("1048576x1048576"));
    }
}

TEST_CASE("a picture needs no home folder and no display", "[surface][pixels]") {
    const EnvironmentVariable home("HOME", std::nullopt), display("DISPLAY", std::nullopt),
        wayland("WAYLAND_DISPLAY", std::nullopt), cache("XDG_CACHE_HOME", std::nullopt);
    const Image image = picture_of_sample({200, 100}, ThemeName::Dark, 1.0f);
    CHECK(image.size == PixelSize{200, 100});
}

TEST_CASE("the renderer has a name", "[surface][pixels]") {
    CHECK_THAT(open_headless({8, 8})->renderer(), ContainsSubstring("integers"));
}

TEST_CASE("sixty frames on the null surface, with fonts and charts", "[surface]") {
    const auto surface = open_null({1280, 720});
    Gui gui(*surface);
    for (int i = 0; i < 20; ++i)
        draw_frames(*surface, gui, kThemeNames[static_cast<std::size_t>(i) % 3],
                    1.0f + 0.1f * static_cast<float>(i), draw_sample_scene);
    CHECK(ImGui::GetFrameCount() == 60);
    CHECK(ImGui::GetDrawData()->TotalVtxCount > 1000);
    for (const ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
        CHECK(texture->Status == ImTextureStatus_OK);
        CHECK(texture->TexID != ImTextureID_Invalid);
    }
}

TEST_CASE("time on a surface without a clock goes by in sixtieths", "[surface]") {
    const auto surface = open_null({64, 64});
    Gui gui(*surface);
    for (int i = 0; i < 60; ++i) {
        gui.begin_frame();
        CHECK(ImGui::GetIO().DeltaTime == 1.0f / 60.0f);
        gui.end_frame(rgb(0));
    }
    CHECK(std::abs(ImGui::GetTime() - 1.0) < 1e-4);
}

TEST_CASE("letters typed faster than the frames wait and say so until each has come", "[surface]") {
    const auto surface = open_null({64, 64});
    Gui gui(*surface);
    draw_frames(*surface, gui, ThemeName::Dark, 1.0f, draw_sample_scene);
    CHECK_FALSE(gui.has_input_waiting());
    for (const ImGuiKey key : {ImGuiKey_A, ImGuiKey_B, ImGuiKey_C, ImGuiKey_D})
        for (const bool down : {true, false}) ImGui::GetIO().AddKeyEvent(key, down);
    int pressed = 0, frames = 0;
    for (; gui.has_input_waiting() && frames < 100; ++frames) {
        gui.begin_frame();
        for (const ImGuiKey key : {ImGuiKey_A, ImGuiKey_B, ImGuiKey_C, ImGuiKey_D})
            pressed += ImGui::IsKeyPressed(key, false) ? 1 : 0;
        gui.end_frame(rgb(0));
    }
    CHECK(pressed == 4);
    CHECK(frames > 1);
}

TEST_CASE("no size of the null surface stops a frame", "[surface]") {
    const auto surface = open_null({640, 360});
    Gui gui(*surface);
    for (const PixelSize size : {PixelSize{1, 1}, {0, 0}, {16384, 1}, {16384, 16384}, {640, 360}}) {
        surface->resize(size);
        draw_frames(*surface, gui, ThemeName::Dark, 1.0f, draw_sample_scene);
    }
    CHECK(surface->read_pixels() == Image{});
    CHECK_FALSE(surface->close_requested());
    CHECK_FALSE(surface->wait_events(Surface::kNoLimit));
}

TEST_CASE("two Guis can live side by side on null surfaces", "[surface]") {
    const auto a = open_null({100, 100}), b = open_null({200, 200});
    Gui gui_a(*a), gui_b(*b);
    draw_frames(*a, gui_a, ThemeName::Dark, 1.0f, draw_sample_scene);
    draw_frames(*b, gui_b, ThemeName::Light, 2.0f, draw_sample_scene);
    gui_a.begin_frame();
    CHECK(ImGui::GetIO().DisplaySize.x == 100);
    CHECK(ImGui::GetStyle().FontSizeBase == 13);
    gui_a.end_frame(rgb(0));
}

TEST_CASE("no frame writes a file into the current folder", "[surface]") {
    const ScratchFolder folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    {
        const auto surface = open_null({64, 64});
        Gui gui(*surface);
        draw_frames(*surface, gui, ThemeName::Dark, 1.0f, draw_sample_scene);
    }
    CHECK(std::filesystem::is_empty(folder.path()));
    std::filesystem::current_path(before);
}
