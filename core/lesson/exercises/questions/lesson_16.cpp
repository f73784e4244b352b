// 2026: windows over layers, floats of four bits, a budget of tokens for each step, a cache that is
// handed over while it is computed.

#include <algorithm>

#include "core/cost/time/offload.hpp"
#include "core/lesson/exercises/cached_model.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/words.hpp"

namespace kv {
namespace {

struct Mixed {
    u64 n_layers, full_every, n_kv_heads, head_dim, window, tokens;
};

u64 mixed_bytes(const Mixed& given, bool all_full, bool no_full) {
    CacheShape shape = uniform_cache(given.n_layers, given.n_kv_heads, given.head_dim);
    for (u64 i = 0; i < given.n_layers; ++i) {
        const bool is_full = (i + 1) % given.full_every == 0;
        if (no_full || (!is_full && !all_full)) shape.layers[i] = WindowCache{given.window};
    }
    return sequence_bytes(shape, {}, given.tokens);
}

Exercise mixed_layers(const Mixed& given) {
    const u64 right = mixed_bytes(given, false, false), full = mixed_bytes(given, true, false),
              none = mixed_bytes(given, false, true);
    const auto share = [full](u64 bytes) {
        return 100 * static_cast<double>(bytes) / static_cast<double>(full);
    };
    return ExerciseWriter(
               "A model has " + say(given.n_layers) + " layers, " + say(given.n_kv_heads) +
               " KV heads, head_dim " + say(given.head_dim) + ", BF16. One layer in " +
               say(given.full_every) + " keeps all tokens, and each of the others the newest " +
               say(given.window) + ". What does its cache take for " + say(given.tokens) +
               " tokens, and what share is that of a cache in which every layer keeps "
               "all of them?")
        .bytes("the bytes", right)
        .slip("every layer as a full one", full)
        .slip("every layer with the window", none)
        .slip(kKeysOnly, static_cast<double>(right) / 2)
        .percent("the share", share(right))
        .slip("the share that the windows save", 100 - share(right))
        .slip("every layer with the window", share(none))
        .hint(
            "Count the layers of each kind. A layer keeps all tokens, or as many as its window "
            "holds.")
        .done();
}

std::optional<Mixed> draw_mixed(Dice& dice) {
    const u64 every = dice.pick<u64>({2, 3, 4, 5, 6});
    const Mixed given{.n_layers = every * dice.whole(4, 10),
                      .full_every = every,
                      .n_kv_heads = dice.pick<u64>({2, 4, 8, 16}),
                      .head_dim = dice.pick<u64>({64, 128, 256}),
                      .window = dice.pick<u64>({128, 512, 1024, 2048, 4096}),
                      .tokens = dice.in_steps(8192, 131'072, 4096)};
    // The share and what it leaves must be told apart.
    const double share = static_cast<double>(mixed_bytes(given, false, false)) /
                         static_cast<double>(mixed_bytes(given, true, false));
    if (std::max(share, 1 - share) < 1.1 * std::min(share, 1 - share)) return std::nullopt;
    return given;
}

struct FourBits {
    u64 head_dim, group;
};

Exercise four_bits(const FourBits& given) {
    const auto dim = static_cast<double>(given.head_dim), group = static_cast<double>(given.group);
    const double codes = dim / 2, bytes = codes + dim / group;
    return ExerciseWriter(
               "A float format keeps a number in four bits, and every " + say(given.group) +
               " numbers share a scale of one byte. What does a vector of " + say(given.head_dim) +
               " numbers take, how many bits is that for a number, and how many times "
               "as much does it take in BF16?")
        .bytes("the bytes of the vector", static_cast<u64>(bytes))
        .slip("nominal: the scales left out", codes)
        .slip("a scale of two bytes", codes + 2 * dim / group)
        .real("the bits for a number", "bits", 8 * bytes / dim)
        .slip("nominal: the scales left out", 4)
        .times("the ratio", 2 * dim / bytes)
        .slip("nominal: the scales left out", 4)
        .hint("Half a byte for each number, and a byte for each group.")
        .done();
}

std::optional<FourBits> draw_four_bits(Dice& dice) {
    return FourBits{.head_dim = dice.pick<u64>({64, 96, 128, 160, 192, 256, 512}),
                    .group = dice.pick<u64>({16, 32})};
}

struct TokenBudget {
    u64 budget, decoding, prompt;
};

Exercise budget_of_tokens(const TokenBudget& given) {
    const u64 left = given.budget - given.decoding;
    return ExerciseWriter("A server computes at most " + say(given.budget) +
                          " tokens a step. In each step " + say(given.decoding) +
                          " requests decode, a token each, and are served first. One more request "
                          "waits with a prompt of " +
                          say(given.prompt) +
                          " tokens. How many tokens of it does a step take, as long as there are "
                          "enough, and in how many steps is it read?")
        .count("the tokens a step", "tokens", left)
        .slip("the whole budget: those who decode are served first", given.budget)
        .count("the steps", "", ceil_div(given.prompt, left))
        .slip_if_wrong("the whole budget: those who decode are served first",
                       ceil_div(given.prompt, given.budget))
        .slip_if_wrong("rounded down: the last part needs a step as well", given.prompt / left)
        .hint("What do those who decode leave of the budget?")
        .done();
}

std::optional<TokenBudget> draw_budget(Dice& dice) {
    const u64 budget = dice.pick<u64>({256, 512, 1024, 2048});
    return TokenBudget{.budget = budget,
                       .decoding = dice.in_steps(budget / 16, budget / 2, 8),
                       .prompt = dice.in_steps(2 * budget, 16 * budget, 256)};
}

struct HandOver {
    CachedModel model;
    u64 tokens, prefill_ms;
    double bandwidth;

    u64 bytes() const { return model.token_bytes() * tokens; }
    double link() const { return transfer_seconds(bytes(), bandwidth); }
    double prefill() const { return static_cast<double>(prefill_ms) / 1000; }
    // A layer is sent once it is computed and the one before it is sent.
    double last_byte() const {
        const auto n = static_cast<double>(model.n_layers);
        const double compute = prefill() / n, send = link() / n;
        return send <= compute ? prefill() + send : compute + link();
    }
};

Exercise hand_over(const HandOver& given) {
    return ExerciseWriter(
               "A prompt of " + say(given.tokens) +
               " tokens is read on one machine, by a "
               "model with " +
               say(given.model) + ". Its cache goes to a second machine over a link of " +
               rate_text(given.bandwidth) +
               ". How many bytes are that, and how long does the link take for them? "
               "Reading takes " +
               say(given.prefill_ms) +
               " ms, as long for each layer, and a layer is sent as soon as it is "
               "computed and the link is free: how long after the start is the last byte "
               "there?")
        .bytes("the bytes", given.bytes())
        .slip(kKeysOnly, static_cast<double>(given.bytes()) / 2)
        .slip(kQueryHeads, given.model.with_all_heads().token_bytes() * given.tokens)
        .seconds("the time of the link", "ms", given.link())
        .slip(kKeysOnly, given.link() / 2)
        .seconds("the last byte", "ms", given.last_byte())
        .slip("one after the other: layers are sent while others are computed",
              given.prefill() + given.link())
        .hint(
            "Which of the two is slower for one layer? The other one hides behind it, but for "
            "one layer.")
        .done();
}

std::optional<HandOver> draw_hand_over(Dice& dice) {
    const HandOver given{.model = draw_grouped_model(dice),
                         .tokens = dice.in_steps(2048, 65'536, 1024),
                         .prefill_ms = dice.in_steps(100, 4000, 50),
                         .bandwidth = dice.pick<double>({12e9, 25e9, 50e9, 100e9})};
    const double apart = given.prefill() + given.link();
    const double link = given.link(), last = given.last_byte();
    if (apart < 1.1 * last || last < 1.1 * link || link < 0.001) return std::nullopt;
    return given;
}

}  // namespace

ExerciseKinds lesson_16_exercises() {
    return {exercise_kind<Mixed>("the share and what it leaves are the same within 10 %",
                                 {.n_layers = 48,
                                  .full_every = 6,
                                  .n_kv_heads = 16,
                                  .head_dim = 128,
                                  .window = 1024,
                                  .tokens = 32'768},
                                 draw_mixed, mixed_layers),
            exercise_kind<FourBits>("", {.head_dim = 128, .group = 16}, draw_four_bits, four_bits),
            exercise_kind<TokenBudget>("", {.budget = 512, .decoding = 64, .prompt = 6144},
                                       draw_budget, budget_of_tokens),
            exercise_kind<HandOver>("sending hides nothing, or nothing but itself, within 10 %",
                                    {.model = {32, 32, 8, 128, "BF16"},
                                     .tokens = 8000,
                                     .prefill_ms = 400,
                                     .bandwidth = 25e9},
                                    draw_hand_over, hand_over)};
}

}  // namespace kv
