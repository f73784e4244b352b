// Two phases, one life: pairs of a prefill, chunks of a prompt, the time of an answer.

#include "core/cost/time/flops.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/small_runs.hpp"
#include "core/lesson/exercises/words.hpp"

namespace kv {
namespace {

u64 prefill_pairs(u64 prompt) {
    return counted_generation(prompt, 1, Keep::KeysAndValues).score_pairs;
}

Exercise pairs(const u64& prompt) {
    const u64 once = prefill_pairs(prompt), twice = prefill_pairs(2 * prompt);
    const auto full = static_cast<double>(prompt) * static_cast<double>(prompt);
    return ExerciseWriter(
               "A prompt of " + say(prompt) +
               " tokens is read in one pass. The query of a token sees the token's own key "
               "and the keys before it. How many such pairs of query and key are there in one "
               "head of one layer? And how many when the prompt is twice as long?")
        .count("the pairs", "pairs", once)
        .slip("the whole square: the mask hides what comes later", full)
        .slip("the diagonal left out: a token sees itself", once - prompt)
        .count("the pairs of the longer prompt", "pairs", twice)
        .slip("doubled: pairs grow with the square", 2 * once)
        .slip("the whole square: the mask hides what comes later", 4 * full)
        .slip("exactly four times: the diagonal only doubles", 4 * once)
        .hint("Position t sees t + 1 keys; sum over the prompt.")
        .done();
}

std::optional<u64> draw_pairs(Dice& dice) {
    return dice.whole(64, 3000);
}

struct Chunked {
    u64 prompt, chunk;
};

Exercise last_chunk(const Chunked& given) {
    const std::vector<PromptChunk> chunks = scheduled_chunks(given.prompt, given.chunk);
    const PromptChunk last = chunks.back();
    return ExerciseWriter("A prompt of " + say(given.prompt) +
                          " tokens, of which nothing is stored yet, is read in chunks of " +
                          say(given.chunk) +
                          ", one in each iteration. How many cached rows does chunk " +
                          say(u64{chunks.size()}) +
                          ", the last one, read from earlier chunks, and how many rows does it "
                          "compute?")
        .count("the cached rows", "rows", last.first)
        .slip("the previous chunk alone", given.chunk)
        .slip("its own rows counted as cached", given.prompt)
        .count("the rows it computes", "rows", last.count)
        .slip("a whole chunk: only the rest is left", given.chunk)
        .slip("all rows so far, as without a cache", given.prompt)
        .hint("Everything before the chunk is in the cache already.")
        .done();
}

std::optional<Chunked> draw_chunked(Dice& dice) {
    const u64 chunk = dice.pick<u64>({32, 48, 64, 96, 128, 192, 256, 512});
    const u64 prompt = chunk * dice.whole(2, 5) + dice.whole(2, chunk - 2);
    return Chunked{prompt, chunk};
}

struct AnswerTimes {
    u64 ttft_ms, step_ms, tokens;
};

// The closed form: the first token is there after the TTFT, each other one a step later.
double answer_seconds(const AnswerTimes& given, u64 steps) {
    return (static_cast<double>(given.ttft_ms) + static_cast<double>(given.step_ms * steps)) / 1000;
}

Exercise whole_time(const AnswerTimes& given) {
    constexpr double kWithin = 0.001;  // one step is more than that
    return ExerciseWriter("The first token of an answer comes after " +
                          say(static_cast<double>(given.ttft_ms) / 1000) + " s, every other one " +
                          say(given.step_ms) + " ms after the one before. The answer has " +
                          say(given.tokens) + " tokens. How long does it take in all?")
        .seconds("the time", "s", answer_seconds(given, given.tokens - 1))
        .within(kWithin)
        .slip("off by one step: the first token is part of the time to first token",
              answer_seconds(given, given.tokens))
        .slip("the time to first token left out",
              answer_seconds({0, given.step_ms, 0}, given.tokens))
        .hint("The first token costs no step of its own.")
        .done();
}

std::optional<AnswerTimes> draw_answer(Dice& dice) {
    return AnswerTimes{.ttft_ms = dice.in_steps(100, 3000, 50),
                       .step_ms = dice.whole(5, 80),
                       .tokens = dice.whole(20, 300)};
}

// C072: what a prefill can read.
struct Prefills {
    bool chunked;                    // which of two right statements is among the choices
    std::vector<std::size_t> order;  // of the choices
};

Exercise prefills(const Prefills& given) {
    const std::vector<Choice> all{
        {given.chunked ? "the second chunk of a long cold prompt"
                       : "a prompt that begins like one whose blocks are still cached"},
        {"a cold prompt in one pass", "an empty cache has nothing to read: one pass only fills it"},
        {"a cold prompt in one pass, together with other cold ones",
         "other requests' rows are of no use to it"},
        {"a cold prompt whose answer will be long", "the cache is read later, by decode"}};
    std::vector<Choice> choices;
    for (const std::size_t i : given.order) choices.push_back(all[i]);
    return choice_exercise(
        "Which prefill reads rows from the cache that it would otherwise have to compute?", choices,
        "What is in the cache before the pass begins?");
}

std::optional<Prefills> draw_prefills(Dice& dice) {
    Prefills given{.chunked = dice.coin(), .order = {0, 1, 2, 3}};
    dice.shuffle(given.order);
    return given;
}

}  // namespace

ExerciseKinds lesson_5_exercises() {
    return {exercise_kind<u64>("", 2048, draw_pairs, pairs),
            exercise_kind<Chunked>("", {.prompt = 700, .chunk = 256}, draw_chunked, last_chunk),
            exercise_kind<AnswerTimes>("", {.ttft_ms = 400, .step_ms = 20, .tokens = 256},
                                       draw_answer, whole_time),
            exercise_kind<Prefills>("", {.chunked = false, .order = {1, 3, 0, 2}}, draw_prefills,
                                    prefills)};
}

}  // namespace kv
