// A lecture from Present, told with a clicker: two keys turn the pages, digits answer, B freezes,
// Esc leaves. What the audience sees stays what it was while it is frozen.
#include <imgui.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "tests/app/seen.hpp"
#include "tests/app/window_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

struct Lecture : WindowBench {
    Lecture(PixelSize size, const std::string& place) : WindowBench(size) {
        ask("lesson.open " + place);
        ask("layout.present");
    }
};

// What is written to the left of the bar's middle and below it: the page itself.
std::vector<std::string> page_of(const std::vector<WrittenText>& all) {
    std::vector<std::string> words;
    for (const WrittenText& text : all)
        if (text.rect.y >= 40) words.push_back(text.text);
    return words;
}

}  // namespace

TEST_CASE("a question is chosen, revealed and left by the keys of a clicker", "[lecture]") {
    Lecture lecture({1280, 720}, "8:walk");
    CHECK(says(lecture.written(), "Which physical block holds that token?"));
    CHECK(says(lecture.written(), "choose first: 1 to 4"));
    lecture.press(ImGuiKey_Enter);  // nothing was chosen yet
    CHECK_FALSE(lecture.lesson().revealed);
    lecture.press(ImGuiKey_H);
    CHECK(lecture.lesson().predictions[0].hinted);
    const std::vector<std::string>& choices = lecture.lesson().predictions[0].prediction.choices;
    const auto at = std::find(choices.begin(), choices.end(), "44") - choices.begin();
    REQUIRE(at < 4);
    lecture.press(static_cast<ImGuiKey>(ImGuiKey_1 + (at + 1) % 4));
    CHECK(lecture.lesson().predictions[0].said != "44");
    lecture.press(static_cast<ImGuiKey>(ImGuiKey_1 + at));  // changes the choice
    CHECK(lecture.lesson().predictions[0].said == "44");
    lecture.press(ImGuiKey_Enter);
    CHECK(lecture.lesson().revealed);
    CHECK(lecture.lesson().face == 0);
    lecture.press(ImGuiKey_PageDown);  // what follows
    CHECK(lecture.lesson().shows_then());
    lecture.press(ImGuiKey_PageUp);
    CHECK(lecture.lesson().reason_in_front() == 0u);
    lecture.press(ImGuiKey_PageDown);
    lecture.press(ImGuiKey_PageDown);  // the exercise
    CHECK(lecture.lesson().exercise_in_front() == 0u);
    lecture.press(ImGuiKey_Enter);
    CHECK(lecture.lesson().exercises[0].answered);
    lecture.press(ImGuiKey_PageDown);
    CHECK(lecture.lesson().shown.id == "next");
}

TEST_CASE("an answer without choices is typed digit by digit", "[lecture]") {
    Lecture lecture({1280, 720}, "8:tail");
    lecture.press(ImGuiKey_1);
    lecture.press(ImGuiKey_5);
    CHECK(lecture.lesson().predictions[0].said == "15");
    lecture.press(ImGuiKey_Backspace);
    lecture.press(ImGuiKey_4);
    CHECK(lecture.lesson().predictions[0].said == "14");
    CHECK(says(lecture.written(), "14"));
    lecture.press(ImGuiKey_Enter);
    REQUIRE(lecture.lesson().predictions[0].verdict);
    CHECK(lecture.lesson().predictions[0].verdict->right);
}

TEST_CASE("a frozen picture keeps words, choices and page, whatever goes on behind it",
          "[lecture]") {
    Lecture lecture({1280, 720}, "8:walk");
    const auto before = page_of(lecture.written());
    lecture.press(ImGuiKey_B);
    REQUIRE(lecture.state().run.frozen);
    CHECK(page_of(lecture.written()) == before);
    lecture.press(ImGuiKey_3);
    lecture.press(ImGuiKey_Enter);
    REQUIRE(lecture.lesson().revealed);
    CHECK(page_of(lecture.written()) == before);
    // Another page is another run.
    lecture.press(ImGuiKey_PageDown);
    lecture.ask("lesson.open 9:fork");
    CHECK(page_of(lecture.written()) == before);
    CHECK(says(lecture.written(), "Lesson 8, page 7 of 16"));
    lecture.press(ImGuiKey_B);
    CHECK(says(lecture.written(), "Lesson 9, page 5 of 10"));
    CHECK(page_of(lecture.written()) != before);
}

TEST_CASE("Esc shows the bar first and leaves then", "[lecture]") {
    Lecture lecture({1280, 720}, "8:walk");
    lecture.state().present_bar.shown = false;
    lecture.press(ImGuiKey_Escape);
    CHECK(lecture.state().layout == LayoutName::Present);
    CHECK(lecture.state().present_bar.shown);
    lecture.press(ImGuiKey_Escape);
    CHECK(lecture.state().layout == LayoutName::Learn);  // where it was opened from
}

TEST_CASE("a copy on a write is named, with before and after", "[lecture]") {
    Lecture lecture({1920, 1080}, "9:figures");
    lecture.press(ImGuiKey_PageDown);
    const auto seen = lecture.written();
    CHECK(says(seen, "Block tables, and the pool they name"));
    CHECK(says(seen, "1 copy on write"));
}

TEST_CASE("both sides of a step that compares are shown", "[lecture]") {
    Lecture lecture({1920, 1080}, "12:needle");
    const auto seen = lecture.written();
    REQUIRE(lecture.screen.run().other_view() != nullptr);
    CHECK(says(seen, "kept by the window"));
    CHECK(says(seen, "kept by the full cache"));
}

// Twice through two lessons with one key: every page says something, and nothing is refused.
TEST_CASE("one key tells a whole lesson", "[lecture][slow]") {
    for (const PixelSize size : {PixelSize{1920, 1080}, PixelSize{1280, 720}})
        for (const char* first : {"8", "9"}) {
            Lecture lecture(size, first);
            const std::optional<std::uint32_t> number = lecture.lesson().lesson;
            std::size_t pages = 0;
            for (; lecture.lesson().lesson == number && pages < 200; ++pages) {
                INFO("lesson " << first << ", step " << lecture.lesson().shown.id << ", face "
                               << lecture.lesson().face);
                const auto seen = lecture.written();
                CHECK(page_of(seen).size() >= 3);
                CHECK_FALSE(lecture.state().notice);
                for (const WrittenText& text : seen) {
                    CHECK(std::isfinite(text.rect.x));
                    CHECK(text.rect.y < static_cast<float>(size.h));
                }
                lecture.press(ImGuiKey_PageDown);
            }
            CHECK(pages > lecture.lesson().shelf.front().steps.size());
            CHECK(pages < 200);
        }
}

TEST_CASE("where a lesson is read the page keys turn its pages", "[lecture]") {
    Lecture lecture({1280, 720}, "8:walk");
    lecture.ask("layout.learn");
    lecture.written();
    const std::size_t step = lecture.lesson().step;
    lecture.press(ImGuiKey_PageDown);
    CHECK(lecture.lesson().step == step + 1);
    lecture.press(ImGuiKey_PageUp);
    CHECK(lecture.lesson().step == step);
    lecture.press(ImGuiKey_RightArrow);  // that is the run's
    CHECK(lecture.lesson().step == step);
}
