#pragma once
// What the page says beside its picture, for those who do not see it and for all who read: JSON for
// the page's script, which makes headings, fields and tables of it. Nothing of an open prediction's
// answer is in it.

#include <string>
#include <string_view>

#include "app/cli/screen/screen.hpp"
#include "app/export/data_table.hpp"

namespace kv {

// What stands beside the picture now: title, sentence, notice, lesson, and of the panel in focus
// the table of this name, "stage/pool", or its first, with each cell as the export writes it.
std::string reader_now(Screen& screen, std::string_view table);

// What a link to this moment has to say, and whether it leaves out a comparison that is looked at.
std::string link_words(const LiveRun& run, const AppState& state);

// What never changes: the words of the page, and every command with its words, group and key.
std::string reader_words(const Screen& screen);

// A panel as its export has it, with the columns and rows of one of its tables beside.
std::string panel_with_table(const PanelData& panel, const DataTable& table);

}  // namespace kv
