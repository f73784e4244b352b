#pragma once
// Where everything lies in a race, iteration by iteration: which region or block holds whose
// tokens, and what the first that waits asks for. Watches the race and reads what it places; for
// pools that a reader can still look at slot by slot. As in race_trace.hpp, paged takes the block
// that has been free longest, since its race keeps counts alone.

#include <deque>
#include <optional>
#include <vector>

#include "core/sim/race.hpp"

namespace kv {

// A region, or a block of paged. What is neither token nor reserved is never filled.
struct FloorPiece {
    std::uint32_t request = 0;
    u64 address = 0, slots = 0;
    u64 tokens = 0, reserved = 0;

    u64 never() const { return slots - tokens - reserved; }
    friend bool operator==(const FloorPiece&, const FloorPiece&) = default;
};

// One iteration, after admission and before its tokens.
struct FloorMoment {
    std::vector<FloorPiece> pieces;  // by address
    u64 running = 0;
    std::vector<std::uint32_t> waiting;  // the next one first
    std::optional<Wanted> wanted;        // by the first of them
};

class RaceFloor : public RaceWatcher {
public:
    RaceFloor(AllocatorKind kind, const Workload& workload, const RaceSettings& settings);
    // To be given to race() as its observer, beside the watcher.
    void see(const RaceSpan& span);
    const std::vector<FloorMoment>& moments() const { return moments_; }

    void refused(std::uint32_t request, const Demand& demand) override;
    void admitted(u64 iteration, std::uint32_t request, const Demand& demand,
                  const Holding& holding) override;
    void turned_away(u64 iteration, std::uint32_t request, const Wanted& wanted) override;
    void made(u64 first, u64 count) override;
    void grown(u64 iteration, std::uint32_t request, const Holding& holding) override;
    void preempted(u64 iteration, std::uint32_t request) override;
    void finished(u64 iteration, std::uint32_t request, bool leaks) override;

private:
    struct Holder {
        std::uint32_t request = 0;
        u64 stored = 0, left = 0;        // tokens, and those that it will still make
        std::vector<FloorPiece> pieces;  // without their tokens, in order of its text
    };
    Holder& holder(std::uint32_t request);
    void take(Holder& of, const Holding& holding);
    void let_go(std::uint32_t request, bool keeps);
    std::vector<FloorPiece> pieces_now() const;

    bool paged_;
    u64 block_size_;
    std::deque<u64> free_;  // blocks of paged, the next one first
    std::vector<std::uint32_t> waiting_;
    std::vector<Holder> running_;
    std::vector<FloorPiece> leaked_;
    std::optional<Wanted> wanted_;
    std::vector<FloorMoment> moments_;
};

// The whole race, watched.
struct WatchedRace {
    RaceResult result;
    std::vector<FloorMoment> moments;
};
WatchedRace watch_race(AllocatorKind kind, const Workload& workload, const RaceSettings& settings);

}  // namespace kv
