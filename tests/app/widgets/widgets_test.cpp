// The pure halves of the widgets: where boxes, bars, ticks and labels stand, and what typed text
// means.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/widgets/chart/bars_layout.hpp"
#include "app/widgets/chart/factors_layout.hpp"
#include "app/widgets/chart/ticks.hpp"
#include "app/widgets/fields.hpp"
#include "app/widgets/tags.hpp"

using namespace kv;
using Doubles = std::vector<double>;
using Floats = std::vector<float>;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr FactorMetrics kExact{.pad = 10, .gap = 14, .stretch = 0};

float sum(const Floats& lengths) {
    return std::accumulate(lengths.begin(), lengths.end(), 0.0f);
}

}  // namespace

TEST_CASE("factors stand in one row with a times sign in the middle of each gap", "[widgets]") {
    // Values 30, 11 and 50 wide: 30 + 2 x 10, the least width 40, 50 + 2 x 10.
    const std::vector<FactorSize> sizes{{30, 20}, {11, 30}, {50, 10}};
    const FactorPlan plan = layout_factors(sizes, 400, kExact);
    REQUIRE(plan.rows == 1);
    CHECK(plan.boxes[0].box == Rect{0, 0, 50, 38});
    CHECK(plan.boxes[1].box == Rect{64, 0, 40, 38});
    CHECK(plan.boxes[2].box == Rect{118, 0, 70, 38});
    CHECK_FALSE(plan.boxes[0].times);
    CHECK(plan.boxes[1].times == Vec2{57, 19});
    CHECK(plan.boxes[2].times == Vec2{111, 19});
    CHECK(plan.size == Vec2{188, 38 + 4 + 17});
}

TEST_CASE("factors wrap into rows that begin with their own times sign", "[widgets]") {
    const std::vector<FactorSize> sizes(5, FactorSize{30, 10});  // five boxes of 50
    const FactorPlan plan = layout_factors(sizes, 180, kExact);  // 50 + 2 x 64 = 178 fits
    REQUIRE(plan.rows == 2);
    CHECK(plan.boxes[2].box.x == 128);
    CHECK(plan.boxes[3].box == Rect{14, 38 + 4 + 17 + 8, 50, 38});
    CHECK(plan.boxes[3].times == Vec2{7, 67 + 19});
    CHECK(plan.size.y == 2 * (38 + 4 + 17) + 8);
}

TEST_CASE("a row of factors grows into the room there is, up to the limit", "[widgets]") {
    const std::vector<FactorSize> sizes(2, FactorSize{30, 10});
    const FactorMetrics m{.pad = 10, .gap = 14, .stretch = 20};
    CHECK(layout_factors(sizes, 124, m).boxes[1].box.w == 55);   // 10 px over, 5 each
    CHECK(layout_factors(sizes, 125, m).boxes[1].box.w == 56);   // the odd pixel goes last
    CHECK(layout_factors(sizes, 1000, m).boxes[1].box.w == 70);  // the limit
    CHECK(layout_factors(sizes, 1000, m).size.x == 70 + 14 + 70);
}

TEST_CASE("a factor is found by its box and by its label, and by nothing else", "[widgets]") {
    const std::vector<FactorSize> sizes(2, FactorSize{30, 10});
    const FactorPlan plan = layout_factors(sizes, 400, kExact);
    CHECK(plan.at({25, 19}) == 0);
    CHECK(plan.at({66, 50}) == 1);  // below the second box
    CHECK_FALSE(plan.at({57, 19}));
    CHECK_FALSE(plan.at({25, 60}));
    CHECK(layout_factors({}, 400, kExact).size == Vec2{0, 0});
    CHECK(layout_factors(sizes, 0, kExact).rows == 2);  // no room: one box a row
}

TEST_CASE("a bar is as long as its share and never vanishes", "[widgets]") {
    CHECK(bar_length(206336, 825344, 186) == 47);  // 46.5
    CHECK(bar_length(825344, 825344, 186) == 186);
    CHECK(bar_length(1, 1e12, 186) == 1);
    CHECK(bar_length(0, 10, 186) == 0);
    CHECK(bar_length(20, 10, 186) == 186);
    for (double bad : {kNan, kInf, -1.0}) {
        CHECK(bar_length(bad, 10, 186) == 0);
        CHECK(bar_length(1, bad, 186) == 0);
    }
    CHECK(bar_length(1, 1, 0.5f) == 0);
}

TEST_CASE("shares of a bar sum to its width and leave nothing out", "[widgets]") {
    CHECK(share_pixels(Doubles{1, 1, 1}, 100) == Floats{34, 33, 33});
    CHECK(share_pixels(Doubles{1, 2, 1}, 100) == Floats{25, 50, 25});
    CHECK(share_pixels(Doubles{1e-9, 1, 0, 1e-9}, 10) == Floats{1, 8, 0, 1});
    CHECK(share_pixels(Doubles{0, 0}, 10) == Floats{0, 0});
    CHECK(share_pixels(Doubles{kNan, -3, 2, kInf}, 10) == Floats{0, 0, 10, 0});
    CHECK(share_pixels(Doubles{1.7e308, 1.7e308}, 10) == Floats{5, 5});
    CHECK(share_pixels({}, 10).empty());
    CHECK(share_pixels(Doubles{1, 1}, 0) == Floats{0, 0});
    // More parts than pixels: the sum still holds.
    CHECK(sum(share_pixels(Doubles(7, 1.0), 3)) == 3);
    for (int width = 1; width < 60; ++width)
        CHECK(sum(share_pixels(Doubles{3.3, 0.01, 7, 7, 120, 0.5}, static_cast<float>(width))) ==
              static_cast<float>(width));
}

TEST_CASE("a stack that fits ends with free room", "[widgets]") {
    const StackPlan plan = layout_stack(Doubles{40, 20}, 80, 160);
    REQUIRE(plan.parts.size() == 3);
    CHECK(plan.parts[0].w == 80);
    CHECK(plan.parts[1].x == 80);
    CHECK(plan.parts[1].w == 40);
    CHECK(plan.parts[2].w == 40);
    CHECK(plan.is_free(plan.parts[2], 2));
    CHECK_FALSE(plan.capacity_x);
}

TEST_CASE("what lies beyond the capacity is its own part, even inside one segment", "[widgets]") {
    // 140 of weights on 80: 80 inside, 60 beyond, then 20 more beyond; the bar shows 160.
    const StackPlan plan = layout_stack(Doubles{140, 20}, 80, 320);
    REQUIRE(plan.parts.size() == 3);
    CHECK(plan.parts[0].segment == 0);
    CHECK_FALSE(plan.parts[0].overflow);
    CHECK(plan.parts[0].w == 160);
    CHECK(plan.parts[1].segment == 0);
    CHECK(plan.parts[1].overflow);
    CHECK(plan.parts[1].w == 120);
    CHECK(plan.parts[2].segment == 1);
    CHECK(plan.parts[2].overflow);
    CHECK(plan.parts[2].x + plan.parts[2].w == 320);
    CHECK(plan.capacity_x == 160);
}

TEST_CASE("a stack just full has neither free room nor a capacity mark", "[widgets]") {
    const StackPlan plan = layout_stack(Doubles{50, 30}, 80, 100);
    CHECK(plan.parts.size() == 2);
    CHECK_FALSE(plan.capacity_x);
    CHECK(layout_stack(Doubles{1, 3}, 0, 100).parts[1].w == 75);  // no capacity: the whole width
    CHECK(layout_stack({}, 0, 100).parts.empty());
    CHECK(layout_stack({}, 80, 100).parts.front().w == 100);
}

TEST_CASE("axis ticks are few, round, and reach the largest value", "[widgets]") {
    CHECK(round_ticks(376, 3, true) == Doubles{0, 128, 256, 384});
    CHECK(round_ticks(168, 3, true) == Doubles{0, 64, 128, 192});
    CHECK(round_ticks(384, 3, true) == Doubles{0, 128, 256, 384});
    CHECK(round_ticks(3, 2) == Doubles{0, 2, 4});
    CHECK(round_ticks(100, 2) == Doubles{0, 50, 100});
    CHECK(round_ticks(1, 4) == Doubles{0, 0.25, 0.5, 0.75, 1});
    CHECK(round_ticks(0.3, 3).size() == 4);  // 0.1 is not exact in binary
    CHECK(round_ticks(7, 0) == Doubles{0, 10});
    for (double bad : {0.0, -1.0, kNan, kInf}) CHECK(round_ticks(bad, 3) == Doubles{0, 1});
    for (double max = 1e-6; max < 1e18; max *= 1.37)
        for (int n = 1; n <= 5; ++n)
            for (bool binary : {false, true}) {
                const Doubles ticks = round_ticks(max, n, binary);
                CHECK(ticks.size() <= static_cast<std::size_t>(n) + 1);
                CHECK(ticks.back() >= max * (1 - 1e-8));
                CHECK(ticks[ticks.size() - 2] < max);
            }
    CHECK(round_ticks(std::numeric_limits<double>::max(), 3).back() <= kInf);
}

TEST_CASE("ticks of a logarithmic axis are the powers inside it", "[widgets]") {
    CHECK(power_ticks(10, 1000, 10) == Doubles{10, 100, 1000});
    CHECK(power_ticks(0.5, 5, 2) == Doubles{0.5, 1, 2, 4});
    CHECK(power_ticks(11, 99, 10).empty());
    CHECK(power_ticks(0, 10, 10).empty());
    CHECK(power_ticks(1, kInf, 10).empty());
    CHECK(power_ticks(1, 10, 1).empty());
}

TEST_CASE("labels that would touch are moved apart as little as possible", "[widgets]") {
    CHECK(spread_labels(Floats{10, 60}, Floats{20, 20}, 0, 100) == Floats{10, 60});
    // Two at one place share the move: 10 up and 10 down.
    CHECK(spread_labels(Floats{50, 50}, Floats{20, 20}, 0, 100) == Floats{40, 60});
    CHECK(spread_labels(Floats{-5, 95}, Floats{20, 20}, 0, 100) == Floats{0, 80});
    // The order of the wanted places is kept, whatever the order they are given in.
    CHECK(spread_labels(Floats{52, 50}, Floats{20, 20}, 0, 100) == Floats{61, 41});
    CHECK(spread_labels({}, {}, 0, 100).empty());
    const Floats tight = spread_labels(Floats{95, 96, 97}, Floats{30, 30, 30}, 0, 100);
    CHECK(tight == Floats{10, 40, 70});
}

TEST_CASE("a typed number is read strictly", "[widgets]") {
    CHECK(read_number("4096", 1, 131072) == 4096);
    CHECK(read_number("4,096", 1, 131072) == 4096);
    CHECK(read_number("131072", 1, 131072) == 131072);
    for (std::string_view bad :
         {"", " ", ",", "40,96", ",4096", "4096,", "4,0,96", "+1", "-1", "1e3", "0x10", "4 096",
          "4096 ", "4.0", "0", "131073", "99999999999999999999999"})
        CHECK_FALSE(read_number(bad, 1, 131072));
}

TEST_CASE("a slider's position and value agree and stay inside", "[widgets]") {
    const SliderLook steps{.min = 16, .max = 256, .step = 16};
    CHECK(slider_position(16, steps) == 0);
    CHECK(slider_position(136, steps) == 0.5);
    CHECK(slider_value(0.49, steps) == 128);  // 133.6 is nearer to 128 than to 144
    CHECK(slider_value(2, steps) == 256);
    const SliderLook logarithmic{.min = 1, .max = 1024, .logarithmic = true};
    CHECK(slider_position(32, logarithmic) == Catch::Approx(0.5));
    CHECK(slider_value(0.5, logarithmic) == Catch::Approx(32));
    for (double bad : {kNan, kInf, -kInf}) {
        CHECK(slider_value(bad, steps) == 16);
        CHECK(slider_position(bad, steps) == 0);
    }
    CHECK(slider_position(5, {.min = 5, .max = 5}) == 0);
}

TEST_CASE("requests are told apart by letter, shape and hue", "[widgets]") {
    CHECK(request_name(0) == "A");
    CHECK(request_name(8) == "I");
    CHECK(request_name(9) == "A2");
    CHECK(request_name(26) == "I3");
    CHECK(request_shape(2) == TagShape::Square);
    CHECK(request_shape(3) == TagShape::Circle);
    CHECK(request_shape(8) == TagShape::Diamond);
    CHECK(request_shape(9) == TagShape::Square);
    const Palette& dark = palette(ThemeName::Dark);
    CHECK(&request_hue(dark, 4) == &dark.request[1]);  // E is B's hue with another shape
}

TEST_CASE("every fill of the light theme gets an outline that can be seen", "[widgets]") {
    const Palette& light = palette(ThemeName::Light);
    for (const Hue& hue : {light.k, light.v, light.request[0], light.request[1], light.request[2],
                           light.loss, light.cached}) {
        const auto edge = needed_outline(light, hue.fill);
        REQUIRE(edge);
        CHECK(contrast(*edge, light.panel) >= 3);
    }
    CHECK(needed_outline(light, light.line) == light.text3);
    CHECK_FALSE(needed_outline(light, light.text));
    for (ThemeName theme : {ThemeName::Dark, ThemeName::Contrast})
        CHECK_FALSE(needed_outline(palette(theme), palette(theme).k.fill));
}
