// Stock widgets and fonts against the sizes of the design.

#include "app/shell/style.hpp"

#include <imgui.h>
#include <imgui_internal.h>
#include <implot.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <cstring>

#include "app/shell/surface/gui.hpp"

using namespace kv;
using Catch::Matchers::WithinAbs;

namespace {

bool on_whole_pixel(float value) {
    return value == std::floor(value);
}

bool same_colors(const ImVec4& imgui, Color c) {
    return ImGui::ColorConvertFloat4ToU32(imgui) == im(c);
}

}  // namespace

TEST_CASE("the sizes are those of the design at scale 1 and twice those at scale 2", "[style]") {
    for (const float unit : {1.0f, 2.0f}) {
        const ImGuiStyle s = make_style(palette(ThemeName::Dark), unit);
        CHECK(s.FontSizeBase == 13 * unit);
        CHECK(s.FontSizeBase + 2 * s.FramePadding.y == 28 * unit);  // tab bar
        CHECK(s.FontSizeBase + 2 * s.CellPadding.y == 24 * unit);   // table row
        CHECK(s.TabBarOverlineSize == 2 * unit);
        CHECK(s.DockingSeparatorSize == 4 * unit);
        CHECK(s.WindowPadding.x == 20 * unit);
        CHECK(s.FrameRounding == 4 * unit);
        CHECK(s.ItemSpacing.y == 8 * unit);
        CHECK(s.FrameBorderSize == 1 * unit);
        CHECK(s.WindowMenuButtonPosition == ImGuiDir_None);
        CHECK_FALSE(s.DockingNodeHasCloseButton);
        CHECK(s.FontScaleMain == 1.0f);
        CHECK(s.FontScaleDpi == 1.0f);
    }
}

TEST_CASE("at any scale whatever makes an edge is a whole number of pixels", "[style]") {
    for (const float unit : {0.8f, 1.0f, 1.1f, 1.25f, 1.5f, 1.75f, 2.2f, 3.0f, 4.0f}) {
        const ImGuiStyle s = make_style(palette(ThemeName::Light), unit);
        INFO("unit " << unit);
        CHECK(on_whole_pixel(s.FontSizeBase));
        CHECK(on_whole_pixel(s.FontSizeBase + 2 * s.FramePadding.y));
        CHECK(on_whole_pixel(s.FontSizeBase + 2 * s.CellPadding.y));
        for (const float size :
             {s.WindowPadding.x, s.FramePadding.x, s.ItemSpacing.x, s.ItemSpacing.y,
              s.ScrollbarSize, s.DockingSeparatorSize, s.TabBarOverlineSize})
            CHECK(on_whole_pixel(size));
        CHECK(s.FrameBorderSize >= 1.0f);
    }
}

TEST_CASE("the contrast theme draws its outlines a pixel wider", "[style]") {
    CHECK(make_style(palette(ThemeName::Contrast), 1.0f).FrameBorderSize == 2.0f);
    CHECK(make_style(palette(ThemeName::Contrast), 2.0f).FrameBorderSize == 4.0f);
}

TEST_CASE("changes of style never add up", "[style]") {
    const auto surface = open_null({640, 360});
    Gui gui(*surface);
    gui.set_style(palette(ThemeName::Light), 1.5f);
    const ImGuiStyle once = ImGui::GetStyle();
    for (int i = 0; i < 20; ++i) {
        gui.set_style(palette(ThemeName::Contrast), 3.0f);
        gui.set_style(palette(ThemeName::Light), 1.5f);
    }
    const ImGuiStyle& now = ImGui::GetStyle();
    CHECK(now.FramePadding.y == once.FramePadding.y);
    CHECK(now.ScrollbarSize == once.ScrollbarSize);
    CHECK(now.TreeLinesSize == once.TreeLinesSize);
    CHECK(now._MainScale == once._MainScale);
    CHECK(std::memcmp(now.Colors, once.Colors, sizeof now.Colors) == 0);
}

TEST_CASE("chrome is grey, taken from the palette, and opaque where text stands on it", "[style]") {
    for (const ThemeName theme : kThemeNames) {
        const Palette& p = palette(theme);
        const ImGuiStyle s = make_style(p, 1.0f);
        INFO(name_of(theme));
        CHECK(same_colors(s.Colors[ImGuiCol_WindowBg], p.panel));
        CHECK(same_colors(s.Colors[ImGuiCol_PopupBg], p.raised));
        CHECK(same_colors(s.Colors[ImGuiCol_DockingEmptyBg], p.app));
        CHECK(same_colors(s.Colors[ImGuiCol_TabSelected], p.panel));
        CHECK(same_colors(s.Colors[ImGuiCol_TabSelectedOverline], p.text));
        CHECK(same_colors(s.Colors[ImGuiCol_NavCursor], p.focus));
        for (int i = 0; i < ImGuiCol_COUNT; ++i) {
            const ImVec4 c = s.Colors[i];
            INFO(ImGui::GetStyleColorName(i));
            const float most = std::max({c.x, c.y, c.z}), least = std::min({c.x, c.y, c.z});
            CHECK(most - least <=
                  0.12f);  // the cool grey of the design; a data hue spreads over 0.2
        }
    }
}

TEST_CASE("charts have thin lines and no ground of their own", "[style]") {
    const ImPlotStyle s = make_plot_style(palette(ThemeName::Dark), 1.0f);
    CHECK(s.PlotBorderSize == 0.0f);
    CHECK(s.MajorGridSize.x == 1.0f);
    CHECK(s.Colors[ImPlotCol_FrameBg].w == 0.0f);
    CHECK(s.Colors[ImPlotCol_PlotBg].w == 0.0f);
}

TEST_CASE("both families share a baseline, with their capitals in the middle of the line",
          "[style]") {
    const auto surface = open_null({640, 360});
    Gui gui(*surface);
    gui.begin_frame();
    const Fonts& f = gui.fonts();
    for (int size = 9; size <= 120; ++size) {
        INFO("size " << size);
        const auto px = static_cast<float>(size);
        for (ImFont* font : {f.regular, f.medium, f.semibold, f.bold, f.mono, f.mono_bold}) {
            ImFontBaked* baked = font->GetFontBaked(px);
            CHECK(baked->Ascent == f.mono->GetFontBaked(px)->Ascent);
            const ImFontGlyph* glyph = baked->FindGlyph('H');
            CHECK_THAT((glyph->Y0 + glyph->Y1) / 2, WithinAbs(px / 2, 1.0));
            CHECK_THAT(glyph->Y1 - glyph->Y0, WithinAbs(0.728f * px, 1.6));  // the size is the em
        }
    }
    gui.end_frame(rgb(0));
}

TEST_CASE("numbers stand in columns of whole pixels", "[style]") {
    const auto surface = open_null({640, 360});
    Gui gui(*surface);
    gui.begin_frame();
    for (const float size : {11.0f, 12.0f, 13.0f, 14.0f, 18.0f, 26.0f}) {
        for (ImFont* font : {gui.fonts().mono, gui.fonts().mono_bold}) {
            const float advance = font->GetFontBaked(size)->FindGlyph('0')->AdvanceX;
            CHECK(on_whole_pixel(advance));
            for (const ImWchar c : {'1', '9', ',', '.', '-', 'F', ' '})
                CHECK(font->GetFontBaked(size)->FindGlyph(c)->AdvanceX == advance);
        }
    }
    gui.end_frame(rgb(0));
}

TEST_CASE("every font has the letters that the texts need", "[style]") {
    const auto surface = open_null({640, 360});
    Gui gui(*surface);
    const Fonts& f = gui.fonts();
    for (ImFont* font : {f.regular, f.medium, f.semibold, f.bold, f.mono, f.mono_bold}) {
        INFO(font->GetDebugName());
        for (ImWchar c = 0x20; c < 0x7F; ++c) CHECK(font->IsGlyphInFont(c));
        for (ImWchar c = 0xA1; c <= 0xFF; ++c) CHECK((c == 0xAD || font->IsGlyphInFont(c)));
        for (ImWchar c = 0x391; c <= 0x3C9; ++c) CHECK((c == 0x3A2 || font->IsGlyphInFont(c)));
        // arrows, minus, dashes, ellipsis, comparisons, the marks of blanks in tokens
        for (const int c : {0x2190, 0x2191, 0x2192, 0x2193, 0x2212, 0x2013, 0x2026, 0x2264, 0x2265,
                            0x2581, 0x0120, 0x010A})
            CHECK(font->IsGlyphInFont(static_cast<ImWchar>(c)));
    }
}
