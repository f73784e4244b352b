#pragma once
// The race of the paged allocator as a trace, block by block: which one went to whom, when it came
// back, and how far it is filled. Which free block is taken is settled here, since the race keeps
// counts alone: the one that has been free longest. Tokens have no content; they are written as 0.

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/sim/race.hpp"
#include "core/trace/event/log.hpp"
#include "core/trace/event/reason.hpp"

namespace kv {

class RaceTrace : public RaceWatcher {
public:
    // Told to `log`, which outlives it: the pool, and every request of the workload.
    RaceTrace(const Workload& workload, const PoolRules& pool, EventLog& log);
    // The end of the last iteration.
    void finish();

    void refused(std::uint32_t request, const Demand& demand) override;
    void admitted(u64 iteration, std::uint32_t request, const Demand& demand,
                  const Holding& holding) override;
    void turned_away(u64, std::uint32_t, const Wanted&) override {}
    void made(u64 first, u64 count) override;
    void grown(u64 iteration, std::uint32_t request, const Holding& holding) override;
    void preempted(u64 iteration, std::uint32_t request) override;
    void finished(u64 iteration, std::uint32_t request, bool leaks) override;

private:
    struct Table {
        std::vector<BlockId> blocks;
        std::uint32_t stored = 0;
    };

    Reason of_iteration() const;
    void tell(const Reason& reason, EventBody what, std::optional<SeqId> request = std::nullopt);
    void step_to(u64 iteration);
    void store(std::uint32_t request, std::uint32_t count);
    void reach(std::uint32_t request, u64 slots);
    void let_go(std::uint32_t request, const Reason& reason);

    const Workload& workload_;
    std::uint32_t block_size_;
    EventLog& log_;
    std::uint32_t iteration_ = 0;  // as a trace counts, from 1; 0 before the first
    std::uint32_t tokens_ = 0;     // of the iteration
    std::deque<BlockId> free_;     // the next one first
    std::vector<Table> tables_;    // by request
    std::vector<std::uint32_t> running_;
};

// "A" to "I", then "A2" and so on: how the window writes requests.
std::string simulated_request(std::size_t index);

}  // namespace kv
