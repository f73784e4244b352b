// Forgetting on purpose: what the policies themselves keep and drop.

#include <algorithm>
#include <numeric>

#include "core/cache/eviction/heavy_hitters.hpp"
#include "core/cache/eviction/observation_window.hpp"
#include "core/cache/eviction/recency.hpp"
#include "core/lesson/exercises/cached_model.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/words.hpp"

namespace kv {
namespace {

struct SinksAndWindow {
    CachedModel model;
    u64 sinks, window;
};

Exercise constant_memory(const SinksAndWindow& given) {
    const CachedModel& m = given.model;
    const u64 kept = given.sinks + given.window, much_later = 100 * kept;
    const u64 bytes = sequence_bytes(with_window(m.cache(), kept), m.codecs(), much_later);
    return ExerciseWriter("A model has " + say(m) + ". Its cache keeps the first " +
                          say(given.sinks) + " tokens as sinks and the newest " +
                          say(given.window) + ". What does it take once it is full?")
        .bytes("the bytes", bytes)
        .slip("the sinks left out", given.window * m.token_bytes())
        .slip(kKeysOnly, static_cast<double>(bytes) / 2)
        .slip(kQueryHeads, kept * m.with_all_heads().token_bytes())
        .slip(kOneLayer, static_cast<double>(bytes) / static_cast<double>(m.n_layers))
        .hint("Sinks and window together, times the bytes of a token; it does not grow any more.")
        .done();
}

std::optional<SinksAndWindow> draw_constant(Dice& dice) {
    return SinksAndWindow{.model = draw_grouped_model(dice),
                          .sinks = dice.pick<u64>({1, 2, 4, 8, 16}),
                          .window = dice.in_steps(128, 8192, 128)};
}

struct HeavyGiven {
    std::vector<u64> tenths;  // the sums of weights, in tenths
    u64 budget, recent;
};

std::vector<double> scores_of(const HeavyGiven& given) {
    std::vector<double> scores;
    for (const u64 t : given.tenths) scores.push_back(static_cast<double>(t) / 10);
    return scores;
}

std::uint32_t dropped_by_h2o(const HeavyGiven& given, u64 recent) {
    const std::vector<double> exact = scores_of(given);
    const std::vector<float> scores(exact.begin(), exact.end());
    std::vector<std::uint32_t> positions(scores.size());
    std::iota(positions.begin(), positions.end(), 0u);
    HeavyHitters rule;
    rule.heavy = static_cast<std::uint32_t>(given.budget - recent);
    rule.recent = static_cast<std::uint32_t>(recent);
    return keep_heavy(scores, positions, rule).dropped.front().place;
}

Exercise heavy_hitters(const HeavyGiven& given) {
    const std::uint32_t right = dropped_by_h2o(given, given.recent);
    const std::uint32_t unprotected = dropped_by_h2o(given, 0);
    const auto lightest_kept = static_cast<double>(
        std::max_element(given.tenths.begin(), given.tenths.end()) - given.tenths.begin());
    return ExerciseWriter("H2O has summed the attention that each token has had: " +
                          say_list(scores_of(given)) + " for tokens 0 to " +
                          say(u64{given.tenths.size() - 1}) + ". The budget is " +
                          say(given.budget) + " tokens; the " + say(given.recent) +
                          " newest are protected. Which token is dropped?")
        .count("the token", "", right)
        .any_value()
        .slip_if_wrong("the protected tokens judged as well", unprotected)
        .slip("off by one: tokens count from 0", right + 1.0)
        .slip_if_wrong("the highest sum for the lowest", lightest_kept)
        .slip_if_wrong("the oldest token: that is a window", 0)
        .hint("The lowest sum among those that are not protected.")
        .done();
}

std::optional<HeavyGiven> draw_heavy(Dice& dice) {
    const u64 n = dice.whole(5, 10);
    HeavyGiven given{.tenths = {}, .budget = n - 1, .recent = dice.whole(1, 3)};
    for (u64 i = 0; i < n; ++i) given.tenths.push_back(dice.whole(1, 60));
    std::vector<u64> sorted = given.tenths;
    std::sort(sorted.begin(), sorted.end());
    const bool ties = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
    const bool vain = ties || dropped_by_h2o(given, given.recent) == dropped_by_h2o(given, 0);
    return vain ? std::nullopt : std::optional(given);
}

struct Placed {
    u64 sinks, first, last;  // of the window
};

Exercise next_position(const Placed& given) {
    const auto tokens = static_cast<std::uint32_t>(given.last + 1);
    const Selection kept = keep_recent(tokens, static_cast<std::uint32_t>(given.sinks),
                                       static_cast<std::uint32_t>(given.last - given.first + 1));
    const u64 rank = kept.kept.size(), original = u64{kept.kept.back()} + 1;
    return ExerciseWriter("The cache holds tokens 0 to " + say(given.sinks - 1) +
                          " as sinks and tokens " + say(given.first) + " to " + say(given.last) +
                          ". At which position does the next query stand when positions are those "
                          "inside the cache, and at which when they are the original ones?")
        .count("the position in the cache", "", rank)
        .slip("off by one: that is the newest key's", rank - 1)
        .slip("the original position for the one in the cache", original)
        .slip_if_wrong("the sinks left out", rank - given.sinks)
        .count("the original position", "", original)
        .slip("off by one: that is the newest key's", original - 1)
        .hint("In the cache positions are ranks from 0; the query comes behind all of them.")
        .done();
}

std::optional<Placed> draw_placed(Dice& dice) {
    const u64 first = dice.whole(40, 5000);
    return Placed{.sinks = dice.whole(1, 8), .first = first, .last = first + dice.whole(3, 500)};
}

struct Observed {
    u64 capacity, window, prompt;
};

Exercise observed(const Observed& given) {
    const auto before = static_cast<std::size_t>(given.prompt - given.window);
    const std::vector<float> scores(before, 1.0f);
    const auto n_keep = static_cast<std::uint32_t>(given.capacity);
    const u64 kept =
        keep_observed(scores, n_keep, static_cast<std::uint32_t>(given.window)).kept.size();
    const auto share = [&](u64 tokens) {
        return 100 * static_cast<double>(tokens) / static_cast<double>(given.prompt);
    };
    return ExerciseWriter("Behind a prompt of " + say(given.prompt) + " tokens SnapKV keeps " +
                          say(given.capacity) +
                          " positions by their scores, and a window of the "
                          "last " +
                          say(given.window) + " beside them. Which share of the prompt is kept?")
        .percent("the share kept", share(kept))
        .slip("the window left out", share(given.capacity))
        .slip_if_wrong("the window taken out of the budget", share(given.capacity - given.window))
        .hint("Both together, over the prompt.")
        .done();
}

std::optional<Observed> draw_observed(Dice& dice) {
    return Observed{.capacity = dice.in_steps(128, 2048, 128),
                    .window = dice.pick<u64>({16, 32, 64, 128}),
                    .prompt = dice.in_steps(4096, 32'768, 512)};
}

}  // namespace

ExerciseKinds lesson_12_exercises() {
    return {exercise_kind<SinksAndWindow>(
                "", {.model = {32, 32, 8, 128, "BF16"}, .sinks = 4, .window = 1024}, draw_constant,
                constant_memory),
            exercise_kind<HeavyGiven>("two sums are equal, or the protection changes nothing",
                                      {.tenths = {51, 3, 12, 2, 9, 4}, .budget = 5, .recent = 2},
                                      draw_heavy, heavy_hitters),
            exercise_kind<Placed>("", {.sinks = 4, .first = 1000, .last = 1003}, draw_placed,
                                  next_position),
            exercise_kind<Observed>("", {.capacity = 1024, .window = 32, .prompt = 16'384},
                                    draw_observed, observed)};
}

}  // namespace kv
