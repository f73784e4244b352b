#include "core/engine/run/scheduler.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/pool/mover.hpp"
#include "core/trace/event/event.hpp"

namespace kv {

void Scheduler::remove(SeqId id) {
    std::erase(running_, id);
    std::erase(waiting_, id);
    std::erase(paused_, id);
    std::erase_if(ready_at_, [&](const auto& ready) { return ready.first == id; });
}

void Scheduler::pause(SeqId id) {
    remove(id);
    paused_.push_back(id);
}

void Scheduler::resume(SeqId id) {
    remove(id);
    waiting_.push_back(id);
}

std::vector<Planned> Scheduler::plan(Cache& cache, std::uint32_t iteration, double now_us) {
    plan_.clear();
    iteration_ = iteration;
    // Without a cache a text cannot be read in parts: each goes in whole.
    budget_ =
        settings_.cache ? settings_.max_batch_tokens : std::numeric_limits<std::uint32_t>::max();
    preempted_ = false;
    waited_us_ = 0;
    // Running requests come first, since only they preempt. To grow, a request publishes the blocks
    // of this step before they are computed, and only requests that are admitted look for published
    // blocks. So nobody else has found those of a request that is preempted: Cache::let_go asks for
    // that.
    plan_running(cache, now_us);
    if (!preempted_) admit_waiting(cache, now_us);
    return std::move(plan_);
}

void Scheduler::plan_running(Cache& cache, double now_us) {
    // A copy: a request that is preempted leaves the list while we walk it.
    for (const SeqId id : std::vector<SeqId>(running_)) {
        if (budget_ == 0) return;
        if (std::find(running_.begin(), running_.end(), id) == running_.end()) continue;
        if (!finish_due_loads(cache, id, now_us)) continue;
        const std::uint32_t stored = cache.stored(id);
        const auto n_tokens = static_cast<std::uint32_t>(cache.tokens(id).size());
        const std::uint32_t count = step_of(id, stored, n_tokens);
        if (count == 0) continue;
        let_policy_drop_(id);
        if (grow_or_preempt(cache, id, stored + count)) add(id, stored, count);
    }
}

// How many of its tokens a request computes next: what is not stored yet, as far as the budget goes
// (chunked prefill); one that decodes lacks one token. A request that lost its blocks under a
// policy repeats the steps that it has made (Request::steps), each as long as it was, so that the
// policy decides the same. It waits (0) until the budget has room for a whole step, unless nothing
// else is planned: the budget may have been lowered since.
std::uint32_t Scheduler::step_of(SeqId id, std::uint32_t stored, std::uint32_t n_tokens) const {
    const Request& r = requests_[id.index()];
    if (r.repeats_steps) {
        const auto end = std::upper_bound(r.steps.begin(), r.steps.end(), stored);
        if (end != r.steps.end())
            return *end - stored <= budget_ || plan_.empty() ? *end - stored : 0;
    }
    const std::uint32_t count = std::min(n_tokens - stored, budget_);
    return r.most_per_step ? std::min(count, *r.most_per_step) : count;
}

bool Scheduler::grow_or_preempt(Cache& cache, SeqId id, std::uint32_t upto) {
    while (!cache.grow(id, upto)) {
        const SeqId out = victim();
        preempt(cache, out, id);
        if (out == id) return false;
    }
    return true;
}

// The lowest priority, and of equals the one admitted last.
SeqId Scheduler::victim() const {
    KV_ASSERT(!running_.empty());
    SeqId out = running_.front();
    for (const SeqId id : running_)
        if (requests_[id.index()].spec.priority <= requests_[out.index()].spec.priority) out = id;
    return out;
}

void Scheduler::preempt(Cache& cache, SeqId id, SeqId for_whom) {
    preempted_ = true;
    Request& r = request(id);
    leave_plan(id);
    if (cache.is_loading(id)) cache.finish_loads(id);
    const bool wants_swap = settings_.preempt == Preemption::Swap && cache.stored(id) > 0;
    const bool can_swap = cache.has_plain_table(id);
    const bool swap = wants_swap && can_swap && cache.places_needed(id) <= cache.places_free();
    Reason reason{Why::RoomFor, for_whom};
    if (wants_swap && !can_swap)
        reason = {Why::CannotSwap, for_whom};
    else if (wants_swap && !swap)
        reason = Reason::no_host_room(for_whom, cache.places_needed(id), cache.places_free());
    note_preempted(id, reason, swap);
    r.scheduled = 0;
    r.state = RequestState::Preempted;
    remove(id);
    waiting_.insert(waiting_.begin(), id);
    if (swap)
        cache.swap_out(id, {Why::RoomFor, for_whom});
    else
        cache.let_go(id, {Why::RoomFor, for_whom});
}

// Where the request is planned already, its tokens go back to the budget.
void Scheduler::leave_plan(SeqId id) {
    const auto planned =
        std::find_if(plan_.begin(), plan_.end(), [&](const Planned& p) { return p.request == id; });
    if (planned == plan_.end()) return;
    budget_ += planned->count;
    plan_.erase(planned);
}

void Scheduler::note_preempted(SeqId id, const Reason& reason, bool swapped) {
    tell_(id, reason, RequestPreempted{swapped});
    ++request(id).preemptions;
}

void Scheduler::admit_waiting(Cache& cache, double now_us) {
    while (!waiting_.empty()) {
        const SeqId id = waiting_.front();
        if (budget_ == 0 || running_.size() >= settings_.max_running) {
            wait(id, Reason::no_budget(settings_.max_batch_tokens, settings_.max_running));
            return;
        }
        if (admit(cache, id, now_us)) continue;
        if (!running_.empty()) return;
        // Nothing runs, so nothing will ever be given back by itself.
        give_up_idle_holder(cache, id);
    }
}

// Up to which token there must be free blocks before a request is admitted: all that it has, so
// that it does not lose its blocks again at once. Where a policy gives blocks back on the way
// (most_per_step), those of one step are enough. A step that is repeated can be longer than others:
// it ends where it ended before, and begins earlier if a prefix that was found then is gone.
std::uint32_t Scheduler::room_wanted(const Request& r, std::uint32_t stored, std::uint32_t count,
                                     std::uint32_t n_tokens) {
    if (!r.most_per_step) return n_tokens;
    return std::max(std::min(n_tokens, stored + *r.most_per_step), stored + count);
}

bool Scheduler::admit(Cache& cache, SeqId id, double now_us) {
    const Request& r = request(id);
    const auto n_tokens = static_cast<std::uint32_t>(cache.tokens(id).size());
    const Prefix prefix = cache.is_swapped(id) ? Prefix{} : cache.find_prefix(id);
    const std::uint32_t stored = std::max(prefix.tokens, cache.stored(id));
    const std::uint32_t count = step_of(id, stored, n_tokens);
    const std::uint32_t upto = room_wanted(r, stored, count, n_tokens);
    // Where a policy keeps several block tables of a request (lanes), the one with least room says
    // whether it comes in. `spare` blocks stay free while others run, so that these can grow.
    const LaneId lane = cache.tightest_lane(id, upto);
    const std::uint32_t needed = cache.missing(id, upto, prefix, lane);
    const std::uint32_t spare = running_.empty() ? 0 : settings_.watermark_blocks;
    const std::uint32_t free = cache.free_beside(prefix, lane);
    if (std::uint64_t{needed} + spare > free) {
        wait(id, Reason::no_room(std::uint64_t{needed} + spare, free));
        return false;
    }
    if (count == 0) {  // it repeats its steps, and the next one is larger than what is left
        wait(id, Reason::no_budget(settings_.max_batch_tokens, settings_.max_running));
        return false;
    }
    const bool shares = cache.spec().sharing != Sharing::Off;
    const std::uint32_t looked_up = r.admitted || !shares ? 0 : n_tokens;
    tell_(id, Reason::first_in_line(needed, free), RequestAdmitted{looked_up, stored});
    set_running(id, stored);
    if (cache.is_swapped(id)) {
        begin_loads(cache, id, now_us);
        if (!finish_due_loads(cache, id, now_us)) return true;
    }
    let_policy_drop_(id);  // of one that kept its blocks while it was paused
    const bool grown = cache.grow(id, stored + count, prefix);
    KV_ASSERT(grown);
    add(id, stored, count);
    return true;
}

void Scheduler::set_running(SeqId id, std::uint32_t stored) {
    Request& r = request(id);
    waiting_.erase(waiting_.begin());
    running_.push_back(id);
    r.state = RequestState::Running;
    r.waits.reset();
    if (!r.admitted) {
        r.admitted = iteration_;
        r.cached_prompt = stored;
    }
}

// A swapped request's blocks come one after the other, behind those that are on their way.
void Scheduler::begin_loads(Cache& cache, SeqId id, double now_us) {
    const TransferModel model{settings_.transfer_gbps, settings_.transfer_latency_us};
    const double time =
        model.us(cache.spec().block_bytes) * static_cast<double>(cache.places_needed(id));
    cache.begin_loads(id);
    loads_end_us_ = std::max(loads_end_us_, now_us) + time;
    ready_at_.emplace_back(id, loads_end_us_);
}

// Loads that run beside the iterations are ready when the time model says so; without prefetch, and
// when there is nothing else to do, the iteration waits for them.
bool Scheduler::finish_due_loads(Cache& cache, SeqId id, double now_us) {
    if (!cache.is_loading(id)) return true;
    const auto ready = std::find_if(ready_at_.begin(), ready_at_.end(),
                                    [&](const auto& entry) { return entry.first == id; });
    KV_ASSERT(ready != ready_at_.end());
    const double missing_us = ready->second - now_us;
    const bool others_compute =
        !plan_.empty() || std::any_of(running_.begin(), running_.end(), [&](SeqId other) {
            return other != id && !cache.is_loading(other);
        });
    if (missing_us > 0 && settings_.prefetch && others_compute) return false;
    waited_us_ = std::max(waited_us_, missing_us);
    ready_at_.erase(ready);
    cache.finish_loads(id);
    return true;
}

// A fork that waits, or a request that is paused, can hold the blocks that the first in line needs.
void Scheduler::give_up_idle_holder(Cache& cache, SeqId for_whom) {
    std::vector<SeqId> holders(paused_);
    holders.insert(holders.end(), waiting_.begin(), waiting_.end());
    std::reverse(holders.begin(), holders.end());
    for (const SeqId id : holders) {
        if (!cache.holds_blocks(id)) continue;
        note_preempted(id, {Why::RoomFor, for_whom}, false);
        cache.let_go(id, {Why::RoomFor, for_whom});
        return;
    }
    KV_ASSERT(false && "a request that fits the pool cannot be admitted");
}

void Scheduler::add(SeqId id, std::uint32_t first, std::uint32_t count) {
    KV_ASSERT(count > 0);
    plan_.push_back({id, first, count});
    budget_ -= std::min(budget_, count);
    request(id).scheduled = count;
    const bool reads = count > 1 || first < request(id).prompt.size();
    const Reason reason = reads ? Reason::prompt_chunk(count) : Reason{Why::NextToken};
    tell_(id, reason, TokensScheduled{first, count});
}

// Tells that a request waits, and why: once, until the reason changes.
void Scheduler::wait(SeqId id, const Reason& reason) {
    Request& r = request(id);
    if (r.waits == reason) return;
    r.waits = reason;
    tell_(id, reason, RequestWaits{});
}

}  // namespace kv
