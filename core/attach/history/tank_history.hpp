#pragma once
// A tank with its past. A moment is the number of entries that lie before it, counted from the very
// first entry, also when that one is no longer kept.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/attach/tank/tank.hpp"

namespace kv {

// A tank on its way to a moment: where the past is long and the tank large, that takes seconds.
struct TankJourney {
    Tank tank;
    std::uint64_t moment = 0;  // where it is
};

class TankHistory {
public:
    TankHistory(const TankSettings& settings, std::uint64_t budget_bytes);

    void add(TankEntry entry);

    const Tank& end() const { return end_; }
    std::uint64_t first() const;                  // the oldest moment that is kept
    std::uint64_t size() const { return size_; }  // the newest one
    Tank at(std::uint64_t moment) const;
    // The same in steps of so many entries, between which others may come: until it says that the
    // journey has arrived. Goes on from where it is, or begins anew where that is nearer.
    bool travel(std::optional<TankJourney>& journey, std::uint64_t moment,
                std::size_t n_entries) const;
    double time_of(std::uint64_t moment) const;    // of the entry before it, on the server's clock
    std::uint64_t moment_at(double time_s) const;  // the last one that is not later

    std::uint64_t budget_bytes() const { return budget_bytes_; }
    std::uint64_t kept_bytes() const { return kept_bytes_; }  // of entries

private:
    struct Chunk {
        std::uint64_t first = 0;  // the moment before its first entry
        std::optional<Tank> keyframe = {};
        std::string bytes = {};
        std::vector<std::size_t> ends = {};  // of each entry in `bytes`
        std::vector<double> times_s = {};
        std::size_t gone = 0;  // of its entries; they are in the keyframe

        std::string_view entry(std::size_t i) const {
            const std::size_t begin = i == 0 ? 0 : ends[i - 1];
            return std::string_view(bytes).substr(begin, ends[i] - begin);
        }
        std::uint64_t keyframe_at() const { return first + gone; }
    };
    void open_chunk();
    void drop_oldest();
    std::size_t chunk_of(std::uint64_t moment) const;

    std::uint64_t budget_bytes_, kept_bytes_ = 0, size_ = 0;
    Tank end_;
    std::deque<Chunk> chunks_;  // the oldest one has a keyframe
};

}  // namespace kv
