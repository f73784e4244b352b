#include "app/frame/dock/memory.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include "app/frame/state/layout.hpp"

namespace kv {
namespace {

constexpr int kLayoutVersion = 2;  // raise it when a layout's tree changes its meaning

// Rows, columns and tabs without their sizes.
std::string shape_of(const LayoutNode& node) {
    std::string text = std::to_string(static_cast<int>(node.kind)) + "(";
    for (const PanelId panel : node.dock.tabs) text += std::string(row_of(panel).name) + " ";
    for (const LayoutNode& child : node.children) text += shape_of(child);
    return text + ")";
}

std::string mark(Vec2 window) {
    std::string names;
    for (const PanelRow& panel : panel_table()) names += std::string(panel.name) + " ";
    for (const LayoutName layout : kLayoutNames)
        if (layout != LayoutName::Present) names += shape_of(layout_tree(layout, window));
    return "; kvarium docks " + std::to_string(kLayoutVersion) + " " +
           std::to_string(ImHashStr(names.c_str(), names.size())) + "\n";
}

}  // namespace

std::string remember_docks(Vec2 window) {
    std::size_t size = 0;
    const char* text = ImGui::SaveIniSettingsToMemory(&size);
    return mark(window) + std::string(text, size);
}

bool recall_docks(std::string_view text, Vec2 window) {
    const std::string expected = mark(window);
    if (!text.starts_with(expected)) return false;
    text.remove_prefix(expected.size());
    ImGui::LoadIniSettingsFromMemory(text.data(), text.size());
    return true;
}

}  // namespace kv
