#include "app/panels/present/bar.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace kv;

TEST_CASE("the bar leaves after three seconds without the mouse", "[present_bar]") {
    PresentBarUi own;
    follow_bar(own, false, 100);
    CHECK(own.shown);
    follow_bar(own, false, 102.9);
    CHECK(own.shown);
    follow_bar(own, false, 103);
    CHECK_FALSE(own.shown);
    follow_bar(own, true, 104);  // the mouse moved
    CHECK(own.shown);
    follow_bar(own, false, 107);
    CHECK_FALSE(own.shown);
    own.called = true;  // Esc
    follow_bar(own, false, 200);
    CHECK(own.shown);
    CHECK_FALSE(own.called);
}

TEST_CASE("the bar stands as it was designed", "[present_bar]") {
    const PresentBarPlan plan = plan_present_bar({0, 0, 1920, 1080}, 1, {104, 60, 180, 320}, 15);
    CHECK(plan.bar == Rect{0, 0, 1920, 40});
    CHECK(plan.leave.h == 26);
    CHECK(plan.keys.right() == 1908);
    CHECK(plan.with_title);
    CHECK(plan.with_marks);
    CHECK(plan.mark_pitch == 24);
    CHECK(plan.marks.center().x == 960);  // in the middle of the picture
}

TEST_CASE("marks and words of the bar yield before the way out and the page", "[present_bar]") {
    for (const float width : {100.0f, 300.0f, 480.0f, 640.0f, 800.0f, 1280.0f, 2560.0f})
        for (const float unit : {0.8f, 1.0f, 2.0f})
            for (const std::size_t pages : {0u, 1u, 15u, 200u}) {
                const PresentBarPlan plan =
                    plan_present_bar({0, 0, width, 720}, unit,
                                     {104 * unit, 60 * unit, 180 * unit, 320 * unit}, pages);
                INFO(width << " at " << unit << " with " << pages);
                float left = plan.leave.right();
                const auto stands_behind = [&](const Rect& part) {
                    CHECK(part.x >= left - 1);
                    left = part.right();
                };
                if (plan.with_title) stands_behind(plan.title);
                stands_behind(plan.page);
                if (plan.with_marks) stands_behind(plan.marks);
                if (plan.with_keys) stands_behind(plan.keys);
                if (plan.with_keys) CHECK(plan.keys.right() <= width);
                if (plan.with_marks) CHECK(plan.marks.right() <= width);
            }
}
