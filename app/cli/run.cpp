#include "app/cli/run.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

#include "app/cli/interrupt.hpp"
#include "app/cli/output.hpp"
#include "app/cli/progress_line.hpp"
#include "app/cli/run_result.hpp"
#include "app/cli/stop_watcher.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/cost/parameters.hpp"
#include "core/engine/cpu/cpu_backend.hpp"
#include "core/engine/reference.hpp"
#include "core/engine/state_hash.hpp"
#include "core/model/available_memory.hpp"
#include "core/model/checkpoint_digest.hpp"
#include "core/model/load_weights.hpp"

namespace kv {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kInterruptedExit = 130;  // what a shell gives a program that Ctrl+C ended

double us_since(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

// bf16 files stay as they are; anything finer is kept as float, so that nothing is rounded.
WeightStorage storage_of(const Checkpoint& checkpoint) {
    for (const SafetensorsFile& file : checkpoint.files())
        for (const TensorInfo& tensor : file.tensors())
            if (tensor.type != TensorType::Bf16) return WeightStorage::F32;
    return WeightStorage::Bf16;
}

std::optional<Weights> load(const RunInput& input, ProgressLine& progress) {
    LoadOptions options;
    options.storage = storage_of(input.checkpoint);
    // The proof recomputes in a pool of its own.
    const u64 pools = input.prove ? 2 : 1;
    options.pool_bytes = pools * layout_of(input.checkpoint.config(), input.pool).pool_bytes();
    options.memory_budget = available_memory();
    options.progress = [&progress](u64 done, u64 total) {
        progress.show("loading weights: " + std::to_string(100 * done / std::max<u64>(total, 1)) +
                      " %");
        return !was_interrupted();
    };
    auto loaded = load_weights(input.checkpoint, options);
    if (std::holds_alternative<LoadCancelled>(loaded)) return std::nullopt;
    return std::get<Weights>(std::move(loaded));
}

// A small model's step is shorter than the time that threads need to find each other.
constexpr u64 kOneThreadBelow = 4'000'000;  // parameters

std::unique_ptr<Backend> open_backend(const RunInput& input, const Weights& weights) {
    const ModelConfig& config = input.checkpoint.config();
    if (input.backend == BackendName::Reference) return make_reference(config, weights, input.pool);
    CpuOptions options;
    if (parameter_count(shape_of(config)) >= kOneThreadBelow)
        options.workers = std::max(1u, std::thread::hardware_concurrency()) - 1;
    return make_cpu(config, weights, input.pool, options);
}

void keep(const Generation& run, RunResult& result) {
    result.interrupted = !run.finished();
    result.finish = run.finished();
    result.new_tokens = run.new_tokens();
    result.logits = run.logits();
    result.forced_nll = run.forced_nll();
    result.stored_tokens = run.stored_tokens();
    result.blocks = run.blocks();
    result.iterations = run.iterations();
    result.work = run.work();
    result.last_work = run.last_work();
}

void generate(const RunInput& input, const Weights& weights, ProgressLine& progress,
              RunResult& result) {
    const std::unique_ptr<Backend> backend = open_backend(input, weights);
    Generation run(*backend, input.checkpoint.config().vocab_size, input.request);
    std::optional<Prover> prover;
    if (input.prove) prover.emplace(open_backend(input, weights));
    StopWatcher text(input.tokenizer, input.stop_texts);
    const Clock::time_point start = Clock::now();
    while (!run.finished() && !was_interrupted()) {
        const std::size_t had = run.new_tokens().size();
        run.advance();
        const bool is_new = run.new_tokens().size() > had;
        if (prover && run.stored_tokens() >= input.request.prompt.size()) {
            const std::vector<std::uint32_t> seen = run.tokens_so_far();
            prover->check(std::span(seen).first(run.stored_tokens()), run.last_logits(),
                          run.iterations());
        }
        if (is_new && had == 0) result.times.first_token_us = us_since(start);
        const bool stop_token = run.finished() == FinishReason::StopToken;
        if (is_new && !stop_token && text.feed(run.new_tokens().back()))
            run.finish(FinishReason::StopText);
        progress.show("step " + std::to_string(run.iterations()) + ", " +
                      std::to_string(run.new_tokens().size()) + " new tokens");
    }
    const double later = static_cast<double>(run.new_tokens().size()) - 1;
    if (later > 0)
        result.times.per_token_us = (us_since(start) - result.times.first_token_us) / later;
    keep(run, result);
    result.text = text.finish();
    if (prover) result.proof = prover->proof();
    result.state_hash = state_hash(*backend, run.tables(), run.stored_tokens());
}

void say_what_was_dropped(const RunInput& input) {
    if (input.dropped.empty() || input.quiet) return;
    u64 times = 0;
    for (const DroppedText& dropped : input.dropped) times += dropped.times;
    std::cerr << "kvarium: this vocabulary has nothing for " << times
              << (times == 1 ? " byte" : " bytes")
              << " of the text; they were left out, as the tokenizer's own library does.\n";
}

int run(const GivenOptions& given, const CommonOptions& common) {
    const RunInput input = read_run(given, common);
    say_what_was_dropped(input);
    watch_for_interrupts();
    RunResult result;
    result.backend = name_of(input.backend);
    {
        ProgressLine progress(input.quiet);
        const auto digest =
            weights_sha256(input.checkpoint, [](u64, u64) { return !was_interrupted(); });
        if (const auto* sha256 = std::get_if<std::string>(&digest)) result.sha256 = *sha256;
        const std::optional<Weights> weights = load(input, progress);
        if (!weights || result.sha256.empty()) return kInterruptedExit;
        result.parameters = parameter_count(shape_of(input.checkpoint.config()));
        if (input.fits) generate(input, *weights, progress, result);
    }
    if (result.interrupted) return kInterruptedExit;
    write_output(common.out, common.json ? run_json(input, result) : run_text(input, result));
    if (input.prove && !holds(result.proof, input.backend))
        throw Error(ErrorCode::Check, "Recomputed logits differ from the cached ones by up to " +
                                          significant(result.proof.max_abs_difference, 3) +
                                          ", first at step " +
                                          std::to_string(result.proof.step.value_or(0)) + ".");
    return 0;
}

}  // namespace

bool holds(const Proof& proof, BackendName backend) {
    if (backend == BackendName::Reference) return proof.max_abs_difference == 0;
    return proof.max_abs_difference <= kProofTolerance * proof.scale;
}

std::string run_text(const RunInput& input, const RunResult& result) {
    if (!result.finish)
        return "refused: the request stores " + with_commas(stored_slots(input.request)) +
               " tokens and the pool of " + with_commas(input.pool.n_blocks) +
               " blocks cannot hold them. Make --pool larger or --max-new smaller.\n";
    std::string out;
    if (input.tokenizer) {
        out = result.text;
    } else {
        for (const std::uint32_t token : result.new_tokens)
            out += (out.empty() ? "" : ",") + std::to_string(token);
    }
    out += "\n";
    if (result.proof.checked)
        out += "proof: largest difference to recomputing everything " +
               round_trip(result.proof.max_abs_difference) + "\n";
    return out;
}

Subcommand run_command() {
    return {
        "run",
        "run a prompt through a model and print what follows",
        {"run --prompt \"Greta put the key in the barn. Where is the key?\"",
         "run --model DIR --prompt-tokens 1,17,5 --max-new 8 --backend reference --prove --json"},
        "",
        run_options(),
        run};
}

}  // namespace kv
