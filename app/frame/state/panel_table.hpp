#pragma once
// Every panel of the window: its name in commands and scripts, its title, its paragraph of help and
// the note behind "Leaves out". No panel exists without the last two.

#include <optional>
#include <span>
#include <string_view>

#include "app/shell/texts/texts.hpp"

namespace kv {

enum class PanelId : std::uint8_t {
    Lesson,
    Glossary,
    Notes,
    Stage,
    Calculator,
    Inspector,
    Attention,
    Equation,
    Charts,
    MiniCharts,
    Settings,
    Requests,
    Prefix,
    Xray,
    Bytes,
    Channels,
    Roofline,
    Price,
    Events,
    Transport,
    Summary,
    Left,
    Right,
    Quality,
    Memory,
    Help,
};

struct PanelInfo {
    PanelId id;
    std::string_view name;  // "equation"
    TextId title, help, leaves_out;
};
std::span<const PanelInfo> panel_table();
const PanelInfo& info_of(PanelId id);
const PanelInfo* find_panel(std::string_view name);

}  // namespace kv
