// What blocks and devices hold beside what the formula counts: rows 36, 44, 57 and 58 of the
// checks.
#include "core/cost/occupancy.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/cost/model/parameters.hpp"
#include "tests/cost/evaluate.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;

namespace {

void check_expression(const Derived& result) {
    INFO(result.expression);
    CHECK(evaluate(result.expression, names_of(result)) == number_of(result.value));
}

BudgetRequest card_for(std::string_view name) {
    BudgetRequest request;
    request.card_bytes = 80'000'000'000;
    request.weight_bytes = weight_bytes(model(name));
    return request;
}

}  // namespace

TEST_CASE("payload, scales and empty slots sum to what whole blocks hold", "[cost][C036]") {
    // 1,000 tokens are 62 full blocks and 8 of 16 slots of a 63rd; three requests.
    const auto bf16 = occupy(cache_7b(), kBf16Pair, 1000, 3, 16);
    REQUIRE(bf16);
    CHECK(bf16->blocks_per_sequence == 63);
    CHECK(bf16->blocks == 189);
    CHECK(bf16->block_bytes == 16 * 512 * kKiB);
    CHECK(bf16->empty_slots_per_sequence == 8);
    CHECK(bf16->payload == 3 * 1000 * 512 * kKiB);
    CHECK(bf16->scales == 0);
    CHECK(bf16->empty == 24 * 512 * kKiB);
    CHECK(bf16->allocated == 189 * 8 * kMiB);

    // int8: 128 codes and a scale of 2 bytes per vector, 2 x 32 x 32 vectors per token.
    const auto int8 = occupy(cache_7b(), both("int8"), 1000, 3, 16);
    REQUIRE(int8);
    CHECK(int8->payload == 3000 * 2048 * 128);
    CHECK(int8->scales == 3000 * 2048 * 2);
    CHECK(int8->empty == 24 * 2048 * 130);
    CHECK(int8->payload + int8->scales + int8->empty == int8->allocated);
    check_expression(derive_allocated_bytes(*int8));
}

TEST_CASE("slots that a window has left count as empty until their block is free", "[cost][C036]") {
    // Tokens 900 to 999 are kept; blocks 0 to 55 are free, 56 to 62 are held: 112 slots.
    const auto held = occupy(with_window(cache_7b(), 100), kBf16Pair, 1000, 1, 16);
    REQUIRE(held);
    CHECK(held->blocks == 7);
    CHECK(held->payload == 100 * 512 * kKiB);
    CHECK(held->empty == 12 * 512 * kKiB);
}

TEST_CASE("tokens that a codec keeps beside the blocks are in no count of blocks", "[cost]") {
    CHECK_FALSE(occupy(cache_7b(), both("int4:kivi"), 1000, 1, 16));
}

TEST_CASE("every kind of layer and side is one product of the payload", "[cost][C038]") {
    // 32 layers, 8 heads, 128 elements, 10 tokens, 2 requests: K one byte each, V half a byte.
    const CacheShape shape = uniform_cache(32, 8, 128);
    const auto apart = payload_terms(shape, {codec("int8"), codec("int4")}, 10, 2);
    REQUIRE(apart.size() == 2);
    CHECK(apart[0].side == Side::K);
    CHECK(apart[0].bytes == 655'360);
    CHECK(apart[1].bytes == 327'680);

    CacheShape hybrid = uniform_cache(3, 2, 8);
    hybrid.layers[1] = WindowCache{4};
    const auto kinds = payload_terms(hybrid, kBf16Pair, 10, 1);
    REQUIRE(kinds.size() == 2);
    CHECK(kinds[0].layers == 2);
    CHECK(kinds[0].bytes == 1280);
    CHECK(kinds[1].kept == 4);
    CHECK(kinds[1].bytes == 256);

    const auto latent = payload_terms(model("deepseek-v3").cache, kBf16Pair, 10, 1);
    REQUIRE(latent.size() == 1);
    CHECK_FALSE(latent[0].side);
    CHECK(latent[0].bytes == 61 * 576 * 2 * 10);
}

TEST_CASE("keys and values together are the cache", "[cost]") {
    const CodecPair mixed{codec("int8"), codec("int4:g32")};
    const CacheShape shape = uniform_cache(32, 8, 128);
    // K: 128 codes and 2 bytes of scale; V: 64 bytes and 4 groups of 4 bytes.
    CHECK(side_bytes_per_token(shape, mixed, Side::K) == 32 * 8 * 130);
    CHECK(side_bytes_per_token(shape, mixed, Side::V) == 32 * 8 * 80);
    for (const auto& codecs : {mixed, both("int2:kivi"), kBf16Pair}) {
        const u64 k = side_bytes(shape, codecs, 1000, 3, Side::K);
        const u64 v = side_bytes(shape, codecs, 1000, 3, Side::V);
        CHECK(k + v == kv_bytes(shape, codecs, 1000, 3));
    }
    CHECK(side_bytes(model("deepseek-v3").cache, kBf16Pair, 10, 1, Side::V) == 0);
}

TEST_CASE("the parts of a device sum to its capacity, or to that and what is missing",
          "[cost][C057][C058]") {
    const DeviceUse fits = use_device(card_for("llama-2-7b"), 2 * kGiB);
    CHECK(fits.used == 13'476'831'232 + 5'000'000'000 + 2 * kGiB);
    CHECK(fits.weights + fits.activations + fits.reserve + fits.kv + fits.free == 80'000'000'000);
    CHECK(fits.fits());

    const DeviceUse over = use_device(card_for("llama-2-70b"), 10 * kGiB);
    CHECK_FALSE(over.fits());
    CHECK(over.weights == 137'953'296'384);
    CHECK(over.free == 0);
    CHECK(over.used == over.capacity + over.missing);
    check_expression(
        derive_device_use(card_for("llama-2-70b"), whole_operand("kv_bytes", 10 * kGiB, "B", "")));
}

TEST_CASE("what is left of two cards holds 36,752 tokens of the 70B in whole blocks", "[cost]") {
    // 160 GB - 137,953,296,384 B - 10 GB = 12,046,703,616 B; a block is 16 x 320 KiB; 2,297 blocks.
    const Derived room =
        derive_room(whole_operand("kv_budget_bytes", 12'046'703'616, "B", ""),
                    whole_operand("bytes_per_block", 16 * 320 * kKiB, "B", ""), 16);
    CHECK(room.whole() == 36'752);
    check_expression(room);
}
