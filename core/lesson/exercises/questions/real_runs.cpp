// Seven questions of lesson 14 (C159), one under each of these headings: pitfalls, compute against
// memory, algorithm, worked result, algorithm and cache, footprint, naive inference.

#include <cmath>

#include "core/cost/cache/capacity.hpp"
#include "core/cost/time/flops.hpp"
#include "core/cost/time/roofline.hpp"
#include "core/lesson/exercises/cached_model.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/small_runs.hpp"
#include "core/lesson/exercises/words.hpp"
#include "core/sim/allocator.hpp"

namespace kv {
namespace {

// Pitfalls: a cache grows while it decodes.
struct PlannedByPrompt {
    u64 requests, prompt, block_size;
};

Exercise planned_by_prompt(const PlannedByPrompt& given) {
    const u64 blocks = given.requests * blocks_for(given.prompt, given.block_size);
    const auto pool = make_allocator(AllocatorKind::Paged, {.slots = blocks * given.block_size,
                                                            .block_size = given.block_size,
                                                            .admission_control = false});
    std::vector<Holding> held;
    while (const auto one = pool->admit({given.prompt, 0}, true)) held.push_back(*one);
    u64 more = 0;
    for (u64 stored = given.prompt; stored < held[0].slots || pool->grow(held[0]); ++stored) ++more;
    return ExerciseWriter(
               "Pitfalls. Somebody sized a pool by the prompts alone: " + say(given.requests) +
               " requests of " + say(given.prompt) + " tokens each, and exactly the blocks of " +
               say(given.block_size) +
               " tokens that their prompts need. All start at once and share nothing. How "
               "many blocks has the pool, and how many new tokens can each request still "
               "store before no block is left?")
        .count("the blocks", "blocks", blocks)
        .slip("rounded down", given.requests * (given.prompt / given.block_size))
        .count("the new tokens", "tokens", more)
        .slip("a whole block more: there is none", more + given.block_size)
        .slip("the filled slots of the last block", given.prompt % given.block_size)
        .hint("What the last block of each prompt has left.")
        .done();
}

std::optional<PlannedByPrompt> draw_planned(Dice& dice) {
    const PlannedByPrompt given{.requests = dice.whole(2, 40),
                                .prompt = dice.whole(30, 900),
                                .block_size = dice.pick<u64>({8, 16, 32, 64})};
    const bool whole = given.prompt % given.block_size == 0;
    return whole ? std::nullopt : std::optional(given);
}

// Compute against memory: a weight is used once for each sequence of the batch.
struct Peaks {
    double flops, bandwidth;
};

Exercise compute_bound(const Peaks& given) {
    const double ridge = derive_ridge(given.flops, given.bandwidth).real();
    // 2 FLOP for each sequence and 2 bytes for each weight: the intensity is the batch.
    double batch = 1;
    while (attainable_flops(batch, given.flops, given.bandwidth) < given.flops) ++batch;
    return ExerciseWriter("Compute against memory. A device does " + flops_text(given.flops) +
                          " and reads " + rate_text(given.bandwidth) +
                          ". In a decode step each weight of 2 bytes is read once and multiplied "
                          "and added (2 FLOP) for every sequence of the batch. Where is the ridge, "
                          "and from which batch on do the weights' products take longer to compute "
                          "than to read?")
        .real("the ridge", "FLOP/B", ridge)
        .slip("upside down: bytes for each FLOP", given.bandwidth / given.flops)
        .count("the batch", "sequences", static_cast<u64>(batch))
        .slip("rounded down: there the read is still longer", batch - 1)
        .slip("bytes of a weight forgotten", std::ceil(ridge / 2))
        .hint("Intensity is FLOP over bytes: here it is the batch itself.")
        .done();
}

std::optional<Peaks> draw_peaks(Dice& dice) {
    const Peaks given{.flops = static_cast<double>(dice.in_steps(40, 1000, 3)) * 1e12,
                      .bandwidth = static_cast<double>(dice.in_steps(600, 5000, 50)) * 1e9};
    const double ridge = given.flops / given.bandwidth;
    const double part = ridge - std::floor(ridge);
    return ridge < 20 || part < 0.05 || part > 0.95 ? std::nullopt : std::optional(given);
}

// Algorithm: append, then attend.
struct DecodeStep {
    u64 position;
    std::vector<std::size_t> order;  // of the choices
};

Exercise decode_step(const DecodeStep& given) {
    const u64 t = given.position;
    const std::vector<Choice> all{
        {"project the new token, append its K and V, attend over " + say(t + 1) + " keys"},
        {"project the new token, attend over " + say(t) + " keys, append its K and V",
         "attend before append: the new token loses its own row"},
        {"project all " + say(t + 1) + " tokens, append the last K and V, attend over " +
             say(t + 1) + " keys",
         "that is a step without a cache"},
        {"project the new token, append its Q, K and V, attend over " + say(t + 1) + " keys",
         "Q is used once and never stored"}};
    std::vector<Choice> choices;
    for (const std::size_t i : given.order) choices.push_back(all[i]);
    return choice_exercise(
        "Algorithm. What does each layer do in the decode step of the token at "
        "position " +
            say(t) + " (counted from 0)?",
        choices, "What must be in the cache when the query looks?");
}

std::optional<DecodeStep> draw_decode_step(Dice& dice) {
    DecodeStep given{.position = dice.whole(3, 4000), .order = {0, 1, 2, 3}};
    dice.shuffle(given.order);
    return given;
}

// Worked result: one number, two units.
struct Longest {
    u64 n_layers, n_kv_heads, head_dim, giga;
};

Exercise longest(const Longest& given) {
    const CachedModel m{given.n_layers, given.n_kv_heads, given.n_kv_heads, given.head_dim, "FP16"};
    const u64 decimal = given.giga * 1'000'000'000 / m.token_bytes();
    const u64 binary = (given.giga << 30) / m.token_bytes();
    // 40,000 "MB" over 2.5 "MB", of which the first are decimal and the second binary.
    const double mixed = std::floor(static_cast<double>(given.giga) * 1000 * 1048576 /
                                    static_cast<double>(m.token_bytes()));
    return ExerciseWriter("Worked result. A model has " + say(given.n_layers) + " layers and " +
                          say(given.n_kv_heads) + " KV heads of head_dim " + say(given.head_dim) +
                          ", FP16. How many whole tokens does a cache of " + say(given.giga) +
                          " GB hold, and how many one of " + say(given.giga) + " GiB?")
        .count("the tokens in decimal gigabytes", "tokens", decimal)
        .slip(kKeysOnly, 2 * given.giga * 1'000'000'000 / m.token_bytes())
        .slip("binary for decimal", binary)
        .slip("decimal and binary mixed: GB over MiB", mixed)
        .count("the tokens in binary ones", "tokens", binary)
        .slip(kKeysOnly, 2 * (given.giga << 30) / m.token_bytes())
        .slip(kDecimal, decimal)
        .hint("1 GB is 1,000,000,000 bytes, 1 GiB 1,073,741,824.")
        .done();
}

std::optional<Longest> draw_longest(Dice& dice) {
    return Longest{.n_layers = dice.pick<u64>({24, 32, 40, 48, 64, 80, 96}),
                   .n_kv_heads = dice.pick<u64>({4, 8, 16, 32, 40, 64}),
                   .head_dim = dice.pick<u64>({64, 96, 128}),
                   .giga = dice.whole(5, 80)};
}

// Algorithm and cache: what a step writes and reads.
struct OneStep {
    u64 n_layers, n_kv_heads, position;
};

Exercise appended_and_read(const OneStep& given) {
    const CachedModel m{given.n_layers, given.n_kv_heads, given.n_kv_heads, 1, "FP8"};
    // A vector of one element of one byte: bytes are vectors.
    const u64 appended = m.token_bytes();
    const u64 read = sequence_bytes(m.cache(), m.codecs(), given.position + 1);
    return ExerciseWriter(
               "Algorithm and cache. A decode step computes the token at position " +
               say(given.position) + " (counted from 0) in a model of " + say(given.n_layers) +
               " layers with " + say(given.n_kv_heads) +
               " KV heads. Keys and values are vectors of one token and KV head. How many "
               "of them are appended in all layers, and how many does attention read?")
        .count("the appended vectors", "vectors", appended)
        .slip(kKeysOnly, static_cast<double>(appended) / 2)
        .slip(kOneLayer, 2 * given.n_kv_heads)
        .count("the read vectors", "vectors", read)
        .slip("off by one: the new token reads its own row too", appended * given.position)
        .slip(kKeysOnly, static_cast<double>(read) / 2)
        .slip("one look for each layer and head: decode reads the whole past", appended)
        .hint("One K and one V for each layer and KV head is new; all of them so far are read.")
        .done();
}

std::optional<OneStep> draw_one_step(Dice& dice) {
    return OneStep{.n_layers = dice.whole(8, 96),
                   .n_kv_heads = dice.pick<u64>({2, 4, 8, 16, 32, 40}),
                   .position = dice.whole(50, 9000)};
}

// Footprint: the formula turned round.
struct Footprint {
    CachedModel model;
    u64 users, gib;
};

Exercise footprint(const Footprint& given) {
    const CachedModel& m = given.model;
    const u64 budget = given.gib << 30, each = budget / given.users / m.token_bytes();
    const u64 decimal = given.gib * 1'000'000'000 / given.users / m.token_bytes();
    return ExerciseWriter("Footprint. " + say(given.users) + " users share " + say(given.gib) +
                          " GiB of cache evenly; the model has " + say(m) +
                          ". What does a token take, and how long may each context be? Round down.")
        .bytes("the bytes for each token", m.token_bytes())
        .slip(kKeysOnly, static_cast<double>(m.token_bytes()) / 2)
        .slip(kQueryHeads, m.with_all_heads().token_bytes())
        .slip(kOneLayer, m.token_bytes() / m.n_layers)
        .count("the tokens of each user", "tokens", each)
        .slip("all users together", budget / m.token_bytes())
        .slip(kKeysOnly, 2 * budget / given.users / m.token_bytes())
        .slip(kDecimal, decimal)
        .hint("2 x n_layers x n_kv_heads x head_dim x bytes of an element for each token.")
        .done();
}

std::optional<Footprint> draw_footprint(Dice& dice) {
    return Footprint{
        .model = draw_grouped_model(dice), .users = dice.whole(2, 32), .gib = dice.whole(8, 80)};
}

// Naive inference: the same K and V again and again.
Exercise naive(const u64& steps) {
    const u64 repeated = repeated_positions(steps);
    const u64 once = counted_generation(1, steps, Keep::KeysAndValues).positions_projected;
    return ExerciseWriter("Naive inference. From a prompt of one token a decoder makes " +
                          say(steps) +
                          " tokens and keeps nothing. How many positions does a layer project to K "
                          "and V in all, and how many if it keeps K and V?")
        .count("the positions without the cache", "positions", repeated)
        .slip("off by one step: the sum ends at the last step", repeated - steps)
        .slip("the square: half of it is never there", steps * steps)
        .count("the positions with it", "positions", once)
        .slip("off by one step: the last new token is never fed back", once + 1)
        .hint("Step t projects t positions, or one.")
        .done();
}

std::optional<u64> draw_naive(Dice& dice) {
    return dice.whole(20, 3000);
}

}  // namespace

ExerciseKinds real_questions() {
    return {
        exercise_kind<PlannedByPrompt>("the prompt fills whole blocks",
                                       {.requests = 10, .prompt = 100, .block_size = 16},
                                       draw_planned, planned_by_prompt),
        exercise_kind<Peaks>("the ridge is below 20 or within 0.05 of a whole number",
                             {.flops = 989e12, .bandwidth = 3.35e12}, draw_peaks, compute_bound),
        exercise_kind<DecodeStep>("", {.position = 37, .order = {1, 0, 3, 2}}, draw_decode_step,
                                  decode_step),
        exercise_kind<Longest>("", {.n_layers = 80, .n_kv_heads = 64, .head_dim = 128, .giga = 40},
                               draw_longest, longest),
        exercise_kind<OneStep>("", {.n_layers = 32, .n_kv_heads = 8, .position = 4095},
                               draw_one_step, appended_and_read),
        exercise_kind<Footprint>("", {.model = {24, 16, 2, 64, "FP16"}, .users = 8, .gib = 24},
                                 draw_footprint, footprint),
        exercise_kind<u64>("", 1000, draw_naive, naive)};
}

}  // namespace kv
