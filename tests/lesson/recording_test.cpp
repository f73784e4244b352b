// Steps that stand in a recording of a server: what they may name, their moments and names, and
// tasks over them.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/lesson/recording/place.hpp"
#include "core/whatif/record/made_up.hpp"
#include "tests/lesson/small_lesson.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

const std::string kName = "service:pool=400,seconds=900";
const std::string kRunStep = "## run: A run\n\nscene: run.kvscene\nat: 2\n\nIt runs.\n\n";
const std::string kHour = kRunStep + "## hour: An hour\n\nrecording: " + kName +
                          "\nat: 2:00\nto: end\npanels: attach_lost\n\n";
const std::string kTask =
    "> do: Find more.\n> allow: whatif.host\n"
    "> reach: more is found = whatif(host=asked.host).hit_rate > whatif().hit_rate + 0.02\n"
    "> reach: with little = asked.host < 4GiB\n"
    "> hint: A tier.\n> why: {asked.host}\n> solution: whatif.host 3\n> wrong: whatif.host 9\n";

std::string said_of(Stand& stand, const std::string& steps, std::size_t step = 1) {
    const Lesson one = stand.lesson(steps);
    return plain_line(stand.player.shown_step(one, one.steps[step]).text);
}

std::string refused(Stand& stand, const std::string& steps, std::size_t step = 1) {
    try {
        said_of(stand, steps, step);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::string recording_refusal(Stand& stand, const std::string& name) {
    return refused(stand, kRunStep + "## hour: An hour\n\nrecording: " + name + "\n\nWords.\n");
}

}  // namespace

TEST_CASE("a step names a file of its own folder, or what is made up, and nothing else",
          "[lesson][recording]") {
    Stand stand;
    for (const char* name :
         {"../hour.jsonl", "/etc/passwd", "/tmp/x.jsonl", "a/b.jsonl", "a\\b.jsonl", ".x.jsonl",
          "..jsonl", "hour.json", ".jsonl", "file:x.jsonl", "C:x.jsonl", "h\xc3\xb6ur.jsonl"}) {
        INFO(name);
        CHECK_THAT(recording_refusal(stand, name), ContainsSubstring("recording"));
        CHECK(recording_name_refusal(name));
    }
    CHECK_THAT(recording_refusal(stand, "../hour.jsonl"),
               ContainsSubstring("lesson.md:19: ") && ContainsSubstring("own folder"));
    CHECK_THAT(recording_refusal(stand, "service:pool=1"), ContainsSubstring("cannot be made up"));
    CHECK_THAT(recording_refusal(stand, "hour.jsonl"),
               ContainsSubstring("is not in the lesson's folder"));
    fs::create_directory(stand.folder + "/folder.jsonl");
    CHECK_THAT(recording_refusal(stand, "folder.jsonl"), ContainsSubstring("is not in"));
    const ScratchFolder elsewhere;
    std::ofstream(elsewhere.path() / "own.jsonl") << "{}\n";
    fs::create_symlink(elsewhere.path() / "own.jsonl", stand.folder + "/link.jsonl");
    CHECK_THAT(recording_refusal(stand, "link.jsonl"), ContainsSubstring("leaves the lesson's"));
    std::ofstream(stand.folder + "/empty.jsonl") << "{}\n";
    CHECK_THAT(recording_refusal(stand, "empty.jsonl"), ContainsSubstring("stores no block"));
}

TEST_CASE("a file beside the lesson says what the same recording says that is made up",
          "[lesson][recording]") {
    Stand stand;
    std::ofstream file(stand.folder + "/hour.jsonl");
    make_up(kName, {}, [&](std::string_view line) { file << line << '\n'; });
    file.close();
    const std::string words =
        "\nat: 5:00\n\n{server.stored} {server.removed} {server.again} {server.cached} "
        "{whatif().hits} {whatif(pool=800).hits} {recorded.knee}\n";
    const auto said = [&](const std::string& name) {
        return said_of(stand, kRunStep + "## hour: An hour\n\nrecording: " + name + words);
    };
    CHECK(said("hour.jsonl") == said(kName));
    CHECK_THAT(said(kName), !ContainsSubstring(" 0 "));
}

TEST_CASE("names are read where the step stands, and before and after it", "[lesson][recording]") {
    Stand stand;
    // Of a pool of 400 blocks 400 can be cached at most; the books of the tank and of the study
    // count the same removals.
    CHECK(said_of(stand,
                  kHour + "{server.pool} {server.cached <= server.pool} {server.time < 121s} "
                          "{server.cached + server.empty == server.pool}\n") == "400 yes yes yes");
    CHECK(said_of(stand, kHour + "{after(server.stored) > server.stored} "
                                 "{at(600s, server.stored) > server.stored} "
                                 "{after(server.stored) - after(server.removed) == "
                                 "after(server.cached)}\n") == "yes yes yes");
    CHECK(said_of(stand, kHour + "{whatif(pool=800).hit_rate > whatif().hit_rate} "
                                 "{recorded.without_end.again} {recorded.block_size} "
                                 "{whatif(pool=recorded.knee).hit_rate >= 0.95 * "
                                 "recorded.without_end.hit_rate}\n") == "yes 0 16 yes");
    CHECK_THAT(refused(stand, kHour + "{pool.used}\n"), ContainsSubstring("no recording has"));
    CHECK_THAT(refused(stand, kHour + "{asked.host}\n"), ContainsSubstring("no recording has"));
    CHECK_THAT(refused(stand, kHour + "{whatif(order=\"best\").hits}\n"),
               ContainsSubstring("knows no order"));
    CHECK_THAT(refused(stand, kHour + "{whatif(block_size=24).hits}\n"),
               ContainsSubstring("cannot cut"));
    CHECK_THAT(refused(stand, kHour + "{series(server.cached, 1, 2)}\n"),
               ContainsSubstring("looks at a run"));
    CHECK_THAT(refused(stand, kHour + "[this layer](layer:0)\n"),
               ContainsSubstring("where no scene runs"));
    CHECK_THAT(refused(stand, kRunStep + "{whatif().hits}\n", 0),
               ContainsSubstring("is no function"));
}

TEST_CASE("a moment of a recording is a time, and none of a scene", "[lesson][recording]") {
    Stand stand;
    const auto with = [&](const std::string& at) {
        return refused(stand, kRunStep + "## hour: An hour\n\nrecording: " + kName + "\nat: " + at +
                                  "\n\nWords.\n");
    };
    CHECK(with("0:00") == "");
    CHECK(with("14:30") == "");
    CHECK(with("start") == "");
    CHECK_THAT(with("90:00"), ContainsSubstring("a moment that its recording does not have"));
    CHECK_THAT(with("12"), ContainsSubstring("a moment that its recording does not have"));
    CHECK_THAT(with("1:60"), ContainsSubstring("has the moment"));
    CHECK_THAT(with("1:5"), ContainsSubstring("has the moment"));
    // What was played before has other moments, so a step without its own opens at the end.
    const Lesson one =
        stand.lesson(kHour + "Words.\n\n## more: More\n\nscene: run.kvscene\n\nX.\n");
    CHECK(one.steps[2].opens == LessonMoment());
    CHECK_FALSE(one.steps[2].recording);
    CHECK_FALSE(one.steps[1].scene);
    CHECK_THAT(refused(stand, kRunStep + "## x: X\n\nlayout: attach\n\nX.\n"),
               ContainsSubstring("without a recording"));
    CHECK_THAT(refused(stand, kRunStep + "## x: X\n\nat: 1:00\n\nX.\n"),
               ContainsSubstring("a moment"));
}

TEST_CASE("a task over a recording is graded from what is asked in What if",
          "[lesson][recording]") {
    Stand stand;
    const Lesson one = stand.lesson(kHour + "Words.\n\n" + kTask);
    const LessonStep& step = one.steps[1];
    CHECK(stand.player.broken_tasks(one, step) == std::vector<std::string>{});
    const auto graded = [&](const RecordingAsk& ask) {
        return stand.player.grade_task(one, step, step.tasks[0], ask);
    };
    CHECK_FALSE(graded({}).is_done());
    const GradedTask done = graded({.host_bytes = u64{3} << 30});
    CHECK(done.is_done());
    CHECK(plain_line(done.why) == "3 GiB");
    CHECK_FALSE(graded({.host_bytes = u64{9} << 30}).is_done());
    CHECK_THAT(graded({.codec = Codec::Int4, .host_bytes = u64{3} << 30}).refused,
               ContainsSubstring("changes whatif.codec") && ContainsSubstring("only: whatif.host"));
    CHECK_THAT(graded({.host_bytes = u64{3} << 30, .other_model = true}).refused,
               ContainsSubstring("the model"));
    const auto task_with = [&](const std::string& from, const std::string& to) {
        std::string task = kTask;
        task.replace(task.find(from), from.size(), to);
        return refused(stand, kHour + "Words.\n\n" + task);
    };
    CHECK_THAT(task_with("> solution: whatif.host 3", "> solution: run.set pool 9blocks"),
               ContainsSubstring("is no command over a recording"));
    CHECK_THAT(task_with("> solution: whatif.host 3", "> solution: whatif.host 0"),
               ContainsSubstring("names GiB that"));
    CHECK_THAT(task_with("> allow: whatif.host", "> allow: set pool"),
               ContainsSubstring("which is no change"));
    CHECK_THAT(task_with("> hint: A tier.", "> hint: A tier.\n> within: 3"),
               ContainsSubstring("in a task over a recording"));
    // Nothing that is wrong passes for right.
    const auto broken = [&](const std::string& from, const std::string& to) {
        std::string task = kTask;
        task.replace(task.find(from), from.size(), to);
        const Lesson spoilt = stand.lesson(kHour + "Words.\n\n" + task);
        const auto all = stand.player.broken_tasks(spoilt, spoilt.steps[1]);
        return all.empty() ? std::string() : all.front();
    };
    CHECK_THAT(broken("> solution: whatif.host 3", "> solution: whatif.host 8"),
               ContainsSubstring("is not solved by its solution"));
    CHECK_THAT(broken("> wrong: whatif.host 9", "> wrong: whatif.host 2"),
               ContainsSubstring("as right"));
    CHECK_THAT(broken("asked.host < 4GiB", "asked.host < 99GiB"),
               ContainsSubstring("is done before anything is"));
}
