#include "app/cli/places.hpp"

#include <array>
#include <system_error>

namespace kv {

namespace fs = std::filesystem;

fs::path program_file() {
    std::error_code unknown;
    const fs::path file = fs::read_symlink("/proc/self/exe", unknown);
    return unknown ? fs::path() : file;
}

std::optional<fs::path> shipped_asset(std::string_view name) {
    const fs::path folder = program_file().parent_path();
    const std::array<fs::path, 3> places{folder / "assets",
                                         folder.parent_path() / "share" / "kvarium" / "assets",
                                         fs::path(KVARIUM_SOURCE_DIR) / "assets"};
    for (const fs::path& place : places) {
        std::error_code unreadable;
        if (fs::exists(place / name, unreadable)) return place / name;
    }
    return std::nullopt;
}

}  // namespace kv
