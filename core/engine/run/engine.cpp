#include "core/engine/run/engine.hpp"

#include <algorithm>
#include <utility>

#include "core/base/background/give_way.hpp"
#include "core/base/error.hpp"
#include "core/engine/run/drafting/draft_model.hpp"
#include "core/engine/run/evicting/fit.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

double us_at_work() {
    return seconds_at_work() * 1e6;
}

}  // namespace

Engine::Engine(EngineParts parts, const EngineSettings& settings)
    : parts_(std::move(parts)),
      settings_(settings),
      recorder_(parts_.payload_bytes, parts_.on_bytes),
      log_(&recorder_),  // the recorder is the EventLog: every event told goes into its trace
      pool_(parts_, settings_, recorder_, log_),
      residuals_(pool_),
      keepers_(parts_, settings_, requests_, pool_),
      drafts_(parts_, settings_, requests_, pool_, keepers_, residuals_, log_),
      evictor_(parts_.config, settings_, requests_, pool_, keepers_, log_),
      scheduler_(
          settings_, requests_,
          [this](SeqId id, const Reason& reason, EventBody what) {
              const auto* preempted = std::get_if<RequestPreempted>(&what);
              if (preempted != nullptr && !preempted->swapped) forget_stored(id);
              log_.tell(id, reason, std::move(what));
          },
          [this](SeqId id) { evictor_.before_append(id); }) {
    if (!parts_.clock_us) parts_.clock_us = us_at_work;
    for (const SettingRow& row : engine_setting_rows())
        log_.tell({Why::AtTheStart}, SettingChanged{std::string(row.name), row.write(settings_)});
    make_pool();
}

Engine::~Engine() = default;

void Engine::submit(RequestSpec spec) {
    KV_ASSERT(!spec.name.empty() && spec.max_new > 0 && !named(spec.name));
    KV_ASSERT(!spec.prompt.empty() || spec.fork_of);
    const auto later = std::upper_bound(
        to_come_.begin(), to_come_.end(), std::max(spec.arrive, iteration_),
        [](std::uint32_t at, const RequestSpec& other) { return at < other.arrive; });
    spec.arrive = std::max(spec.arrive, iteration_);
    to_come_.insert(later, std::move(spec));
}

std::optional<SeqId> Engine::named(const std::string& name) const {
    for (std::uint32_t i = 0; i < requests_.size(); ++i)
        if (requests_[i].spec.name == name) return SeqId(i);
    return std::nullopt;
}

bool Engine::done() const {
    return scheduler_.idle() && to_come_.empty();
}

std::uint32_t Engine::next_iteration() const {
    if (scheduler_.idle() && !to_come_.empty())
        return std::max(iteration_, to_come_.front().arrive) + 1;
    return iteration_ + 1;
}

void Engine::skip_to(std::uint32_t iteration) {
    if (iteration <= iteration_) return;
    KV_ASSERT(scheduler_.idle());
    begin_iteration(iteration);
}

void Engine::begin_iteration(std::uint32_t iteration) {
    iteration_ = iteration;
    log_.begin_iteration(iteration);
    pool_.cache().begin_iteration(iteration);
}

void Engine::advance() {
    KV_ASSERT(!done());
    begin_iteration(next_iteration());
    last_started_ = iteration_;
    last_work_ = {};
    const double start = parts_.clock_us();
    const Reason part = Reason::part_of_iteration(iteration_);
    log_.tell(part, IterationStarted{});
    // Who comes.
    while (!to_come_.empty() && to_come_.front().arrive < iteration_) {
        RequestSpec next = std::move(to_come_.front());
        to_come_.erase(to_come_.begin());
        arrive(std::move(next));
    }
    // Who computes what, and room for it in the cache.
    std::vector<Planned> plan = scheduler_.plan(pool_.cache(), iteration_, model_us_);
    drafts_.propose(plan, scheduler_.budget_left());
    if (!plan.empty()) {
        // One pass for all of them; then what it stored is told, and tokens are drawn.
        const Pass pass = compute(plan);
        store(plan);
        draw(plan, pass);
        last_held_ = held();
        if (done()) last_held_.state_hash = state_hash();
        if (!settings_.cache) keep_nothing(plan);
    }
    // Blocks of requests that ended are held until here, so that the state above has them.
    release_ended();
    // The time model: what was waited for transfers, and a step.
    std::uint32_t tokens = 0;
    for (const Planned& p : plan) tokens += p.rows();
    const double model_us = scheduler_.waited_us() + (plan.empty() ? 0 : settings_.step_us);
    model_us_ += model_us;
    log_.tell(part, IterationFinished{tokens, model_us, parts_.clock_us() - start});
}

void Engine::arrive(RequestSpec spec) {
    const SeqId id(static_cast<std::uint32_t>(requests_.size()));
    Request& r = requests_.emplace_back();
    r.spec = std::move(spec);
    r.arrived = iteration_;
    r.arrived_us = parts_.clock_us();
    r.text = StopWatcher(parts_.tokenizer, r.spec.stop_texts);
    // Whose tokens it goes on from, whether that one has ended or not. named() knows the newcomer
    // too: a fork of itself goes on from nobody.
    std::optional<SeqId> from = r.spec.fork_of ? named(*r.spec.fork_of) : std::nullopt;
    if (from == id) from.reset();
    if (from) {
        r.prompt = tokens_of(request(*from));
        // What it shares was published under the salt of the request that it was forked from.
        if (r.spec.salt.empty()) r.spec.salt = request(*from).spec.salt;
        if (!request(*from).finish) r.parent = from;
    }
    r.prompt.insert(r.prompt.end(), r.spec.prompt.begin(), r.spec.prompt.end());
    log_.tell(id, Reason::arrival(r.spec.arrive),
              RequestArrived{r.spec.name, r.prompt, r.spec.forced, r.spec.max_new, r.spec.priority,
                             r.spec.salt, r.parent});
    Cache& cache = pool_.cache();
    const std::uint64_t longest = blocks_at_longest(settings_, r);
    // Only a fork of a request that was refused itself has an empty prompt.
    if ((r.spec.fork_of && !from) || r.prompt.empty()) return refuse(id, {Why::NoParent});
    if (longest > cache.spec().n_blocks)
        return refuse(id, Reason::never_fits(longest, cache.spec().n_blocks));
    r.most_per_step = most_per_step(settings_, r, cache.spec().n_blocks);
    // A policy that goes by scores has to see every token of a fork by itself.
    if (r.parent && !keepers_.goes_by_scores() && r.spec.salt == request(*r.parent).spec.salt)
        fork(id, *r.parent);
    else
        cache.open(id, r.prompt, r.spec.salt);
    scheduler_.enqueue(id);
}

void Engine::fork(SeqId id, SeqId parent) {
    Cache& cache = pool_.cache();
    cache.open_fork(id, parent, request(id).spec.prompt);
    if (passes_) passes_->fork(id, parent, cache.stored(id));
    request(id).recoded = request(parent).recoded && cache.stored(id) > 0;
}

void Engine::refuse(SeqId id, const Reason& reason) {
    Request& r = request(id);
    r.state = RequestState::Refused;
    r.finish = Finish::Refused;
    r.ended = iteration_;
    log_.tell(id, reason, RequestFinished{Finish::Refused});
}

void Engine::end(SeqId id, Finish finish, const Reason& reason) {
    Request& r = request(id);
    r.state = RequestState::Finished;
    r.finish = finish;
    r.waits.reset();
    r.scheduled = 0;
    r.ended = iteration_;
    keep_tables(id);
    keepers_.forget(id);
    drafts_.forget(id);
    r.words = r.text.finish();
    log_.tell(id, reason, RequestFinished{finish});
    scheduler_.remove(id);
    ended_.push_back(id);
}

// Keeps the tables of a request as they stand when it ends; its blocks go back at the end of the
// iteration.
void Engine::keep_tables(SeqId id) {
    Request& r = request(id);
    r.stored = cache().stored(id);
    r.tables.clear();
    r.kept.clear();
    bool dropped = false;
    for (std::uint32_t l = 0; l < lanes().n_lanes(); ++l) {
        const SlotMap& slots = cache().slots(id, LaneId(l));
        r.tables.push_back(cache().table(id, LaneId(l)));
        r.kept.push_back(slots.kept(r.stored));
        dropped = dropped || !slots.is_plain();
    }
    if (!dropped) r.kept.clear();
}

// Without a cache a step gives back what it stored, so the next one reads the whole text again.
void Engine::keep_nothing(const std::vector<Planned>& plan) {
    for (const Planned& step : plan) {
        if (request(step.request).finish) continue;
        pool_.cache().let_go(step.request, {Why::NothingKept, step.request});
        forget_stored(step.request);
    }
}

void Engine::release_ended() {
    for (const SeqId id : ended_) {
        pool_.cache().close(id, {Why::RequestEnds, id});
        forget_stored(id);
    }
    ended_.clear();
}

void Engine::forget_stored(SeqId id) {
    if (passes_) passes_->forget(id);
    request(id).recoded = false;
    residuals_.close(id);
}

void Engine::make_pool() {
    // What can fail comes first.
    const PoolSpec pool = pool_.checked_spec();
    std::unique_ptr<DraftModel> drafter = drafts_.drafter_with(pool.n_blocks, pool.block_size);
    pool_.make(iteration_);
    keepers_.start();
    drafts_.start(std::move(drafter), {Why::AtTheStart});
    new_pass_book();
    last_held_ = held();
}

void Engine::new_pass_book() {
    passes_.reset();
    if (pool_spec_of(settings_, 1).attends_exactly()) passes_.emplace(settings_.block_size);
}

void Engine::recode(const std::string& setting, EngineSettings changed, const Reason& by) {
    pool_.recode(setting, std::move(changed), by);
    new_pass_book();
    for (std::uint32_t i = 0; i < requests_.size(); ++i)
        if (!requests_[i].finish && cache().stored(SeqId(i)) > 0) requests_[i].recoded = true;
}

}  // namespace kv
