#include "app/frame/state/panel_table.hpp"

#include <algorithm>
#include <array>

#include "core/base/error.hpp"

namespace kv {
namespace {

consteval PanelInfo row(PanelId id, std::string_view name, std::string_view words) {
    return {id, name, text_id("panel.", words, ""), text_id("panel.", words, ".help"),
            text_id("panel.", words, ".leaves")};
}
consteval PanelInfo row(PanelId id, std::string_view name) {
    return row(id, name, name);
}

constexpr std::array kPanels = std::to_array<PanelInfo>({
    row(PanelId::Lesson, "lesson"),         row(PanelId::Glossary, "glossary"),
    row(PanelId::Notes, "notes"),           row(PanelId::Stage, "stage"),
    row(PanelId::Calculator, "calculator"), row(PanelId::Inspector, "inspector"),
    row(PanelId::Attention, "attention"),   row(PanelId::Equation, "equation"),
    row(PanelId::Charts, "charts"),         row(PanelId::MiniCharts, "mini_charts", "charts"),
    row(PanelId::Settings, "settings"),     row(PanelId::Requests, "requests"),
    row(PanelId::Prefix, "prefix"),         row(PanelId::Xray, "xray"),
    row(PanelId::Bytes, "bytes"),           row(PanelId::Channels, "channels"),
    row(PanelId::Roofline, "roofline"),     row(PanelId::Price, "price"),
    row(PanelId::Events, "events"),         row(PanelId::Transport, "transport"),
    row(PanelId::Summary, "summary"),       row(PanelId::Left, "left"),
    row(PanelId::Right, "right"),           row(PanelId::Quality, "quality"),
    row(PanelId::Memory, "memory"),         row(PanelId::Help, "help"),
});

}  // namespace

std::span<const PanelInfo> panel_table() {
    return kPanels;
}

const PanelInfo& info_of(PanelId id) {
    const PanelInfo& info = kPanels[static_cast<std::size_t>(id)];
    KV_ASSERT(info.id == id);
    return info;
}

const PanelInfo* find_panel(std::string_view name) {
    const auto it = std::find_if(kPanels.begin(), kPanels.end(),
                                 [name](const PanelInfo& p) { return p.name == name; });
    return it == kPanels.end() ? nullptr : &*it;
}

}  // namespace kv
