#pragma once
// Who computes what in an iteration: requests come and go between iterations (Orca, Yu et al., OSDI
// 2022), and a prompt is read in chunks beside requests that decode (Sarathi, arXiv 2308.16369;
// Sarathi-Serve, arXiv 2403.02310). First come, first served: running requests get their next
// token or the next chunk of what they have still to read, in the order of their admission; then
// waiting requests are admitted in order while there are tokens in the budget, free blocks and
// fewer than max_running requests.
//
// When a running request gets no block, running requests are preempted, the lowest priority first
// and among equals the one admitted last, until it gets one or is preempted itself; in such an
// iteration nobody is admitted. Who is preempted goes to the front of the queue. Its blocks are
// copied to a lower tier (swap), or given back, and its tokens are computed again. When nothing
// runs and the first in line has no room, requests that wait or are paused give their blocks back,
// one at a time until there is room: those that wait before those that are paused, of each the last
// in its list first (give_up_idle_holder).

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/cache/cache.hpp"
#include "core/engine/run/request/request.hpp"
#include "core/engine/settings/settings.hpp"

namespace kv {

class Scheduler {
public:
    // Tells an event. Of a preemption without swap the engine also forgets what it knew of the
    // lost blocks.
    using Tell = std::function<void(SeqId, const Reason&, EventBody)>;
    // Lets a policy that makes room before a token comes (window:N) drop tokens of the request, so
    // that grow() need not take a block for them.
    using LetPolicyDrop = std::function<void(SeqId)>;
    Scheduler(const EngineSettings& settings, std::vector<Request>& requests, Tell tell,
              LetPolicyDrop let_policy_drop)
        : settings_(settings),
          requests_(requests),
          tell_(std::move(tell)),
          let_policy_drop_(std::move(let_policy_drop)) {}

    void enqueue(SeqId id) { waiting_.push_back(id); }
    // Takes a request out of every list; its blocks are the caller's business.
    void remove(SeqId id);
    void pause(SeqId id);
    void resume(SeqId id);

    const std::vector<SeqId>& running() const { return running_; }
    const std::vector<SeqId>& waiting() const { return waiting_; }
    const std::vector<SeqId>& paused() const { return paused_; }
    bool idle() const { return running_.empty() && waiting_.empty(); }

    // Room is made in the cache for everything that is planned. `now_us` is the time model's clock:
    // loads that it has not finished yet are waited for only when nothing else can be done.
    std::vector<Planned> plan(Cache& cache, std::uint32_t iteration, double now_us);
    std::uint32_t budget_left() const { return budget_; }  // tokens, of the newest plan
    // What the time model says that this iteration waited for transfers.
    double waited_us() const { return waited_us_; }

private:
    Request& request(SeqId id) { return requests_[id.index()]; }
    void plan_running(Cache& cache, double now_us);
    // The next chunk: of 100 tokens that are not stored, 62 where the budget has 62 left.
    std::uint32_t step_of(SeqId id, std::uint32_t stored, std::uint32_t n_tokens) const;
    void admit_waiting(Cache& cache, double now_us);
    // Grows the request's table to `upto` tokens, and preempts for it; false if it was preempted.
    bool grow_or_preempt(Cache& cache, SeqId id, std::uint32_t upto);
    // Never empty-handed: the request that asks runs itself, and may be the victim.
    SeqId victim() const;
    void note_preempted(SeqId id, const Reason& reason, bool swapped);
    // By swap where the settings say so, the table is plain and the host has places for it; else
    // its tokens are computed again, and the reason told says what was missing for a swap.
    // Told before blocks move, so that the trace has the cause first.
    void preempt(Cache& cache, SeqId id, SeqId for_whom);
    void leave_plan(SeqId id);
    // The first in line runs from now on; false where it must wait, and then it says why.
    bool admit(Cache& cache, SeqId id, double now_us);
    void set_running(SeqId id, std::uint32_t stored);
    void begin_loads(Cache& cache, SeqId id, double now_us);
    void give_up_idle_holder(Cache& cache, SeqId for_whom);
    // Finishes the loads of a swapped request that are due; false while the iteration does not wait
    // for them.
    bool finish_due_loads(Cache& cache, SeqId id, double now_us);
    static std::uint32_t room_wanted(const Request& r, std::uint32_t stored, std::uint32_t count,
                                     std::uint32_t n_tokens);
    // Into the plan. A repeated step may be longer than the budget, which then is used up.
    void add(SeqId id, std::uint32_t first, std::uint32_t count);
    void wait(SeqId id, const Reason& reason);

    const EngineSettings& settings_;
    std::vector<Request>& requests_;
    Tell tell_;
    LetPolicyDrop let_policy_drop_;
    std::vector<SeqId> running_, waiting_, paused_;
    std::vector<std::pair<SeqId, double>> ready_at_;  // when loads that are under way will be there
    double loads_end_us_ = 0;                         // when the line to the host is free

    // The iteration at hand.
    std::vector<Planned> plan_;
    std::uint32_t iteration_ = 0, budget_ = 0;
    bool preempted_ = false;
    double waited_us_ = 0;
};

}  // namespace kv
