#pragma once
// One allocator against one workload. All requests wait from the start, in order. An iteration: as
// many of them as the allocator takes are admitted with their whole prompts, first come first
// served; then each running request makes one token, oldest first; then those that made their last
// one leave. A request that cannot get room for its token preempts the newest running one, which
// computes everything again later. Nothing happens between two events (a request is full, or makes
// its last token), so the race jumps from one to the next and its cost does not depend on how many
// requests run.

#include <functional>
#include <optional>

#include "core/base/progress.hpp"
#include "core/sim/allocator.hpp"
#include "core/sim/workload.hpp"

namespace kv {

// Where the slots of the pool are at one instant; they add up to the pool.
struct PoolUse {
    u64 tokens = 0;    // stored by running requests
    u64 reserved = 0;  // held, and will be filled by the request that holds them; paged: 0
    u64 internal = 0;  // held, neither token nor reserved: never filled; paged: or not yet
    u64 external = 0;  // not held where only one region will do: gaps, and a buddy block's excess
    u64 free = 0;      // not held, and of use to anybody

    u64 sum() const { return tokens + reserved + internal + external + free; }
    u64 held() const { return tokens + reserved + internal; }
};

// What can be wrong with a server, to be looked at.
struct SimFaults {
    double leak = 0;  // share of the finished requests that never give back what they hold
};

struct RaceSettings {
    PoolRules pool;
    SimFaults faults;
    u64 seed = 0;
};

// Does this request of the workload, the how-manyth from 0, leak when it has finished?
bool leaks(const RaceSettings& settings, u64 request);

struct RaceCounters {
    u64 admitted = 0, refused = 0, finished = 0;  // requests, each counted once
    u64 preemptions = 0, recomputed_tokens = 0;
    u64 abandoned = 0;      // found no room even alone: no admission control, or a leak
    u64 prompt_tokens = 0;  // of requests when they were first admitted
    u64 generation_tokens = 0;
    u64 leaked_requests = 0, leaked_slots = 0;
    u64 pieces_returned = 0;  // blocks, or regions
};

// Iterations in a row in which nothing is admitted, grown or freed after the first one's admission:
// each of them adds `running` to the tokens, and takes as many from `reserved` where the allocator
// reserves, else from `internal`.
struct RaceSpan {
    u64 first = 0, count = 0;
    u64 running = 0, waiting = 0;
    PoolUse use;             // of the first one, after admission
    u64 prefill_tokens = 0;  // admitted in the first one: prompts, and what returns
    u64 slots_copied = 0;    // until the first one
    RaceCounters counters;   // after the first one's admission
    bool reserves = false;

    PoolUse use_at(u64 offset) const;  // of iteration first + offset
};

struct RaceResult {
    AllocatorKind allocator = AllocatorKind::Paged;
    u64 iterations = 0;
    u64 saturated_iterations = 0;  // somebody waited after admission; the means are over these
    // Means over the iterations in which somebody waited; nothing when nobody ever did.
    std::optional<double> mean_batch, tokens_share, reserved_share, internal_share, external_share,
        free_share, utilisation;
    u64 peak_batch = 0, peak_slots = 0, slots_copied = 0, copies = 0;
    double mean_wait = 0;  // iterations from the start to the first admission
    u64 left_waiting = 0;  // more than 0: nothing runs and the next one cannot be admitted
    RaceCounters counters;
};

using RaceObserver = std::function<void(const RaceSpan&)>;

// What becomes of single requests, told as it happens. Requests are named by their place in the
// workload, iterations count from 0.
class RaceWatcher {
public:
    virtual ~RaceWatcher() = default;
    virtual void refused(std::uint32_t request, const Demand& demand) = 0;
    virtual void admitted(u64 iteration, std::uint32_t request, const Demand& demand,
                          const Holding& holding) = 0;
    // The first that waits has found no place.
    virtual void turned_away(u64 iteration, std::uint32_t request, const Wanted& wanted) = 0;
    // Every running request made a token in each of these iterations.
    virtual void made(u64 first, u64 count) = 0;
    virtual void grown(u64 iteration, std::uint32_t request, const Holding& holding) = 0;
    virtual void preempted(u64 iteration, std::uint32_t request) = 0;
    virtual void finished(u64 iteration, std::uint32_t request, bool leaks) = 0;
};

// Lets a rule serve the workload; nothing when `progress` stopped it.
std::optional<RaceResult> race(AllocatorKind kind, const Workload& workload,
                               const RaceSettings& settings, const RaceObserver& observe = {},
                               const Progress& progress = {}, RaceWatcher* watcher = nullptr);

}  // namespace kv
