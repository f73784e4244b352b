#include "app/shell/style.hpp"

#include <imgui.h>
#include <implot.h>

#include <cfloat>
#include <cmath>

namespace kv {
namespace {

ImVec4 vec(Color c) {
    return {static_cast<float>(c.r) / 255.0f, static_cast<float>(c.g) / 255.0f,
            static_cast<float>(c.b) / 255.0f, static_cast<float>(c.a) / 255.0f};
}

constexpr Color kClear{0, 0, 0, 0};
constexpr float kTextSize = 13.0f, kTabBar = 28.0f, kTableRow = 24.0f;

struct Sizes {
    float unit;
    float px(float logical) const { return std::floor(logical * unit + 0.5f); }
    ImVec2 px(float x, float y) const { return {px(x), px(y)}; }
    // What to pad a line of text with so that the whole is `height`; half pixels, since only twice
    // the padding has to be whole.
    float around_text(float height) const { return (px(height) - px(kTextSize)) / 2.0f; }
};

void set_window_sizes(ImGuiStyle& s, const Sizes& z, float line) {
    s.FontSizeBase = z.px(kTextSize);
    s.WindowPadding = z.px(20, 20);
    s.WindowRounding = z.px(4);
    s.WindowBorderSize = line;
    s.WindowBorderHoverPadding = z.px(4);
    s.WindowMinSize = z.px(32, 32);
    s.WindowTitleAlign = {0.0f, 0.5f};
    s.WindowMenuButtonPosition = ImGuiDir_None;
    s.ChildRounding = 0.0f;  // also the rounding of docked panels
    s.ChildBorderSize = line;
    s.PopupRounding = z.px(4);
    s.PopupBorderSize = line;
    s.DockingNodeHasCloseButton = false;
    s.DockingSeparatorSize = z.px(4);
    s.ScrollbarSize = z.px(10);
    s.ScrollbarRounding = z.px(2);
    s.ScrollbarPadding = z.px(3);
}

void set_item_sizes(ImGuiStyle& s, const Sizes& z, float line) {
    s.FramePadding = {z.px(12), z.around_text(kTabBar)};
    s.FrameRounding = z.px(4);
    s.FrameBorderSize = line;
    s.ItemSpacing = z.px(8, 8);
    s.ItemInnerSpacing = z.px(8, 4);
    s.CellPadding = {z.px(8), z.around_text(kTableRow)};
    s.IndentSpacing = z.px(16);
    s.GrabMinSize = z.px(8);
    s.GrabRounding = z.px(2);
    s.MenuItemRounding = z.px(2);
    s.SelectableRounding = z.px(2);
    s.SeparatorSize = line;
    s.SeparatorTextBorderSize = line;
    s.InputTextCursorSize = line;
    s.TabRounding = 0.0f;
    s.TabBorderSize = 0.0f;
    s.TabBarBorderSize = 0.0f;
    s.TabBarOverlineSize = z.px(2);
    s.TabMinWidthBase = z.px(28);
    s.TabMinWidthShrink = z.px(56);
    s.TabCloseButtonMinWidthSelected = FLT_MAX;
    s.TabCloseButtonMinWidthUnselected = FLT_MAX;
}

void set_behaviour(ImGuiStyle& s) {
    s.DisabledAlpha = 0.5f;
    s.HoverStationaryDelay = 0.1f;
    s.HoverDelayShort = 0.3f;
    s.HoverDelayNormal = 0.3f;
    s.CircleTessellationMaxError = 0.2f;  // round at any scale
}

void set_base_colors(ImVec4* c, const Palette& p) {
    c[ImGuiCol_Text] = vec(p.text);
    c[ImGuiCol_TextDisabled] = vec(p.text3);
    c[ImGuiCol_TextLink] = vec(p.text);
    c[ImGuiCol_TextSelectedBg] = vec(with_alpha(p.text, 77));
    c[ImGuiCol_InputTextCursor] = vec(p.focus);
    c[ImGuiCol_UnsavedMarker] = vec(p.text);
    c[ImGuiCol_WindowBg] = vec(p.panel);
    c[ImGuiCol_ChildBg] = vec(kClear);
    c[ImGuiCol_PopupBg] = vec(p.raised);
    c[ImGuiCol_MenuBarBg] = vec(p.app);
    c[ImGuiCol_DockingEmptyBg] = vec(p.app);
    c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = vec(p.app);
    c[ImGuiCol_Border] = vec(p.edge);  // controls; who draws a panel pushes palette.line
    c[ImGuiCol_BorderShadow] = vec(kClear);
    c[ImGuiCol_Separator] = c[ImGuiCol_TreeLines] = vec(p.line);
    c[ImGuiCol_SeparatorHovered] = vec(p.edge);
    c[ImGuiCol_SeparatorActive] = vec(p.text2);
    c[ImGuiCol_ResizeGrip] = vec(kClear);
    c[ImGuiCol_ResizeGripHovered] = vec(p.edge);
    c[ImGuiCol_ResizeGripActive] = vec(p.text2);
    c[ImGuiCol_ScrollbarBg] = vec(kClear);
    c[ImGuiCol_ScrollbarGrab] = vec(p.edge);
    c[ImGuiCol_ScrollbarGrabHovered] = vec(p.text3);
    c[ImGuiCol_ScrollbarGrabActive] = vec(p.text2);
}

void set_control_colors(ImVec4* c, const Palette& p) {
    c[ImGuiCol_FrameBg] = vec(p.inset);
    c[ImGuiCol_FrameBgHovered] = vec(mix(p.inset, p.text, 0.07));
    c[ImGuiCol_FrameBgActive] = vec(mix(p.inset, p.text, 0.16));
    c[ImGuiCol_Button] = vec(p.raised);
    c[ImGuiCol_ButtonHovered] = vec(mix(p.raised, p.text, 0.07));
    c[ImGuiCol_ButtonActive] = vec(mix(p.raised, p.text, 0.16));
    c[ImGuiCol_Header] = c[ImGuiCol_HeaderActive] = vec(p.pressed_wash());
    c[ImGuiCol_HeaderHovered] = vec(p.hover_wash());
    c[ImGuiCol_CheckMark] = c[ImGuiCol_SliderGrab] = vec(p.text);
    c[ImGuiCol_CheckboxSelectedBg] = vec(p.inset);
    c[ImGuiCol_SliderGrabActive] = vec(p.focus);
    c[ImGuiCol_TableHeaderBg] = vec(p.panel);
    c[ImGuiCol_TableBorderStrong] = c[ImGuiCol_TableBorderLight] = vec(p.line);
    c[ImGuiCol_TableRowBg] = c[ImGuiCol_TableRowBgAlt] = vec(kClear);
    c[ImGuiCol_PlotLines] = c[ImGuiCol_PlotHistogram] = vec(p.text2);
    c[ImGuiCol_PlotLinesHovered] = c[ImGuiCol_PlotHistogramHovered] = vec(p.focus);
}

void set_tab_and_focus_colors(ImVec4* c, const Palette& p) {
    c[ImGuiCol_Tab] = c[ImGuiCol_TabDimmed] = vec(p.app);
    c[ImGuiCol_TabHovered] = vec(p.hover_wash());
    c[ImGuiCol_TabSelected] = c[ImGuiCol_TabDimmedSelected] = vec(p.panel);
    c[ImGuiCol_TabSelectedOverline] = c[ImGuiCol_TabDimmedSelectedOverline] = vec(p.text);
    c[ImGuiCol_DockingPreview] = vec(with_alpha(p.text, 64));
    c[ImGuiCol_DragDropTarget] = vec(p.focus);
    c[ImGuiCol_DragDropTargetBg] = vec(kClear);
    c[ImGuiCol_NavCursor] = c[ImGuiCol_NavWindowingHighlight] = vec(p.focus);
    c[ImGuiCol_NavWindowingDimBg] = c[ImGuiCol_ModalWindowDimBg] = vec(with_alpha(p.app, 153));
}

}  // namespace

ImGuiStyle make_style(const Palette& palette, float unit) {
    ImGuiStyle style;
    // For the few sizes that are not set below, and the focus ring's width.
    style.ScaleAllSizes(unit);
    const Sizes sizes{unit};
    const float line = sizes.px(1.0f + palette.extra_line);
    set_window_sizes(style, sizes, line);
    set_item_sizes(style, sizes, line);
    set_behaviour(style);
    set_base_colors(style.Colors, palette);
    set_control_colors(style.Colors, palette);
    set_tab_and_focus_colors(style.Colors, palette);
    return style;
}

ImPlotStyle make_plot_style(const Palette& p, float unit) {
    const Sizes z{unit};
    const float line = z.px(1.0f + p.extra_line);
    ImPlotStyle style;
    style.PlotDefaultSize = z.px(400, 200);
    style.PlotMinSize = z.px(80, 48);
    style.PlotBorderSize = 0.0f;
    style.MajorTickLen = z.px(4, 4);
    style.MinorTickLen = {0.0f, 0.0f};
    style.MajorTickSize = style.MinorTickSize = {line, line};
    style.MajorGridSize = style.MinorGridSize = {line, line};
    style.PlotPadding = z.px(4, 8);
    style.LabelPadding = z.px(8, 4);
    style.LegendPadding = z.px(8, 8);
    style.LegendInnerPadding = z.px(8, 4);
    style.LegendSpacing = z.px(8, 0);
    style.MousePosPadding = z.px(8, 8);
    style.AnnotationPadding = z.px(4, 4);

    ImVec4* c = style.Colors;
    c[ImPlotCol_FrameBg] = c[ImPlotCol_PlotBg] = c[ImPlotCol_AxisBg] = vec(kClear);
    c[ImPlotCol_PlotBorder] = vec(p.line);
    c[ImPlotCol_LegendBg] = vec(p.raised);
    c[ImPlotCol_LegendBorder] = vec(p.edge);
    c[ImPlotCol_LegendText] = c[ImPlotCol_TitleText] = vec(p.text);
    c[ImPlotCol_InlayText] = c[ImPlotCol_AxisText] = vec(p.text2);
    c[ImPlotCol_AxisGrid] = c[ImPlotCol_AxisTick] = vec(p.line);
    c[ImPlotCol_AxisBgHovered] = vec(p.hover_wash());
    c[ImPlotCol_AxisBgActive] = vec(p.pressed_wash());
    c[ImPlotCol_Selection] = c[ImPlotCol_Crosshairs] = vec(p.focus);
    return style;
}

void apply_style(const Palette& palette, float unit) {
    ImGui::GetStyle() = make_style(palette, unit);
    ImPlot::GetStyle() = make_plot_style(palette, unit);
}

}  // namespace kv
