// Tasks on the command line: shown with a lesson, asked for, and graded from a scene that was
// saved.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/files/json.hpp"
#include "tests/cli/run_cli.hpp"
#include "tests/places.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using TaskJson = nlohmann::json;

namespace {

// The scene that task 8.t1 starts with, with another pool.
std::string scene_with_pool(const std::string& pool) {
    TaskJson scene =
        TaskJson::parse(read_text(kv::test::source_dir() + "/lessons/08-pages/pages.kvscene"));
    scene["settings"]["pool"] = pool;
    return scene.dump();
}

TaskJson graded(const ScratchFolder& folder, const std::string& answers, int code) {
    const Ran ran =
        run_cli({"lessons", "--json", "--grade", folder.write("answers.json", answers)});
    CAPTURE(ran.err, ran.out);
    REQUIRE(ran.code == code);
    return TaskJson::parse(ran.out);
}

}  // namespace

TEST_CASE("a lesson shows its tasks with what solves them", "[lessons]") {
    const Ran shown = run_cli({"lessons", "--show", "8"});
    CHECK_THAT(shown.out, ContainsSubstring("Task 8.t1: "));
    CHECK_THAT(shown.out, ContainsSubstring("Solution: run.set pool 8blocks"));
    CHECK_THAT(shown.out, ContainsSubstring("Challenge 8.c1: "));
    CHECK_THAT(shown.out, ContainsSubstring("Best known, "));
    const Ran asked = run_cli({"lessons", "--ask", "8"});
    CHECK_THAT(asked.out, ContainsSubstring("Task 8.t1: "));
    CHECK_THAT(asked.out, ContainsSubstring("Allowed: set pool"));
    CHECK(asked.out.find("Solution") == std::string::npos);
}

TEST_CASE("a saved scene is graded as the answer to a task", "[lessons]") {
    const ScratchFolder folder;
    folder.write("good.kvscene", scene_with_pool("8blocks"));
    folder.write("bad.kvscene", scene_with_pool("9blocks"));
    folder.write(
        "forbidden.kvscene",
        std::string(scene_with_pool("8blocks"))
            .replace(scene_with_pool("8blocks").find("\"block_size\":4"), 14, "\"block_size\":8"));
    const TaskJson good = graded(folder, R"({"answers":{"8.t1":"good.kvscene"}})", 0);
    CHECK(good["points"] == 1);
    CHECK(good["of"] == 1);
    CHECK_THAT(good["items"][0]["note"].get<std::string>(), ContainsSubstring("are free"));
    const TaskJson bad = graded(folder, R"({"answers":{"8.t1":"bad.kvscene"}})", 3);
    CHECK(bad["items"][0]["ok"] == false);
    CHECK_THAT(bad["items"][0]["note"].get<std::string>(), ContainsSubstring("C waits"));
    const TaskJson forbidden = graded(folder, R"({"answers":{"8.t1":"forbidden.kvscene"}})", 3);
    CHECK_THAT(forbidden["items"][0]["note"].get<std::string>(),
               ContainsSubstring("changes the setting block_size"));
    // Beside exercises, and a challenge that nobody has worked at.
    folder.write("untouched.kvscene", scene_with_pool("12blocks"));
    const TaskJson both = graded(
        folder,
        R"({"fixed":true,"answers":{"8.1":"3; 5; 4; 69","8.t1":"good.kvscene","8.c1":"untouched.kvscene"}})",
        3);
    CHECK(both["of"] == 7);
    CHECK(both["points"] == 2);
    CHECK(both["items"].back()["id"] == "8.t1");
    CHECK(both["items"][5]["best"].is_string());
    CHECK(both["items"][5]["ok"] == false);
}

TEST_CASE("a task over a recording is handed in as its commands", "[lessons][heavy]") {
    const ScratchFolder folder;
    const TaskJson good = graded(folder, R"({"answers":{"14.t7":"whatif.host 16"}})", 0);
    CHECK(good["items"][0]["ok"] == true);
    CHECK_THAT(good["items"][0]["note"].get<std::string>(), ContainsSubstring("16 GiB"));
    const TaskJson little = graded(folder, R"({"answers":{"14.t7":"whatif.host 8"}})", 3);
    CHECK_THAT(little["items"][0]["note"].get<std::string>(),
               ContainsSubstring("Not yet: three of four prompt tokens are found"));
    const TaskJson other =
        graded(folder, R"({"answers":{"14.t7":"whatif.host 16 ; whatif.codec int4"}})", 3);
    CHECK_THAT(other["items"][0]["note"].get<std::string>(), ContainsSubstring("whatif.codec"));
}

TEST_CASE("what cannot be graded as a task is refused in a sentence", "[lessons]") {
    const ScratchFolder folder;
    const auto refused = [&](const std::string& answers, const std::string& part) {
        check_refused({"lessons", "--grade", folder.write("answers.json", answers)}, 1, part);
    };
    refused(R"({"answers":{"8.t1":"none.kvscene"}})", "none.kvscene cannot be opened");
    refused(R"({"answers":{"8.t9":"none.kvscene"}})", "\"8.t9\" is no task");
    refused(R"({"answers":{"14.t7":"mine.kvscene"}})", "is no command over a recording");
    refused(R"({"answers":{"14.t7":"whatif.host 0"}})", "names GiB that");
    refused(R"({"answers":{"8.1":"1"}})", "has no seed");
    folder.write("broken.kvscene", "{}");
    refused(R"({"answers":{"8.t1":"broken.kvscene"}})", "version");
}
