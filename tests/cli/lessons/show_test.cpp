// kvarium lessons --list, --show and --check: what is printed, exit codes, and what is refused.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>

#include "core/base/files/json.hpp"
#include "core/lesson/exercises/shelf.hpp"
#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

// A folder with one small lesson, whose expectation is as given.
std::string folder_with(const std::string& expect) {
    static const ScratchFolder own;
    const std::filesystem::path folder = own.file("01-small");
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "run.kvscene")
        << R"({"version":1,"settings":{"block_size":4,"pool":"8blocks"},
               "requests":[{"id":"A","tokens":[3,4,5,6,7],"max_new":3}]})";
    std::ofstream(folder / "lesson.md")
        << "---\nnumber: 1\ntitle: Small\nminutes: 5\nobjective: o\nleaves out: Much.\n---\n\n"
           "## one: One\n\nscene: run.kvscene\nat: 1\nshows: C001\nexpect: "
        << expect << "\n\nIt stores {A.stored} tokens.\n";
    return folder.parent_path().string();
}

}  // namespace

TEST_CASE("the lessons are listed with their steps and checks", "[lessons]") {
    const Ran ran = run_cli({"lessons", "--list", "--json"});
    REQUIRE(ran.code == 0);
    const Json lessons = Json::parse(ran.out)["lessons"];
    REQUIRE(lessons.size() > 8);
    CHECK(lessons[8]["n"] == 8);
    CHECK(lessons[8]["title"] == "Blocks");
    CHECK(lessons[8]["steps"].get<int>() > 5);
    CHECK(lessons[8]["checks"].size() == 21);  // rows 104 to 124
    CHECK(Json::parse(ran.out)["museum"]["steps"] == 13);
}

TEST_CASE("a lesson is shown with its numbers, its answers and its fixed instances", "[lessons]") {
    const Ran ran = run_cli({"lessons", "--show", "8"});
    REQUIRE(ran.code == 0);
    CHECK_THAT(ran.out, ContainsSubstring("Lesson 8: Blocks"));
    CHECK_THAT(ran.out, ContainsSubstring("2.439 GiB of memory"));
    CHECK_THAT(ran.out, ContainsSubstring("Answer: 57 blocks"));
    CHECK_THAT(ran.out, ContainsSubstring("Exercise 8.1:"));
    CHECK_THAT(ran.out, ContainsSubstring("Code: From a position to its slot\n\n"
                                          "    def translate(table, position):\n"));
    CHECK_THAT(ran.out, ContainsSubstring("\ncore/cache/layout/place_in.hpp:"));
    CHECK_THAT(ran.out, ContainsSubstring("What this lesson leaves out"));
    const Ran teacher = run_cli({"lessons", "--show", "8", "--teacher"});
    CHECK_THAT(teacher.out, ContainsSubstring("45 minutes, after lesson 3 4 5."));
    CHECK_THAT(teacher.out, ContainsSubstring("Answer key"));
}

TEST_CASE("a check says what is false with its line, and ends with 3", "[lessons]") {
    const Ran bad = run_cli({"lessons", "--check", "--folder", folder_with("A.stored == 6")});
    CHECK(bad.code == 3);
    CHECK_THAT(bad.out, ContainsSubstring("lesson.md:14: A.stored == 6 is false."));
    CHECK_THAT(bad.out, ContainsSubstring("rows covered: 1/163"));
    const Ran good =
        run_cli({"lessons", "--check", "--json", "--folder", folder_with("A.stored == 5")});
    CHECK(good.code == 3);  // one row of 163
    CHECK(Json::parse(good.out)["steps"] == 1);
    const Ran shown = run_cli({"lessons", "--show", "1", "--folder", folder_with("yes")});
    CHECK_THAT(shown.out, ContainsSubstring("It stores 5 tokens."));
}

TEST_CASE("what cannot be shown is refused in one sentence", "[lessons]") {
    for (const auto& [words, code] : std::vector<std::pair<std::vector<std::string>, int>>{
             {{"lessons"}, 2},
             {{"lessons", "--show", std::to_string(kv::kLessons + 1)}, 2},
             {{"lessons", "--show", "100"}, 2},
             {{"lessons", "--list", "--folder", "/nowhere"}, 1}}) {
        const Ran ran = run_cli(words);
        CAPTURE(words, ran.err);
        CHECK(ran.code == code);
        CHECK(ran.out.empty());
        CHECK(count_lines(ran.err) == 1);
    }
}
