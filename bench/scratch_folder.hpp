#pragma once
// A folder that a row writes into, gone when the row is done.

#include <filesystem>
#include <string>

#include "bench/child.hpp"

namespace kv::bench {

class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::string file(const std::string& name) const { return (path_ / name).string(); }
    // For a window with settings of its own, so that the person's are neither used nor changed.
    Variables variables(const std::string& display) const;

private:
    std::filesystem::path path_;
};

}  // namespace kv::bench
