// Lesson 14 in a recorded hour: opened by its steps, gone through, and its task done by the
// commands of the palette.
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/live/desk.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;

namespace {

const ServerView& server_of(const Desk& desk) {
    REQUIRE(desk.state.attach.view != nullptr);
    return *desk.state.attach.view;
}

double time_of(const Desk& desk) {
    const TankPicture& tank = server_of(desk).tank;
    return tank.now_s - tank.start_s;
}

bool brings(const Desk& desk, PanelId panel) {
    const auto& front = desk.state.bring_to_front;
    return std::find(front.begin(), front.end(), panel) != front.end();
}

}  // namespace

TEST_CASE("a step opens its recording at its time, and plays it to where it ends",
          "[lesson][recording]") {
    Desk desk;
    desk.ask("lesson.open 14:hour");
    CHECK(desk.state.layout == LayoutName::Learn);
    CHECK(desk.state.docks() == LayoutName::Recorded);
    CHECK(brings(desk, PanelId::AttachCharts));
    CHECK(server_of(desk).phase == AttachPhase::Recorded);
    CHECK(server_of(desk).address == "service:pool=1200");
    CHECK(time_of(desk) > 200);
    CHECK(time_of(desk) <= 240);
    CHECK_FALSE(server_of(desk).live);
    desk.ask("lesson.go_on");
    CHECK(server_of(desk).live);
    CHECK(time_of(desk) > 3500);
    // The next step stands in the same recording, which is not read again.
    const auto before = server_of(desk).tank.log.size();
    desk.ask("lesson.open 14:sick");
    CHECK(brings(desk, PanelId::AttachLost));
    CHECK(server_of(desk).tank.log.size() == before);
    // The whole of it is one key away, and so is the way back.
    desk.ask("layout.attach");
    CHECK(desk.state.docks() == LayoutName::Attach);
    desk.ask("layout.learn");
    CHECK(desk.state.docks() == LayoutName::Recorded);
    desk.ask("panel.show attach_ages");
    CHECK(desk.state.docks() == LayoutName::Recorded);
    // A step with a scene has its run again.
    desk.ask("lesson.open 14:matrix");
    CHECK(desk.state.docks() == LayoutName::Figure);
    CHECK_FALSE(desk.state.run.lesson.recording);
}

TEST_CASE("the cure of the recorded hour is done in What if, by the palette",
          "[lesson][recording][heavy]") {
    Desk desk;
    desk.ask("lesson.open 14:cure");
    CHECK(desk.state.whatif.ask.file == "service:pool=1200");
    REQUIRE(desk.state.whatif.weighed);
    const auto& tasks = desk.run.lesson().tasks;
    REQUIRE(tasks.size() == 1);
    CHECK(tasks[0].task.id == "14.t7");
    desk.ask("task.open 14.t7");
    CHECK(desk.state.docks() == LayoutName::WhatIf);
    CHECK(desk.state.run.lesson.in_tank);
    const auto task = [&]() -> const TaskView& { return *desk.run.lesson().task; };
    REQUIRE(desk.run.lesson().task);
    CHECK_FALSE(task().done);
    CHECK(task().conditions[0].holds);        // the 64 GiB that are asked first find all of it
    CHECK_FALSE(task().conditions[1].holds);  // and are more than is needed
    desk.ask("whatif.host 8");
    CHECK_FALSE(task().done);
    CHECK_FALSE(task().conditions[0].holds);
    desk.ask("whatif.codec int4");
    CHECK_THAT(task().refused, ContainsSubstring("whatif.codec"));
    desk.ask("whatif.codec int8");
    desk.ask("whatif.host 16");
    CHECK(task().refused.empty());
    CHECK(task().done);
    CHECK_THAT(task().why, ContainsSubstring("16 GiB"));
    CHECK(desk.run.lesson().tasks[0].record.done);
    desk.ask("task.reset");
    CHECK(desk.state.whatif.ask.host_bytes == u64{64} << 30);
    CHECK_FALSE(task().done);
    desk.ask("task.give_up");
    CHECK(desk.state.whatif.ask.host_bytes == u64{16} << 30);
    CHECK(task().done);
    CHECK(task().gave_up);
    desk.ask("task.leave");
    CHECK_FALSE(desk.run.lesson().task);
    CHECK(desk.state.layout == LayoutName::Learn);
}

TEST_CASE("another model or another record is no answer to the task",
          "[lesson][recording][heavy]") {
    Desk desk;
    desk.ask("lesson.open 14:cure");
    desk.ask("task.open");
    desk.ask("whatif.model llama-3.1-70b");
    desk.ask("whatif.host 16");
    REQUIRE(desk.run.lesson().task);
    CHECK_FALSE(desk.run.lesson().task->done);
    CHECK_THAT(desk.run.lesson().task->refused, ContainsSubstring("the model"));
}
