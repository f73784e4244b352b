#pragma once
// Any panel as data: the tables behind its picture, its caption and its notes. What the window
// shows of a run, or of the bill where nothing runs.

#include <string_view>

#include "app/export/data_table.hpp"
#include "app/frame/state/app_state.hpp"
#include "app/frame/state/panel_table.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/texts/texts.hpp"

namespace kv {

PanelData panel_data(const PanelDataAsk& ask, PanelId panel);

// "stage", "stage/pool": a panel, and one of its tables. Throws kv::Error (Usage) that names those
// there are.
struct TableName {
    PanelId panel;
    std::string table;  // empty: the first one
};
TableName table_named(std::string_view words);
// The table that is meant.
const DataTable& table_of_panel(const PanelData& data, const std::string& table);

}  // namespace kv
