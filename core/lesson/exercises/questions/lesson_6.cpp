// Reading is the work: what a decode step must move, and how long that takes.

#include <cmath>

#include "core/cost/model/parameters.hpp"
#include "core/cost/time/roofline.hpp"
#include "core/lesson/exercises/cached_model.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/words.hpp"

namespace kv {
namespace {

struct StepGiven {
    const char* preset;
    u64 tokens, batch;
    double bandwidth;
};

struct StepAnswers {
    u64 weights, cache;
    StepTime time;
    double share() const {
        return 100 * static_cast<double>(cache) / static_cast<double>(weights + cache);
    }
};

StepAnswers answers_of(const StepGiven& given) {
    const ModelShape shape = priced(given.preset);
    const u64 weights = weight_bytes(shape);
    const u64 cache = kv_bytes(shape.cache, {}, given.tokens, given.batch);
    return {weights, cache, step_time(weights, cache, given.bandwidth)};
}

std::string step_story(const StepGiven& given) {
    return say_priced(priced(given.preset)) + " makes a decode step for " +
           (given.batch == 1 ? std::string("one sequence of ")
                             : say(given.batch) + " sequences of ") +
           say(given.tokens) + " tokens" + (given.batch == 1 ? "" : " each") +
           ". The step reads the weights once and the cache of every sequence once, at " +
           rate_text(given.bandwidth) + ", and nothing else takes time. ";
}

double keys_only_share(const StepAnswers& a) {
    const double keys = static_cast<double>(a.cache) / 2;
    return 100 * keys / (keys + static_cast<double>(a.weights));
}

Exercise one_step(const StepGiven& given) {
    const StepAnswers a = answers_of(given);
    return ExerciseWriter(step_story(given) +
                          "How long does it take, and which share of the bytes is the cache?")
        .seconds("the time of the step", "ms", a.time.seconds())
        .slip(kKeysOnly, a.time.weight_seconds + a.time.kv_seconds / 2)
        .slip("the weights left out", a.time.kv_seconds)
        .slip("the cache left out", a.time.weight_seconds)
        .percent("the share of the cache", a.share())
        .slip(kKeysOnly, keys_only_share(a))
        .slip("the cache over the weights",
              100 * static_cast<double>(a.cache) / static_cast<double>(a.weights))
        .hint("Bytes over bandwidth, weights and cache apart.")
        .done();
}

std::optional<StepGiven> draw_step(Dice& dice, u64 batch) {
    return StepGiven{.preset = dice.pick(priced_presets()),
                     .tokens = dice.in_steps(1024, 32'768, 512),
                     .batch = batch,
                     .bandwidth = dice.pick<double>({0.9e12, 1.5e12, 2e12, 3.35e12, 4.8e12})};
}
std::optional<StepGiven> draw_one(Dice& dice) {
    return draw_step(dice, dice.whole(1, 4));
}
std::optional<StepGiven> draw_batched_step(Dice& dice) {
    return draw_step(dice, dice.whole(5, 64));
}

Exercise batched_step(const StepGiven& given) {
    const StepAnswers a = answers_of(given);
    const auto batch = static_cast<double>(given.batch);
    return ExerciseWriter(step_story(given) +
                          "How long does it take, how many tokens does the batch make per second, "
                          "and which share of the bytes is the cache?")
        .seconds("the time of the step", "ms", a.time.seconds())
        .slip(kKeysOnly, a.time.weight_seconds + a.time.kv_seconds / 2)
        .slip("the weights read once for every sequence",
              batch * a.time.weight_seconds + a.time.kv_seconds)
        .slip("the cache of one sequence", a.time.weight_seconds + a.time.kv_seconds / batch)
        .real("the tokens per second", "tokens/s", batch / a.time.seconds())
        .slip("one sequence for the batch", 1 / a.time.seconds())
        .percent("the share of the cache", a.share())
        .slip(kKeysOnly, keys_only_share(a))
        .hint("Weights are read once per step whatever the batch, the cache once per sequence.")
        .done();
}

struct Meeting {
    const char* preset;
    u64 tokens;
};

Exercise where_they_meet(const Meeting& given) {
    const ModelShape shape = priced(given.preset);
    const u64 weights = weight_bytes(shape), one = sequence_bytes(shape.cache, {}, given.tokens);
    const u64 batch = smallest_batch_above(weights, one);
    return ExerciseWriter(say_priced(shape) + " decodes sequences of " + say(given.tokens) +
                          " tokens. From which batch on does a step read more bytes of cache than "
                          "of weights, and at which batch, as a fraction, would both be equal?")
        .count("the batch", "sequences", batch)
        .slip("rounded down: there the weights are still more", batch - 1)
        .slip(kKeysOnly, smallest_batch_above(weights, one / 2))
        .real("the batch of equality", "sequences", crossover_batch(weights, one))
        .slip(kKeysOnly, crossover_batch(weights, one / 2))
        .hint("Bytes of the weights over bytes of one sequence.")
        .done();
}

std::optional<Meeting> draw_meeting(Dice& dice) {
    const Meeting given{.preset = dice.pick(priced_presets()),
                        .tokens = dice.in_steps(512, 8192, 256)};
    const ModelShape shape = priced(given.preset);
    const double batch =
        crossover_batch(weight_bytes(shape), sequence_bytes(shape.cache, {}, given.tokens));
    const bool too_close = batch - std::floor(batch) < 0.05 || batch - std::floor(batch) > 0.95;
    return batch < 2 || too_close ? std::nullopt : std::optional(given);
}

struct Intensity {
    u64 n_heads, n_kv_heads;
    double flops, bandwidth;
};

double intensity_of(u64 n_heads, u64 n_kv_heads) {
    return attention_intensity(uniform_cache(1, n_kv_heads, 128), n_heads, {});
}

Exercise intensities(const Intensity& given) {
    const u64 h = given.n_heads, g = given.n_kv_heads;
    return ExerciseWriter(
               "Decode attention reads each cached element of BF16 once; a multiply-add "
               "is 2 FLOP. What is its intensity with a KV head for each query head, and "
               "with " +
               say(h) + " query heads on " + say(g) +
               " KV heads? And where is the ridge of a device with " + flops_text(given.flops) +
               " and " + rate_text(given.bandwidth) + "?")
        .real("the intensity of MHA", "FLOP/B", intensity_of(h, h))
        .any_value()
        .slip("bytes of an element forgotten", 2)
        .slip("a multiply-add counted once", 0.5)
        .real("the intensity of GQA", "FLOP/B", intensity_of(h, g))
        .any_value()
        .slip_if_wrong("group count for group size", g)
        .slip_if_wrong("query heads for the group size", h)
        .real("the ridge", "FLOP/B", derive_ridge(given.flops, given.bandwidth).real())
        .slip("upside down: bytes for each FLOP", given.bandwidth / given.flops)
        .hint("Each cached key meets the queries of its group once: FLOP over bytes.")
        .done();
}

std::optional<Intensity> draw_intensity(Dice& dice) {
    const u64 kv_heads = dice.pick<u64>({1, 2, 4, 5, 8});
    return Intensity{.n_heads = kv_heads * dice.pick<u64>({3, 4, 5, 6, 7, 8, 16}),
                     .n_kv_heads = kv_heads,
                     .flops = dice.pick<double>({125e12, 312e12, 362e12, 660e12, 989e12}),
                     .bandwidth = dice.pick<double>({0.9e12, 1.5e12, 2e12, 3.35e12, 4.8e12})};
}

// C080: a read is a share of a step.
struct ReadGiven {
    u64 giga;
    bool binary;
    u64 other_ms;
    double bandwidth;
};

Exercise read_and_rest(const ReadGiven& given) {
    const double other = static_cast<double>(given.other_ms) / 1000;
    const u64 decimal = given.giga * 1'000'000'000, binary = given.giga << 30;
    const ReadShare read = read_share(given.binary ? binary : decimal, given.bandwidth, other);
    const ReadShare mistaken = read_share(given.binary ? decimal : binary, given.bandwidth, other);
    const char* slip = given.binary ? kDecimal : "binary for decimal";
    return ExerciseWriter(
               "A decode step reads " + say(given.giga) + (given.binary ? " GiB" : " GB") +
               " of cache at " + rate_text(given.bandwidth) + "; everything else takes " +
               say(given.other_ms) +
               " ms, and nothing overlaps. How long is the read, which share of the step "
               "is it, and which bandwidth does the step use on average?")
        .seconds("the time of the read", "ms", read.read_seconds)
        .slip(slip, mistaken.read_seconds)
        .slip("the whole step", read.read_seconds + other)
        .percent("its share", 100 * read.share)
        .slip("over the rest, not over the step", 100 * read.read_seconds / other)
        .real("the bandwidth on average", "TB/s", read.mean_bandwidth / 1e12)
        .slip("the bandwidth of the read alone", given.bandwidth / 1e12)
        .slip(slip, mistaken.mean_bandwidth / 1e12)
        .hint("Bytes over bandwidth; then over the whole step.")
        .done();
}

std::optional<ReadGiven> draw_read(Dice& dice) {
    return ReadGiven{.giga = dice.whole(1, 40),
                     .binary = dice.coin(),
                     .other_ms = dice.whole(2, 40),
                     .bandwidth = dice.pick<double>({0.9e12, 1.5e12, 2e12, 3.35e12, 4.8e12})};
}

}  // namespace

ExerciseKinds lesson_6_exercises() {
    return {
        exercise_kind<StepGiven>(
            "", {.preset = "llama-2-7b", .tokens = 4096, .batch = 1, .bandwidth = 2e12}, draw_one,
            one_step),
        exercise_kind<StepGiven>(
            "", {.preset = "llama-2-7b", .tokens = 4096, .batch = 16, .bandwidth = 2e12},
            draw_batched_step, batched_step),
        exercise_kind<Meeting>("both would be equal below 2 sequences or within 0.05 of a whole "
                               "number of them",
                               {.preset = "llama-2-7b", .tokens = 4096}, draw_meeting,
                               where_they_meet),
        exercise_kind<Intensity>(
            "", {.n_heads = 64, .n_kv_heads = 8, .flops = 989e12, .bandwidth = 3.35e12},
            draw_intensity, intensities),
        exercise_kind<ReadGiven>("", {.giga = 4, .binary = false, .other_ms = 4, .bandwidth = 2e12},
                                 draw_read, read_and_rest)};
}

}  // namespace kv
