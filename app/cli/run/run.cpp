#include "app/cli/run/run.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "app/cli/run/forecast.hpp"
#include "app/cli/run/play.hpp"
#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/progress_line.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/base/shown.hpp"
#include "core/engine/seam/kept_inputs.hpp"

namespace kv {
namespace {

constexpr double kWorthSaying = 1;  // seconds

// What layer inputs come to at the end, in whole blocks, where they are kept.
u64 most_input_bytes(const RunInput& input) {
    if (input.keep != Keep::Inputs) return 0;
    const ModelConfig& config = input.checkpoint.config();
    const u64 block = input.scene.settings.block_size;
    return ceil_div(longest_request(input), block) * block *
           KeptInputs::bytes_per_token(config.n_layers, config.hidden_size);
}

// The books: pool, index, snapshot and the tiers' places come to less than this a block.
constexpr u64 kBookBytes = 128;

u64 book_bytes(const RunInput& input) {
    const EngineSettings& s = input.scene.settings;
    const KvLayout layout = layout_of(input);
    const u64 block_bytes = layout.pool_bytes() / layout.n_blocks;
    return kBookBytes * (u64{layout.n_blocks} + s.host_blocks + s.file_blocks) +
           s.host_blocks * block_bytes;
}

// Pools, if they lie in this memory, and what is kept beside them. The proof recomputes in a pool
// of its own.
u64 beside_bytes(const RunInput& input) {
    const bool elsewhere = cuda_device_of(input.scene.settings.backend).has_value();
    const u64 pools = elsewhere ? 0 : input.prove ? 2 : 1;
    return pools * layout_of(input).pool_bytes() + most_input_bytes(input) + book_bytes(input);
}

void say_what_was_dropped(const RunInput& input) {
    if (input.dropped.empty() || input.quiet) return;
    u64 times = 0;
    for (const DroppedText& dropped : input.dropped) times += dropped.times;
    std::cerr << "kvarium: this vocabulary has nothing for " << times
              << (times == 1 ? " byte" : " bytes")
              << " of the text; they were left out, as the tokenizer's own library does.\n";
}

// Tells a person what computes; whoever reads a pipe has the backend in the JSON.
void say_what_computes(const RunInput& input) {
    if (input.instead && !input.quiet && isatty(STDERR_FILENO) != 0)
        std::cerr << "kvarium: " << *input.instead << '\n';
}

// How many blocks the longest request needs, where the pool has fewer and nothing is dropped.
std::optional<u64> blocks_that_lack(const RunInput& input) {
    const EngineSettings& s = input.scene.settings;
    const u64 needed = ceil_div(longest_request(input), u64{s.block_size});
    if (needed <= layout_of(input).n_blocks || drops_tokens(eviction_of(s))) return std::nullopt;
    return needed;
}

// Says before a run begins that it is long: whoever gave a book for a sentence can stop it.
void say_what_is_too_long(const RunInput& input, const Weights& weights) {
    const u64 most = input.checkpoint.config().max_positions, longest = longest_request(input);
    if (most == 0 || longest <= most || input.quiet) return;
    std::cerr << "kvarium: up to " << with_commas(longest)
              << " tokens are stored, and the model was "
              << "made for " << with_commas(most)
              << " positions; what comes after them may make no sense.";
    const double seconds = seconds_ahead(input, weights);
    if (const auto blocks = blocks_that_lack(input))
        std::cerr << " The pool is too small for it: with " << with_commas(*blocks)
                  << " blocks, computing all of it would take about " << seconds_text(seconds)
                  << " here.";
    else if (seconds >= kWorthSaying)
        std::cerr << " Computing all of it takes about " << seconds_text(seconds)
                  << " here; Ctrl+C stops it.";
    std::cerr << std::endl;
}

// A step that never comes was a slip, or the run is shorter than was thought.
void say_where_it_ended(const RunInput& input, const RunResult& result) {
    if (input.quiet || !input.until_step || result.last_iteration >= *input.until_step) return;
    std::cerr << "kvarium: the run ends at step " << with_commas(result.last_iteration)
              << ", before step " << with_commas(*input.until_step) << ".\n";
}

void check_weights(const RunInput& input, const std::string& sha256) {
    if (!input.scene.sha256 || *input.scene.sha256 == sha256) return;
    if (!input.any_weights)
        throw Error(ErrorCode::World,
                    "The scene was made with other weights (SHA-256 " +
                        input.scene.sha256->substr(0, 12) + "...) than those of " +
                        shown(input.checkpoint.folder()) + " (" + sha256.substr(0, 12) +
                        "...). Use the model that it names, or add --any-weights.");
    if (!input.quiet)
        std::cerr << "kvarium: the scene was made with other weights; its numbers will differ.\n";
}

void save_scene(const RunInput& input, const std::string& sha256) {
    if (!input.save_scene) return;
    Scene scene = input.scene;
    scene.sha256 = sha256;
    // A scene is read from other folders as well, and no scene climbs.
    if (scene.model.find("..") != std::string::npos)
        scene.model = std::filesystem::absolute(scene.model).lexically_normal().string();
    write_output(input.save_scene, scene_text(scene));
}

int run_model(const GivenOptions& given, const CommonOptions& common) {
    const RunInput input = read_run(given, common);
    say_what_computes(input);
    say_what_was_dropped(input);
    watch_for_interrupts();
    RunResult result;
    {
        ProgressLine progress(input.quiet);
        const auto loaded = load_checkpoint(
            input.checkpoint, beside_bytes(input), [&](const char* doing, double done) {
                progress.show(std::string(doing) +
                              " weights: " + std::to_string(static_cast<int>(100 * done)) + " %");
                return !was_interrupted();
            });
        if (!loaded) return kInterruptedExit;
        result.sha256 = loaded->sha256;
        result.parameters = loaded->parameters;
        check_weights(input, result.sha256);
        save_scene(input, result.sha256);
        say_what_is_too_long(input, loaded->weights);
        const auto play = input.keep == Keep::KeysAndValues ? play_scene : play_without_cache;
        play(
            input, loaded->weights, [&](const std::string& doing) { progress.show(doing); },
            result);
    }
    if (result.interrupted) return kInterruptedExit;
    if (!result.refusals.empty())
        throw Error(ErrorCode::World, shown(*given.text("--scene")) +
                                          ": a command of the scene was refused: " +
                                          result.refusals.front() + " Correct it under commands.");
    say_where_it_ended(input, result);
    write_output(common.out, common.json ? run_json(input, result) : run_text(input, result));
    if (result.has_dropped) {
        if (!holds(result.masked, input.scene.settings.backend))
            throw Error(ErrorCode::Check,
                        "Logits differ by up to " +
                            significant(result.masked.max_abs_difference, 3) +
                            " from a full run that hides what the policy dropped, first at step " +
                            std::to_string(result.masked.step.value_or(0)) + ".");
    } else if (input.prove && !holds(result.proof, input.scene.settings.backend))
        throw Error(ErrorCode::Check, "Recomputed logits differ from the cached ones by up to " +
                                          significant(result.proof.max_abs_difference, 3) +
                                          ", first at step " +
                                          std::to_string(result.proof.step.value_or(0)) + ".");
    return 0;
}

}  // namespace

Subcommand run_command() {
    return {
        "run",
        "run a prompt or a scene through a model and print what follows",
        {"run --prompt \"Greta put the key in the barn. Where is the key?\"",
         "run --model DIR --prompt-tokens 1,17,5 --max-new 8 --backend reference --prove --json",
         "run --scene FILE.kvscene --events events.jsonl --json"},
        "",
        run_options(),
        run_model};
}

}  // namespace kv
