#include "app/frame/start/plan.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "tests/app/seen.hpp"

using namespace kv;
using test::overlap;

namespace {

// Texts of about the length of the English ones: 0.46 of the size is a letter.
StartNeeds needs(Vec2 window) {
    return {.window = window,
            .height_of =
                [](StartText text, float size, float width) {
                    constexpr std::array kLetters{48.0f, 226.0f, 86.0f, 84.0f,
                                                  58.0f, 104.0f, 84.0f};
                    const float all = kLetters[static_cast<std::size_t>(text)] * size * 0.46f;
                    return std::ceil(all / width) * start_pitch(text, size);
                },
            .comfort = {272, 236, 120}};
}

std::vector<Rect> parts_of(const StartPlan& plan) {
    std::vector<Rect> parts{plan.title, plan.why, plan.escape};
    for (const DoorPlan& door : plan.doors) parts.push_back(door.box);
    for (const Rect& item : plan.comfort) parts.push_back(item);
    if (plan.picture) parts.push_back(*plan.picture);
    return parts;
}

void check_apart(const StartPlan& plan) {
    const std::vector<Rect> parts = parts_of(plan);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        INFO("part " << i);
        CHECK(parts[i].x >= plan.panel.x);
        CHECK(parts[i].right() <= plan.panel.right());
        CHECK(parts[i].bottom() <= plan.panel.y + plan.height);
        for (std::size_t k = i + 1; k < parts.size(); ++k) {
            INFO("and part " << k);
            CHECK_FALSE(overlap(parts[i], parts[k]));
        }
    }
    const Rect& own = plan.doors[2].box;
    for (const Rect& inner : {plan.field, plan.run, plan.hint}) {
        CHECK(inner.x >= own.x);
        CHECK(inner.right() <= own.right());
        CHECK(inner.y >= plan.doors[2].words.bottom());
        CHECK(inner.bottom() <= own.bottom());
    }
    CHECK_FALSE(overlap(plan.field, plan.run));
}

}  // namespace

TEST_CASE("a full window has the doors at the left and the picture beside them", "[start]") {
    const StartPlan plan = plan_start(needs({1920, 1080}));
    CHECK(plan.arrangement == StartArrangement::Beside);
    check_apart(plan);
    CHECK(plan.height <= plan.panel.h);  // nothing is scrolled
    CHECK(plan.title_size == 46);
    for (const DoorPlan& door : plan.doors) {
        CHECK(door.box.x == 112);
        CHECK(door.box.w == 700);
        CHECK(door.thumb.has_value());
    }
    CHECK(plan.doors[0].box.h == 112);
    CHECK(plan.doors[1].box.y - plan.doors[0].box.bottom() == 20);
    REQUIRE(plan.picture);
    CHECK(plan.picture->x == 936);
    for (const Rect& item : plan.comfort) CHECK(item.h == 26);
}

TEST_CASE("at 1600 the picture is still beside the doors", "[start]") {
    for (const float height : {900.0f, 1000.0f, 1200.0f}) {
        const StartPlan plan = plan_start(needs({1600, height}));
        CHECK(plan.arrangement == StartArrangement::Beside);
        check_apart(plan);
        CHECK(plan.height <= plan.panel.h);
        CHECK(plan.picture->w > 700);
    }
}

TEST_CASE("below 1600 the picture goes under the sentences, at half the height", "[start]") {
    for (const Vec2 window : {Vec2{1280, 720}, Vec2{1440, 900}, Vec2{1599, 899}}) {
        const StartPlan plan = plan_start(needs(window));
        CHECK(plan.arrangement == StartArrangement::Under);
        check_apart(plan);
        CHECK(plan.height <= plan.panel.h + 1);
        REQUIRE(plan.picture);
        CHECK(plan.picture->y >= plan.why.bottom());
        CHECK(plan.picture->bottom() <= plan.doors[0].box.y);
        CHECK(plan.doors[0].box.y == plan.doors[2].box.y);
    }
}

TEST_CASE("below 1280 there is no picture, and all three doors", "[start]") {
    // 1920 x 1080 and 1280 x 720 with the largest text, and a low wide window.
    for (const Vec2 window : {Vec2{1279, 720}, Vec2{640, 360}, Vec2{426, 240}, Vec2{1300, 380}}) {
        const StartPlan plan = plan_start(needs(window));
        CHECK(plan.arrangement == StartArrangement::Alone);
        check_apart(plan);
        CHECK_FALSE(plan.picture);
        for (const DoorPlan& door : plan.doors) CHECK(door.box.h > 30);
    }
}

TEST_CASE(
    "a window too low for the picture leaves nothing behind of the arrangement that did not fit",
    "[start]") {
    const StartPlan plan = plan_start(needs({1280, 540}));
    CHECK(plan.arrangement == StartArrangement::Alone);
    for (const DoorPlan& door : plan.doors) CHECK_FALSE(door.thumb);
}
