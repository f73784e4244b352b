// The strip over the tank while a task is done: where its parts stand, and what it says and shows.
#include <catch2/catch_test_macros.hpp>

#include "app/cli/screen/screen.hpp"
#include "app/frame/task/strip.hpp"
#include "tests/app/seen.hpp"

using namespace kv;
using namespace kv::test;

TEST_CASE("the strip of a task puts its parts side by side, or under each other", "[task_strip]") {
    TaskStripNeeds needs{.width = 1912,
                         .unit = 1,
                         .buttons = 400,
                         .button_height = 26,
                         .task_height = [](float) { return 60.0f; },
                         .conditions_height = [](float) { return 80.0f; }};
    const TaskStripPlan wide = plan_task_strip(needs);
    CHECK(wide.task.y == wide.conditions.y);
    CHECK(wide.task.right() < wide.conditions.x);
    CHECK(wide.conditions.right() < wide.buttons.x);
    CHECK(wide.buttons.right() <= needs.width);
    CHECK(wide.height == 80 + 2 * wide.task.y);
    needs.width = 900;
    const TaskStripPlan narrow = plan_task_strip(needs);
    CHECK(narrow.task.bottom() < narrow.conditions.y);
    CHECK(narrow.conditions.bottom() < narrow.buttons.y);
    CHECK(narrow.height > narrow.buttons.bottom());
    // Twice the pixels: twice the room.
    needs = {.width = 3824,
             .unit = 2,
             .buttons = 800,
             .button_height = 52,
             .task_height = [](float) { return 120.0f; },
             .conditions_height = [](float) { return 160.0f; }};
    CHECK(plan_task_strip(needs).height == 2 * wide.height);
}

TEST_CASE("a task stays in sight above the tank at every size, and not beside its text",
          "[task_strip]") {
    for (const PixelSize size : {PixelSize{1920, 1080}, {1280, 720}, {640, 480}}) {
        Screen screen(open_null(size), AppState(), Texts());
        const auto ask = [&](const std::string& words) {
            std::string why;
            const auto command = parse_command(words, why);
            REQUIRE(command);
            apply_or_explain(screen.frame().state(), *command);
            screen.finish_run();
        };
        const auto written = [&] {
            std::vector<WrittenText> all;
            for (int i = 0; i < 3; ++i) all.clear(), screen.draw(false, 1, &all);
            return all;
        };
        ask("lesson.open 8:tank");
        ask("task.open 8.t1");
        CHECK(screen.frame().state().layout == LayoutName::Explore);
        CHECK(says(written(), "Give up"));
        CHECK(screen.frame().state().task_strip > 0);
        ask("task.hint");
        CHECK(says(written(), "arrives last"));
        ask("task.give_up");
        CHECK(says(written(), "A solution, done in step"));
        ask("layout.learn");
        written();
        CHECK(screen.frame().state().task_strip == 0);
        ask("layout.explore");
        ask("task.leave");
        CHECK_FALSE(says(written(), "Give up"));
    }
}
