#include "app/frame/minute/plan.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

using namespace kv;

namespace {

float area(const List<Rect>& rects) {
    float sum = 0;
    for (const Rect& r : rects) sum += r.w * r.h;
    return sum;
}

CardPlan card_of(const Rect& window, List<Rect> lit, float unit = 1) {
    return plan_card({.area = window,
                      .lit = std::move(lit),
                      .unit = unit,
                      // 160,000 square pixels of words, so that a narrow card is a high one
                      .height_of = [unit](float w) { return 160'000 * unit * unit / w; }});
}

}  // namespace

TEST_CASE("the cover is the window without its holes, once each", "[minute]") {
    const Rect window{0, 0, 100, 60};
    CHECK(cover_around(window, {}) == List<Rect>{window});
    const List<Rect> holes{{10, 10, 20, 10}, {20, 15, 30, 20}, {90, 50, 40, 40}};
    const List<Rect> cover = cover_around(window, holes);
    // 200 and 600 share 10 by 5; of the third hole 10 by 10 lie in the window
    CHECK(area(cover) == 6000 - (200 + 600 - 50) - 100);
    for (std::size_t i = 0; i < cover.size(); ++i) {
        for (const Rect& hole : holes) CHECK_FALSE(have_common_area(cover[i], hole));
        for (std::size_t k = 0; k < i; ++k) CHECK_FALSE(have_common_area(cover[i], cover[k]));
    }
}

TEST_CASE("a hole over the whole window leaves no cover", "[minute]") {
    CHECK(cover_around({0, 0, 100, 60}, List<Rect>{{-5, -5, 200, 200}}).empty());
}

TEST_CASE("the card stands beside the last part, and its pointer looks at it", "[minute]") {
    const Rect part{500, 480, 60, 60};
    const CardPlan plan = card_of({0, 0, 1920, 1080}, {{300, 100, 900, 40}, part});
    CHECK_FALSE(have_common_area(plan.box, part));
    CHECK(plan.box.w == 520);
    REQUIRE(plan.pointer);
    // Below it: the tip lies between the two.
    CHECK(plan.box.y > part.bottom());
    CHECK(plan.pointer->from.y == plan.box.y);
    CHECK(plan.pointer->tip.y < plan.box.y);
    CHECK(plan.pointer->tip.y > part.bottom());
    CHECK(plan.pointer->tip.x >= part.x);
    CHECK(plan.pointer->tip.x <= part.right());
}

TEST_CASE("a card that would lie over a part becomes narrower", "[minute]") {
    // 480 are left beside two columns that are lit
    const Rect left{0, 0, 400, 720}, right{880, 0, 400, 720};
    const CardPlan plan = card_of({0, 0, 1280, 720}, {left, right});
    CHECK(plan.box.w < 460);
    CHECK_FALSE(have_common_area(plan.box, left));
    CHECK_FALSE(have_common_area(plan.box, right));
}

TEST_CASE("where everything is lit the card stays in the window", "[minute]") {
    for (const float unit : {0.8f, 1.0f, 2.0f, 3.0f}) {
        const Rect window{0, 0, 1280, 720};
        const CardPlan plan = card_of(window, {window}, unit);
        CHECK(plan.box.x >= 0);
        CHECK(plan.box.y >= 0);
        CHECK(plan.box.right() <= window.w);
        CHECK(plan.box.bottom() <= window.h);
    }
}

TEST_CASE("without a lit part the card has no pointer", "[minute]") {
    const CardPlan plan = card_of({0, 0, 1280, 720}, {});
    CHECK_FALSE(plan.pointer);
    CHECK(std::abs(plan.box.center().x - 640) < 8);
}
