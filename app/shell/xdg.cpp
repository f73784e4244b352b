#include "app/shell/xdg.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "app/shell/files.hpp"
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

std::optional<std::string> process_value(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr) return std::nullopt;
    return value;
}

// `XDG_PICTURES_DIR="$HOME/Bilder"` names $HOME/Bilder; the last such line counts, as it would for
// a shell.
std::optional<std::string> quoted_value(const std::string& text, const std::string& name) {
    std::optional<std::string> value;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at), start = name + "=\"";
        const std::size_t close = line.rfind('"');
        if (line.starts_with(start) && close != std::string::npos && close >= start.size())
            value = line.substr(start.size(), close - start.size());
        at = end + 1;
    }
    return value;
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
    return folders_of(process_value, home_of_account());
}

std::optional<fs::path> pictures_of(const std::string& user_dirs,
                                    const std::optional<fs::path>& home) {
    constexpr std::string_view kHome = "$HOME";
    if (!home) return std::nullopt;
    std::string named = quoted_value(user_dirs, "XDG_PICTURES_DIR").value_or("$HOME/Pictures");
    if (named.starts_with(kHome)) named = home->string() + named.substr(kHome.size());
    const fs::path folder = fs::path(named).lexically_normal();
    if (!folder.is_absolute() || folder / "" == *home / "") return std::nullopt;
    return folder;
}

std::optional<fs::path> pictures_folder() {
    std::optional<fs::path> home = absolute_path(process_value, "HOME");
    if (!home) home = home_of_account();
    std::string user_dirs;
    try {
        user_dirs = read_file(user_folders().config.parent_path() / "user-dirs.dirs", 1 << 16);
    } catch (const Error&) {
        // Most machines without a desktop have no such file.
    }
    std::error_code unknown;
    const auto folder = pictures_of(user_dirs, home);
    return folder && fs::is_directory(*folder, unknown) ? folder : std::nullopt;
}

}  // namespace kv
