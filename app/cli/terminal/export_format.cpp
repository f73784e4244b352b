#include "app/cli/terminal/export_format.hpp"

#include <array>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 7> kNames{"png", "svg", "csv", "json", "md", "gif", "mp4"};

}  // namespace

std::string_view name_of(ExportFormat format) {
    return kNames[static_cast<std::size_t>(format)];
}

std::optional<ExportFormat> format_named(std::string_view word) {
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == word) return static_cast<ExportFormat>(i);
    return std::nullopt;
}

std::optional<ExportFormat> format_of(const std::string& path) {
    const std::string ending = std::filesystem::path(path).extension().string();
    if (ending.size() < 2) return std::nullopt;
    if (const auto format = format_named(std::string_view(ending).substr(1))) return format;
    throw Error(ErrorCode::Usage, shown(path) +
                                      ": nothing is written in a format of that ending; use .png, "
                                      ".svg, .csv, .json, .md, .gif or .mp4.");
}

}  // namespace kv
