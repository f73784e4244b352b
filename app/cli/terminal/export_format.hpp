#pragma once
// What a file is to hold, by the ending of its name, or by a word.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kv {

enum class ExportFormat : std::uint8_t { Png, Svg, Csv, Json, Markdown, Gif, Mp4 };

std::string_view name_of(ExportFormat format);  // "md", which is the ending as well
std::optional<ExportFormat> format_named(std::string_view word);

// The format that the ending of a path says; nothing without an ending. Throws kv::Error (Usage)
// that names `place` when the ending is none of these.
std::optional<ExportFormat> format_of(const std::string& path);

}  // namespace kv
