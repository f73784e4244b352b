#pragma once
// `kvarium shot` of what a picture says: its panels as tables, in CSV, JSON or Markdown.

#include <string>

#include "app/cli/shot/shot.hpp"
#include "app/cli/terminal/export_format.hpp"
#include "app/export/data_table.hpp"

namespace kv {

// One panel in a format of words. Throws kv::Error when it has no such table.
std::string panel_text(const PanelData& panel, ExportFormat format, const std::string& table);

// The tables of the panel that is asked for, or of all panels of the layout.
std::string shot_words(const ShotOptions& options, ExportFormat format);

}  // namespace kv
