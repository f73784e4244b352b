#pragma once
// Files that belong together come to their folder at once: they are made in a folder of their own
// beside it, so that nobody ever finds half of them, and what was not kept leaves nothing behind.

#include <filesystem>

namespace kv {

class StagedFolder {
public:
    // Makes the folders above `target` where they are missing. Throws kv::Error (World) when files
    // cannot be put there.
    explicit StagedFolder(const std::filesystem::path& target);
    ~StagedFolder();
    StagedFolder(const StagedFolder&) = delete;
    StagedFolder& operator=(const StagedFolder&) = delete;

    // The folder in which the files are made.
    const std::filesystem::path& path() const { return stage_; }
    // Takes them to the target. What stands there under another name stays.
    void keep();

private:
    std::filesystem::path target_, stage_, made_above_;  // the highest folder that was made
};

}  // namespace kv
