#pragma once
// A recording of a server as the past of a tank: each line a batch or a poll of the metrics, in the
// order in which they came. What a line's number says of missing batches and restarts is said
// again.

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>

#include "core/attach/history/tank_history.hpp"

namespace kv {

struct ServerRecording {
    std::unique_ptr<TankHistory> history;
    std::uint64_t lines = 0, passed_over = 0;  // those that hold neither a batch nor metrics
};

class RecordingReader {
public:
    RecordingReader(const TankSettings& settings, std::uint64_t budget_bytes);

    void line(std::string_view text);
    ServerRecording finish() { return std::move(out_); }

private:
    void follow(std::int64_t rank, std::uint64_t sequence, double time_s);

    ServerRecording out_;
    struct RankLines {
        std::uint64_t next = 0;  // the number whose turn it is
        bool begun = false;
    };
    std::map<std::int64_t, RankLines> ranks_;
};

}  // namespace kv
