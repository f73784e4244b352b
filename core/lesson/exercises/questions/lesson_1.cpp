// Paying for the past: what a decoder repeats when it keeps nothing, counted by the engine.

#include "core/cost/time/flops.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/small_runs.hpp"
#include "core/lesson/exercises/words.hpp"

namespace kv {
namespace {

constexpr const char* kFedBack = "off by one step: the last new token is never fed back";
constexpr const char* kFirstToken =
    "off by one step: the first new token comes out of the prompt's own pass";

struct Generated {
    u64 prompt, new_tokens;
};

Exercise positions(const Generated& given, std::string story) {
    const u64 p = given.prompt, n = given.new_tokens;
    return ExerciseWriter(std::move(story))
        .count("the positions without the cache", "positions",
               counted_generation(p, n, Keep::Nothing).positions_forwarded)
        .slip(kFirstToken, positions_without_cache(p + 1, n))
        .slip("the prompt alone at every step", p * n)
        .count("the positions with it", "positions",
               counted_generation(p, n, Keep::KeysAndValues).positions_forwarded)
        .slip(kFedBack, p + n)
        .hint(
            "Without a cache step t sends everything known so far through the layers once more; "
            "the first of the new tokens comes out of the pass over the prompt.")
        .done();
}

Exercise both_modes(const Generated& given) {
    return positions(given, "A decoder reads a prompt of " + say(given.prompt) +
                                " tokens and makes " + say(given.new_tokens) +
                                " new ones. How many positions go through its layers in all, when "
                                "it keeps nothing between steps and when it keeps K and V?");
}

std::optional<Generated> draw_generation(Dice& dice) {
    return Generated{.prompt = dice.whole(8, 256), .new_tokens = dice.whole(8, 256)};
}

Exercise few_passes(const Generated& given) {
    return positions(given, "After a prompt of " + say(given.prompt) + " tokens a decoder makes " +
                                say(given.new_tokens) +
                                " new tokens. Count the positions of all its passes, without a "
                                "cache and with one.");
}

std::optional<Generated> draw_few(Dice& dice) {
    return Generated{.prompt = dice.whole(100, 2000), .new_tokens = dice.whole(2, 5)};
}

struct Ratio {
    u64 prompt, ratio;
};

u64 first_above(u64 prompt, u64 ratio, u64 earlier, u64 unfed) {
    u64 n = 1;
    while (positions_without_cache(prompt + earlier, n) <= ratio * (prompt + n - unfed)) ++n;
    return n;
}

Exercise break_even(const Ratio& given) {
    const u64 right = first_above(given.prompt, given.ratio, 0, 1);
    return ExerciseWriter("A prompt has " + say(given.prompt) +
                          " tokens. From how many new tokens on do more than " + say(given.ratio) +
                          " times as many positions go through the layers without a cache as with "
                          "one?")
        .count("the new tokens", "tokens", right)
        .slip("off by one step: there the ratio is not above yet", right - 1)
        .slip_if_wrong("the passes counted from one token later",
                       first_above(given.prompt, given.ratio, 1, 0))
        .hint(
            "Without the cache N new tokens take N x prompt + N (N - 1) / 2 positions, with it "
            "prompt + N - 1.")
        .done();
}

std::optional<Ratio> draw_ratio(Dice& dice) {
    return Ratio{.prompt = dice.whole(20, 200), .ratio = dice.whole(10, 200)};
}

struct ScoreWork {
    u64 n_layers, n_heads, head_dim, first_keys, last_keys;
};

Exercise score_work(const ScoreWork& given) {
    ModelShape shape;
    shape.cache = uniform_cache(given.n_layers, given.n_heads, given.head_dim);
    shape.n_heads = given.n_heads;
    const u64 pairs = causal_pairs(given.last_keys) - causal_pairs(given.first_keys - 1);
    const auto work = static_cast<double>(pairs * score_flops_per_pair(shape) * given.n_layers);
    return ExerciseWriter("A model has " + say(given.n_layers) + " layers and " +
                          say(given.n_heads) + " heads of head_dim " + say(given.head_dim) +
                          ", each with a KV head of its own. With its cache it decodes one token "
                          "after another; their queries see " +
                          say(given.first_keys) + ", " + say(given.first_keys + 1) + ", ..., " +
                          say(given.last_keys) +
                          " keys. A multiply-add is 2 FLOP. What do the products of queries with "
                          "keys cost in all, and which work per step did the cache not flatten: "
                          "\"projection\" of K and V, or \"attention\"?")
        .flop("the work", work)
        .slip("a multiply-add counted once", work / 2)
        .slip("pairs counted, not FLOP", pairs)
        .slip(kOneLayer, work / static_cast<double>(given.n_layers))
        .slip("every query sees all keys", (given.last_keys - given.first_keys + 1) *
                                               given.last_keys * score_flops_per_pair(shape) *
                                               given.n_layers)
        .word("the work that still grows", "attention")
        .slip_word("what the cache removes for what it leaves", "projection")
        .hint("A dot product of length head_dim for each head, key and layer; sum the keys first.")
        .done();
}

std::optional<ScoreWork> draw_score_work(Dice& dice) {
    const u64 first = dice.whole(50, 400);
    return ScoreWork{.n_layers = dice.pick<u64>({12, 16, 24, 32, 40, 80}),
                     .n_heads = dice.pick<u64>({8, 16, 32, 40, 64}),
                     .head_dim = dice.pick<u64>({64, 80, 96, 128}),
                     .first_keys = first,
                     .last_keys = first + dice.whole(100, 1500)};
}

}  // namespace

ExerciseKinds lesson_1_exercises() {
    return {
        exercise_kind<Generated>("", {.prompt = 64, .new_tokens = 64}, draw_generation, both_modes),
        exercise_kind<Ratio>("", {.prompt = 100, .ratio = 100}, draw_ratio, break_even),
        exercise_kind<Generated>("", {.prompt = 512, .new_tokens = 3}, draw_few, few_passes),
        exercise_kind<ScoreWork>(
            "",
            {.n_layers = 32, .n_heads = 32, .head_dim = 128, .first_keys = 101, .last_keys = 1100},
            draw_score_work, score_work)};
}

}  // namespace kv
