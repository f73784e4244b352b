#include "app/frame/dock_memory.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include "app/frame/layout.hpp"

namespace kv {
namespace {

constexpr int kLayoutVersion = 1;  // raise it when a layout's tree changes its meaning

std::string mark() {
    std::string names;
    for (const PanelInfo& panel : panel_table()) names += std::string(panel.name) + " ";
    return "; kvarium docks " + std::to_string(kLayoutVersion) + " " +
           std::to_string(ImHashStr(names.c_str(), names.size())) + "\n";
}

}  // namespace

std::string remember_docks() {
    std::size_t size = 0;
    const char* text = ImGui::SaveIniSettingsToMemory(&size);
    return mark() + std::string(text, size);
}

bool recall_docks(std::string_view text) {
    const std::string expected = mark();
    if (!text.starts_with(expected)) return false;
    text.remove_prefix(expected.size());
    ImGui::LoadIniSettingsFromMemory(text.data(), text.size());
    return true;
}

}  // namespace kv
