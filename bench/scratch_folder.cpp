#include "bench/scratch_folder.hpp"

#include <cstdlib>

#include "core/base/error.hpp"

namespace kv::bench {

ScratchFolder::ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "kvarium-bench.XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        throw Error{ErrorCode::World, "No temporary folder for the bench: set TMPDIR."};
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

Variables ScratchFolder::variables(const std::string& display) const {
    return {{"DISPLAY", display},
            {"WAYLAND_DISPLAY", ""},
            {"XDG_CONFIG_HOME", file("config")},
            {"XDG_DATA_HOME", file("data")},
            {"XDG_STATE_HOME", file("state")},
            {"XDG_CACHE_HOME", file("cache")}};
}

}  // namespace kv::bench
