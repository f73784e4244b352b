#pragma once
// Markdown in our type: headings, prose, lists, bold, code, tables. For texts that are files (help,
// lessons); what stands on controls comes from the text table.

#include <string_view>

#include "app/shell/ui.hpp"

namespace kv {

void markdown(const Ui& ui, std::string_view text);

}  // namespace kv
