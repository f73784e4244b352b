#include "core/sim/race.hpp"

#include <algorithm>
#include <queue>
#include <utility>

#include "core/base/background/give_way.hpp"
#include "core/base/error.hpp"
#include "core/base/random.hpp"

namespace kv {
namespace {

constexpr u64 kLeakStream = 0x1eac;
constexpr u64 kProgressEvery = 1u << 16;  // events
constexpr u64 kGiveWayEvery = 32;

struct Live {
    Demand demand;
    std::uint32_t request = 0;  // index into the workload
    u64 admission = 0;          // the how-manyth; no two live ones share it
    u64 since = 0;              // the iteration that admitted it
    Holding holding;
    bool active = false;
    std::optional<std::uint32_t> older, newer;  // running requests in order of admission

    u64 made(u64 iteration) const { return demand.made + (iteration - since); }
    u64 stored(u64 iteration) const { return demand.prompt + made(iteration); }
    // Empty slots of its holding that it has tokens for; what is left behind them it never fills.
    u64 will_fill(u64 iteration) const {
        return std::min(demand.output - made(iteration), holding.slots - stored(iteration));
    }
};

struct Returning {
    std::uint32_t request;
    u64 made;
};

struct DueEvent {
    u64 iteration, admission;
    std::uint32_t live;

    // The queue's top is the earliest, and of those the oldest request.
    bool operator<(const DueEvent& other) const {
        return std::pair(iteration, admission) > std::pair(other.iteration, other.admission);
    }
};

class Race {
public:
    Race(AllocatorKind kind, const Workload& workload, const RaceSettings& settings,
         RaceWatcher* watcher)
        : workload_(workload),
          settings_(settings),
          watcher_(watcher),
          reserves_(kind != AllocatorKind::Paged),
          allocator_(make_allocator(kind, settings.pool)) {
        result_.allocator = kind;
        queue_.reserve(workload.size());
        for (std::uint32_t i = 0; i < workload.size(); ++i) {
            if (!settings.pool.admission_control || allocator_->can_ever_hold(demand_of(i, 0)))
                queue_.push_back(i);
            else
                refuse(i);
        }
    }

    std::optional<RaceResult> run(const RaceObserver& observe, const Progress& progress) {
        for (u64 rounds = 0;; ++rounds) {
            admit();  // whom there is room for
            if (running_ == 0) break;
            const u64 last = next_event();
            measure(last - now_ + 1, observe);  // where the slots go, up to the next event
            pass_to(last);                      // jumps there: until then each only makes tokens
            grow_the_full();                    // finds more room for who is full, or preempts
            make_tokens();                      // one for each that runs
            release_the_finished();             // those that have made their last one leave
            ++now_;
            if (rounds % kGiveWayEvery == 0) give_way();
            if (rounds % kProgressEvery == 0 && progress && !progress(done())) return std::nullopt;
        }
        finish_result();
        return result_;
    }

private:
    void refuse(std::uint32_t request) {
        ++counters_.refused;
        if (watcher_) watcher_->refused(request, demand_of(request, 0));
    }
    Demand demand_of(std::uint32_t request, u64 made) const {
        return {workload_[request].prompt, workload_[request].output, made};
    }
    u64 waiting() const { return returning_.size() + (queue_.size() - next_); }
    double done() const {
        return queue_.empty()
                   ? 1
                   : static_cast<double>(counters_.finished) / static_cast<double>(queue_.size());
    }

    void admit() {
        prefill_tokens_ = 0;
        while (waiting() > 0) {
            const Returning next =
                returning_.empty() ? Returning{queue_[next_], 0} : returning_.back();
            const Demand demand = demand_of(next.request, next.made);
            const auto holding = allocator_->admit(demand, running_ == 0);
            if (!holding) {
                if (watcher_) watcher_->turned_away(now_, next.request, allocator_->wanted(demand));
                return;
            }
            if (returning_.empty()) {
                ++next_;
                ++counters_.admitted;
                counters_.prompt_tokens += demand.prompt;
                waited_ += static_cast<double>(now_);
            } else {
                returning_.pop_back();
                counters_.recomputed_tokens += demand.stored();
            }
            start(next.request, demand, *holding);
        }
    }

    void start(std::uint32_t request, const Demand& demand, const Holding& holding) {
        const std::uint32_t at = spare_live();
        Live& live = live_[at];
        live = {.demand = demand,
                .request = request,
                .admission = ++admissions_,
                .since = now_,
                .holding = holding,
                .active = true,
                .older = newest_,
                .newer = std::nullopt};
        if (newest_) live_[*newest_].newer = at;
        newest_ = at;
        ++running_;
        result_.peak_batch = std::max(result_.peak_batch, running_);
        if (watcher_) watcher_->admitted(now_, request, demand, holding);
        tokens_ += demand.stored();
        to_fill_ += live.will_fill(now_);
        prefill_tokens_ += demand.stored();
        last_tokens_.push({now_ + (demand.output - demand.made) - 1, live.admission, at});
        expect_to_be_full(at);
    }

    std::uint32_t spare_live() {
        if (spare_.empty()) {
            live_.emplace_back();
            return static_cast<std::uint32_t>(live_.size() - 1);
        }
        const std::uint32_t at = spare_.back();
        spare_.pop_back();
        return at;
    }

    void expect_to_be_full(std::uint32_t at) {
        const Live& live = live_[at];
        const u64 room = live.holding.slots - live.stored(now_);
        if (room < live.demand.output - live.made(now_))
            full_.push({now_ + room, live.admission, at});
    }

    bool is_stale(const DueEvent& event) const {
        const Live& live = live_[event.live];
        return !live.active || live.admission != event.admission;
    }
    std::optional<u64> next_of(std::priority_queue<DueEvent>& events) {
        while (!events.empty() && is_stale(events.top())) events.pop();
        if (events.empty()) return std::nullopt;
        return events.top().iteration;
    }
    u64 next_event() {
        const auto last = next_of(last_tokens_);
        KV_ASSERT(last);
        return std::min(*last, next_of(full_).value_or(*last));
    }
    std::optional<std::uint32_t> take_event(std::priority_queue<DueEvent>& events) {
        if (next_of(events) != now_) return std::nullopt;
        const std::uint32_t live = events.top().live;
        events.pop();
        return live;
    }

    void measure(u64 count, const RaceObserver& observe) {
        const RaceSpan span = span_of(count);
        KV_ASSERT(span.use.sum() == settings_.pool.slots);
        if (observe) observe(span);
        if (span.waiting == 0) return;
        // Sums over the span. Each iteration has `running` tokens more than the one before, so
        // beside n times the first one's tokens stand running * (0 + 1 + ... + n - 1). The sum of
        // reserved slots loses as much, and what is held stays.
        const auto n = static_cast<double>(count);
        const double made_on_the_way = static_cast<double>(running_) * n * (n - 1) / 2;
        result_.saturated_iterations += count;
        batch_sum_ += static_cast<double>(running_) * n;
        tokens_sum_ += static_cast<double>(span.use.tokens) * n + made_on_the_way;
        held_sum_ += static_cast<double>(span.use.held()) * n;
        if (reserves_)
            reserved_sum_ += static_cast<double>(span.use.reserved) * n - made_on_the_way;
    }

    // Of the next `count` iterations: where each slot of the pool is in the first of them. A slot
    // is held or not; one that is held has a token, is reserved for one, or is lost inside.
    RaceSpan span_of(u64 count) const {
        RaceSpan span;
        span.first = now_;
        span.count = count;
        span.running = running_;
        span.waiting = waiting();
        const u64 held = allocator_->held();
        const u64 reserved = reserves_ ? to_fill_ : 0;
        KV_ASSERT(tokens_ + reserved <= held && held <= settings_.pool.slots);
        const u64 not_held = settings_.pool.slots - held;
        span.use = {.tokens = tokens_,
                    .reserved = reserved,
                    .internal = held - tokens_ - reserved,
                    .external = reserves_ ? not_held : 0,
                    .free = reserves_ ? 0 : not_held};
        span.prefill_tokens = prefill_tokens_;
        span.slots_copied = allocator_->slots_copied();
        span.counters = counters_;
        span.reserves = reserves_;
        return span;
    }

    // Iterations in which every running request makes a token and nothing else happens.
    void pass_to(u64 iteration) {
        if (watcher_ && iteration > now_) watcher_->made(now_, iteration - now_);
        const u64 made = running_ * (iteration - now_);
        tokens_ += made;
        to_fill_ -= made;
        counters_.generation_tokens += made;
        now_ = iteration;
    }

    void grow_the_full() {
        while (const auto at = take_event(full_)) {
            if (!make_room(*at)) continue;
            if (watcher_) watcher_->grown(now_, live_[*at].request, live_[*at].holding);
            to_fill_ += live_[*at].will_fill(now_);
            expect_to_be_full(*at);
        }
    }

    // False: it was preempted itself.
    bool make_room(std::uint32_t at) {
        while (!allocator_->grow(live_[at].holding)) {
            const std::uint32_t victim = *newest_;
            preempt(victim);
            if (victim == at) return false;
        }
        return true;
    }

    void preempt(std::uint32_t at) {
        const Live live = live_[at];
        const u64 made = live.made(now_);
        tokens_ -= live.stored(now_);
        to_fill_ -= live.will_fill(now_);
        retire(at);
        counters_.pieces_returned += allocator_->give_back(live.holding);
        ++counters_.preemptions;
        if (watcher_) watcher_->preempted(now_, live.request);
        // Alone and without room twice at the same token: nobody is left who could make any.
        const bool alone = running_ == 0;
        const bool hopeless = alone && alone_before_ && alone_before_->request == live.request &&
                              alone_before_->made == made;
        if (alone) alone_before_ = Returning{live.request, made};
        if (hopeless) {
            KV_ASSERT(!settings_.pool.admission_control || settings_.faults.leak > 0);
            ++counters_.abandoned;
        } else {
            returning_.push_back({live.request, made});
        }
    }

    void make_tokens() {
        if (watcher_ && running_ > 0) watcher_->made(now_, 1);
        tokens_ += running_;
        to_fill_ -= running_;
        counters_.generation_tokens += running_;
    }

    void release_the_finished() {
        while (const auto at = take_event(last_tokens_)) {
            const Live live = live_[*at];
            tokens_ -= live.demand.total();
            to_fill_ -= live.will_fill(now_ + 1);
            retire(*at);
            ++counters_.finished;
            const bool keeps = leaks(settings_, live.request);
            if (watcher_) watcher_->finished(now_, live.request, keeps);
            if (keeps) {
                ++counters_.leaked_requests;
                counters_.leaked_slots += live.holding.slots;
            } else {
                counters_.pieces_returned += allocator_->give_back(live.holding);
            }
        }
    }

    void retire(std::uint32_t at) {
        Live& live = live_[at];
        if (live.older) live_[*live.older].newer = live.newer;
        if (live.newer)
            live_[*live.newer].older = live.older;
        else
            newest_ = live.older;
        live.active = false;
        spare_.push_back(at);
        --running_;
    }

    void finish_result() {
        RaceResult& r = result_;
        r.iterations = now_;
        r.left_waiting = waiting();
        r.peak_slots = allocator_->peak();
        r.slots_copied = allocator_->slots_copied();
        r.copies = allocator_->copies();
        r.counters = counters_;
        if (counters_.admitted > 0) r.mean_wait = waited_ / static_cast<double>(counters_.admitted);
        if (r.saturated_iterations == 0) return;
        const auto n = static_cast<double>(r.saturated_iterations);
        const double all = n * static_cast<double>(settings_.pool.slots);
        const double not_held = (all - held_sum_) / all;
        r.mean_batch = batch_sum_ / n;
        r.tokens_share = tokens_sum_ / all;
        r.reserved_share = reserved_sum_ / all;
        r.internal_share = (held_sum_ - tokens_sum_ - reserved_sum_) / all;
        r.external_share = reserves_ ? not_held : 0;
        r.free_share = reserves_ ? 0 : not_held;
        if (held_sum_ > 0) r.utilisation = tokens_sum_ / held_sum_;
    }

    const Workload& workload_;
    const RaceSettings& settings_;
    RaceWatcher* watcher_;
    // A contiguous allocator keeps slots for tokens to come, and its gaps are lost to others. A
    // paged one holds what it fills, less than a block apart, and every free block serves
    // everybody.
    bool reserves_;
    std::unique_ptr<Allocator> allocator_;

    std::vector<std::uint32_t> queue_;  // requests that are not refused
    std::size_t next_ = 0;              // of the queue
    std::vector<Returning> returning_;  // preempted, the next one last
    std::vector<Live> live_;
    std::vector<std::uint32_t> spare_;
    std::optional<std::uint32_t> newest_;
    // The last one that was preempted with nobody beside it.
    std::optional<Returning> alone_before_;
    std::priority_queue<DueEvent> full_, last_tokens_;

    u64 now_ = 0, running_ = 0, admissions_ = 0, prefill_tokens_ = 0;
    u64 tokens_ = 0;
    u64 to_fill_ = 0;  // slots that running requests hold and will fill
    RaceCounters counters_;
    double waited_ = 0, batch_sum_ = 0, tokens_sum_ = 0, held_sum_ = 0, reserved_sum_ = 0;
    RaceResult result_;
};

}  // namespace

bool leaks(const RaceSettings& settings, u64 request) {
    return settings.faults.leak > 0 &&
           Random(settings.seed, kLeakStream).unit(request) < settings.faults.leak;
}

PoolUse RaceSpan::use_at(u64 offset) const {
    KV_ASSERT(offset < count);
    PoolUse at = use;
    at.tokens += running * offset;
    (reserves ? at.reserved : at.internal) -= running * offset;
    return at;
}

std::optional<RaceResult> race(AllocatorKind kind, const Workload& workload,
                               const RaceSettings& settings, const RaceObserver& observe,
                               const Progress& progress, RaceWatcher* watcher) {
    return Race(kind, workload, settings, watcher).run(observe, progress);
}

}  // namespace kv
