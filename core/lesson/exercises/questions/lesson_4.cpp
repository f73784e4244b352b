// The bill: bytes from a shape, blocks from a budget, both from the cost model and an allocator
// that runs until nothing is left.

#include "core/cost/cache/capacity.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/time/roofline.hpp"
#include "core/lesson/exercises/cached_model.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/words.hpp"
#include "core/sim/allocator.hpp"

namespace kv {
namespace {

constexpr const char* kFormula =
    "2 x n_layers x n_kv_heads x head_dim x bytes of an element for each token.";

struct Lengths {
    CachedModel model;
    u64 tokens, more_tokens;
};

Exercise at_lengths(const Lengths& given) {
    const CachedModel& m = given.model;
    ExerciseWriter writer("A model has " + say(m) +
                          ". What does its cache take for each token, for " + say(given.tokens) +
                          " tokens and for " + say(given.more_tokens) + " tokens?");
    const auto part = [&](const char* name, u64 tokens) {
        const auto right = static_cast<double>(sequence_bytes(m.cache(), m.codecs(), tokens));
        const u64 all_heads = sequence_bytes(m.with_all_heads().cache(), m.codecs(), tokens);
        writer.bytes(name, sequence_bytes(m.cache(), m.codecs(), tokens))
            .slip(kKeysOnly, right / 2)
            .slip(kQueryHeads, all_heads)
            .slip(kOneLayer, right / static_cast<double>(m.n_layers));
    };
    part("the bytes for each token", 1);
    part("those for the first length", given.tokens);
    part("those for the second length", given.more_tokens);
    return writer.hint(kFormula).done();
}

std::optional<Lengths> draw_lengths(Dice& dice) {
    const u64 tokens = dice.in_steps(512, 16'384, 512);
    return Lengths{.model = draw_grouped_model(dice),
                   .tokens = tokens,
                   .more_tokens = tokens * dice.pick<u64>({3, 4, 8, 16})};
}

struct BatchGiven {
    CachedModel model;
    u64 batch, tokens;
};

Exercise of_batch(const BatchGiven& given) {
    const CachedModel& m = given.model;
    const auto one = static_cast<double>(m.token_bytes());
    const u64 all = kv_bytes(m.cache(), m.codecs(), given.tokens, given.batch);
    const std::string sequences =
        given.batch == 1 ? "one sequence of " : say(given.batch) + " sequences of ";
    return ExerciseWriter("A model has " + say(m) + ". It serves " + sequences + say(given.tokens) +
                          " tokens. What does the cache take for each token, and for all of them?")
        .bytes("the bytes for each token", m.token_bytes())
        .slip(kKeysOnly, one / 2)
        .slip(kOneLayer, one / static_cast<double>(m.n_layers))
        .slip("elements for bytes", one / static_cast<double>(m.element_bytes()))
        .bytes("the bytes in all", all)
        .slip(kKeysOnly, static_cast<double>(all) / 2)
        .slip_if_wrong("one sequence for the batch", one * static_cast<double>(given.tokens))
        .hint(kFormula)
        .done();
}

std::optional<BatchGiven> draw_batch(Dice& dice) {
    const u64 heads = dice.pick<u64>({8, 12, 16, 20, 32, 40, 64});
    const CachedModel model{.n_layers = dice.pick<u64>({12, 24, 32, 36, 48, 60}),
                            .n_heads = heads,
                            .n_kv_heads = heads,
                            .head_dim = dice.pick<u64>({64, 80, 96, 128}),
                            .codec = dice.pick<const char*>({"BF16", "FP16", "FP32"})};
    return BatchGiven{
        .model = model, .batch = dice.whole(2, 64), .tokens = dice.in_steps(256, 8192, 256)};
}

std::optional<BatchGiven> draw_sequence(Dice& dice) {
    std::optional<BatchGiven> given = draw_batch(dice);
    given->batch = 1;
    return given;
}

struct PoolGiven {
    u64 pool_bytes, token_bytes, block_size, length;
};

u64 blocks_until_exhaustion(const PoolGiven& given, u64 tokens_each) {
    const u64 block_bytes = given.token_bytes * given.block_size;
    const u64 blocks = blocks_in(PoolBytes{given.pool_bytes}, block_bytes);
    const auto paged = make_allocator(AllocatorKind::Paged, {.slots = blocks * given.block_size,
                                                             .block_size = given.block_size,
                                                             .admission_control = false});
    u64 admitted = 0;
    while (paged->admit({tokens_each, 0}, true)) ++admitted;
    return admitted;
}

Exercise pool_capacity(const PoolGiven& given) {
    const u64 b = given.block_size;
    const u64 blocks = blocks_until_exhaustion(given, b);
    const u64 sequences = blocks_until_exhaustion(given, given.length);
    // The decimal unit of the same name: GB for GiB.
    const u64 decimal = given.pool_bytes / (u64{1} << 30) * 1'000'000'000;
    const u64 fewer = decimal / (given.token_bytes * b);
    // A slip that mixes the units: decimal GB over binary KiB, both read off without their letters.
    const u64 mixed = given.pool_bytes / (u64{1} << 30) * 1'000'000 / (given.token_bytes >> 10);
    return ExerciseWriter("A pool of " + bytes_binary(given.pool_bytes) +
                          " holds whole blocks of " + say(b) + " tokens; a token takes " +
                          bytes_binary(given.token_bytes) +
                          ". How many blocks is that, how many "
                          "tokens do they hold, and how many sequences of " +
                          say(given.length) + " tokens fit side by side without sharing?")
        .count("the blocks", "blocks", blocks)
        .slip(kDecimal, fewer)
        .slip("decimal and binary mixed: GB over KiB", mixed / b)
        .slip_if_wrong("rounded up: part of a block is no block", blocks + 1)
        .count("the tokens", "tokens", blocks * b)
        .slip(kDecimal, fewer * b)
        .slip("decimal and binary mixed: GB over KiB", mixed)
        .slip_if_wrong("bytes of the pool over bytes of a token: only whole blocks count",
                       given.pool_bytes / given.token_bytes)
        .count("the sequences", "sequences", sequences)
        .slip_if_wrong("tokens shared out evenly: a sequence holds whole blocks",
                       blocks * b / given.length)
        .slip_if_wrong("rounded up", sequences + 1)
        .hint("Each sequence needs its length over the block size, rounded up.")
        .done();
}

std::optional<PoolGiven> draw_pool(Dice& dice) {
    const PoolGiven given{.pool_bytes = dice.whole(4, 64) << 30,
                          .token_bytes = dice.pick<u64>({64, 96, 128, 160, 192, 320, 512}) << 10,
                          .block_size = dice.pick<u64>({8, 16, 32, 64}),
                          .length = dice.whole(500, 6000)};
    const bool wastes = given.length % given.block_size != 0;
    return wastes ? std::optional(given) : std::nullopt;
}

struct Crossover {
    const char* preset;
    u64 users;
};

Exercise weights_reached(const Crossover& given) {
    const ModelShape shape = priced(given.preset);
    const u64 weights = weight_bytes(shape), token = bytes_per_token(shape.cache, {});
    const u64 tokens = crossover_tokens(weights, token);
    return ExerciseWriter(say_priced(shape) +
                          " serves requests. At how many resident tokens does the cache reach the "
                          "size of the weights, and how many has each of " +
                          say(given.users) + " users then? Round both down.")
        .count("the resident tokens", "tokens", tokens)
        .slip(kKeysOnly, crossover_tokens(weights, token / 2))
        .slip("one byte for each parameter", crossover_tokens(weights / 2, token))
        .count("the tokens of each user", "tokens", tokens / given.users)
        .slip(kKeysOnly, crossover_tokens(weights, token / 2) / given.users)
        .hint("Bytes of the weights over bytes of a token.")
        .done();
}

std::optional<Crossover> draw_crossover(Dice& dice) {
    return Crossover{.preset = dice.pick(priced_presets()), .users = dice.whole(2, 64)};
}

struct Hybrid {
    u64 n_layers, full_every, n_kv_heads, head_dim, state_heads, state_dim, tokens;
};

// Every n-th layer is a full one, the others keep a state.
CacheShape hybrid_cache(const Hybrid& given) {
    CacheShape shape = uniform_cache(given.n_layers, given.n_kv_heads, given.head_dim);
    shape.state_bytes.assign(given.n_layers, 0);
    for (u64 i = 0; i < given.n_layers; ++i) {
        if ((i + 1) % given.full_every == 0) continue;
        shape.layers[i] = NoCache{};
        shape.state_bytes[i] = given.state_heads * given.state_dim * given.state_dim * 4;
    }
    return shape;
}

Exercise priced_hybrid(const Hybrid& given) {
    const CacheShape shape = hybrid_cache(given);
    const u64 states = total_state_bytes(shape), token = bytes_per_token(shape, {});
    const u64 all = sequence_bytes(shape, {}, given.tokens), meet = states / token;
    return ExerciseWriter(
               "A model has " + say(given.n_layers) + " layers, " + say(given.n_kv_heads) +
               " KV heads, head_dim " + say(given.head_dim) + ", BF16. One layer in " +
               say(given.full_every) +
               " keeps keys and values of all tokens. Each of the others keeps a state in "
               "their place: " +
               say(given.state_heads) + " heads of " + say(given.state_dim) + " x " +
               say(given.state_dim) +
               " numbers of four bytes, whatever the length. What do the states take, "
               "what does the whole cache take for " +
               say(given.tokens) +
               " tokens, and how many tokens take as much as the states, rounded down?")
        .bytes("the states", states)
        .slip("two bytes for a number", states / 2)
        .slip("every layer with a state", static_cast<double>(states) *
                                              static_cast<double>(given.full_every) /
                                              static_cast<double>(given.full_every - 1))
        .bytes("the cache", all)
        .slip("the states are missing", all - states)
        .slip("every layer as a full one", given.full_every * (all - states))
        .slip("a state for every token",
              static_cast<double>(given.tokens) * static_cast<double>(token + states))
        .count("the tokens", "tokens", meet)
        .slip("every layer as a full one", meet / given.full_every)
        .slip(kKeysOnly, 2 * states / token)
        .hint("Count the layers of each kind. Only the full ones grow with the tokens.")
        .done();
}

std::optional<Hybrid> draw_hybrid(Dice& dice) {
    const u64 every = dice.pick<u64>({2, 3, 4, 6, 8});
    return Hybrid{.n_layers = every * dice.whole(4, 10),
                  .full_every = every,
                  .n_kv_heads = dice.pick<u64>({2, 4, 8}),
                  .head_dim = dice.pick<u64>({64, 128, 256}),
                  .state_heads = dice.pick<u64>({16, 32, 48, 64}),
                  .state_dim = 128,
                  .tokens = dice.in_steps(4096, 131'072, 4096)};
}

}  // namespace

ExerciseKinds lesson_4_exercises() {
    return {exercise_kind<Lengths>(
                "", {.model = {32, 32, 8, 128, "BF16"}, .tokens = 8192, .more_tokens = 131'072},
                draw_lengths, at_lengths),
            exercise_kind<BatchGiven>(
                "", {.model = {48, 40, 40, 128, "FP16"}, .batch = 6, .tokens = 2048}, draw_batch,
                of_batch),
            exercise_kind<PoolGiven>("the length is a whole number of blocks",
                                     {.pool_bytes = u64{24} << 30,
                                      .token_bytes = 320 << 10,
                                      .block_size = 16,
                                      .length = 3000},
                                     draw_pool, pool_capacity),
            exercise_kind<Crossover>("", {.preset = "llama-2-7b", .users = 8}, draw_crossover,
                                     weights_reached),
            // Not the shape of C050, which the lesson itself prices; then C051.
            exercise_kind<BatchGiven>(
                "", {.model = {40, 32, 32, 96, "BF16"}, .batch = 4, .tokens = 2048}, draw_batch,
                of_batch),
            exercise_kind<BatchGiven>(
                "", {.model = {24, 16, 16, 64, "FP16"}, .batch = 1, .tokens = 2048}, draw_sequence,
                of_batch),
            exercise_kind<Hybrid>("",
                                  {.n_layers = 48,
                                   .full_every = 4,
                                   .n_kv_heads = 2,
                                   .head_dim = 256,
                                   .state_heads = 32,
                                   .state_dim = 128,
                                   .tokens = 65'536},
                                  draw_hybrid, priced_hybrid)};
}

}  // namespace kv
