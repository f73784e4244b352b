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

// Where the desktop keeps a person's pictures: what `user_dirs` (the text of user-dirs.dirs) names
// as XDG_PICTURES_DIR, else Pictures in the home. Pure; the caller looks whether it is there. None
// without a home, or where the file switches it off by naming the home itself.
std::optional<std::filesystem::path> pictures_of(const std::string& user_dirs,
                                                 const std::optional<std::filesystem::path>& home);
// The pictures folder of this person, where it is there.
std::optional<std::filesystem::path> pictures_folder();

}  // namespace kv
