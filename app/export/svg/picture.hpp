#pragma once
// A texture inside an SVG: its pixels as a PNG in the file, drawn without smoothing.

#include <imgui.h>

#include <string>
#include <string_view>

#include "app/shell/geometry.hpp"

namespace kv {

// The part between two corners, in texture coordinates, drawn into `box`.
std::string svg_picture(const ImTextureData& texture, ImVec2 upper_left, ImVec2 lower_right,
                        const Rect& box);
std::string base64(std::string_view bytes);

}  // namespace kv
