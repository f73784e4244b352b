// Why it is allowed: attention by hand, and which rows an edit leaves alone.

#include <array>
#include <cmath>

#include "core/engine/reference/softmax_state.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"
#include "core/lesson/exercises/kind.hpp"
#include "core/lesson/exercises/small_runs.hpp"
#include "core/lesson/exercises/words.hpp"

namespace kv {
namespace {

using Key = std::array<int, 4>;
using Channels = std::array<int, 2>;  // of a value

struct Attended {
    Key query;
    std::array<Key, 3> keys;
    std::array<Channels, 3> values;
};

template <std::size_t n>
std::string vector_text(const std::array<int, n>& v) {
    std::string text;
    for (const int x : v) text += (text.empty() ? "" : ", ") + std::to_string(x);
    return "(" + text + ")";
}

double score(const Key& query, const Key& key, double scale) {
    int dot = 0;
    for (std::size_t i = 0; i < query.size(); ++i) dot += query[i] * key[i];
    return dot * scale;
}

// The first `n` keys, one after another, as the engine merges them.
std::array<double, 2> attend(const Attended& given, std::size_t n, double scale) {
    SoftmaxState state;
    std::array<float, 2> output{};
    for (std::size_t i = 0; i < n; ++i) {
        const SoftmaxState one{static_cast<float>(score(given.query, given.keys[i], scale)), 1};
        const std::array<float, 2> value{static_cast<float>(given.values[i][0]),
                                         static_cast<float>(given.values[i][1])};
        merge_into(state, output.data(), one, value.data(), value.size());
    }
    return {output[0] / state.sum, output[1] / state.sum};
}

// Attention over values that say which key they belong to.
std::array<double, 2> weights_of(Attended given, double scale) {
    given.values = {{{1, 0}, {0, 1}, {0, 0}}};
    return attend(given, 2, scale);
}

Exercise by_hand(const Attended& given) {
    const double scale = 1 / std::sqrt(static_cast<double>(given.query.size()));
    const auto weights = weights_of(given, scale), unscaled = weights_of(given, 1);
    const auto before = attend(given, 2, scale), output = attend(given, 3, scale);
    constexpr const char* kUnscaled = "the scores are not divided by the root of head_dim";
    constexpr const char* kNotAppended = "the new token's own row is missing";
    return ExerciseWriter(
               "head_dim is 4. A query " + vector_text(given.query) + " sees two keys, " +
               vector_text(given.keys[0]) + " and " + vector_text(given.keys[1]) +
               ", with the values " + vector_text(given.values[0]) + " and " +
               vector_text(given.values[1]) +
               ". Scores are divided by the root of head_dim. What are the two weights? Then the "
               "key " +
               vector_text(given.keys[2]) + " with the value " + vector_text(given.values[2]) +
               " is appended: what is the output of the same query over all three?")
        .real("the first weight", "", weights[0])
        .any_value()
        .slip(kUnscaled, unscaled[0])
        .real("the second weight", "", weights[1])
        .any_value()
        .slip(kUnscaled, unscaled[1])
        .real("the output's first channel", "", output[0])
        .any_value()
        .slip(kNotAppended, before[0])
        .real("the output's second channel", "", output[1])
        .any_value()
        .slip(kNotAppended, before[1])
        .hint(
            "Weights are exp(score) over the sum of exp(score); the output is the weighted sum of "
            "the values.")
        .done();
}

template <std::size_t n>
std::array<int, n> draw_vector(Dice& dice, u64 most) {
    std::array<int, n> v{};
    for (int& x : v) x = static_cast<int>(dice.whole(0, most));
    return v;
}

std::optional<Attended> draw_by_hand(Dice& dice) {
    Attended given{.query = draw_vector<4>(dice, 2), .keys = {}, .values = {}};
    for (Key& key : given.keys) key = draw_vector<4>(dice, 2);
    for (Channels& value : given.values) value = draw_vector<2>(dice, 4);
    const double scale = 1 / std::sqrt(4.0);
    const auto weights = weights_of(given, scale);
    const auto output = attend(given, 3, scale);
    const double least = std::min({weights[0], weights[1], output[0], output[1]});
    const double apart = std::abs(score(given.query, given.keys[0], scale) -
                                  score(given.query, given.keys[1], scale));
    if (least < 0.05 || apart == 0) return std::nullopt;
    return given;
}

struct Edit {
    u64 position, tokens;
};

Exercise edited(const Edit& given) {
    const u64 p = given.position, n = given.tokens;
    return ExerciseWriter("The token at position " + say(p) +
                          " (counted from 0) of a sequence of " + say(n) +
                          " tokens is replaced by another one. The model has several layers and a "
                          "causal mask. For how many positions are the cached K and V of every "
                          "layer still right?")
        .count("the positions", "positions", surviving_positions(n, p))
        .slip("the edited position counted as well", p + 1)
        .slip("only the edited row is thought to change: true of layer 0 alone", n - 1)
        .slip("the positions that change", n - p)
        .slip_if_wrong("the tail behind the edit", n - p - 1)
        .hint("From layer 1 on every position that can see the edited one has other inputs.")
        .done();
}

std::optional<Edit> draw_edit(Dice& dice) {
    const u64 tokens = dice.whole(8, 40);
    return Edit{.position = dice.whole(2, tokens - 3), .tokens = tokens};
}

struct Scores {
    u64 position, n_heads, n_kv_heads;
};

Exercise shape_of_scores(const Scores& given) {
    const ScoreShape shape = score_shape({1, given.n_heads, given.n_kv_heads}, given.position + 1);
    return ExerciseWriter("A decode step computes position " + say(given.position) +
                          " (counted from 0) of a model with " + say(given.n_heads) +
                          " query heads and " + say(given.n_kv_heads) +
                          " KV heads. What shape have the scores of one layer?")
        .count("the heads", "heads", shape.heads)
        .any_value()
        .slip("n_kv_heads for n_heads", given.n_kv_heads)
        .count("the query rows", "rows", shape.rows)
        .any_value()
        .slip_if_wrong("a whole square of scores, as if the past were computed again", shape.keys)
        .count("the keys", "keys", shape.keys)
        .any_value()
        .slip("off by one: the new token sees itself", given.position)
        .hint("One query row a head; the new token's own key is appended before it attends.")
        .done();
}

std::optional<Scores> draw_scores(Dice& dice) {
    const u64 kv_heads = dice.pick<u64>({1, 2, 4});
    return Scores{.position = dice.whole(5, 90),
                  .n_heads = kv_heads * dice.pick<u64>({2, 3, 4, 8}),
                  .n_kv_heads = kv_heads};
}

}  // namespace

ExerciseKinds lesson_2_exercises() {
    const Attended printed{.query = {2, 0, 0, 0},
                           .keys = {{{2, 0, 0, 0}, {0, 2, 0, 0}, {2, 2, 0, 0}}},
                           .values = {{{1, 0}, {0, 1}, {1, 1}}}};
    return {exercise_kind<Attended>("a weight or a channel of the output is below 0.05, or both "
                                    "keys have one score",
                                    printed, draw_by_hand, by_hand),
            exercise_kind<Edit>("", {.position = 5, .tokens = 20}, draw_edit, edited),
            exercise_kind<Scores>("", {.position = 37, .n_heads = 8, .n_kv_heads = 2}, draw_scores,
                                  shape_of_scores)};
}

}  // namespace kv
