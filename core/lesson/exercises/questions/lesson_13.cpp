// Spilling over: keep, move or compute again, by the cost model.

#include <algorithm>

#include "core/cost/model/parameters.hpp"
#include "core/cost/time/offload.hpp"
#include "core/lesson/exercises/cached_model.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/words.hpp"

namespace kv {
namespace {

struct Move {
    u64 blocks, block_mib;
    std::vector<double> bandwidths;  // three
};

Exercise moves(const Move& given) {
    constexpr const char* kNames[] = {"the first time", "the second time", "the third time"};
    const u64 bytes = given.blocks * (given.block_mib << 20);
    std::string links;
    for (std::size_t i = 0; i < given.bandwidths.size(); ++i)
        links += (i == 0 ? "" : i == 2 ? " and at " : ", at ") + rate_text(given.bandwidths[i]);
    ExerciseWriter draft(say(given.blocks) + " blocks of " + say(given.block_mib) +
                         " MiB come back. How long does that take at " + links +
                         ", without latency?");
    for (std::size_t i = 0; i < given.bandwidths.size(); ++i) {
        const double bandwidth = given.bandwidths[i];
        draft.seconds(kNames[i], "ms", transfer_seconds(bytes, bandwidth))
            .slip(kDecimal, transfer_seconds(given.blocks * given.block_mib * 1'000'000, bandwidth))
            .slip("one block", transfer_seconds(given.block_mib << 20, bandwidth));
    }
    return draft.hint("Bytes over bandwidth; a MiB is 1,048,576 bytes and a GB 1,000,000,000.")
        .done();
}

std::optional<Move> draw_move(Dice& dice) {
    return Move{.blocks = dice.whole(10, 900),
                .block_mib = dice.pick<u64>({1, 2, 3, 4, 5, 8, 10}),
                .bandwidths = {dice.pick<double>({7e9, 12e9, 25e9}),
                               dice.pick<double>({32e9, 50e9, 55e9, 64e9}),
                               dice.pick<double>({900e9, 2e12, 3.35e12, 4.8e12})}};
}

struct Paused {
    const char* preset;
    const char* link;
    u64 tokens;
    double bandwidth, flops;
};

Exercise resume(const Paused& given) {
    const ModelShape shape = priced(given.preset);
    const u64 bytes = sequence_bytes(shape.cache, {}, given.tokens);
    const double fetch = transfer_seconds(bytes, given.bandwidth);
    const double again =
        recompute_seconds(shape, given.tokens, given.flops, AttentionWork::LeftOut);
    const bool fetches = cheaper(fetch, again) == Resume::Fetch;
    return ExerciseWriter("A request of " + say(given.tokens) + " tokens of " + say_priced(shape) +
                          " was paused. Its cache can be fetched from " + given.link + " at " +
                          rate_text(given.bandwidth) +
                          ", or computed again with 2 FLOP for each parameter and token at " +
                          flops_text(given.flops) +
                          ". How long does each take, and which is faster: \"fetch\" or "
                          "\"recompute\"?")
        .seconds("the time to fetch", "ms", fetch)
        .slip(kKeysOnly, fetch / 2)
        .seconds("the time to recompute", "ms", again)
        .slip("a multiply-add counted once", again / 2)
        .word("the faster way", fetches ? "fetch" : "recompute")
        .slip_word("the slower way", fetches ? "recompute" : "fetch")
        .hint("Bytes over bandwidth against 2 x parameters x tokens over FLOP per second.")
        .done();
}

std::optional<Paused> draw_resume(Dice& dice, const char* link,
                                  const std::vector<double>& bandwidths) {
    const Paused given{.preset = dice.pick(priced_presets()),
                       .link = link,
                       .tokens = dice.in_steps(1024, 32'768, 512),
                       .bandwidth = dice.pick(bandwidths),
                       .flops = dice.pick<double>({100e12, 200e12, 300e12, 400e12, 600e12})};
    const ModelShape shape = priced(given.preset);
    const double fetch =
        transfer_seconds(sequence_bytes(shape.cache, {}, given.tokens), given.bandwidth);
    const double again =
        recompute_seconds(shape, given.tokens, given.flops, AttentionWork::LeftOut);
    const bool close = std::max(fetch, again) < 1.1 * std::min(fetch, again);
    return close ? std::nullopt : std::optional(given);
}

constexpr const char* kHost = "host memory";
constexpr const char* kDisk = "a solid-state disk";

std::optional<Paused> draw_host(Dice& dice) {
    return draw_resume(dice, kHost, {12e9, 25e9, 50e9, 55e9});
}
std::optional<Paused> draw_disk(Dice& dice) {
    return draw_resume(dice, kDisk, {1.5e9, 3e9, 7e9, 12e9});
}

}  // namespace

ExerciseKinds lesson_13_exercises() {
    const char* close = "both ways take the same time within 10 %";
    return {exercise_kind<Move>(
                "", {.blocks = 100, .block_mib = 5, .bandwidths = {25e9, 55e9, 3.35e12}}, draw_move,
                moves),
            exercise_kind<Paused>(close,
                                  {.preset = "llama-2-7b",
                                   .link = kHost,
                                   .tokens = 4096,
                                   .bandwidth = 25e9,
                                   .flops = 400e12},
                                  draw_host, resume),
            exercise_kind<Paused>(close,
                                  {.preset = "llama-2-7b",
                                   .link = kDisk,
                                   .tokens = 4096,
                                   .bandwidth = 7e9,
                                   .flops = 400e12},
                                  draw_disk, resume)};
}

}  // namespace kv
