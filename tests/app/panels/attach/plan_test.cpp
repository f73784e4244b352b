// Where the parts of a watched server's picture stand.

#include "app/panels/attach/plan.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "tests/app/panels/attach/made_view.hpp"

using namespace kv;
using namespace kv::test;

namespace {

std::vector<PoolTexel> texels_of(const std::vector<float>& ages) {
    std::vector<PoolTexel> texels;
    texels.reserve(ages.size());
    for (const float age : ages) texels.push_back({.age_s = age});
    return texels;
}

}  // namespace

TEST_CASE("freshness is 1 now, 0 at the oldest, and logarithmic between", "[attach]") {
    CHECK(freshness(0, 99) == 1.0);
    CHECK(freshness(99, 99) == Catch::Approx(0).margin(1e-12));
    CHECK(freshness(9, 99) == Catch::Approx(0.5));  // log 10 of log 100
    CHECK(freshness(1e9, 99) == 0.0);
    CHECK(oldest_of(texels_of({1, 2})) == 60);
    CHECK(oldest_of(texels_of({1, 200})) == 200);
}

TEST_CASE("shades of many ages are those of each alone", "[attach]") {
    for (const double oldest : {60.0, 99.0, 3600.5, 4e6}) {
        const AgeShades shades(oldest);
        for (int i = 0; i <= 4000; ++i) {
            const auto age = static_cast<float>(1.2 * oldest * i / 4000);
            REQUIRE(shades.of(age) == shade_of(static_cast<double>(age), oldest));
        }
        // On both sides of each limit.
        int before = shades.of(0);
        CHECK(before == kAgeShades - 1);
        for (float age = 0; before > 0; --before) {
            float low = age, high = static_cast<float>(oldest) * 1.01f;
            while (std::nextafter(low, high) < high) {
                const float middle = low + (high - low) / 2;
                (shades.of(middle) >= before ? low : high) = middle;
            }
            CHECK(shade_of(static_cast<double>(low), oldest) == before);
            CHECK(shade_of(static_cast<double>(high), oldest) == before - 1);
            age = high;
        }
    }
}

TEST_CASE("places of the pool have the largest size at which all of them fit", "[attach]") {
    CHECK(place_grid({300, 30}, 1, 1000).side == 3);  // 100 x 10
    CHECK(place_grid({300, 30}, 1, 4).side == 16);
    CHECK(place_grid({300, 30}, 1, 1001).side == 2);  // 150 x 15
    CHECK(place_grid({300, 30}, 1, 9000).side == 1);
    CHECK(place_grid({300, 30}, 1, 1'000'000).side == 1);  // what does not fit was joined before
    CHECK(place_grid({300, 30}, 2, 250).side == 6);
}

TEST_CASE("beside the last column of the pool's places is none", "[attach]") {
    const PlaceGrid grid{.columns = 4, .rows = 3, .side = 3};  // of a room that is 13 pixels wide
    CHECK(place_at(grid, {0, 0}) == 0);
    CHECK(place_at(grid, {11.9f, 2.9f}) == 3);
    CHECK(place_at(grid, {0, 3}) == 4);
    CHECK_FALSE(place_at(grid, {12, 0}));  // else it would be the first place of the next row
    CHECK_FALSE(place_at(grid, {0, 9}));
    CHECK_FALSE(place_at(grid, {-1, 0}));
}

TEST_CASE("runs cover every place once, in rows, by shade", "[attach]") {
    const PlaceGrid grid{.columns = 4, .rows = 3, .side = 3};
    List<PlaceRun> runs;
    plan_places(texels_of({0, 0, 0, 0, 0, 60, 60, 0, 60}), grid, 60, runs);
    REQUIRE(runs.size() == 5);
    constexpr int kNow = kAgeShades - 1;
    CHECK((runs[0].row == 0 && runs[0].x == 0 && runs[0].w == 4 && runs[0].shade == kNow));
    CHECK((runs[1].row == 1 && runs[1].x == 0 && runs[1].w == 1 && runs[1].shade == kNow));
    CHECK((runs[2].x == 1 && runs[2].w == 2 && runs[2].shade == 0));
    CHECK((runs[3].x == 3 && runs[3].w == 1 && runs[3].shade == kNow));
    CHECK((runs[4].row == 2 && runs[4].x == 0 && runs[4].w == 1 && runs[4].shade == 0));
}

TEST_CASE("places of one numbered prefix that lie together are one span", "[attach]") {
    std::vector<PoolTexel> texels = texels_of({0, 0, 0, 0, 0, 0});
    texels[1].plate = texels[2].plate = 4;
    texels[3].plate = 5;
    texels[5].plate = 4;
    const auto spans = plate_spans(texels);
    REQUIRE(spans.size() == 3);
    CHECK((spans[0].plate == 4 && spans[0].first == 1 && spans[0].count == 2));
    CHECK((spans[1].plate == 5 && spans[1].first == 3 && spans[1].count == 1));
    CHECK((spans[2].plate == 4 && spans[2].first == 5 && spans[2].count == 1));
}

TEST_CASE("the tree fills its room: width is blocks, depth is tokens", "[attach]") {
    const auto view = made_view();
    const TankTree& tree = view->tank.tree;
    const Rect room{10, 20, 1000, 200};
    const PrefixPlan plan = plan_prefixes(tree, room);
    REQUIRE_FALSE(plan.boxes.empty());
    for (const PrefixBox& box : plan.boxes) {
        const TreeBar& bar = tree.bars[box.bar];
        CHECK(box.w_top == Catch::Approx(1000.0 * static_cast<double>(bar.width_top) /
                                         static_cast<double>(tree.width)));
        CHECK(box.x == Catch::Approx(10 + 1000.0 * static_cast<double>(bar.left) /
                                              static_cast<double>(tree.width)));
        CHECK(box.y == Catch::Approx(20 + 200.0 * static_cast<double>(bar.from_token) /
                                              static_cast<double>(plan.depth)));
        CHECK(box.x + box.w_top <= room.right() + 0.1f);
        CHECK(box.y + box.h <= room.bottom() + 1);
    }
    CHECK(plan.boxes.front().x == 10);  // the largest family stands left
    CHECK(plan.at({11, 21}) == &plan.boxes.front());
    CHECK(plan.at({5, 5}) == nullptr);
    CHECK(plan_prefixes({}, room).boxes.empty());
}

// By hand: a trunk of ten blocks, a branch of four, and six branches of one block each; a pixel is
// a block.
TEST_CASE("branches that are too narrow are drawn as one", "[attach]") {
    TankTree tree{.width = 100, .depth = 64};
    tree.bars.push_back({.left = 0, .width_top = 100, .width_bottom = 100, .to_token = 16});
    tree.bars.push_back(
        {.left = 0, .width_top = 40, .width_bottom = 40, .from_token = 16, .to_token = 32});
    for (std::uint64_t i = 0; i < 6; ++i)
        tree.bars.push_back({.left = 40 + i,
                             .width_top = 1,
                             .width_bottom = 1,
                             .from_token = 16,
                             .to_token = 32 + i,
                             .age_s = static_cast<float>(10 - i)});
    // Those for which there were no bars.
    tree.bars.push_back({.left = 46,
                         .width_top = 54,
                         .width_bottom = 54,
                         .from_token = 16,
                         .to_token = 64,
                         .chains = 54,
                         .age_s = 7});
    const PrefixPlan plan = plan_prefixes(tree, {0, 0, 25, 64});  // a quarter of a pixel each
    REQUIRE(plan.boxes.size() == 2);
    REQUIRE(plan.crowds.size() == 1);
    const PrefixCrowd& crowd = plan.crowds[0];
    CHECK((crowd.chains == 60 && crowd.blocks == 60));
    CHECK((crowd.from_token == 16 && crowd.to_token == 64));
    CHECK(crowd.age_s == Catch::Approx((10 + 9 + 8 + 7 + 6 + 5 + 54 * 7) / 60.0));
    CHECK((crowd.at.x == 10 && crowd.at.w == 15 && crowd.at.y == 16 && crowd.at.h == 48));
    CHECK(plan.crowd_at({11, 20}) == &crowd);
    CHECK(plan.crowd_at({9, 20}) == nullptr);
}

TEST_CASE("the axis of ages is that of its bars", "[attach]") {
    CHECK(age_share(0.05) == 0);
    CHECK(age_share(1) == Catch::Approx(0.2));  // the first of five decades
    CHECK(age_share(1e9) == 1);
}

TEST_CASE("bars of the stream keep the highest rate where they are joined", "[attach]") {
    ServerView view;
    view.tank.rates = {{0, 5, 0, 0}, {1, 50, 0, 0}, {2, 10, 25, 0}, {3, 0, 0, 0}};
    view.newest_s = view.tank.now_s = 20;
    const StreamSpan span = stream_span(view);
    CHECK(span.from_s == 0);
    CHECK(span.to_s == 60);  // never less than a minute
    const auto wide = plan_stream(view.tank.rates, span, 120);
    REQUIRE(wide.size() == 4);
    CHECK(wide[1].x == Catch::Approx(10));
    CHECK(wide[1].stored_per_s == 10);
    const auto narrow = plan_stream(view.tank.rates, span, 20);  // 1.7 pixels each
    REQUIRE(narrow.size() == 2);
    CHECK(narrow[0].stored_per_s == 10);
    CHECK(narrow[1].removed_per_s == 5);
    CHECK(span.at(span.x_of(12, 120), 120) == Catch::Approx(12));
}

TEST_CASE("a metric is that of the shown rank, or of a server that names none", "[attach]") {
    ServerView view;
    view.rank = 1;
    view.tank.tracks = {
        {"a", "engine=\"0\"", {{0, 1}}}, {"a", "engine=\"1\"", {{0, 2}}}, {"b", "", {{0, 3}}}};
    REQUIRE(view.track("a") != nullptr);
    CHECK(view.track("a")->points.front().second == 2);
    REQUIRE(view.track("b") != nullptr);
    CHECK(view.track("c") == nullptr);
    view.rank = 2;
    CHECK(view.track("a") == nullptr);
}

TEST_CASE("times read as clocks and ages", "[attach]") {
    CHECK(clock_of(0) == "0:00");
    CHECK(clock_of(1500.4) == "25:00");
    CHECK(clock_of(1199.9999997) ==
          "20:00");  // what is left of 20 minutes between two large numbers
    CHECK(clock_of(1199.9) == "19:59");
    CHECK(clock_of(3661) == "1:01:01");
    CHECK(age_of(59.66) == "59.7 s");
    CHECK(age_of(720) == "12 min");
    CHECK(age_of(9000) == "2.5 h");
}
