// Any moment of a tank's past is the tank that was there then, within the budget and behind its
// edge; and what a window draws of it adds up.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/attach/history/entry_pack.hpp"
#include "core/attach/history/tank_history.hpp"
#include "core/attach/picture/tank_picture.hpp"
#include "tests/attach/entries.hpp"
#include "tests/base/dice.hpp"

using namespace kv;
using kv::test::batch;
using kv::test::Dice;
using kv::test::hashes;
using kv::test::numbers;
using kv::test::removed;
using kv::test::stored;

namespace {

// All that is seen of a tank, as text.
std::string seen(const Tank& tank) {
    std::string out = std::to_string(tank.now_s());
    for (ShelfRef place = 0; place < tank.shelves().size(); ++place) {
        out += " |" + std::to_string(tank.shelves()[place].blocks);
        for (const std::uint64_t number : numbers(tank.cached(place)))
            out += " " + std::to_string(number);
    }
    for (const auto& [number, rank] : tank.ranks())
        out += " r" + std::to_string(number) + " " + std::to_string(rank.blocks_stored) + " " +
               std::to_string(rank.found.total()) + " " + std::to_string(rank.missed) + " " +
               std::to_string(rank.too_late.total());
    for (const auto& [key, track] : tank.tracks())
        out += " " + key.first + std::to_string(track.points.size());
    return out;
}

TankEntry some_entry(Dice& dice, double now) {
    const std::uint64_t first = dice.below(50);
    switch (dice.below(8)) {
        case 0:
            return StreamMark{MarkKind::GapLost, 0, 1, 1 + dice.below(3), now};
        case 1:
            return SampleEntry{now, {{"vllm:x", "", static_cast<double>(dice.below(9))}}};
        case 2:
        case 3:
            return batch(now, {removed({first, first + 1})});
        case 4:
            return batch(now, {stored({first + 60}), ServerUnknown{"x"}}, 1);
        default:
            return batch(now, {stored({first, first + 1}, dice.below(50))});
    }
}

}  // namespace

TEST_CASE("an entry that was packed is the same entry", "[attach][history]") {
    Dice dice(7);
    for (int i = 0; i < 200; ++i) {
        const TankEntry entry = some_entry(dice, i);
        CHECK(unpacked_entry(packed(entry)) == entry);
    }
}

TEST_CASE("every moment that is kept is what it was", "[attach][history]") {
    for (const std::uint64_t budget : {std::uint64_t{1} << 30U, std::uint64_t{200'000}}) {
        Dice dice(3);
        TankHistory history({.most_blocks = 1024}, budget);
        std::vector<std::string> was{seen(history.end())};
        std::vector<double> times{0};
        for (int i = 0; i < 3000; ++i) {
            history.add(some_entry(dice, 100 + i / 3));
            was.push_back(seen(history.end()));
            times.push_back(history.end().now_s());
        }
        CHECK(history.size() == 3000);
        CHECK(history.kept_bytes() <= budget / 2 + 16'384);
        CHECK((history.first() > 0) == (budget < 1'000'000));
        for (std::uint64_t moment = history.first(); moment <= history.size(); moment += 37) {
            CAPTURE(budget, moment);
            CHECK(seen(history.at(moment)) == was[moment]);
            if (moment > history.first()) CHECK(history.time_of(moment) == times[moment]);
        }
        // The last moment that is not later than a time.
        const double middle = times[2500];
        const std::uint64_t at = history.moment_at(middle);
        CHECK(times[at] == middle);
        CHECK((at == 3000 || times[at + 1] > middle));
        CHECK(history.moment_at(1e9) == 3000);
        CHECK(history.moment_at(-1e9) == history.first());
        CHECK(seen(history.at(0)) == was[history.first()]);
    }
}

TEST_CASE("a journey into the past arrives whatever comes meanwhile", "[attach][history]") {
    Dice dice(6);
    TankHistory history({.most_blocks = 1024}, 200'000);
    std::vector<std::string> was{seen(history.end())};
    const auto add = [&](int entries) {
        for (int i = 0; i < entries; ++i) {
            history.add(some_entry(dice, 100 + static_cast<double>(was.size())));
            was.push_back(seen(history.end()));
        }
    };
    add(2000);
    std::optional<TankJourney> journey;
    for (int trip = 0; trip < 60; ++trip) {
        const auto kept = static_cast<std::uint32_t>(history.size() - history.first());
        const std::uint64_t moment = history.first() + dice.below(kept);
        int looks = 0;
        while (!history.travel(journey, moment, 7)) add(1), ++looks;
        CAPTURE(trip, moment);
        REQUIRE(journey->moment == std::max(moment, history.first()));
        REQUIRE(seen(journey->tank) == was[journey->moment]);
        REQUIRE(looks <= 700);
        // A step on goes on from there.
        REQUIRE(history.travel(journey, journey->moment + 1, 1));
        REQUIRE(seen(journey->tank) == was[journey->moment]);
    }
}

TEST_CASE("where a tank is too large to be kept twice, the oldest entries go one by one",
          "[attach][history]") {
    Dice dice(9);
    TankHistory history({.most_blocks = 1024}, 60'000);
    std::uint64_t first = 0, most_at_once = 0;
    for (int i = 0; i < 3000; ++i) {
        history.add(some_entry(dice, i));
        if (i > 1000) most_at_once = std::max(most_at_once, history.first() - first);
        first = history.first();
    }
    CHECK(first > 2000);
    CHECK(most_at_once < 10);
}

TEST_CASE("tokens that nobody asked for are not kept in the past either", "[attach][history]") {
    TankHistory hidden({}, 1 << 20U), shown({.keep_tokens = true}, 1 << 20U);
    for (TankHistory* history : {&hidden, &shown}) {
        history->add(batch(1, {stored({1})}));
        history->add(batch(2, {stored({2}, 1)}));
        const Tank then = history->at(1);
        CHECK(then.shelves()[0].tokens == 16);
        CHECK(then.tree().tokens(*then.tree().find(0, server_hash(1))).empty() ==
              (history == &hidden));
    }
}

TEST_CASE("a picture's bars, texels and rows add up to the tank", "[attach][picture]") {
    Tank tank({.keep_tokens = true});
    // 1-2-3 with 4-5 and 6 beneath, and 9 alone.
    tank.apply(batch(100, {stored({1, 2, 3}), stored({9})}));
    tank.apply(batch(110, {stored({4, 5}, 3)}));
    tank.apply(batch(120, {stored({6}, 3)}));
    const TankPicture picture = tank_picture_of(tank, {}, 100);
    REQUIRE(picture.tree.bars.size() == 4);
    const TreeBar& trunk = picture.tree.bars[0];
    CHECK(trunk.left == 0);
    CHECK(trunk.width_top == 6);
    CHECK(trunk.width_bottom == 4);  // of 3 and what lies beneath it
    CHECK(trunk.from_token == 0);
    CHECK(trunk.to_token == 48);
    CHECK(trunk.age_s == 0);
    CHECK(trunk.plate == 1);
    CHECK(picture.tree.bars[1].width_top == 2);  // 4-5, before 6, before 9
    CHECK(picture.tree.bars[1].age_s == 10);
    CHECK(picture.tree.width == 7);
    CHECK(picture.tree.depth == 80);
    CHECK(picture.pool.texels.size() == 7);
    CHECK(picture.pool.blocks == 7);
    CHECK(picture.pool.tokens == 112);
    CHECK(picture.pool.texels[0].plate == 1);
    CHECK(picture.pool.texels[6].plate == 0);
    REQUIRE(picture.hottest.size() == 1);
    CHECK(picture.hottest[0].hash == server_hash(3));
    CHECK(picture.hottest[0].hits == 2);  // 4 after ten seconds, 6 as a second child
    CHECK(picture.hottest[0].blocks_beneath == 6);
    CHECK(picture.hottest[0].token_ids.size() == 48);
    CHECK(picture.ranks.at(0).cached == 7);
    CHECK(picture.shelves.at(0).empty == 93);
    CHECK(picture.exact);

    const TankPicture few = tank_picture_of(tank, {.most_texels = 2, .most_bars = 1}, {});
    CHECK(few.pool.blocks_per_texel == 4);
    CHECK(few.pool.texels.size() == 2);
    REQUIRE(few.tree.bars.size() == 3);  // the trunk; 9; 4-5 and 6 together
    const TreeBar &lone = few.tree.bars[1], &crowd = few.tree.bars[2];
    CHECK((lone.chains == 1 && lone.left == 6 && lone.width_top == 1 && lone.age_s == 20));
    CHECK((crowd.chains == 2 && crowd.left == 0 && crowd.width_top == 3));
    CHECK((crowd.from_token == 48 && crowd.to_token == 80));
    CHECK(crowd.age_s == 5);  // 10 and 0
    CHECK(few.tree.depth == 80);
    CHECK(few.tree.left_out == 4);  // 4-5, 6 and 9
    const TankPicture other = tank_picture_of(tank, {.ranks = {1}}, {});
    CHECK(other.tree.bars.empty());
    CHECK(other.ranks.size() == 1);
    const TankPicture newest = tank_picture_of(tank, {.order = PoolOrder::LastUse}, {});
    CHECK(newest.pool.texels.front().age_s == 0);
    CHECK(newest.pool.texels.back().age_s == 20);
}

TEST_CASE("a picture adds up whatever happened", "[attach][picture]") {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        Dice dice(seed);
        Tank tank({.most_blocks = 1024});
        for (int i = 0; i < 400; ++i) tank.apply(some_entry(dice, i));
        const TankPicture picture =
            tank_picture_of(tank, {.most_texels = 20, .most_bars = 1 + dice.below(40)}, {});
        std::uint64_t distinct = 0, of_bars = 0;
        for (const Shelf& shelf : tank.shelves()) distinct += shelf.distinct;
        CAPTURE(seed);
        CHECK(picture.tree.width == distinct);
        for (const TreeBar& bar : picture.tree.bars) {
            CHECK(bar.width_top >= bar.width_bottom);
            CHECK(bar.left + bar.width_top <= picture.tree.width);
            of_bars += bar.width_top > bar.width_bottom ? bar.width_top - bar.width_bottom : 0;
        }
        CHECK(of_bars <= distinct);
        CHECK(picture.pool.texels.size() <= 20);
        CHECK(picture.pool.texels.size() * picture.pool.blocks_per_texel >= distinct);
    }
}
