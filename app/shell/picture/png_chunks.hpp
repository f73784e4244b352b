#pragma once
// The chunks that a PNG file is made of: length, type, data, CRC. Reading takes nothing on trust:
// a chunk is whole and within the file, or it is not there.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/shell/picture/image.hpp"

namespace kv {

inline constexpr std::string_view kPngSignature{"\x89PNG\r\n\x1a\n", 8};
inline constexpr std::size_t kPngAfterHeader = 8 + 12 + 13;  // texts stand behind the header chunk

struct PngChunk {
    std::string_view type, data;
    bool intact = false;  // its CRC is that of type and data
};

// Takes the first chunk off the bytes. Nothing when no whole one is left.
std::optional<PngChunk> take_png_chunk(std::string_view& bytes);
std::uint32_t read_png_number(std::string_view bytes);  // four bytes, the largest first

// iTXt, because a scene or a prompt may hold any UTF-8; stored plain, so that other tools can read
// it.
std::string png_text_chunk(const PngText& text);

}  // namespace kv
