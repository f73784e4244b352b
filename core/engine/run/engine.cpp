#include "core/engine/run/engine.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/checked.hpp"

namespace kv {
namespace {

double steady_us() {
    return std::chrono::duration<double, std::micro>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

void Engine::tell(const Reason& reason, EventBody what) {
    recorder_.append({iteration_, std::nullopt, reason, std::move(what)});
}

void Engine::tell(SeqId id, const Reason& reason, EventBody what) {
    recorder_.append({iteration_, id, reason, std::move(what)});
}

Engine::Engine(EngineParts parts, const EngineSettings& settings)
    : parts_(std::move(parts)),
      settings_(settings),
      recorder_(parts_.payload_bytes, parts_.on_bytes),
      scheduler_(
          settings_, requests_,
          [this](SeqId id, const Reason& reason, EventBody what) {
              const auto* preempted = std::get_if<RequestPreempted>(&what);
              if (preempted != nullptr && !preempted->swapped) forget_passes(id);
              tell(id, reason, std::move(what));
          },
          [this](SeqId id) { make_space(id); }) {
    if (!parts_.clock_us) parts_.clock_us = steady_us;
    for (const SettingRow& row : engine_setting_rows())
        tell({Why::AtTheStart}, SettingChanged{std::string(row.name), row.write(settings_)});
    make_pool();
}

Engine::~Engine() = default;

void Engine::submit(RequestSpec spec) {
    KV_ASSERT(!spec.name.empty() && spec.max_new > 0 && !named(spec.name));
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
    iteration_ = iteration;
    cache_->begin_iteration(iteration_);
}

void Engine::advance() {
    KV_ASSERT(!done());
    iteration_ = last_started_ = next_iteration();
    cache_->begin_iteration(iteration_);
    const double start = parts_.clock_us();
    tell(Reason::part_of_iteration(iteration_), IterationStarted{});
    while (!to_come_.empty() && to_come_.front().arrive < iteration_) {
        RequestSpec next = std::move(to_come_.front());
        to_come_.erase(to_come_.begin());
        arrive(std::move(next));
    }
    const std::vector<Planned> plan = scheduler_.plan(*cache_, iteration_, model_us_);
    compute(plan);
    if (!plan.empty()) {
        last_held_ = held();
        if (to_come_.empty() && scheduler_.idle()) last_held_.state_hash = state_hash();
    }
    release_ended();
    std::uint32_t tokens = 0;
    for (const Planned& p : plan) tokens += p.count;
    const double model_us = scheduler_.waited_us() + (plan.empty() ? 0 : settings_.step_us);
    model_us_ += model_us;
    tell(Reason::part_of_iteration(iteration_),
         IterationFinished{tokens, model_us, parts_.clock_us() - start});
}

void Engine::arrive(RequestSpec spec) {
    const SeqId id(static_cast<std::uint32_t>(requests_.size()));
    Request& r = requests_.emplace_back();
    keepers_.emplace_back();
    r.spec = std::move(spec);
    r.arrived = iteration_;
    r.arrived_us = parts_.clock_us();
    r.text = StopWatcher(parts_.tokenizer, r.spec.stop_texts);
    const auto from = r.spec.fork_of ? named(*r.spec.fork_of) : std::nullopt;
    const bool lost = r.spec.fork_of && (!from || *from == id);
    if (from && !lost) r.prompt = tokens_of(*from);
    // What it shares was published under the salt of the request that it was forked from.
    if (from && !lost && r.spec.salt.empty()) r.spec.salt = request(*from).spec.salt;
    r.prompt.insert(r.prompt.end(), r.spec.prompt.begin(), r.spec.prompt.end());
    if (from && !lost && !request(*from).finish) r.parent = from;
    tell(id, Reason::arrival(r.spec.arrive),
         RequestArrived{r.spec.name, r.prompt, r.spec.forced, r.spec.max_new, r.spec.priority,
                        r.spec.salt, r.parent});
    const std::uint64_t longest = blocks_at_longest(r);
    if (lost || r.prompt.empty()) return refuse(id, {Why::NoParent});
    if (longest > cache_->spec().n_blocks)
        return refuse(id, Reason::never_fits(longest, cache_->spec().n_blocks));
    plan_steps(r);
    // A policy that goes by scores has to see every token of a fork by itself.
    const bool scores = has_policy() && !first_query_that_misses(eviction_);
    if (r.parent && !scores && r.spec.salt == request(*r.parent).spec.salt)
        fork(id, *r.parent);
    else
        cache_->open(id, r.prompt, r.spec.salt);
    scheduler_.enqueue(id);
}

void Engine::fork(SeqId id, SeqId parent) {
    cache_->open_fork(id, parent, request(id).spec.prompt);
    if (passes_) passes_->fork(id, parent, cache_->stored(id));
    request(id).recoded = request(parent).recoded && cache_->stored(id) > 0;
}

void Engine::forget_passes(SeqId id) {
    if (passes_) passes_->forget(id);
    Request& r = request(id);
    r.recoded = false;
    if (r.residual) backend_->free_residual(r.residual->lane);
    r.residual.reset();
}

void Engine::refuse(SeqId id, const Reason& reason) {
    Request& r = request(id);
    r.state = RequestState::Refused;
    r.finish = Finish::Refused;
    r.ended = iteration_;
    tell(id, reason, RequestFinished{Finish::Refused});
}

std::vector<std::uint32_t> Engine::tokens_of(SeqId id) const {
    const Request& r = requests_[id.index()];
    std::vector<std::uint32_t> tokens = r.prompt;
    const auto fed = static_cast<std::ptrdiff_t>(r.forced_fed);
    tokens.insert(tokens.end(), r.spec.forced.begin(), r.spec.forced.begin() + fed);
    tokens.insert(tokens.end(), r.new_tokens.begin(), r.new_tokens.end());
    return tokens;
}

std::uint64_t Engine::blocks_at_longest(const Request& r) const {
    const std::uint64_t all =
        ceil_div(most_stored(r.spec, r.prompt.size() - r.spec.prompt.size()), settings_.block_size);
    return std::min(all, blocks_with_policy(1));
}

void Engine::end(SeqId id, Finish finish, const Reason& reason) {
    Request& r = request(id);
    r.state = RequestState::Finished;
    r.finish = finish;
    r.waits.reset();
    r.scheduled = 0;
    r.ended = iteration_;
    note_end(r, id);
    r.words = r.text.finish();
    tell(id, reason, RequestFinished{finish});
    scheduler_.remove(id);
    ended_.push_back(id);
}

void Engine::release_ended() {
    for (const SeqId id : ended_) {
        cache_->close(id, {Why::RequestEnds, id});
        forget_passes(id);
    }
    ended_.clear();
}

}  // namespace kv
