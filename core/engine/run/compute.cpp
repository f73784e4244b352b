// What an iteration computes: the plan becomes a batch of the backend, what it stored becomes
// known to the cache and to the policy, and its logits become tokens, ends and events.

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/logits.hpp"
#include "core/engine/run/engine.hpp"
#include "core/engine/run/inputs.hpp"
#include "core/engine/run/policy/reads.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

Reason why_it_ends(const Request& r, const DrawnToken& last) {
    if (*last.ends == Finish::StopToken) return Reason::stop_token(last.token);
    if (*last.ends == Finish::StopText) return {Why::StopText};
    return Reason::max_new(r.spec.max_new);
}

}  // namespace

Engine::Pass Engine::compute(const std::vector<Planned>& plan) {
    const bool has_residual = pool_spec_of(settings_, 1).has_residual();
    Pass pass;
    for (const Planned& step : plan) {
        const Proposal* draft = drafts_.find(step.request);
        pass.inputs.push_back(inputs_of(step,
                                        draft ? std::span<const std::uint32_t>(draft->tokens)
                                              : std::span<const std::uint32_t>{},
                                        pool_, keepers_));
        if (has_residual) pass.inputs.back().residual = residual_of(step);
    }
    Batch batch;
    for (SequenceInputs& each : pass.inputs) batch.sequences.push_back(each.work());
    for (const Planned& step : plan)
        if (step.ahead == 0) note_pass(step);
    PassClock clock(parts_.clock_us);
    batch.clock = &clock;
    ForwardResult result = keepers_.forward(batch, plan);
    work_ += result.work;
    last_work_ = result.work;
    for (std::size_t i = 0; i < plan.size(); ++i)
        if (plan[i].ahead == 0 && pass.inputs[i].reads) note_reads(plan[i], *pass.inputs[i].reads);
    for (const Operation& part : result.parts)
        log_.tell(Reason::part_of_iteration(iteration_), part);
    pass.logits = std::move(result.logits);
    return pass;
}

// What is stored already was coded when it came.
Residual Engine::residual_of(const Planned& step) {
    if (const auto known = residuals_.find(step.request)) return *known;
    if (step.first > 0) request(step.request).recoded = true;
    return residuals_.open(step.request, step.first);
}

void Engine::note_pass(const Planned& step) {
    if (!passes_) return;
    PassBook::Hashes hashes;
    for (const std::optional<BlockId>& block : cache().table(step.request))
        hashes.push_back(block ? trace().end().lanes[0].blocks[block->index()].hash : std::nullopt);
    passes_->add(step.request, step.first, step.count, hashes);
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
    for (const Planned& step : plan)
        if (step.ahead == 0) tell_stored(step);
    for (const Planned& step : plan)
        if (step.ahead == 0) evictor_.after_step(step);
}

void Engine::tell_stored(const Planned& step) {
    const SeqId id = step.request;
    const std::uint32_t end = step.first + step.count;
    request(id).scheduled = 0;
    pool_.cache().set_stored(id, end, request(id).spec.priority);
    log_.tell(id, Reason::computed(step.count), TokensStored{step.first, step.count});
    if (!residuals_.find(id)) return;
    const Residuals::Coded coded = residuals_.coded(id, step.first, end);
    for (const BlockRecoded& block : coded.blocks)
        log_.tell(id, Reason::leaves_residual(id, coded.k_end, coded.v_end), block);
}

// What a request draws from its rows of logits.
struct Engine::Next {
    const Planned* step;
    const SequenceInputs* inputs;
    std::span<const float> rows;
    DraftVerdict verdict;  // of a request without a draft: its one token
};

void Engine::draw(const std::vector<Planned>& plan, const Pass& pass) {
    std::vector<Next> all;
    const double start = parts_.clock_us();
    std::span<const float> logits = pass.logits;
    for (std::size_t i = 0; i < plan.size(); ++i) {
        const std::size_t n = pass.inputs[i].logit_rows.size() * parts_.config.vocab_size;
        if (n == 0) continue;
        const auto rows = logits.first(n);
        logits = logits.subspan(n);
        if (parts_.on_logits && plan[i].ahead == 0)
            parts_.on_logits(plan[i].request, seen_by(plan[i].request), rows);
        all.push_back({&plan[i], &pass.inputs[i], rows, verdict_of(plan[i], rows)});
    }
    if (all.empty()) return;
    const std::uint64_t n_rows = pass.logits.size() / parts_.config.vocab_size;
    log_.tell(Reason::part_of_iteration(iteration_),
              Operation{.op = Op::Sample,
                        .bytes_read = n_rows * parts_.config.vocab_size * sizeof(float),
                        .us = parts_.clock_us() - start});
    for (const Next& next : all) {
        if (next.step->ahead > 0)
            settle_draft(next);
        else
            take_token(next.step->request, next.rows, next.verdict.tokens[0]);
    }
}

DraftVerdict Engine::verdict_of(const Planned& step, std::span<const float> rows) {
    const SeqId id = step.request;
    Request& r = request(id);
    std::size_t n_new = r.new_tokens.size();
    const auto ends = [&](std::uint32_t token) { return ends_with(r, token, ++n_new); };
    if (step.ahead == 0) {
        const std::uint32_t token = next_token(id, rows);
        const bool forced = r.forced_fed < r.spec.forced.size();
        return {0, 0, {{token, forced ? std::nullopt : ends(token)}}};
    }
    return judge(*drafts_.find(id), rows, parts_.config.vocab_size,
                 {r.spec.sampling, id.value, step.first + std::uint64_t{step.count}}, ends);
}

// The pass counts as many as its tokens: each is stored, judged and followed by the next as if it
// had come by itself. What lies behind them goes back first, so that nothing else is in the way.
void Engine::settle_draft(const Next& next) {
    const Planned& step = *next.step;
    drafts_.settle(step, next.verdict);
    for (std::uint32_t row = 0; row < next.verdict.tokens.size(); ++row) {
        store_row(next, row);
        const auto logits =
            next.rows.subspan(row * parts_.config.vocab_size, parts_.config.vocab_size);
        if (parts_.on_logits) parts_.on_logits(step.request, seen_by(step.request), logits);
        take_token(step.request, logits, next.verdict.tokens[row]);
    }
}

void Engine::store_row(const Next& next, std::uint32_t row) {
    const Planned one{next.step->request, next.step->first + row, 1};
    if (row > 0) {
        evictor_.make_space(one.request);
        const bool has_room = pool_.cache().grow(one.request, one.first + 1);  // and publishes
        KV_ASSERT(has_room);
    }
    note_pass(one);
    if (keepers_.has_policy()) keepers_.note(one.request, one.first, row);
    if (next.inputs->reads) note_reads(one, next.inputs->reads->row(row));
    tell_stored(one);
    evictor_.after_step(one);
}

// The token that the request was told to take next, or else one that is drawn.
std::uint32_t Engine::next_token(SeqId id, std::span<const float> logits) const {
    const Request& r = requests_[id.index()];
    if (r.forced_fed < r.spec.forced.size()) return r.spec.forced[r.forced_fed];
    return sample(logits, r.spec.sampling, id.value, cache().stored(id));
}

// With that token, number n_new of its own. Each is asked about once.
std::optional<Finish> Engine::ends_with(Request& r, std::uint32_t token, std::size_t n_new) {
    const auto& stops = parts_.config.eos;
    if (std::find(stops.begin(), stops.end(), token) != stops.end()) return Finish::StopToken;
    if (r.text.feed(token)) return Finish::StopText;
    if (n_new == r.spec.max_new) return Finish::Length;
    return std::nullopt;
}

void Engine::take_token(SeqId id, std::span<const float> logits, const DrawnToken& drawn) {
    Request& r = request(id);
    const std::uint32_t token = drawn.token;
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
    if (drawn.ends) end(id, *drawn.ends, why_it_ends(r, drawn));
}

}  // namespace kv
