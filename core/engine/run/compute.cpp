// What an iteration computes: the plan becomes a batch of the backend, what it stored becomes
// known to the cache and to the policy, and its logits become tokens, ends and events. A step with
// a draft has tokens ahead that are not the request's yet: judge_draft.cpp has what is different.

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/logits.hpp"
#include "core/engine/run/engine.hpp"
#include "core/engine/run/evicting/reads.hpp"
#include "core/engine/run/inputs.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

Reason why_it_ends(const Request& r, const DrawnToken& last) {
    if (*last.ends == Finish::StopToken) return Reason::stop_token(last.token);
    if (*last.ends == Finish::StopText) return {Why::StopText};
    return Reason::max_new(r.spec.max_new);
}

// The steps without a draft.
std::vector<const Planned*> without_draft(const std::vector<Planned>& plan) {
    std::vector<const Planned*> steps;
    for (const Planned& step : plan)
        if (step.has_no_draft()) steps.push_back(&step);
    return steps;
}

}  // namespace

Engine::Pass Engine::compute(const std::vector<Planned>& plan) {
    const bool has_residual = pool_spec_of(settings_, 1).has_residual();
    Pass pass;
    for (const Planned& step : plan) {
        std::span<const std::uint32_t> ahead;
        if (const Proposal* draft = drafts_.find(step.request)) ahead = draft->tokens;
        pass.inputs.push_back(inputs_of(step, ahead, pool_, keepers_));
        if (has_residual) pass.inputs.back().residual = residual_of(step);
    }
    Batch batch;
    for (SequenceInputs& each : pass.inputs) batch.sequences.push_back(each.work());
    for (const Planned* step : without_draft(plan)) note_pass(*step);
    PassClock clock(parts_.clock_us);
    batch.clock = &clock;
    ForwardResult result = keepers_.forward(batch, plan);
    work_ += result.work;
    last_work_ = result.work;
    for (std::size_t i = 0; i < plan.size(); ++i)
        if (plan[i].has_no_draft() && pass.inputs[i].reads)
            note_reads(plan[i], *pass.inputs[i].reads);
    for (const Operation& part : result.parts)
        log_.tell(Reason::part_of_iteration(iteration_), part);
    pass.logits = std::move(result.logits);
    return pass;
}

// The tokens of a request that lie before its first step here were coded when they came.
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
    for (const Planned* step : without_draft(plan)) tell_stored(*step);
    for (const Planned* step : without_draft(plan)) evictor_.after_step(*step);
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

void Engine::draw(const std::vector<Planned>& plan, const Pass& pass) {
    std::vector<Next> all;
    const double start = parts_.clock_us();
    std::span<const float> logits = pass.logits;
    for (std::size_t i = 0; i < plan.size(); ++i) {
        const std::size_t n = pass.inputs[i].logit_rows.size() * parts_.config.vocab_size;
        if (n == 0) continue;
        const auto rows = logits.first(n);
        logits = logits.subspan(n);
        all.push_back({.step = &plan[i],
                       .inputs = &pass.inputs[i],
                       .rows = rows,
                       .verdict = plan[i].has_no_draft() ? one_token(plan[i].request, rows)
                                                         : verdict_of(plan[i], rows)});
    }
    if (all.empty()) return;
    const std::uint64_t n_rows = pass.logits.size() / parts_.config.vocab_size;
    log_.tell(Reason::part_of_iteration(iteration_),
              Operation{.op = Op::Sample,
                        .bytes_read = n_rows * parts_.config.vocab_size * sizeof(float),
                        .us = parts_.clock_us() - start});
    for (const Next& next : all) {
        if (next.step->has_no_draft())
            take_token(next.step->request, next.rows, next.verdict.tokens[0]);
        else
            take_draft(next);
    }
}

// The one token of a step without a draft comes as a verdict too, so that take_token() gets the
// same from both kinds of steps.
DraftVerdict Engine::one_token(SeqId id, std::span<const float> logits) {
    if (parts_.on_logits) parts_.on_logits(id, seen_by(id), logits);
    Request& r = request(id);
    const std::uint32_t token = next_token(id, logits);
    const bool forced = r.forced_fed < r.spec.forced.size();
    std::optional<Finish> ends;
    if (!forced) ends = add_text_and_see_end(r, token, r.new_tokens.size() + 1);
    return {.tokens = {{token, ends}}};
}

// The token that the request was told to take next, or else one that is drawn.
std::uint32_t Engine::next_token(SeqId id, std::span<const float> logits) const {
    const Request& r = requests_[id.index()];
    if (r.forced_fed < r.spec.forced.size()) return r.spec.forced[r.forced_fed];
    const std::uint64_t position = cache().stored(id);  // of the token that is drawn
    return sample(logits, r.spec.sampling, id.value, position);
}

// Whether the text ends with that token, number n_new of its own. Where it is no stop token, it is
// added to the text that is searched for stop texts: so this is called once for each token.
std::optional<Finish> Engine::add_text_and_see_end(Request& r, std::uint32_t token,
                                                   std::size_t n_new) {
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
