#pragma once
// Every panel of the window is one row of one table: its name in commands and scripts, its words,
// what draws it and what writes it as data. No panel exists without help and a note of what its
// picture leaves out.

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/export/data_table.hpp"
#include "app/shell/texts/texts.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct AppState;
struct LessonView;
struct RunView;
struct Ui;

enum class PanelId : std::uint8_t {
    Lesson,
    Code,
    Glossary,
    Notes,
    Figure,
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
    Drafts,
    Race,
    WhatIf,
    Events,
    Transport,
    Summary,
    Left,
    Right,
    Quality,
    Memory,
    Attach,
    AttachServer,
    AttachWire,
    AttachStrip,
    AttachPool,
    AttachTree,
    AttachLost,
    AttachCharts,
    AttachAges,
    AttachLog,
    AttachStream,
    Servers,
    ServersLeft,
    ServersRight,
    ServersNumbers,
    ServersCharts,
    ServersAges,
    ServersStream,
    Help,
};

// What a panel is drawn from. Without a run it shows the bill, or says what will stand here.
struct PanelScene {
    const Ui& ui;
    AppState& state;
    const RunView* run = nullptr;
    const RunView* other = nullptr;  // beside it
    const LessonView* lesson = nullptr;
};
// What its tables are made from.
struct PanelDataAsk {
    const Texts& text;
    AppState& state;  // its caches of the run are brought up to date
    const RunView* run = nullptr;
    const RunView* other = nullptr;
    const LessonView* lesson = nullptr;
};

struct PanelWords {
    TextId title, why;
};

// What a tab says beyond the panel's title; empty where there is nothing to say.
struct TabWords {
    Text title, tip;
};

struct PanelRow {
    PanelId id = PanelId::Help;
    std::string_view name = {};  // "equation"
    TextId title = {}, help = {}, leaves_out = {};

    using Draw = void (*)(const PanelScene&);
    using Tables = std::vector<DataTable> (*)(const PanelDataAsk&);
    // While nothing runs: words, or what needs no run (the bill, the race, the servers of Attach)
    // and its tables.
    std::optional<PanelWords> empty = std::nullopt;
    Draw draw_without_run = nullptr;
    Tables tables_without_run = nullptr;
    // While something runs; a panel without these two shows what it shows without a run.
    Draw draw_run = nullptr;
    Tables run_tables = nullptr;
    // What a panel that reads bytes or weights says of a record of a run, which has neither.
    std::optional<PanelWords> missing_in_record = std::nullopt;
    // While something runs beside it.
    Draw draw_pair = nullptr;
    Tables pair_tables = nullptr;
    // What it is at the moment, as the side of a comparison; words of its tab and of a tooltip.
    TabWords (*words_of_tab)(const PanelScene&) = nullptr;
    // Quiet words in the tab bar, while something runs or, where the panel needs no run, always.
    Text (*caption)(const PanelScene&) = nullptr;
    bool captioned_without_run = false;
};
std::span<const PanelRow> panel_table();
const PanelRow& row_of(PanelId id);
const PanelRow* find_panel(std::string_view name);

// What a panel shows at the moment, by its row (draw_panel.cpp).
void draw_panel(const PanelScene& scene, PanelId panel);
Text panel_caption(const PanelScene& scene, PanelId panel);
// The words on the tab of a panel: its title at the least.
TabWords tab_words(const PanelScene& scene, PanelId panel);
std::vector<DataTable> panel_tables(const PanelDataAsk& ask, PanelId panel);

}  // namespace kv
