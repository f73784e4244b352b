#include <chrono>

#include "app/cli/run/play.hpp"
#include "app/cli/terminal/interrupt.hpp"
#include "core/base/numbers/text.hpp"
#include "core/engine/measure/generation.hpp"
#include "core/engine/measure/state_hash.hpp"

namespace kv {
namespace {

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

GenerationRequest generation_request(const RunInput& input) {
    const RequestSpec& spec = input.requests.front();
    GenerationRequest request;
    request.prompt = spec.prompt;
    request.forced = spec.forced;
    request.max_new = spec.max_new;
    request.sampling = spec.sampling;
    request.stop_tokens = input.checkpoint.config().eos;
    request.max_batch_tokens = input.scene.settings.max_batch_tokens;
    request.keep = input.keep;
    request.keep_logits = input.keep_logits;
    return request;
}

std::string finish_of(const Generation& run) {
    return std::string(name_of(*run.finished()));
}

void refuse(const RunInput& input, u64 needed, RunResult& result) {
    const RequestSpec& spec = input.requests.front();
    RequestResult out;
    out.id = spec.name;
    out.state = "refused";
    out.finish = "refused";
    out.prompt = spec.prompt;
    out.forced = spec.forced;
    out.refused_because = "it needs " + counted(needed, "block") +
                          " at its longest and the pool has " +
                          with_commas(layout_of(input).n_blocks);
    result.requests.push_back(std::move(out));
    result.settings = input.scene.settings;
    result.layout = layout_of(input);
    result.held.free = layout_of(input).n_blocks;
}

}  // namespace

void play_without_cache(const RunInput& input, const Weights& weights, const SayProgress& progress,
                        RunResult& result) {
    const PoolSpec pool = pool_spec_of(input.scene.settings, layout_of(input).n_blocks);
    const std::string& name = input.scene.settings.backend;
    const GenerationRequest request = generation_request(input);
    const u64 needed = ceil_div(stored_slots(request), pool.block_size);
    if (needed > pool.n_blocks) return refuse(input, needed, result);
    const auto backend = open_backend(input.checkpoint.config(), weights, name, pool);
    Generation run(*backend, input.checkpoint.config(), request);
    std::optional<Prover> prover;
    if (input.prove)
        // A pool like the run's has room for whatever the run stores, so the count is not asked
        // for.
        prover.emplace([&](std::uint32_t) {
            auto fresh = open_backend(input.checkpoint.config(), weights, name, pool);
            copy_shared_scales(*backend, *fresh);
            return fresh;
        });
    StopWatcher text(input.tokenizer ? &*input.tokenizer : nullptr,
                     input.requests.front().stop_texts);
    RequestResult out;
    const Clock::time_point start = Clock::now();
    while (!run.finished() && !was_interrupted()) {
        const std::size_t had = run.new_tokens().size();
        run.advance();
        refuse_infinite(run.last_logits(), input, run.iterations());
        const bool is_new = run.new_tokens().size() > had;
        if (prover && run.stored_tokens() >= request.prompt.size()) {
            const std::vector<std::uint32_t> seen = run.tokens_so_far();
            prover->check({std::span(seen).first(run.stored_tokens()), run.passes()},
                          run.last_logits(), run.iterations());
        }
        if (is_new && had == 0) out.first_token_us = us_since(start);
        const bool stop_token = run.finished() == Finish::StopToken;
        if (is_new && !stop_token && text.feed(run.new_tokens().back()))
            run.finish(Finish::StopText);
        progress("step " + std::to_string(run.iterations()));
    }
    result.interrupted = !run.finished();
    if (result.interrupted) return;
    const double later = static_cast<double>(run.new_tokens().size()) - 1;
    if (later > 0) out.per_token_us = (us_since(start) - *out.first_token_us) / later;
    out.id = input.requests.front().name;
    out.state = "finished";
    out.finish = finish_of(run);
    out.prompt = request.prompt;
    out.forced = request.forced;
    out.output = run.new_tokens();
    out.text = text.finish();
    out.stored = run.stored_tokens();
    out.tables.resize(1);
    for (std::uint32_t block = 0; block < run.blocks(); ++block) out.tables[0].emplace_back(block);
    out.logits = run.logits();
    out.forced_nll = run.forced_nll();
    result.requests.push_back(std::move(out));
    result.held.used = run.blocks();
    result.held.free = pool.n_blocks - run.blocks();
    result.held.live_slots = run.stored_tokens();
    result.held.distinct_tokens = run.stored_tokens();
    result.settings = input.scene.settings;
    result.layout = backend->layout();
    result.counters.iterations = run.iterations();
    result.work = run.work();
    result.last_work = run.last_work();
    if (const KeptInputs* kept = run.kept_inputs()) {
        result.live_input_bytes = kept->live_bytes();
        result.allocated_input_bytes = kept->allocated_bytes();
    }
    if (prover) result.proof = prover->proof();
    result.state_hash = state_hash(*backend, run.tables(), run.stored_tokens());
}

}  // namespace kv
