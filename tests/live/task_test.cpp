// A task in the tank, without a window: it is begun, refused, done, begun again and given up.
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>

#include "core/lesson/tasks/changes.hpp"
#include "tests/live/desk.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

const char* const kTaskLesson = R"(---
number: 1
title: A small lesson
minutes: 5
objective: Count the blocks.
leaves out: All but the blocks.
---

## first: What is there

scene: small.kvscene
at: 1

Do it.

> do: Give the pool {3} blocks, and pause A while it stores six tokens.
> reach: the pool has {3} blocks = pool.blocks == 3
> reach: A is paused = A.state == "paused"
> reach: A stores six tokens = A.stored == 6
> within: 12
> allow: set pool, pause
> hint: A stores one token a step.
> why: It was paused with {A.stored} tokens.
> solution: run.set pool 3blocks ; run.goto 2 ; run.do pause A

> challenge: Use as few blocks as you can.
> reach: A has ended = A.finish == "length"
> within: 12
> score: blocks = pool.blocks
> better: lower
> allow: set pool
> hint: How many does it fill?
> why: {pool.blocks} blocks.
> solution: run.set pool 2blocks

## second: The end

Nothing.
)";

const char* const kTaskScene = R"({"version":1,"name":"small","seed":1,"model":{"name":"gqa"},
 "settings":{"block_size":4,"pool":"16blocks","backend":"reference"},
 "requests":[{"id":"A","arrive":0,"prompt":"Mia put the key","max_new":4}]})";

// A window with one lesson, and a folder that keeps what was done.
struct TaskTank {
    ScratchFolder folder;
    AppState state;
    std::unique_ptr<LiveRun> run;

    TaskTank() {
        fs::create_directories(folder.path() / "lessons/01-small");
        std::ofstream(folder.path() / "lessons/01-small/lesson.md") << kTaskLesson;
        std::ofstream(folder.path() / "lessons/01-small/small.kvscene") << kTaskScene;
        come_back();
    }
    void come_back() {
        state = AppState();
        run = std::make_unique<LiveRun>(
            RunPlaces{[](const std::string& scene) { return shipped("scenes", scene, ".kvscene"); },
                      [](const std::string& model) { return shipped("models", model, ""); },
                      [this] { return (folder.path() / "lessons").string(); },
                      (folder.path() / "state/lessons.json").string()},
            std::function<void()>());
        ask("lesson.open 1");
    }
    void ask(const std::string& words) {
        std::string why;
        const auto command = parse_command(words, why);
        INFO(words << " " << why);
        REQUIRE(command);
        state.notice.reset();
        apply_or_explain(state, *command);
        try {
            run->finish(state);
        } catch (const Error& refused) {
            state.notice = Notice{.said = said_of(refused), .refused = true};
        }
    }
    std::string said() const { return state.notice ? state.notice->said.english() : ""; }
    const TaskView& task() const {
        REQUIRE(run->lesson().task);
        return *run->lesson().task;
    }
    std::string ticks() const {
        std::string all;
        for (const TaskCondition& c : task().conditions) all += c.holds ? 'x' : '.';
        return all;
    }
};

}  // namespace

TEST_CASE("a task opens its scene in Explore, and is done when the cursor has seen it", "[task]") {
    TaskTank tank;
    REQUIRE(tank.run->lesson().tasks.size() == 2);
    tank.ask("task.open 1.t1");
    CHECK(tank.state.layout == LayoutName::Explore);
    CHECK(tank.run->view()->now.iteration == 0);
    CHECK(tank.ticks() == "...");
    CHECK(tank.state.run.lesson.in_tank);
    tank.ask("run.set pool 3blocks");
    CHECK(tank.ticks() == "x..");
    CHECK(tank.task().conditions[0].now == "3");
    tank.ask("run.goto 2");
    CHECK(tank.ticks() == "x.x");
    CHECK_FALSE(tank.task().done);
    tank.ask("run.do pause A");
    CHECK(tank.ticks() == "xxx");
    CHECK(tank.task().done);
    CHECK(tank.task().done_at == 2);
    CHECK(tank.task().why == "It was paused with 6 tokens.");
    // It stays done wherever the cursor goes, and from start to start.
    tank.ask("run.goto 1");
    CHECK(tank.task().done);
    tank.ask("task.leave");
    CHECK(tank.state.layout == LayoutName::Learn);
    CHECK_FALSE(tank.run->lesson().task);
    CHECK(tank.run->lesson().tasks[0].record.done);
    CHECK(tank.run->scene()->settings.pool.blocks == 16);
    tank.come_back();
    CHECK(tank.run->lesson().tasks[0].record.done);
    CHECK_FALSE(tank.run->lesson().tasks[1].record.done);
}

TEST_CASE("a task refuses what it does not allow in a sentence, and leaves the run as it is",
          "[task]") {
    TaskTank tank;
    tank.ask("task.open");
    CHECK(tank.task().task.id == "1.t1");
    tank.ask("run.set block_size 2");
    CHECK_THAT(tank.said(), ContainsSubstring("changes the setting block_size"));
    CHECK_THAT(tank.said(), ContainsSubstring("allows only: set pool, pause"));
    CHECK(tank.run->scene()->settings.block_size == 4);
    tank.ask("run.add Tom");
    CHECK_THAT(tank.said(), ContainsSubstring("add B Tom"));
    tank.ask("run.model mqa");
    CHECK_THAT(tank.said(), ContainsSubstring("plays the model mqa"));
    CHECK(tank.run->scene()->model == "gqa");
    CHECK(tank.run->scene()->commands.empty());
    // What is allowed can be taken back and begun anew.
    tank.ask("run.set pool 3blocks");
    CHECK(tank.said().empty());
    tank.ask("task.hint");
    CHECK(tank.task().hinted);
    tank.ask("task.reset");
    CHECK(tank.run->scene()->settings.pool.blocks == 16);
    CHECK(tank.ticks() == "...");
}

TEST_CASE("whoever gives up is shown a solution, which counts for nobody", "[task]") {
    TaskTank tank;
    tank.ask("task.open 1.t1");
    tank.ask("task.give_up");
    CHECK(tank.task().gave_up);
    CHECK(tank.ticks() == "xxx");
    CHECK(tank.task().done);
    CHECK(tank.run->view()->now.iteration == 2);
    CHECK_FALSE(tank.task().record.done);
    tank.ask("task.reset");
    CHECK_FALSE(tank.task().done);
    CHECK_FALSE(tank.task().gave_up);
    tank.ask("task.leave");
    CHECK_FALSE(tank.run->lesson().tasks[0].record.done);
}

TEST_CASE("a challenge has a score, an own best, and then the best that is known", "[task]") {
    TaskTank tank;
    tank.ask("task.open 1.c1");
    tank.ask("run.set pool 4blocks");
    CHECK(tank.task().score.empty());
    CHECK(tank.task().best.empty());
    tank.ask("run.last");
    CHECK(tank.task().done);
    CHECK(tank.task().score == "4");
    CHECK(tank.task().record.shown == "4");
    CHECK(tank.task().best == "2");
    // Worse than before: the own best stays.
    tank.ask("run.set pool 9blocks");
    tank.ask("run.last");
    CHECK(tank.task().score == "9");
    CHECK(tank.task().record.shown == "4");
    tank.come_back();
    CHECK(tank.run->lesson().tasks[1].record.shown == "4");
}

TEST_CASE("the commands of a task name what they lack", "[task]") {
    TaskTank tank;
    tank.ask("task.hint");
    CHECK_THAT(tank.said(), ContainsSubstring("No task is under way"));
    tank.ask("task.open 1.t7");
    CHECK_THAT(tank.said(), ContainsSubstring("no task 1.t7"));
    tank.ask("lesson.next");
    tank.ask("task.open");
    CHECK_THAT(tank.said(), ContainsSubstring("has no task"));
}

TEST_CASE("another scene ends the task", "[task]") {
    TaskTank tank;
    tank.ask("task.open 1.t1");
    tank.ask("file.open_scene explore");
    CHECK_FALSE(tank.run->lesson().task);
    tank.ask("run.set block_size 8");
    CHECK(tank.said().find("allows only") == std::string::npos);
}
