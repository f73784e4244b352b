// What Settings shows of a choice before it is made: numbers by hand for the demonstration model,
// four layers of two KV heads of 16 channels.
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "app/panels/settings/tiny.hpp"
#include "app/panels/view/facts.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

CacheSetup setup_of_48() {
    CacheSetup setup;
    setup.layout = {.n_layers = 4,
                    .n_kv_heads = 2,
                    .block_size = 16,
                    .n_blocks = 48,
                    .order = KvOrder::TokenMajor,
                    .k = {16, 16, 32},
                    .v = {16, 16, 32}};
    setup.n_heads = 8;
    setup.codecs = {Codec::Bf16, Codec::Bf16};
    setup.live_slots = 19, setup.used_blocks = 2, setup.n_tokens = 19;
    return setup;
}

std::uint32_t crosses(const TinySlots& slots) {
    return std::accumulate(slots.dropped.begin(), slots.dropped.end(), 0u);
}

}  // namespace

TEST_CASE("a pool that keeps its bytes has more blocks when tokens are smaller", "[settings]") {
    CacheSetup setup = setup_of_48();
    REQUIRE(setup.layout.pool_bytes() == 393'216);  // 48 of 8 KiB
    setup.pool_bytes = 393'216;
    setup.choose_codec(Side::K, Codec::Fp8E4m3);  // 384 B a token
    CHECK(bytes_per_token(setup.layout) == 384);
    CHECK(setup.layout.n_blocks == 64);
    setup.choose_kv_heads(8);
    CHECK(bytes_per_token(setup.layout) == 1'536);
    CHECK(setup.layout.n_blocks == 16);
    setup.choose_page(4);
    CHECK(setup.layout.n_blocks == 64);
    CHECK(setup.used_blocks == 5);  // 19 tokens in pages of 4
}

TEST_CASE("a pool that keeps its blocks has fewer bytes when pages are smaller", "[settings]") {
    CacheSetup setup = setup_of_48();
    setup.choose_page(8);
    CHECK(setup.layout.n_blocks == 48);
    CHECK(setup.layout.pool_bytes() == 196'608);
    CHECK(pool_by_bytes(setup.layout) == "196608B");
    CHECK(pool_by_blocks(setup.layout) == "48blocks");
}

TEST_CASE("the heads of the picture share boxes as those of the model do", "[settings]") {
    CacheSetup setup = setup_of_48();
    TinyHeads heads = tiny_heads(setup);
    CHECK(heads.queries == 8);
    CHECK(heads.boxes == 2);
    CHECK(heads.box_of(3) == 0);
    CHECK(heads.box_of(4) == 1);
    setup.n_heads = 32, setup.layout.n_kv_heads = 8;
    heads = tiny_heads(setup);
    CHECK(heads.queries == 8);
    CHECK(heads.boxes == 2);
    setup.layout.n_kv_heads = 1;
    CHECK(tiny_heads(setup).boxes == 1);
}

TEST_CASE("fewer bits make shorter rows, and integers have no fields", "[settings]") {
    const TinyBits bf16 = tiny_bits(Codec::Bf16);
    CHECK(bf16.sign == 1);
    CHECK(bf16.exponent == 8);
    CHECK(bf16.fraction == 7);
    CHECK(tiny_bits(Codec::Fp8E4m3).count() == 8);
    CHECK(tiny_bits(Codec::Int4).count() == 4);
    CHECK(tiny_bits(Codec::Int4).integer == 4);
    CHECK(tiny_bits(Codec::Int4).has_scale);
    CHECK_FALSE(bf16.has_scale);
}

TEST_CASE("crosses stand where a window or sinks drop, and as many as scores drop", "[settings]") {
    CacheSetup setup = setup_of_48();
    setup.n_tokens = 32;
    CHECK(crosses(tiny_slots(setup)) == 0);
    setup.choose_policy("window:8");
    CHECK(setup.n_kept() == 8);
    TinySlots slots = tiny_slots(setup);
    CHECK(crosses(slots) == 6);
    CHECK(slots.dropped[0]);
    CHECK_FALSE(slots.dropped[6]);
    setup.choose_policy("streaming:4+4");
    slots = tiny_slots(setup);
    CHECK(crosses(slots) == 6);
    CHECK_FALSE(slots.dropped[0]);
    CHECK_FALSE(slots.dropped[7]);
    setup.choose_policy("knorm:0.5");
    CHECK(crosses(tiny_slots(setup)) == 4);
    setup.choose_policy("window:64");
    CHECK(crosses(tiny_slots(setup)) == 0);
}

TEST_CASE("the small pool has a box for each block as far as they can be told apart",
          "[settings]") {
    CacheSetup setup = setup_of_48();
    TinyPool pool = tiny_pool(setup);
    CHECK(pool.blocks == 48);
    CHECK(pool.used == 2);
    CHECK(pool.rows() * pool.columns >= 48);
    setup.layout.n_blocks = 1'000'000, setup.used_blocks = 1;
    pool = tiny_pool(setup);
    CHECK(pool.blocks == 96);
    CHECK(pool.used == 1);  // what holds something is never drawn as nothing
    setup.keeps = false;
    CHECK(tiny_pool(setup).used == 0);
    CHECK(tiny_pool(setup).blocks == 96);
}

TEST_CASE("the setup of a run is that of its layout and of the request in focus", "[settings]") {
    PlayedRun played(scene_named("first"));
    while (played.session.now().iteration < 1) played.session.forward(Granularity::Iteration);
    const RunView run = played.view();
    const CacheSetup setup = setup_of(run, {});
    CHECK(setup.n_heads == 8);
    CHECK(setup.n_tokens == 23);
    CHECK(setup.n_kept() == 23);
    CHECK_FALSE(setup.pool_bytes);
    CHECK(setup.used_blocks == 2);
    CHECK(setting_of(run, "evict") == "none");
    CHECK(setting_of(run, "nothing of that name").empty());
}
