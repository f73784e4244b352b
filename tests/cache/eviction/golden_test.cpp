// The worked examples of each policy, number by number.

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "core/cache/eviction/heavy_hitters.hpp"
#include "core/cache/eviction/key_scores.hpp"
#include "core/cache/eviction/observation_window.hpp"
#include "core/cache/eviction/recency.hpp"
#include "core/cache/eviction/tova.hpp"

namespace kv {
namespace {

using Places = std::vector<std::uint32_t>;
using Scores = std::vector<float>;

Places dropped(const Selection& selection) {
    Places places;
    for (const Drop& drop : selection.dropped) places.push_back(drop.place);
    return places;
}

void check_close(const Scores& actual, const Scores& expected, double margin = 5e-5) {
    REQUIRE(actual.size() == expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i)
        CHECK(actual[i] == Catch::Approx(expected[i]).margin(margin));
}

TEST_CASE("a window of 4 holds 6, 7, 8, 9 after token 9", "[eviction][C143]") {
    Places held;
    for (std::uint32_t token = 0; token < 10; ++token) {
        const auto n = static_cast<std::uint32_t>(held.size());
        Places kept;
        for (const std::uint32_t place : evict_for_space(n, 1, 0, 4).kept)
            kept.push_back(held[place]);
        held = kept;
        held.push_back(token);
        CHECK(held.size() <= 4);
    }
    CHECK(held == Places{6, 7, 8, 9});
}

TEST_CASE("StreamingLLM keeps sinks and the newest, and makes room before what comes",
          "[eviction][C149]") {
    const Selection after = keep_recent(9, 4, 3);
    CHECK(after.kept == Places{0, 1, 2, 3, 6, 7, 8});
    REQUIRE(dropped(after) == Places{4, 5});
    CHECK(after.n_protected == 4);
    CHECK(after.dropped[0] == Drop{4, 4.0f, 4});
    CHECK(after.threshold == 6.0f);
    CHECK(keep_recent(7, 4, 3).dropped.empty());
    CHECK(evict_for_space(9, 2, 4, 3).kept == Places{0, 1, 2, 3, 8});
    CHECK(evict_for_space(9, 5, 4, 3).kept == Places{0, 1, 2, 3});
    CHECK(evict_for_space(5, 2, 4, 3).dropped.empty());
}

TEST_CASE("H2O step by step: sums before each drop, and who stays", "[eviction][C145]") {
    const Scores weight{8, 1, 1, 4, 1, 1, 2, 1};
    const HeavyHitters rule{.heavy = 2, .recent = 2};
    const std::vector<Scores> expected{{3.2603f, .2825f, .1714f, .2857f},
                                       {3.7937f, .3492f, .2381f, .5524f, .0667f},
                                       {4.3270f, .4159f, .8190f, .1333f, .0667f},
                                       {4.8270f, 1.0690f, .1958f, .1292f, .1250f},
                                       {5.3270f, 1.3190f, .1917f, .2500f, .0625f}};
    const std::vector<Places> kept{
        {0, 1, 2, 3}, {0, 1, 3, 4}, {0, 3, 4, 5}, {0, 3, 5, 6}, {0, 3, 6, 7}};
    Places held;
    Scores sums;
    for (std::uint32_t token = 0; token < 8; ++token) {
        held.push_back(token);
        sums.push_back(0);
        Scores step;
        for (const std::uint32_t j : held) step.push_back(weight[j]);
        const float all = std::accumulate(step.begin(), step.end(), 0.0f);
        for (float& share : step) share /= all;
        add_weights(sums, step, rule.decay);
        if (token >= 3) check_close(sums, expected[token - 3]);
        Places now;
        Scores left;
        for (const std::uint32_t place : keep_heavy(sums, held, rule).kept) {
            now.push_back(held[place]);
            left.push_back(sums[place]);
        }
        held = now;
        sums = left;
        if (token >= 3) CHECK(held == kept[token - 3]);
    }
}

TEST_CASE("H2O drops token 3 of six, and says by how much", "[eviction][C145]") {
    const Scores scores{5.1f, 0.3f, 1.2f, 0.2f, 0.9f, 0.4f};
    const Places positions{0, 1, 2, 3, 4, 5};
    const Selection s = keep_heavy(scores, positions, {.heavy = 3, .recent = 2});
    REQUIRE(dropped(s) == Places{3});
    CHECK(s.dropped[0] == Drop{3, 0.2f, 3});
    CHECK(s.threshold == 0.3f);
    CHECK(s.n_protected == 2);
}

TEST_CASE("H2O without recent tokens freezes on the prompt", "[eviction]") {
    Places held{0, 1, 2};
    Scores sums{1 + .5f + 1 / 3.0f, .5f + 1 / 3.0f, 1 / 3.0f};
    for (std::uint32_t token = 3; token < 8; ++token) {
        held.push_back(token);
        sums.push_back(0);
        add_weights(sums, Scores(held.size(), 1.0f / static_cast<float>(held.size())), 1);
        const Selection s = keep_heavy(sums, held, {.heavy = 3, .recent = 0});
        CHECK(dropped(s) == Places{3});  // the newcomer
        held.pop_back();
        sums.pop_back();
    }
    CHECK(held == Places{0, 1, 2});
}

TEST_CASE("H2O spares tokens younger than its grace and keeps to its budget", "[eviction]") {
    const Scores scores{9, 8, 7, 1, 2, 3};
    const Places positions{0, 4, 5, 8, 9, 10};
    const Selection s =
        keep_heavy(scores, positions, {.heavy = 3, .recent = 1, .decay = 1, .grace = 3});
    CHECK(s.kept == Places{0, 3, 4, 5});  // 8, 9 and 10 are the three newest positions
    CHECK(s.n_protected == 3);
}

TEST_CASE("SnapKV pools with low edges and keeps the best and the window", "[eviction][C148]") {
    check_close(pool_scores(Scores(10, 1.0f), 5, Pooling::Average),
                {.6f, .8f, 1, 1, 1, 1, 1, 1, .8f, .6f});
    check_close(pool_scores(Scores(5, 1.0f), 3, Pooling::Average), {2 / 3.0f, 1, 1, 1, 2 / 3.0f});
    const Scores scores{.9f, .1f, .1f, .1f, .8f, .1f, .1f, .1f, .1f, .6f};
    CHECK(keep_observed(scores, 4, 0).kept == Places{0, 1, 4, 9});
    const Scores average = pool_scores(scores, 3, Pooling::Average);
    check_close(average, {.3333f, .3667f, .1f, .3333f, .3333f, .3333f, .1f, .1f, .2667f, .2333f});
    // Three thirds are equal on paper; in float32 the sums that make them may differ in the last
    // bit, so the choice is checked on the printed numbers.
    CHECK(keep_observed(
              Scores{.3333f, .3667f, .1f, .3333f, .3333f, .3333f, .1f, .1f, .2667f, .2333f}, 4, 0)
              .kept == Places{0, 1, 3, 4});
    CHECK(keep_observed(pool_scores(scores, 3, Pooling::Max), 4, 0).kept == Places{0, 1, 3, 4});
    CHECK(keep_observed(scores, 2, 3).kept == Places{0, 4, 10, 11, 12});
}

TEST_CASE("SnapKV joins heads before pooling or after: the same for means, not for the highest",
          "[eviction]") {
    const std::vector<Scores> heads{{1, 0, 0, 0, 0}, {0, 0, 1, 0, 0}};
    ObservationWindow rule{.kernel = 3};
    rule.pool_first = true;
    const Scores after = window_scores(heads, rule);
    rule.pool_first = false;
    check_close(window_scores(heads, rule), after);
    rule.reduce = Reduce::Max;
    const Scores before = window_scores(heads, rule);
    rule.pool_first = true;
    CHECK(window_scores(heads, rule) != before);
}

TEST_CASE("1,056 of 16,384 tokens are 6.4 %", "[eviction][C148]") {
    CHECK(1056.0 / 16384 == Catch::Approx(0.064).margin(0.0005));
    Scores pooled(16384 - 32);
    for (std::size_t i = 0; i < pooled.size(); ++i) pooled[i] = static_cast<float>(i % 997);
    CHECK(keep_observed(pooled, 1024, 32).kept.size() == 1056);
}

TEST_CASE("PyramidKV's schedule drifts by its whole numbers", "[eviction]") {
    const auto sum = [](const Places& b) { return std::accumulate(b.begin(), b.end(), 0u); };
    ObservationWindow rule{.capacity = 320, .window = 64};
    const Places long_prompt = pyramid_budgets(4096, rule, 20, 32);
    CHECK(long_prompt.front() == 500);
    CHECK(long_prompt[1] == 485);
    CHECK(long_prompt[30] == 50);
    CHECK(long_prompt.back() == 35);
    CHECK(sum(long_prompt) == 8560);
    const Places short_prompt = pyramid_budgets(512, rule, 20, 32);
    CHECK(short_prompt[0] == 448);
    CHECK(short_prompt[1] == 436);
    CHECK(short_prompt.back() == 76);
    CHECK(sum(short_prompt) == 8384);
    CHECK(pyramid_budgets(64, {.capacity = 24, .window = 4}, 20, 4) == Places{39, 27, 15, 3});
    CHECK(pyramid_budgets(511, rule, 20, 3) == Places{256, 256, 256});
    CHECK(pyramid_budgets(319, rule, 20, 3).empty());
}

TEST_CASE("TOVA joins the heads of a layer and keeps what the last query saw", "[eviction]") {
    const std::vector<Scores> heads{{.40f, .05f, .10f, .05f, .30f, .10f},
                                    {.20f, .25f, .10f, .05f, .10f, .30f}};
    const Scores mean = reduce_heads(heads, Reduce::Mean);
    check_close(mean, {.30f, .15f, .10f, .05f, .20f, .20f});
    CHECK(keep_attended(mean, 4, false).kept == Places{0, 1, 4, 5});
    CHECK(keep_attended({{.5f, .3f, .2f, .1f}}, 3, false).kept == Places{0, 1, 2});
    CHECK(keep_attended({{.5f, .3f, .2f, .1f}}, 3, true).kept == Places{0, 1, 3});
}

TEST_CASE("TOVA shortens wide gaps", "[eviction]") {
    for (const auto& [gap, kept] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
             {1, 1}, {10, 10}, {11, 11}, {20, 11}, {100, 12}, {1000, 12}, {10000, 13}})
        CHECK(shorten_gaps(Places{0, gap}) == Places{0, kept});
    CHECK(shorten_gaps(Places{0, 1, 2, 50, 51, 2000, 2001}) == Places{0, 1, 2, 14, 15, 28, 29});
}

TEST_CASE("AdaKV deals the room out by need", "[eviction]") {
    const std::vector<Scores> eight{{.50f, .02f, .30f, .04f, .10f, .02f, .01f, .01f},
                                    {.13f, .12f, .13f, .12f, .13f, .12f, .13f, .12f}};
    CHECK(adaptive_budgets(eight, 5, 0.2) == Places{3, 7});
    CHECK(keep_observed(eight[0], 3, 0).kept == Places{0, 2, 4});
    CHECK(keep_observed(eight[1], 7, 0).kept == Places{0, 1, 2, 3, 4, 5, 6});
    const std::vector<Scores> six{{.50f, .02f, .30f, .04f, .10f, .04f},
                                  {.18f, .16f, .17f, .16f, .17f, .16f}};
    CHECK(adaptive_budgets(six, 3, 0.2) == Places{2, 3});  // 5, not 6
    CHECK(adaptive_budgets(six, 7, 0.2).empty());
}

const Vectors kKeys{{3, 0}, {0, 1}, {1, 0}, {2, 2}, {.5f, 0}};

TEST_CASE("Knorm keeps the lowest norms", "[eviction]") {
    check_close(norms_of(kKeys), {3, 1, 1, 2.8284f, .5f});
    CHECK(keep_lowest(norms_of(kKeys), {0, 5}, 3).kept == Places{1, 2, 4});
    CHECK(kept_of(5, 0.5) == 2);
    CHECK(kept_of(1, 0.9) == 1);
}

TEST_CASE("KeyDiff keeps what differs from the mean direction", "[eviction]") {
    check_close(cosines_to_mean(kKeys), {.9083f, .4183f, .9083f, .9380f, .9083f});
    // Three cosines are equal on paper; the printed numbers decide.
    CHECK(keep_lowest(Scores{.9083f, .4183f, .9083f, .9380f, .9083f}, {0, 5}, 3).kept ==
          Places{0, 1, 2});
    CHECK(keep_different(kKeys, 5, 0).dropped.empty());
    const Selection blocks = keep_different(kKeys, 3, 1);
    CHECK(blocks.kept.size() == 3);
    CHECK(blocks.dropped.size() == 2);
}

TEST_CASE("LagKV ranks each chunk by its spread against the next", "[eviction]") {
    const Vectors keys{{9, 9}, {1, 0}, {0, 2}, {0, 1}, {2, 0}, {1, 1}, {0, 2}},
        values{{9, 9}, {0, 1}, {1, 1}, {1, 0}, {0, 2}, {2, 1}, {0, 0}};
    CHECK(lag_scores(keys, values, {.sinks = 1, .lag = 2}) == Scores{1, 0, .5f, 0, .5f, 1, 1});
    const Selection three = keep_unlike_next(keys, values, {.sinks = 1, .lag = 2}, 5);
    CHECK(three.kept == Places{0, 2, 4, 5, 6});
    CHECK(three.n_protected == 3);
    CHECK(three.threshold == 0.5f);
}

// Sinks, and whatever has no whole chunk behind it.
TEST_CASE("LagKV never drops what it does not judge", "[eviction]") {
    const Lag rule{.sinks = 1, .lag = 4};
    CHECK(never_judged(8, rule) == 8);   // 1 + 2 x 4 are 9
    CHECK(never_judged(9, rule) == 5);   // 0, and 5 to 8
    CHECK(never_judged(12, rule) == 8);  // three more at the end
    CHECK(never_judged(13, rule) == 5);
    CHECK(never_judged(3, {.sinks = 4, .lag = 1'048'576}) == 3);
    Vectors keys;
    for (int t = 0; t < 9; ++t) keys.push_back({static_cast<float>(t % 3), static_cast<float>(t)});
    CHECK(keep_unlike_next(keys, keys, rule, 1).kept == Places{0, 5, 6, 7, 8});
    keys.pop_back();
    CHECK(keep_unlike_next(keys, keys, rule, 1).kept.size() == 8);
    CHECK(keep_unlike_next(keys, keys, rule, 1).dropped.empty());
    CHECK(lag_scores(keys, keys, rule) == Scores(8, 1.0f));
}

TEST_CASE("random draws by position, whenever it is asked", "[eviction]") {
    const Scores all = random_scores(Places{0, 1, 2, 3, 4, 5, 6, 7}, {7, 1, 2, 3});
    CHECK(random_scores(Places{2, 5}, {7, 1, 2, 3}) == Scores{all[2], all[5]});
    CHECK(random_scores(Places{2, 5}, {8, 1, 2, 3}) != Scores{all[2], all[5]});
    CHECK(random_scores(Places{2, 5}, {7, 2, 2, 3}) != Scores{all[2], all[5]});
    CHECK(random_scores(Places{2, 5}, {7, 1, 3, 3}) != Scores{all[2], all[5]});
    CHECK(random_scores(Places{2, 5}, {7, 1, 2, 4}) != Scores{all[2], all[5]});
}

}  // namespace
}  // namespace kv
