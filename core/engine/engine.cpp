#include "core/engine/engine.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/engine/fnv_hash.hpp"
#include "core/engine/recode.hpp"

namespace kv {
namespace {

double steady_us() {
    return std::chrono::duration<double, std::micro>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

void Engine::tell(const Reason& reason, Happening what) {
    recorder_.append({iteration_, std::nullopt, reason, std::move(what)});
}

void Engine::tell(SeqId id, const Reason& reason, Happening what) {
    recorder_.append({iteration_, id, reason, std::move(what)});
}

Engine::Engine(EngineParts parts, const EngineSettings& settings)
    : parts_(std::move(parts)),
      settings_(settings),
      recorder_(parts_.payload_bytes, parts_.on_bytes),
      scheduler_(
          settings_, requests_,
          [this](SeqId id, const Reason& reason, Happening what) {
              const auto* preempted = std::get_if<RequestPreempted>(&what);
              if (preempted != nullptr && !preempted->swapped) forget_passes(id);
              tell(id, reason, std::move(what));
          },
          [this](SeqId id) { make_space(id); }) {
    if (!parts_.clock_us) parts_.clock_us = steady_us;
    for (const SettingRow& row : engine_setting_rows())
        tell({Why::AtTheStart, {}, 0, 0},
             SettingChanged{std::string(row.name), row.write(settings_)});
    make_pool();
}

Engine::~Engine() = default;

PoolSpec Engine::pool_spec() const {
    const std::uint64_t per_block = bytes_per_block(parts_.config, settings_);
    const auto blocks = blocks_of(settings_.pool, per_block);
    if (!blocks)
        throw Error(ErrorCode::Usage, "The pool of " + pool_text(settings_.pool) +
                                          " holds no usable number of blocks of " +
                                          std::to_string(per_block) + " bytes; change its size.");
    return pool_spec_of(settings_, *blocks);
}

CacheSpec Engine::cache_spec() const {
    const KvLayout& layout = backend_->layout();
    CacheSpec spec;
    spec.n_blocks = layout.n_blocks;
    spec.block_size = layout.block_size;
    spec.n_host = settings_.host_blocks;
    spec.n_file = settings_.file_blocks;
    spec.n_lanes = lanes_.n_lanes();
    spec.block_bytes = layout.pool_bytes() / layout.n_blocks / spec.n_lanes;
    spec.sharing = settings_.share;
    spec.free_order = settings_.free_order;
    spec.prefix_rule = settings_.prefix_rule;
    spec.radix_order = settings_.radix_order;
    spec.free_list = settings_.free_list;
    spec.keep_cold = settings_.cold_blocks == ColdBlocks::KeepInHost;
    // What a query does not see changes what comes after it; scores need every query there was.
    if (has_policy()) spec.publish_upto = first_query_that_misses(eviction_).value_or(0);
    spec.space = space();
    spec.has_residual = pool_spec_of(settings_, 1).has_residual();
    return spec;
}

// The same tokens' bytes differ by codec, by what the passes that made them attended to, and by
// whether keys were turned before they were stored.
std::string Engine::space() const {
    const PoolSpec pool = pool_spec_of(settings_, 1);
    return parts_.model_id + "/" + name_of(pool.k) + "/" + name_of(pool.v) +
           (pool.attends_exactly() ? "/exact" : "") +
           (pool.rotation == Rotation::Hadamard ? "/hadamard" : "") +
           (key_turn() == KeyTurn::WhenStored ? "" : "/turned_when_read");
}

void Engine::use_backend(std::unique_ptr<Backend> backend) {
    backend_ = std::move(backend);
    const bool bytes_matter =
        parts_.payload_bytes > 0 || parts_.on_bytes || parts_.poison_fresh_blocks;
    lanes_ = {table_scope(eviction_), backend_->layout().n_layers, backend_->layout().n_kv_heads};
    recorder_.watch(bytes_matter ? backend_.get() : nullptr, lanes_);
    mover_ = std::make_unique<PoolMover>(*backend_, transfers_, parts_.clock_us, lanes_);
    passes_.reset();
    if (pool_spec_of(settings_, 1).attends_exactly()) passes_.emplace(settings_.block_size);
}

void Engine::make_pool() {
    if (const std::string clash = clash_of(settings_, parts_.config); !clash.empty())
        throw Error(ErrorCode::Usage, clash);
    const PoolSpec pool = pool_spec();
    for (const std::uint32_t id : settings_.free_list)
        if (id >= pool.n_blocks)
            throw Error(ErrorCode::Usage, "free_list names block " + std::to_string(id) +
                                              ", but the pool has the blocks 0 to " +
                                              std::to_string(pool.n_blocks - 1) + ".");
    eviction_ = eviction_of(settings_);
    for (auto& keeper : keepers_) keeper.reset();
    recorder_.poison_fresh_blocks(parts_.poison_fresh_blocks);
    transfers_ = {settings_.transfer_gbps, settings_.transfer_latency_us};
    use_backend(parts_.make_backend(settings_.backend, pool));
    cache_ = std::make_unique<Cache>(cache_spec(), &recorder_, mover_.get());
    cache_->begin_iteration(iteration_);
    last_held_ = held();
}

void Engine::recode(const std::string& setting, EngineSettings changed, const Reason& by) {
    const PoolSpec was = pool_spec_of(settings_, backend_->layout().n_blocks);
    const PoolSpec is = pool_spec_of(changed, was.n_blocks);
    std::unique_ptr<Backend> backend = parts_.make_backend(changed.backend, is);
    const std::vector<LaneView>& lanes = trace().end().lanes;
    std::uint64_t live = 0;
    for (const LaneView& lane : lanes) live += lane.live;
    const Reason reason{Why::CodecChanged, {}, live, 0};
    const std::uint64_t block_bytes =
        backend->layout().pool_bytes() / was.n_blocks / lanes_.n_lanes();
    // A size in bytes would mean another number of blocks now.
    const bool resized = changed.pool.bytes.has_value();
    if (resized) changed.pool = {{}, was.n_blocks};
    settings_ = changed;
    cache_->change_space(space(), block_bytes, reason);
    std::vector<BlockRecoded> done;
    for (std::uint32_t l = 0; l < lanes.size(); ++l)
        for (std::uint32_t b = 0; b < was.n_blocks; ++b) {
            const BlockView& block = lanes[l].blocks[b];
            if (block.state() == BlockState::Used && block.filled > 0)
                done.push_back({LaneId(l), BlockId(b), block.filled, 0});
        }
    PoolRecode recode(*backend_, was, *backend, is, lanes_);
    for (const BlockRecoded& each : done) recode.look_at(each);
    for (BlockRecoded& each : done) each.bytes = recode.take(each);
    use_backend(std::move(backend));
    cache_->use_mover(mover_.get());
    for (std::uint32_t i = 0; i < requests_.size(); ++i)
        if (!requests_[i].finish && cache_->stored(SeqId(i)) > 0) requests_[i].recoded = true;
    if (resized) tell(reason, SettingChanged{"pool", pool_text(settings_.pool)});
    tell(by, SettingChanged{setting, find_setting(setting)->write(settings_)});
    for (const BlockRecoded& each : done) tell(reason, each);
}

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
    tell({Why::PartOfIteration, {}, iteration_, 0}, IterationStarted{});
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
    tell({Why::PartOfIteration, {}, iteration_, 0},
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
    tell(id, {Why::Arrival, {}, r.spec.arrive, 0},
         RequestArrived{r.spec.name, r.prompt, r.spec.forced, r.spec.max_new, r.spec.priority,
                        r.spec.salt, r.parent});
    const std::uint64_t longest = blocks_at_longest(r);
    if (lost || r.prompt.empty()) return refuse(id, {Why::NoParent, {}, 0, 0});
    if (longest > cache_->spec().n_blocks)
        return refuse(id, {Why::NeverFits, {}, longest, cache_->spec().n_blocks});
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

namespace {

// One sequence of a batch, with the numbers that its spans point to.
struct Share {
    std::vector<std::uint32_t> tokens, slots, ranks, last;
    BlockTables tables;
    VisibleKeys visible;
};

}  // namespace

void Engine::compute(const std::vector<Planned>& plan) {
    last_work_ = {};
    if (plan.empty()) return;
    std::vector<Share> shares(plan.size());
    Batch batch;
    for (std::size_t i = 0; i < plan.size(); ++i) {
        const Planned& p = plan[i];
        Share& share = shares[i];
        const auto known = cache_->tokens(p.request);
        share.tokens.assign(known.begin() + p.first, known.begin() + p.first + p.count);
        for (std::uint32_t slot = p.first; slot < p.first + p.count; ++slot)
            share.slots.push_back(slot);
        if (p.first + p.count == known.size()) share.last.push_back(p.count - 1);
        share.tables.scope = lanes_.scope;
        share.tables.n_kv_heads = lanes_.n_kv_heads;
        share.tables.tables.resize(lanes_.n_lanes());
        const BlockId hole(backend_->layout().n_blocks);
        for (std::uint32_t lane = 0; lane < lanes_.n_lanes(); ++lane)
            for (const std::optional<BlockId>& block : cache_->table(p.request, LaneId(lane)))
                share.tables.tables[lane].push_back(block.value_or(hole));
        SequenceWork work;
        work.tokens = share.tokens;
        work.positions = work.slots = share.slots;
        work.tables = &share.tables;
        work.logit_rows = share.last;
        if (pool_spec_of(settings_, 1).has_residual())
            work.residual = residual_of(p.request, p.first);
        if (has_policy() || key_turn() != KeyTurn::WhenStored) {
            share.visible = look_of(p);
            work.visible = &share.visible;
            if (shifts_keys()) work.positions = share.ranks = ranks_of(p);
        }
        batch.sequences.push_back(work);
    }
    note_passes(plan);
    PassClock clock(parts_.clock_us);
    batch.clock = &clock;
    const ForwardResult result = run_pass(batch, plan);
    work_ += result.work;
    last_work_ = result.work;
    for (const Operation& part : result.parts)
        tell({Why::PartOfIteration, {}, iteration_, 0}, part);
    take_results(plan, result.logits);
}

// The lowest lane that nobody has; what is stored already was coded when it came.
Residual Engine::residual_of(SeqId id, std::uint32_t first) {
    Request& r = request(id);
    if (r.residual) return *r.residual;
    const auto taken = [&](std::uint32_t lane) {
        return std::any_of(requests_.begin(), requests_.end(), [lane](const Request& other) {
            return other.residual && other.residual->lane == lane;
        });
    };
    std::uint32_t lane = 0;
    while (taken(lane)) ++lane;
    r.residual = Residual{lane, first};
    r.recoded = r.recoded || first > 0;
    return *r.residual;
}

// Which blocks got codes when tokens left the residual.
void Engine::tell_coded(const Planned& p) {
    const Request& r = request(p.request);
    if (!r.residual) return;
    const std::uint32_t size = settings_.block_size, base = r.residual->base;
    const KvLayout& layout = backend_->layout();
    std::uint32_t first[2], end[2];
    for (const KvSide side : {KvSide::K, KvSide::V}) {
        const auto s = static_cast<std::size_t>(side);
        const bool waits = layout.vector(side).residual_bytes > 0;
        first[s] = waits ? coded_tokens(side, p.first, base) : 0;
        end[s] = waits ? coded_tokens(side, p.first + p.count, base) : 0;
    }
    const auto inside = [&](std::uint32_t token, std::uint32_t entry) {
        return std::clamp(token, entry * size, (entry + 1) * size) - entry * size;
    };
    for (std::uint32_t entry = 0; entry < cache_->table(p.request).size(); ++entry) {
        std::uint64_t bytes = 0;
        for (const KvSide side : {KvSide::K, KvSide::V}) {
            const auto s = static_cast<std::size_t>(side);
            bytes += std::uint64_t{inside(end[s], entry) - inside(first[s], entry)} *
                     layout.n_layers * layout.n_kv_heads * layout.vector(side).bytes;
        }
        if (bytes == 0) continue;
        const std::uint32_t slots = std::max(inside(end[0], entry), inside(end[1], entry));
        tell(p.request, {Why::LeavesResidual, p.request, end[0], end[1]},
             BlockRecoded{LaneId(0), *cache_->table(p.request)[entry], slots, bytes});
    }
}

void Engine::note_passes(const std::vector<Planned>& plan) {
    if (!passes_) return;
    for (const Planned& p : plan) {
        PassBook::Hashes hashes;
        for (const std::optional<BlockId>& block : cache_->table(p.request))
            hashes.push_back(block ? trace().end().lanes[0].blocks[block->index()].hash
                                   : std::nullopt);
        passes_->add(p.request, p.first, p.count, hashes);
    }
}

SeenTokens Engine::seen_by(SeqId id) const {
    return {cache_->tokens(id), passes_ ? passes_->passes(id) : std::span<const std::uint32_t>{},
            requests_[id.index()].recoded};
}

void Engine::take_results(const std::vector<Planned>& plan, std::span<const float> logits) {
    for (const Planned& p : plan) {
        request(p.request).scheduled = 0;
        cache_->set_stored(p.request, p.first + p.count, request(p.request).spec.priority);
        tell(p.request, {Why::Computed, {}, p.count, 0}, TokensStored{p.first, p.count});
        tell_coded(p);
    }
    for (const Planned& p : plan) drop_after_step(p);
    struct Next {
        SeqId request;
        std::span<const float> logits;
        std::uint32_t token;
    };
    std::vector<Next> all;
    const double start = parts_.clock_us();
    for (const Planned& p : plan) {
        if (cache_->stored(p.request) < cache_->tokens(p.request).size()) continue;
        const auto row = logits.first(parts_.config.vocab_size);
        logits = logits.subspan(row.size());
        if (parts_.on_logits) parts_.on_logits(p.request, seen_by(p.request), row);
        all.push_back({p.request, row, next_token(p.request, row)});
    }
    if (all.empty()) return;
    tell({Why::PartOfIteration, {}, iteration_, 0},
         Operation{Op::Sample,
                   {},
                   0,
                   all.size() * parts_.config.vocab_size * sizeof(float),
                   0,
                   parts_.clock_us() - start});
    for (const Next& next : all) take_token(next.request, next.logits, next.token);
}

// Told, or drawn.
std::uint32_t Engine::next_token(SeqId id, std::span<const float> logits) const {
    const Request& r = requests_[id.index()];
    if (r.forced_fed < r.spec.forced.size()) return r.spec.forced[r.forced_fed];
    return sample(logits, r.spec.sampling, id.value, cache_->stored(id));
}

void Engine::take_token(SeqId id, std::span<const float> logits, std::uint32_t token) {
    Request& r = request(id);
    if (parts_.keep_logits) r.logits.emplace_back(logits.begin(), logits.end());
    const std::uint64_t position = cache_->stored(id);
    cache_->append(id, token);
    if (r.forced_fed < r.spec.forced.size()) {
        ++r.forced_fed;
        r.forced_nll.push_back(negative_log_likelihood(logits, token));
        tell(id, {Why::Forced, {}, r.forced_fed, 0}, TokenAdded{token});
        return;
    }
    r.new_tokens.push_back(token);
    r.last_token_us = parts_.clock_us();
    if (!r.first_token) {
        r.first_token = iteration_;
        r.first_token_us = r.last_token_us;
    }
    const bool greedy = r.spec.sampling.temperature == 0;
    tell(id, greedy ? Reason{Why::MostProbable, {}, 0, 0} : Reason{Why::Drawn, {}, position, 0},
         TokenAdded{token});
    const auto& stops = parts_.config.eos;
    if (std::find(stops.begin(), stops.end(), token) != stops.end())
        end(id, Finish::StopToken, {Why::StopToken, {}, token, 0});
    else if (r.text.feed(token))
        end(id, Finish::StopText, {Why::StopText, {}, 0, 0});
    else if (r.new_tokens.size() == r.spec.max_new)
        end(id, Finish::Length, {Why::MaxNew, {}, r.spec.max_new, 0});
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

Held Engine::held() const {
    Held held;
    held.n_lanes = lanes_.n_lanes();
    for (const LaneView& lane : trace().end().lanes) {
        held.used += lane.used;
        held.cached += lane.cached;
        held.free += static_cast<std::uint32_t>(lane.blocks.size()) - lane.used - lane.cached;
        held.live_slots += lane.live;
    }
    held.host_used = cache_->tiers().n_used(Medium::Host);
    held.distinct_tokens = distinct_stored_tokens();
    held.residual_bytes = backend_->residual_bytes();
    const KvLayout& layout = backend_->layout();
    for (std::uint32_t i = 0; i < requests_.size(); ++i) {
        if (!requests_[i].residual || !cache_->is_open(SeqId(i))) continue;
        const std::uint32_t n = cache_->stored(SeqId(i)), base = requests_[i].residual->base;
        if (layout.k.residual_bytes > 0) held.residual_k += n - coded_tokens(KvSide::K, n, base);
        if (layout.v.residual_bytes > 0) held.residual_v += n - coded_tokens(KvSide::V, n, base);
    }
    return held;
}

// Tokens that requests keep, those in shared slots once.
std::uint64_t Engine::distinct_stored_tokens() const {
    const std::uint32_t size = settings_.block_size;
    std::uint64_t sum = 0;
    for (std::uint32_t l = 0; l < lanes_.n_lanes(); ++l) {
        std::map<std::uint32_t, std::vector<bool>> blocks;  // which of its slots are kept
        for (std::uint32_t i = 0; i < requests_.size(); ++i) {
            if (requests_[i].state == RequestState::Refused || !cache_->is_open(SeqId(i))) continue;
            const auto& table = cache_->table(SeqId(i), LaneId(l));
            const SlotMap& slots = cache_->slots(SeqId(i), LaneId(l));
            for (const std::uint32_t slot : slots.kept_slots(cache_->stored(SeqId(i)))) {
                if (slot / size >= table.size()) break;  // swapped out
                auto& kept = blocks[table[slot / size]->value];
                kept.resize(size);
                kept[slot % size] = true;
            }
        }
        for (const auto& [block, kept] : blocks)
            sum += static_cast<std::uint64_t>(std::count(kept.begin(), kept.end(), true));
    }
    return sum;
}

void Engine::release_ended() {
    for (const SeqId id : ended_) {
        cache_->close(id, {Why::RequestEnds, id, 0, 0});
        forget_passes(id);
    }
    ended_.clear();
}

Snapshot Engine::observe() const {
    Snapshot s;
    s.iteration = last_started_;
    for (std::uint32_t i = 0; i < requests_.size(); ++i) {
        const Request& r = requests_[i];
        RequestView view = trace().end().requests[i];
        view.name = r.spec.name;
        view.state = r.state;
        view.n_prompt = static_cast<std::uint32_t>(r.prompt.size());
        view.n_forced = r.forced_fed;
        view.n_new = static_cast<std::uint32_t>(r.new_tokens.size());
        view.max_new = r.spec.max_new;
        view.scheduled = r.scheduled;
        view.cached_prompt = r.cached_prompt;
        view.preemptions = r.preemptions;
        view.priority = r.spec.priority;
        view.parent = r.parent;
        view.finish = r.finish;
        view.waits = r.waits;
        view.arrived = r.arrived;
        view.admitted = r.admitted;
        view.first_token = r.first_token;
        view.ended = r.ended;
        if (r.state == RequestState::Finished || r.state == RequestState::Refused) {
            view.tokens = SharedArray<std::uint32_t>(tokens_of(SeqId(i)));
            view.stored = r.stored;
            view.tables.assign(lanes_.n_lanes(), {});
            view.slots.assign(lanes_.n_lanes(), {});
            view.swapped = false;
        } else {
            view.swapped = cache_->is_swapped(SeqId(i)) && !cache_->is_loading(SeqId(i));
        }
        s.requests.push_back(std::move(view));
    }
    cache_->observe(s);
    s.running = scheduler_.running();
    s.waiting = scheduler_.waiting();
    s.paused = scheduler_.paused();
    for (const SettingRow& row : engine_setting_rows())
        s.settings[std::string(row.name)] = row.write(settings_);
    s.counters = trace().end().counters;
    return s;
}

}  // namespace kv
