#pragma once
// Writes what came as lines of JSON: batches and polls of metrics, in the order in which they came.
// Hashes only, unless it is told to write tokens. Marks of gaps and restarts are not written: the
// batches' numbers tell them again.

#include <cstdint>
#include <fstream>
#include <string>

#include "core/attach/tank/entry.hpp"
#include "core/trace/server/batch_json.hpp"

namespace kv {

class ServerRecorder {
public:
    ServerRecorder(const std::string& path,
                   LineTokens tokens);  // kv::Error (World) when it cannot write

    void add(const TankEntry& entry);
    void flush();  // kv::Error (World) when the disk is full
    std::uint64_t bytes() const { return bytes_; }

private:
    void line(const std::string& text);

    std::string path_;
    LineTokens tokens_;
    std::ofstream file_;
    std::uint64_t bytes_ = 0;
};

}  // namespace kv
