// kvarium lessons --ask and --grade: fields, exit codes, and what is refused.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/files/json.hpp"
#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

Json lessons(const std::vector<std::string>& more, int code = 0) {
    std::vector<std::string> words{"lessons", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run_cli(words);
    CAPTURE(words, ran.err);
    REQUIRE(ran.code == code);
    CHECK(ran.err.empty());
    return Json::parse(ran.out);
}

void check_lessons_refused(const std::vector<std::string>& more, int code,
                           const std::string& part) {
    std::vector<std::string> words{"lessons"};
    words.insert(words.end(), more.begin(), more.end());
    check_refused(words, code, part);
}

}  // namespace

TEST_CASE("questions have the fields that graders read", "[lessons][heavy]") {
    const Json asked = lessons({"--ask", "8", "--seed", "3"});
    CHECK(asked["seed"] == 3);
    CHECK(asked["lesson"] == 8);
    REQUIRE(asked["questions"].size() == 5);
    const Json& first = asked["questions"][0];
    CHECK(first["id"] == "8.1");
    CHECK(first["lesson"] == 8);
    CHECK(first["text"].is_string());
    CHECK(first["unit"].is_string());
    CHECK(first["choices"].is_null());
    CHECK(lessons({"--ask", "8", "--seed", "3"}) == asked);
    CHECK(lessons({"--ask", "8", "--seed", "4"}) != asked);
    CHECK(lessons({"--ask", "8"})["seed"] == 0);

    const Json others = lessons({"--ask", "14"})["questions"];
    const auto chosen = std::find_if(others.begin(), others.end(),
                                     [](const Json& q) { return q["id"] == "14.25"; });
    REQUIRE(chosen != others.end());
    CHECK((*chosen)["choices"].size() == 4);
    CHECK((*chosen)["choices"][0].is_string());
}

TEST_CASE("the printed instances are asked for by --fixed", "[lessons]") {
    const Json fixed = lessons({"--ask", "8", "--fixed"});
    CHECK(fixed["seed"].is_null());
    CHECK(fixed["fixed"] == true);
    CHECK_THAT(fixed["questions"][0]["text"].get<std::string>(),
               ContainsSubstring("[7, 2, 19, 4]"));
    const Ran text = run_cli({"lessons", "--ask", "8", "--fixed"});
    CHECK(text.code == 0);
    CHECK_THAT(text.out, ContainsSubstring("8.1  A request's block table is [7, 2, 19, 4]"));
    CHECK(text.out.find("Answer") == std::string::npos);
}

TEST_CASE("the key has each answer and the rule of its draws", "[lessons]") {
    const Json key = lessons({"--ask", "8", "--fixed", "--key"});
    CHECK(key["questions"][0]["expected"] == "3; 5; 4; 69");
    CHECK_THAT(key["questions"][3]["rejects"].get<std::string>(),
               ContainsSubstring("the tokens fill whole blocks."));
    CHECK_FALSE(lessons({"--ask", "8"})["questions"][0].contains("expected"));
    CHECK_THAT(run_cli({"lessons", "--ask", "8", "--fixed", "--key"}).out,
               ContainsSubstring("Answer: 3; 5; 4; 69"));
}

TEST_CASE("a file of answers is graded, and 3 says that something is wrong", "[lessons]") {
    const ScratchFolder folder;
    const std::string file = folder.write(
        "answers.json",
        R"({"fixed":true,"answers":{"8.1":"logical 3, offset 5, physical 4, slot 53","8.3":"2 MiB; 12,288; 196,608"}})");
    const Json graded = lessons({"--grade", file}, 3);
    CHECK(graded["points"] == 1);
    CHECK(graded["of"] == 5);
    REQUIRE(graded["items"].size() == 5);
    const Json& walk = graded["items"][0];
    CHECK(walk["id"] == "8.1");
    CHECK(walk["ok"] == false);
    CHECK(walk["expected"] == "3; 5; 4; 69");
    CHECK(graded["items"][2]["expected"] == "2 MiB; 12,288 blocks; 196,608 tokens");
    CHECK(walk["slip"] == "the position for the slot: the table was not read");
    CHECK(graded["items"][2]["ok"] == true);
    CHECK(graded["items"][2]["slip"].is_null());
    const Ran text = run_cli({"lessons", "--grade", file});
    CHECK(text.code == 3);
    CHECK_THAT(text.out, ContainsSubstring("8.3  right"));
    CHECK_THAT(text.out, ContainsSubstring("1 of 5"));
}

TEST_CASE("what is expected grades right in every lesson", "[lessons][heavy]") {
    const ScratchFolder folder;
    const Json listed = lessons({"--list"})["lessons"];  // without the museum
    std::size_t n_questions = 0;
    for (const Json& one : listed) {
        const std::size_t lesson = one["n"];
        if (lesson == 0) continue;  // the orientation asks nothing
        const Json asked = lessons({"--ask", std::to_string(lesson), "--seed", "7"});
        n_questions += asked["questions"].size();
        if (asked["questions"].empty()) continue;
        Json sheet{{"seed", 7}, {"answers", {{asked["questions"][0]["id"], "?"}}}};
        const Json wrong = lessons({"--grade", folder.write("a.json", sheet.dump())}, 3);
        CHECK(wrong["of"] == asked["questions"].size());
        for (const Json& item : wrong["items"])
            sheet["answers"][item["id"].get<std::string>()] = item["expected"];
        const Json right = lessons({"--grade", folder.write("b.json", sheet.dump())});
        CHECK(right["points"] == right["of"]);
    }
    CHECK(n_questions == 85);  // of the whole course
}

TEST_CASE("wrong options are 2 and unusable files are 1", "[lessons]") {
    const ScratchFolder folder;
    const std::string good = folder.write("good.json", R"({"seed":3,"answers":{"8.1":"1"}})");
    check_lessons_refused({}, 2, "--grade FILE or --pages DIR");
    check_lessons_refused({"--ask", "0"}, 2, "--ask");
    const std::size_t n = lessons({"--list"})["lessons"].back()["n"];
    check_lessons_refused({"--ask", std::to_string(n + 1)}, 2, std::to_string(n));
    check_lessons_refused({"--ask", "15"}, 2, "asks no exercises");
    check_lessons_refused({"--ask", "eight"}, 2, "--ask");
    check_lessons_refused({"--ask", "8", "--seed", "-1"}, 2, "--seed");
    check_lessons_refused({"--ask", "8", "--fixed", "--seed", "3"}, 2, "--fixed and --seed");
    check_lessons_refused({"--ask", "8", "--grade", good}, 2, "--ask and --grade");
    check_lessons_refused({"--grade", good, "--fixed"}, 2, "--fixed goes with");
    check_lessons_refused({"--grade", good, "--key"}, 2, "--key goes with");
    check_lessons_refused({"--grade", good, "--seed", "3"}, 2, "leave --seed out");
    check_lessons_refused({"--fixed"}, 2, "--ask N");
    check_lessons_refused({"--grade", folder.file("none.json")}, 1, "cannot be opened");
    for (const char* text :
         {"", "[]", R"({"seed":-3,"answers":{"8.1":"1"}})", R"({"seed":3,"answers":{"99.1":"1"}})",
          R"({"seed":3,"answers":{"8.1":"1","8.1":"1"}})", R"({"seed":3,"answers":{"8.1":1}})"})
        check_lessons_refused({"--grade", folder.write("bad.json", text)}, 1, "bad.json");
}
