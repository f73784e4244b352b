#pragma once
// The event logs of both sides beside each other: the events of one step stand in the same rows,
// the newest step first. Pure.

#include <cstdint>
#include <optional>
#include <vector>

#include "app/panels/view/history.hpp"

namespace kv {

struct LogRow {
    std::uint32_t iteration = 0;
    bool begins_step = false;
    std::optional<std::uint32_t> left, right;  // places in the marks of the side
    friend bool operator==(const LogRow&, const LogRow&) = default;
};

class PairLog {
public:
    // Up to the cursor of each side.
    void follow(const RunHistory& left, std::uint64_t left_moment, const RunHistory& right,
                std::uint64_t right_moment);
    const std::vector<LogRow>& rows() const { return rows_; }

private:
    struct Key {
        std::uint64_t left = 0, right = 0, left_moment = 0, right_moment = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };
    std::optional<Key> key_;
    std::vector<LogRow> rows_;
};

}  // namespace kv
