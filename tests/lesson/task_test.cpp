// Tasks that are done in the tank: read, carried out on scenes, graded, and found broken.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/lesson/tasks/changes.hpp"
#include "core/lesson/tasks/deed.hpp"
#include "tests/lesson/small_lesson.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

// A, five tokens and eight new ones in blocks of four, ends with four blocks: 12 stored tokens need
// three, so a pool of three is enough and one of two is not.
const std::string kDo =
    "\n> do: Let A end in a pool of {3} blocks.\n> reach: A has ended = A.finish == \"length\"\n"
    "> reach: the pool has {3} blocks = pool.blocks == 3\n> when: end\n> within: 20\n"
    "> allow: set pool, pause\n> hint: Count its blocks\n> at the end.\n"
    "> why: It stored {A.stored} tokens.\n> solution: run.set pool 3blocks\n"
    "> wrong: run.set pool 2blocks\n> wrong: run.goto 2 ; run.do pause A\n";
const std::string kChallenge =
    "\n> challenge: Use as few blocks as you can.\n> reach: A has ended = A.finish == \"length\"\n"
    "> within: 20\n> allow: set pool\n> hint: How many does it fill?\n> why: {pool.blocks}.\n"
    "> score: blocks of the pool = pool.blocks\n> better: lower\n> solution: run.set pool 3blocks\n"
    "> wrong: run.set pool 2blocks\n> other: run.set pool 4blocks\n";

std::string task_refusal_of(const std::string& task) {
    try {
        parse_lesson(kFront + kStep + task, "x/lesson.md");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::vector<std::string> broken_with(Stand& stand, const std::string& task) {
    const Lesson one = stand.lesson(kStep + task);
    return stand.player.broken_tasks(one, one.steps[0]);
}

TankDeed deed_of(const std::string& words) {
    std::string why;
    const auto deed = parse_deed(words, why);
    INFO(words << " " << why);
    REQUIRE(deed);
    return *deed;
}

GradedTask graded_after(Stand& stand, const Lesson& one, std::size_t task,
                        const std::vector<std::string>& words) {
    std::vector<TankDeed> deeds;
    for (const std::string& text : words) deeds.push_back(deed_of(text));
    const LessonStep& step = one.steps[0];
    return stand.player.grade_task(
        one, step, step.tasks[task],
        stand.player.after_deeds(one, step, step.tasks[task], deeds).scene);
}

}  // namespace

TEST_CASE("a task is read with its conditions, what it allows and what solves it", "[lesson]") {
    const Lesson lesson = parse_lesson(kFront + kStep + kDo + kChallenge + kDo, "x/lesson.md");
    REQUIRE(lesson.steps[0].tasks.size() == 3);
    const LessonTask& task = lesson.steps[0].tasks[0];
    CHECK(task.id == "3.t1");
    CHECK(lesson.steps[0].tasks[1].id == "3.c1");
    CHECK(lesson.steps[0].tasks[2].id == "3.t2");
    CHECK(task.at_end);
    CHECK(task.within == 20);
    CHECK(task.allow == std::vector<std::string>{"set pool", "pause"});
    REQUIRE(task.reach.size() == 2);
    CHECK(task.reach[1].means.text == "pool.blocks == 3");
    REQUIRE(task.wrong.size() == 2);
    CHECK(task.wrong[1].size() == 2);
    CHECK(task.wrong[1][0].iteration == 2);
    CHECK(lesson.steps[0].tasks[1].lower_is_better);
    // The prediction of the step is one still.
    CHECK(lesson.steps[0].predictions.size() == 1);
}

TEST_CASE("what is wrong with a task is said with file, line and rule", "[lesson]") {
    struct Spoilt {
        std::string from, to, rule;
    };
    const std::vector<Spoilt> all{
        {"{3} blocks.\n", "3 blocks.\n", "the typed quantity \"3\""},
        {"A has ended = ", "A has ended: ", "without its words"},
        {"> when: end", "> when: soon", "write sometime or end"},
        {"> within: 20", "> within: 0", "smaller than 1"},
        {"> within: 20\n", "", "without its \"within\""},
        {"> allow: set pool, pause\n", "", "without its \"allow\""},
        {"set pool, pause", "set pond", "allows \"set pond\", which is no change"},
        {"> hint: Count its blocks\n> at the end.\n", "", "without its \"hint\""},
        {"> solution: run.set pool 3blocks\n", "", "without its \"solution\""},
        {"> solution: run.set pool 3blocks", "> solution: run.dance A",
         "is no command of the tank"},
        {"run.do pause A", "run.do pause", "has not the form pause REQUEST"},
        {"run.goto 2", "run.goto soon", "names an iteration that"},
        {"> hint: Count", "> bint: Count", "in a task; write one of do, challenge"},
        {"> when: end", "> better: lower", "has a score in a task that is done or not"},
    };
    for (const Spoilt& one : all) {
        const std::string said = task_refusal_of(with(kDo, one.from, one.to));
        INFO(one.from << " -> " << one.to << ": " << said);
        CHECK_THAT(said, ContainsSubstring(one.rule));
        CHECK(said.starts_with("x/lesson.md:"));
    }
    CHECK_THAT(task_refusal_of(with(kChallenge, "> better: lower\n", "")),
               ContainsSubstring("without its \"better\""));
}

TEST_CASE("deeds leave the scene that the window would hold", "[lesson]") {
    TankScene tank{parse_scene(kScene, "run"), 0};
    CHECK(carry_out(deed_of("run.set pool 4blocks"), tank).empty());
    CHECK(tank.scene.settings.pool.blocks == 4);
    CHECK(carry_out(deed_of("run.goto 5"), tank).empty());
    CHECK(carry_out(deed_of("run.fork A"), tank).empty());
    CHECK(carry_out(deed_of("run.goto 3"), tank).empty());
    // Told in the past: what was told behind it is another future.
    CHECK(carry_out(deed_of("run.do pause A"), tank).empty());
    REQUIRE(tank.scene.commands.size() == 1);
    CHECK(tank.scene.commands[0].at == 3);
    CHECK(print(tank.scene.commands[0].command) == "pause A");
    CHECK(carry_out(deed_of("run.add Tom"), tank).empty());
    CHECK(print(tank.scene.commands[1].command) == "add B Tom");
    CHECK_THAT(carry_out(deed_of("run.do stop Z"), tank),
               ContainsSubstring("no request is called"));
    CHECK_THAT(carry_out(deed_of("run.set pool some"), tank), ContainsSubstring("pool some"));
}

TEST_CASE("every difference of two scenes has a name, and a task allows some", "[lesson]") {
    const Scene start = parse_scene(kScene, "run");
    const auto kinds = [&](const std::vector<std::string>& words) {
        TankScene tank{start, 0};
        for (const std::string& one : words) REQUIRE(carry_out(deed_of(one), tank).empty());
        std::string all;
        for (const SceneDifference& d : differences_of(start, tank.scene)) all += d.kind + ";";
        return all;
    };
    CHECK(kinds({}).empty());
    CHECK(kinds({"run.set pool 4blocks", "run.set pool 8blocks"}).empty());
    CHECK(kinds({"run.set pool 4blocks", "run.model mqa"}) == "model;set pool;");
    CHECK(kinds({"run.do set share off", "run.fork A", "run.do clear"}) == "set share;fork;clear;");
    Scene looked = start;
    looked.view = "{\"focus\":\"A\"}", looked.layout = "explore", looked.step = 4;
    CHECK(differences_of(start, looked).empty());
    Scene other = start;
    other.requests[0].max_new = 9;
    CHECK_THAT(forbidden_change(start, other, {"add"}), ContainsSubstring("other requests"));
    other = start;
    other.settings.block_size = 2;
    CHECK(forbidden_change(start, other, {"set block_size"}).empty());
    CHECK(forbidden_change(start, other, {"set pool", "add"}) ==
          "changes the setting block_size, and this task allows only: set pool, add");
    // The free list loses the ids that a smaller pool has not.
    Scene listed = start, smaller = start;
    listed.settings.free_list = {7, 2, 1}, smaller.settings.free_list = {2, 1};
    CHECK(differences_of(listed, smaller).empty());
    CHECK(differences_of(smaller, listed).size() == 1);
}

TEST_CASE("a task is graded from the state, at one moment or at the end", "[lesson]") {
    Stand stand;
    const Lesson one = stand.lesson(kStep + kDo + kChallenge);
    const GradedTask nothing = graded_after(stand, one, 0, {});
    CHECK_FALSE(nothing.is_done());
    CHECK(nothing.grade.ended);
    const GradedTask done = graded_after(stand, one, 0, {"run.set pool 3blocks"});
    CHECK(done.refused.empty());
    REQUIRE(done.is_done());
    // Eight new tokens: one with the prompt, seven after it.
    CHECK(*done.grade.done == 8);
    CHECK(plain_line(done.why) == "It stored 12 tokens.");
    REQUIRE(done.grade.at(3) != nullptr);
    CHECK_FALSE(done.grade.at(3)->conditions[0].holds);
    CHECK(done.grade.at(3)->conditions[1].holds);
    CHECK(done.grade.at(3)->conditions[1].now == "3");
    const GradedTask forbidden = graded_after(stand, one, 0, {"run.set block_size 2"});
    CHECK(forbidden.refused ==
          "The scene changes the setting block_size, and this task allows only: set pool, pause.");
    // A run that waits for ever has no end.
    CHECK_FALSE(graded_after(stand, one, 0, {"run.goto 2", "run.do pause A"}).grade.ended);

    const GradedTask best = graded_after(stand, one, 1, {"run.set pool 3blocks"});
    CHECK(best.score == "3");
    CHECK(graded_after(stand, one, 1, {}).score == "8");
    CHECK(graded_after(stand, one, 1, {"run.set pool 2blocks"}).score.empty());
    CHECK_THAT(graded_after(stand, one, 1, {"run.set pool 8000000blocks"}).refused,
               ContainsSubstring("make it smaller"));
}

TEST_CASE("a task that is at fault is found", "[lesson]") {
    Stand stand;
    CHECK(broken_with(stand, kDo + kChallenge).empty());
    struct Fault {
        std::string task, from, to, says;
    };
    const std::vector<Fault> all{
        {kDo, "pool.blocks == 3", "pool.blocks >= 3", "is done before anything is"},
        {kDo, "solution: run.set pool 3blocks", "solution: run.set pool 4blocks",
         "pool.blocks == 3 does not hold (4)"},
        {kDo, "solution: run.set pool 3blocks", "solution: run.set block_size 2",
         "is not solved by its solution: The scene changes"},
        {kDo, "wrong: run.set pool 2blocks", "wrong: run.set pool 3blocks", "as right"},
        {kDo, "within: 20", "within: 5", "does not end within 5 iterations"},
        {kChallenge, "better: lower", "better: higher", "no better than doing nothing"},
        {kChallenge, "other: run.set pool 4blocks", "other: run.set pool 3blocks",
         "as good as its best"},
        {kChallenge, "other: run.set pool 4blocks", "other: run.set pool 2blocks",
         "which does not do it"},
        {kChallenge, "pool.blocks == ", "pool.blocks == ", ""},
    };
    for (const Fault& one : all) {
        const auto broken = broken_with(stand, with(one.task, one.from, one.to));
        INFO(one.from << " -> " << one.to);
        if (one.says.empty()) {
            CHECK(broken.empty());
            continue;
        }
        REQUIRE(broken.size() >= 1);
        CHECK_THAT(broken[0], ContainsSubstring(one.says));
        CHECK_THAT(broken[0], ContainsSubstring("lesson.md:"));
    }
}

TEST_CASE("the address of a token whose request has ended is refused", "[lesson]") {
    Stand stand;
    CHECK_THAT(stand.refusal("\n## first: One\n\nscene: run.kvscene\nat: end\n\nAt "
                             "{address(\"A\", 2, 0, \"k\", 0)}.\n"),
               ContainsSubstring("asks for a token whose block is gone"));
}

TEST_CASE("a task is read with its conditions and the rule of its score", "[lesson]") {
    Stand stand;
    const Lesson one = stand.lesson(kStep + kDo + kChallenge);
    const ShownStep shown = stand.player.shown_step(one, one.steps[0]);
    REQUIRE(shown.tasks.size() == 2);
    CHECK(plain_text(whole_task(shown.tasks[0])) ==
          "Let A end in a pool of 3 blocks.\n\n- A has ended\n- the pool has 3 blocks\n");
    CHECK_THAT(plain_text(whole_task(shown.tasks[1])),
               ContainsSubstring("- Score: blocks of the pool, lower is better"));
    CHECK(plain_line(shown.tasks[0].hint) == "Count its blocks at the end.");
}
