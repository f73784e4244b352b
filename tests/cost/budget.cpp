// The memory of one card and of several: rows 44, 57, 58 of the checks.
#include "core/cost/budget.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"
#include "core/cost/cache/bytes.hpp"
#include "core/cost/cache/capacity.hpp"
#include "core/cost/model/parameters.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;

namespace {

constexpr u64 kCard = 80'000'000'000;

Budget cards_for_70b(u64 cards) {
    BudgetRequest request;
    request.card_bytes = kCard;
    request.cards = cards;
    request.weight_bytes = weight_bytes(model("llama-2-70b"));
    return device_budget(request);
}

}  // namespace

TEST_CASE("eight sequences of 4,096 with the 7B weights take 28.55 GiB: 40 GB and 80 GB hold them",
          "[budget][C044]") {
    const u64 weights = weight_bytes(model("llama-2-7b"));
    const u64 cache = kv_bytes(cache_7b(), kBf16Pair, 4096, 8);
    CHECK(weights == 13'476'831'232);
    CHECK(cache == 16 * kGiB);
    CHECK(weights + cache == 30'656'700'416);
    CHECK((weights + cache) * 100 / kGiB == 2855);
    CHECK(derive_fits_device(weights, cache, 40'000'000'000).yes());
    CHECK(derive_fits_device(weights, cache, kCard).yes());
    CHECK_FALSE(derive_fits_device(weights, cache, 30'000'000'000).yes());
}

TEST_CASE("the segments sum to the capacity", "[budget][C057]") {
    for (const u64 cards : {2, 3, 4, 8}) {
        const Budget b = cards_for_70b(cards);
        CHECK(b.fits());
        CHECK(b.weights + b.activations + b.reserve + b.kv == b.capacity);
        CHECK(b.capacity == cards * kCard);
    }
    const Budget b = device_budget({80, 1, 35, 2, 3});  // the chapter's own 80 - 35 - 2 - 3
    CHECK(b.kv == 40);
}

TEST_CASE("the 70B model in 16 bits does not fit one card of 80 GB", "[budget][C058]") {
    const u64 weights = weight_bytes(model("llama-2-70b"));
    CHECK(weights == 137'953'296'384);
    CHECK_FALSE(derive_fits_device(weights, 0, kCard).yes());
    const Budget one = cards_for_70b(1);
    CHECK_FALSE(one.fits());
    CHECK(one.kv == 0);
    CHECK(one.missing == 62'953'296'384);  // the -63 GB of the calculation
    CHECK(one.weights + one.activations + one.reserve == one.capacity + one.missing);
}

TEST_CASE("two, four and eight cards leave 12, 162 and 462 GB for the cache", "[budget][C058]") {
    const u64 per_token = bytes_per_token(cache_70b(), kBf16Pair);
    CHECK(cards_for_70b(2).kv == 12'046'703'616);
    CHECK(cards_for_70b(2).kv / per_token == 36'763);
    CHECK(cards_for_70b(4).kv == 162'046'703'616);
    CHECK(cards_for_70b(4).kv / per_token == 494'527);
    CHECK(cards_for_70b(8).kv == 462'046'703'616);
    CHECK(cards_for_70b(8).kv / per_token == 1'410'054);
}

TEST_CASE("the fewest cards for a given cache", "[budget]") {
    BudgetRequest request;
    request.card_bytes = kCard;
    request.weight_bytes = weight_bytes(model("llama-2-70b"));
    CHECK(cards_needed(request, 0) == 2);
    CHECK(cards_needed(request, 12'046'703'616) == 2);
    CHECK(cards_needed(request, 12'046'703'617) == 3);
    request.card_bytes = 5'000'000'000;  // activations and reserve take it all
    CHECK_THROWS_AS(cards_needed(request, 0), Error);
}

TEST_CASE("a budget unfolds into its operands", "[budget]") {
    BudgetRequest request;
    request.card_bytes = kCard;
    request.cards = 4;
    request.weight_bytes = weight_bytes(model("llama-2-70b"));
    CHECK(derive_budget(request).whole() == 162'046'703'616);
}
