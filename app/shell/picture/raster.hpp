#pragma once
// The renderer of pictures. Corners of triangles are rounded to 1/256 of a pixel first; from there
// on all is integers: coverage is decided exactly, colours are interpolated and blended in fixed
// point; so the same triangles give the same bytes on every processor, compiler and system.

#include "app/shell/picture/image.hpp"

struct ImDrawData;

namespace kv {

inline constexpr int kLargestPicture = 16384;  // pixels of a side

// Throws kv::Error (World) with the size of a picture that is larger.
void check_picture_size(PixelSize size);

// Into a picture of the background's colour. `bands` parts of the picture are drawn at the same
// time; their number changes no byte.
Image draw_picture(const ImDrawData* data, PixelSize size, Color background, int bands);
Image draw_picture(const ImDrawData* data, PixelSize size, Color background);

}  // namespace kv
