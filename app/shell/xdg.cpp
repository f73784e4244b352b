#include "app/shell/xdg.hpp"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "core/base/error.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> absolute_path(const Environment& environment, const char* name) {
    const std::optional<std::string> value = environment(name);
    if (!value || !fs::path(*value).is_absolute()) return std::nullopt;
    return fs::path(*value);
}

std::optional<fs::path> home_of_account() {
    const long suggested = ::sysconf(_SC_GETPW_R_SIZE_MAX);
    std::vector<char> buffer(suggested > 0 ? static_cast<std::size_t>(suggested) : 1 << 14);
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) != 0 ||
        found == nullptr)
        return std::nullopt;
    return fs::path(entry.pw_dir);
}

}  // namespace

Folders folders_of(const Environment& environment, const std::optional<fs::path>& account_home) {
    const auto folder = [&](const char* name, const char* under_home) -> fs::path {
        if (const auto path = absolute_path(environment, name)) return *path / "kvarium";
        if (const auto home = absolute_path(environment, "HOME"))
            return *home / under_home / "kvarium";
        if (account_home && account_home->is_absolute())
            return *account_home / under_home / "kvarium";
        throw Error(
            ErrorCode::World,
            std::string("No home folder: neither HOME nor the account names one. Set HOME or ") +
                name + " to an absolute path.");
    };
    return {folder("XDG_CONFIG_HOME", ".config"), folder("XDG_DATA_HOME", ".local/share"),
            folder("XDG_STATE_HOME", ".local/state"), folder("XDG_CACHE_HOME", ".cache")};
}

Folders user_folders() {
    const Environment process = [](const char* name) -> std::optional<std::string> {
        const char* value = std::getenv(name);
        if (value == nullptr) return std::nullopt;
        return value;
    };
    return folders_of(process, home_of_account());
}

}  // namespace kv
