#pragma once
// The four folders of the XDG base directory rules. A relative path in the environment is ignored,
// as the rules say; without HOME the account's own folder counts. Nothing is ever put into the
// current folder.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace kv {

struct Folders {
    std::filesystem::path config, data, state, cache;  // each ends in "kvarium"
};

using Environment = std::function<std::optional<std::string>(const char* name)>;

// Pure. `account_home` is what the user database says. Throws kv::Error (World) when a folder is
// needed and neither the environment nor the account names a home.
Folders folders_of(const Environment& environment,
                   const std::optional<std::filesystem::path>& account_home);
Folders user_folders();  // of this process

}  // namespace kv
