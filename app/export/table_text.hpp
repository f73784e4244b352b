#pragma once
// Tables as files. The same table gives the same bytes, and numbers read back as what they were.

#include <cstddef>
#include <string>

#include "app/export/data_table.hpp"

namespace kv {

// A cell as every file of text has it: "yes", "81"; empty where it is not known, or no number.
std::string cell_text(const TableCell& cell);

// Whether a column holds numbers and nothing else, which then stand at the right, under each other.
bool has_only_numbers(const DataTable& table, std::size_t column);

// RFC 4180 in UTF-8: one header row, "live (B)", then the rows; lines end in CR LF. What is not
// known, or no number, is empty.
std::string table_csv(const DataTable& table);

// {"kvarium_panel": 1, "panel", "title", "caption", "leaves_out", "tables": [{"name", "title",
// "columns": [{"name", "unit"}], "rows": [[..]]}]}. What is not known is null.
std::string panel_json(const PanelData& panel);
std::string panels_json(const std::vector<PanelData>& panels);  // {"kvarium_panels": [..]}

// Title, caption, tables, and what is left out. Of a long table so many rows; a sentence says how
// many there are in all.
inline constexpr std::size_t kMarkdownRows = 400;
std::string panel_markdown(const PanelData& panel, std::size_t most_rows = kMarkdownRows);

}  // namespace kv
