#include "app/shell/staged_folder.hpp"

#include <unistd.h>

#include <system_error>

#include "app/shell/files.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;

fs::path without_slash(const fs::path& folder) {
    const fs::path plain = folder.lexically_normal();
    return plain.has_filename() ? plain : plain.parent_path();
}

// The highest folder of the path that is not there; empty when all are.
fs::path first_missing(const fs::path& folder) {
    std::error_code unknown;
    fs::path missing;
    for (fs::path at = folder; !at.empty() && !fs::exists(at, unknown); at = at.parent_path())
        missing = at;
    return missing;
}

void move_into(const fs::path& from, const fs::path& to) {
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(from)) {
        const fs::path there = to / entry.path().filename();
        if (entry.is_directory() && fs::is_directory(there, failed)) {
            move_into(entry.path(), there);
            continue;
        }
        fs::rename(entry.path(), there, failed);
        if (failed) throw file_error(there, failed.value());
    }
}

}  // namespace

StagedFolder::StagedFolder(const fs::path& target) : target_(without_slash(target)) {
    std::error_code failed;
    const bool is_there = fs::is_directory(target_, failed);
    if (target_.empty()) throw file_error(target, ENOENT);
    if (!is_there && fs::exists(target_, failed)) throw file_error(target_, ENOTDIR);
    // The stage is on the file system of the target, so that a name is all that changes.
    const fs::path above = is_there ? target_ : target_.parent_path();
    made_above_ = first_missing(above);
    if (!above.empty()) fs::create_directories(above, failed);
    if (failed) throw file_error(target, failed.value());
    const std::string name = is_there ? "kvarium" : target_.filename().string().substr(0, 200);
    stage_ = above / ("." + name + "." + std::to_string(::getpid()) + ".tmp");
    fs::remove_all(stage_, failed);  // left by an earlier process of that number
    fs::create_directory(stage_, failed);
    if (failed) throw file_error(target, failed.value());
}

StagedFolder::~StagedFolder() {
    std::error_code ignored;
    fs::remove_all(stage_, ignored);
    if (made_above_.empty()) return;
    // Only empty folders are removed: somebody else may have put something there.
    const fs::path above = made_above_.parent_path();
    for (fs::path at = stage_.parent_path(); at != above && fs::remove(at, ignored);)
        at = at.parent_path();
}

void StagedFolder::keep() {
    std::error_code failed;
    if (!fs::exists(target_, failed)) fs::rename(stage_, target_, failed);
    // Another process may have made the folder meanwhile.
    if (fs::exists(stage_)) {
        if (failed && !fs::is_directory(target_)) throw file_error(target_, failed.value());
        move_into(stage_, target_);
    }
    made_above_.clear();
}

}  // namespace kv
