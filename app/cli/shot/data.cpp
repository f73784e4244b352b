#include "app/cli/shot/data.hpp"

#include "app/cli/shot/screen.hpp"
#include "app/export/table_text.hpp"
#include "app/frame/panel_data.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

// The panels of a layout, in the order of its places.
std::vector<PanelId> panels_of(const AppState& state, const ShotOptions& options) {
    std::vector<PanelId> panels;
    const PixelSize size = picture_size(options);
    const auto unit = static_cast<float>(options.scale * options.text_scale);
    const Vec2 window{static_cast<float>(size.w) / unit, static_cast<float>(size.h) / unit};
    for (const DockPlace& place : planned_docks(state, window))
        panels.insert(panels.end(), place.dock.tabs.begin(), place.dock.tabs.end());
    if (panels.empty()) panels = {PanelId::Stage, PanelId::Charts, PanelId::Equation};
    return panels;
}

}  // namespace

std::string panel_text(const PanelData& panel, ExportFormat format, const std::string& table) {
    switch (format) {
        case ExportFormat::Csv:
            return table_csv(table_of_panel(panel, table));
        case ExportFormat::Json:
            return panel_json(panel);
        default:
            return panel_markdown(panel);
    }
}

std::string shot_words(const ShotOptions& options, ExportFormat format) {
    if (format == ExportFormat::Csv && !options.panel)
        throw Error(
            ErrorCode::Usage,
            "A CSV file holds one table: say of which panel with --panel NAME, and which of "
            "its tables with --table NAME.");
    ShotScreen shot(options, open_null(picture_size(options)));
    const AppState& state = shot.screen.frame().state();
    if (state.only_panel)
        return panel_text(shot.screen.data_of(*state.only_panel), format,
                          options.table.value_or(table_named(*options.panel).table));
    std::vector<PanelData> panels;
    for (const PanelId panel : panels_of(state, options))
        panels.push_back(shot.screen.data_of(panel));
    if (format == ExportFormat::Json) return panels_json(panels);
    std::string text;
    for (const PanelData& panel : panels)
        if (!panel.tables.empty()) text += (text.empty() ? "" : "\n") + panel_markdown(panel);
    return text;
}

}  // namespace kv
