// Files of answers: what is graded, and what makes a file unusable.

#include "core/lesson/exercises/answer_sheet.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"

using namespace kv;

namespace {

GradedSheet graded(const std::string& text) {
    return grade_sheet(parse_answer_sheet(text, "answers.json"));
}

std::string sheet_refusal(const std::string& text) {
    try {
        static_cast<void>(parse_answer_sheet(text, "answers.json"));
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::World);
        return error.what();
    }
    return "nothing";
}

}  // namespace

TEST_CASE("a sheet is graded over the lessons that it names", "[exercises][sheet]") {
    const GradedSheet sheet =
        graded(R"({"fixed":true,"answers":{"8.1":"3, 5, 4, 69","2.2":"6","8.3":"1 MiB; 1; 1"}})");
    REQUIRE(sheet.items.size() == 8);  // 3 of lesson 2, 5 of lesson 8
    CHECK(sheet.points() == 1);
    CHECK(sheet.items[1].exercise.id == "2.2");
    CHECK(sheet.items[1].graded.slip == "the edited position counted as well");
    CHECK(sheet.items[3].graded.ok);
    CHECK(sheet.items[4].graded.note == "There is no answer.");
    CHECK(sheet.items[5].graded.slip == "K only: the values are missing");
}

TEST_CASE("what is expected is graded right, for every seed", "[exercises][sheet]") {
    for (const char* seed : {"0", "3", "18446744073709551615"}) {
        const std::string head = std::string(R"({"seed":)") + seed + R"(,"answers":{)";
        std::string answers;
        for (const GradedItem& item : graded(head + R"("14.1":"0"}})").items) {
            const std::string expected = expected_answer(item.exercise);
            answers +=
                (answers.empty() ? "\"" : ",\"") + item.exercise.id + "\":\"" + expected + "\"";
        }
        const GradedSheet again = graded(head + answers + "}}");
        CHECK(again.points() == again.items.size());
    }
}

TEST_CASE("unusable sheets are refused with their place", "[exercises][sheet]") {
    const std::vector<std::pair<std::string, std::string>> bad{
        {"", "answers.json: is empty"},
        {"{", "answers.json: at byte"},
        {"[]", "is not a JSON object"},
        {R"({"seed":-1,"answers":{"8.1":"1"}})", "the seed is not a whole number"},
        {R"({"seed":1.5,"answers":{"8.1":"1"}})", "the seed is not a whole number"},
        {R"({"seed":"3","answers":{"8.1":"1"}})", "the seed is not a whole number"},
        {R"({"seed":99999999999999999999,"answers":{"8.1":"1"}})",
         "the seed is not a whole number"},
        {R"({"answers":{"8.1":"1"}})", "has no seed"},
        {R"({"fixed":false,"answers":{"8.1":"1"}})", "is not true"},
        {R"({"fixed":true,"seed":3,"answers":{"8.1":"1"}})", "has a seed and"},
        {R"({"seed":3})", "has no answers"},
        {R"({"seed":3,"answers":{}})", "has no answers"},
        {R"({"seed":3,"answers":["1"]})", "has no answers"},
        {R"({"seed":3,"answers":{"8.9":"1"}})", "\"8.9\" is no question"},
        {R"({"seed":3,"answers":{"8.1":1}})", "the answer to 8.1 is not a text"},
        {R"({"seed":3,"answers":{"8.1":null}})", "the answer to 8.1 is not a text"},
        {R"({"seed":3,"answers":{"8.1":"1","8.1":"2"}})", "twice"},
        {R"({"seed":3,"seed":4,"answers":{"8.1":"1"}})", "twice"},
        {R"({"seed":3,"answer":{"8.1":"1"},"answers":{"8.1":"1"}})", "unknown key \"answer\""}};
    for (const auto& [text, part] : bad) {
        CAPTURE(text, sheet_refusal(text));
        CHECK(sheet_refusal(text).find(part) != std::string::npos);
        CHECK(sheet_refusal(text).starts_with("answers.json: "));
    }
    CHECK_THROWS_AS(read_answer_sheet("/no/such/file.json"), Error);
}
