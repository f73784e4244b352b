// One iteration's pass: the batch that is planned becomes work for the backend, and its logits
// become tokens, ends and events.

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/engine/run/engine.hpp"

namespace kv {
namespace {

// One sequence of a batch, with the numbers that its spans point to.
struct Share {
    std::vector<std::uint32_t> tokens, slots, ranks, last;
    BlockTables tables;
    VisibleKeys visible;
    HeadReads reads;
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
        if (chooses_reads(eviction_)) {
            share.reads = reads_of(p);
            work.reads = &share.reads;
        } else if (has_policy() || key_rotation() != KeyRotation::WhenStored) {
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
    for (std::size_t i = 0; i < plan.size(); ++i) note_reads(plan[i], shares[i].reads);
    for (const Operation& part : result.parts) tell(Reason::part_of_iteration(iteration_), part);
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
    for (const Side side : {Side::K, Side::V}) {
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
        for (const Side side : {Side::K, Side::V}) {
            const auto s = static_cast<std::size_t>(side);
            bytes += std::uint64_t{inside(end[s], entry) - inside(first[s], entry)} *
                     layout.n_layers * layout.n_kv_heads * layout.vector(side).bytes;
        }
        if (bytes == 0) continue;
        const std::uint32_t slots = std::max(inside(end[0], entry), inside(end[1], entry));
        tell(p.request, Reason::leaves_residual(p.request, end[0], end[1]),
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
        tell(p.request, Reason::computed(p.count), TokensStored{p.first, p.count});
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
    tell(Reason::part_of_iteration(iteration_),
         Operation{.op = Op::Sample,
                   .bytes_read = all.size() * parts_.config.vocab_size * sizeof(float),
                   .us = parts_.clock_us() - start});
    for (const Next& next : all) take_token(next.request, next.logits, next.token);
}

// The token that the request was told to take next, or else one that is drawn.
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
        tell(id, Reason::forced(r.forced_fed), TokenAdded{token});
        return;
    }
    r.new_tokens.push_back(token);
    r.last_token_us = parts_.clock_us();
    if (!r.first_token) {
        r.first_token = iteration_;
        r.first_token_us = r.last_token_us;
    }
    const bool greedy = r.spec.sampling.temperature == 0;
    tell(id, greedy ? Reason{Why::MostProbable} : Reason::drawn(position), TokenAdded{token});
    const auto& stops = parts_.config.eos;
    if (std::find(stops.begin(), stops.end(), token) != stops.end())
        end(id, Finish::StopToken, Reason::stop_token(token));
    else if (r.text.feed(token))
        end(id, Finish::StopText, {Why::StopText});
    else if (r.new_tokens.size() == r.spec.max_new)
        end(id, Finish::Length, Reason::max_new(r.spec.max_new));
}

}  // namespace kv
