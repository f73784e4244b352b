// What two caches are compared by, against numbers that were counted by hand.
#include "core/attach/picture/facts.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "tests/attach/entries.hpp"

using namespace kv;
using Catch::Approx;
using kv::test::batch;
using kv::test::removed;
using kv::test::stored;

namespace {

// Hits and what was asked for, of two engines: 0 finds a tenth, then more; 1 is asked once.
SampleEntry poll(double time_s, double hits, double asked, double hits_1, double asked_1) {
    return {time_s,
            {{"vllm:cache_config_info", "engine=\"0\",num_gpu_blocks=\"101\"", 1},
             {"vllm:cache_config_info", "engine=\"1\",num_gpu_blocks=\"51\"", 1},
             {"vllm:kv_cache_usage_perc", "engine=\"0\"", 0.25},
             {"vllm:kv_cache_usage_perc", "engine=\"1\"", 0.75},
             {"vllm:prefix_cache_hits_total", "engine=\"0\"", hits},
             {"vllm:prefix_cache_hits_total", "engine=\"1\"", hits_1},
             {"vllm:prefix_cache_queries_total", "engine=\"0\"", asked},
             {"vllm:prefix_cache_queries_total", "engine=\"1\"", asked_1}}};
}

Tank made_tank() {
    Tank tank({});
    tank.apply(batch(1, {stored({1, 2, 3})}, 0, 0));
    tank.apply(batch(2, {stored({1, 2, 3, 4, 5})}, 1, 0));
    tank.apply(batch(11, {removed({3})}, 0, 1));
    // 1 and 2 are found 20 s after their last use, 3 comes 20 s too late.
    tank.apply(batch(21, {stored({3}, 2)}, 0, 2));
    tank.apply(poll(30, 0, 0, 0, 0));
    tank.apply(poll(60, 10, 100, 0, 0));
    tank.apply(poll(90, 40, 200, 0, 0));
    tank.apply(poll(120, 100, 300, 100, 100));
    return tank;
}

TankFacts facts(const Tank& tank, std::optional<std::int64_t> rank) {
    PictureAsk ask;
    if (rank) ask.ranks = {*rank};
    return tank_facts_of(tank_picture_of(tank, ask, std::nullopt), rank);
}

}  // namespace

TEST_CASE("a rank is compared by what is its own", "[attach][facts]") {
    const TankFacts zero = facts(made_tank(), 0);
    CHECK(zero.exact);
    CHECK(zero.cached == 3);
    CHECK(zero.pool == 100U);
    CHECK(zero.usage == 0.25);
    CHECK(zero.hit_rate == Approx(90.0 / 200));  // of the last minute: since the poll at 60
    CHECK(zero.needed_again == 3);
    CHECK(zero.found_share == Approx(2.0 / 3));
    REQUIRE(zero.lifetime_s);
    CHECK(*zero.lifetime_s == Approx(10).margin(2.2));  // a sixth of a decade wide
    CHECK(zero.blocks_stored == 4);
    CHECK(zero.blocks_removed == 1);
    CHECK(zero.tokens_again == 16);

    const TankFacts one = facts(made_tank(), 1);
    CHECK(one.cached == 5);
    CHECK(one.hit_rate == Approx(1));
    CHECK(one.needed_again == 0);
    CHECK_FALSE(one.found_share);
    CHECK_FALSE(one.lifetime_s);
}

TEST_CASE("a server is compared by all its ranks together", "[attach][facts]") {
    const TankFacts all = facts(made_tank(), std::nullopt);
    CHECK(all.cached == 8);
    CHECK(all.pool == 150U);
    CHECK(all.usage == 0.5);
    CHECK(all.hit_rate == Approx(190.0 / 300));  // each as much as was asked of it
    CHECK(all.blocks_stored == 9);

    Tank tank = made_tank();
    tank.apply(StreamMark{MarkKind::GapLost, 1, 1, 2, 130});
    CHECK_FALSE(facts(tank, std::nullopt).exact);
    CHECK(facts(tank, std::nullopt).missed == 2);
    CHECK(facts(tank, 0).exact);
}

TEST_CASE("hit rates are those of the minute before each poll", "[attach][facts]") {
    const TankPicture picture = tank_picture_of(made_tank(), {}, std::nullopt);
    const auto rates = hit_rates_of(hit_tracks_of(picture.tracks, 0));
    REQUIRE(rates.size() == 3);
    CHECK(rates[0] == std::pair(60.0, 0.1));
    CHECK(rates[1] == std::pair(90.0, 0.2));
    CHECK(rates[2] == std::pair(120.0, 0.45));
    CHECK_FALSE(hit_tracks_of(picture.tracks, 7).any());
    CHECK(hit_rates_of(hit_tracks_of(picture.tracks, 7)).empty());
}
