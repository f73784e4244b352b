// What an iteration computes: the plan becomes a batch of the backend, what it stored becomes
// known to the cache and to the policy, and its logits become tokens, ends and events.

#include <algorithm>
#include <utility>

#include "core/engine/run/engine.hpp"
#include "core/engine/run/inputs.hpp"
#include "core/engine/run/policy/reads.hpp"

namespace kv {

std::vector<float> Engine::compute(const std::vector<Planned>& plan) {
    const bool has_residual = pool_spec_of(settings_, 1).has_residual();
    std::vector<SequenceInputs> inputs;
    for (const Planned& step : plan) {
        inputs.push_back(inputs_of(step, pool_, keepers_));
        if (has_residual) inputs.back().residual = residual_of(step);
    }
    Batch batch;
    for (SequenceInputs& each : inputs) batch.sequences.push_back(each.work());
    note_passes(plan);
    PassClock clock(parts_.clock_us);
    batch.clock = &clock;
    ForwardResult result = keepers_.forward(batch, plan);
    work_ += result.work;
    last_work_ = result.work;
    for (std::size_t i = 0; i < plan.size(); ++i)
        if (inputs[i].reads) note_reads(plan[i], *inputs[i].reads);
    for (const Operation& part : result.parts)
        log_.tell(Reason::part_of_iteration(iteration_), part);
    return std::move(result.logits);
}

// What is stored already was coded when it came.
Residual Engine::residual_of(const Planned& step) {
    if (const auto known = residuals_.find(step.request)) return *known;
    if (step.first > 0) request(step.request).recoded = true;
    return residuals_.open(step.request, step.first);
}

void Engine::note_passes(const std::vector<Planned>& plan) {
    if (!passes_) return;
    for (const Planned& p : plan) {
        PassBook::Hashes hashes;
        for (const std::optional<BlockId>& block : cache().table(p.request))
            hashes.push_back(block ? trace().end().lanes[0].blocks[block->index()].hash
                                   : std::nullopt);
        passes_->add(p.request, p.first, p.count, hashes);
    }
}

SeenTokens Engine::seen_by(SeqId id) const {
    return {cache().tokens(id), passes_ ? passes_->passes(id) : std::span<const std::uint32_t>{},
            requests_[id.index()].recoded};
}

void Engine::note_reads(const Planned& step, const HeadReads& reads) {
    keepers_.of(step.request).take_reads(reads);
    for (BlocksRead& read : blocks_read_by(reads, step.first, step.count)) {
        const Reason reason = Reason::highest_bounds(reads.n_blocks, read.of);
        log_.tell(step.request, reason, std::move(read));
    }
}

void Engine::store(const std::vector<Planned>& plan) {
    for (const auto& [id, first, count] : plan) {
        request(id).scheduled = 0;
        pool_.cache().set_stored(id, first + count, request(id).spec.priority);
        log_.tell(id, Reason::computed(count), TokensStored{first, count});
        if (!residuals_.find(id)) continue;
        const Residuals::Coded coded = residuals_.coded(id, first, first + count);
        for (const BlockRecoded& block : coded.blocks)
            log_.tell(id, Reason::leaves_residual(id, coded.k_end, coded.v_end), block);
    }
    for (const Planned& step : plan) evictor_.after_step(step);
}

void Engine::draw(const std::vector<Planned>& plan, std::span<const float> logits) {
    struct Next {
        SeqId request;
        std::span<const float> logits;
        std::uint32_t token;
    };
    std::vector<Next> all;
    const double start = parts_.clock_us();
    for (const Planned& p : plan) {
        if (cache().stored(p.request) < cache().tokens(p.request).size()) continue;
        const auto row = logits.first(parts_.config.vocab_size);
        logits = logits.subspan(row.size());
        if (parts_.on_logits) parts_.on_logits(p.request, seen_by(p.request), row);
        all.push_back({p.request, row, next_token(p.request, row)});
    }
    if (all.empty()) return;
    log_.tell(Reason::part_of_iteration(iteration_),
              Operation{.op = Op::Sample,
                        .bytes_read = all.size() * parts_.config.vocab_size * sizeof(float),
                        .us = parts_.clock_us() - start});
    for (const Next& next : all) take_token(next.request, next.logits, next.token);
}

// The token that the request was told to take next, or else one that is drawn.
std::uint32_t Engine::next_token(SeqId id, std::span<const float> logits) const {
    const Request& r = requests_[id.index()];
    if (r.forced_fed < r.spec.forced.size()) return r.spec.forced[r.forced_fed];
    return sample(logits, r.spec.sampling, id.value, cache().stored(id));
}

void Engine::take_token(SeqId id, std::span<const float> logits, std::uint32_t token) {
    Request& r = request(id);
    if (parts_.keep_logits) r.logits.emplace_back(logits.begin(), logits.end());
    const std::uint64_t position = cache().stored(id);
    pool_.cache().append(id, token);
    if (r.forced_fed < r.spec.forced.size()) {
        ++r.forced_fed;
        r.forced_nll.push_back(negative_log_likelihood(logits, token));
        log_.tell(id, Reason::forced(r.forced_fed), TokenAdded{token});
        return;
    }
    r.new_tokens.push_back(token);
    r.last_token_us = parts_.clock_us();
    if (!r.first_token) {
        r.first_token = iteration_;
        r.first_token_us = r.last_token_us;
    }
    const bool greedy = r.spec.sampling.temperature == 0;
    log_.tell(id, greedy ? Reason{Why::MostProbable} : Reason::drawn(position), TokenAdded{token});
    const auto& stops = parts_.config.eos;
    if (std::find(stops.begin(), stops.end(), token) != stops.end())
        end(id, Finish::StopToken, Reason::stop_token(token));
    else if (r.text.feed(token))
        end(id, Finish::StopText, {Why::StopText});
    else if (r.new_tokens.size() == r.spec.max_new)
        end(id, Finish::Length, Reason::max_new(r.spec.max_new));
}

}  // namespace kv
