#pragma once
// Models side by side as a picture, drawn in integers without a display, or as vectors.

#include <string>
#include <vector>

#include "app/cli/calc/input.hpp"
#include "app/cli/terminal/export_format.hpp"

namespace kv {

// PNG or SVG; other formats are refused. `theme` is a name of one.
std::string compared_picture(const std::vector<CalcInput>& models, ExportFormat format,
                             const std::string& theme);

}  // namespace kv
