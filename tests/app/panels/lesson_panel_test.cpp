// The lessons in the window: every step of every lesson is drawn before and after its reveal, keys
// answer what is asked, and the picture gives no answer away.
#include <imgui.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/panels/lesson/prose.hpp"
#include "tests/app/seen.hpp"
#include "tests/app/window_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

struct LessonWindow : WindowBench {
    using WindowBench::WindowBench;
    std::vector<WrittenText> written(bool read_keys = false) {
        std::vector<WrittenText> all = WindowBench::written(read_keys);
        check_finite();
        return all;
    }
};

}  // namespace

TEST_CASE("every step of every lesson is drawn, before and after its reveal",
          "[lesson_panel][slow]") {
    LessonWindow window({1920, 1080});
    window.ask("lesson.close");
    const std::vector<LessonHead> shelf = window.lesson().shelf;
    REQUIRE_FALSE(shelf.empty());
    for (const LessonHead& head : shelf)
        for (std::size_t i = 0; i < head.ids.size(); ++i) {
            INFO("lesson " << head.number << ", step " << head.ids[i]);
            window.ask("lesson.open " + std::to_string(head.number) + ":" + head.ids[i]);
            CHECK(window.lesson().problem.empty());
            CHECK(window.lesson().lesson == head.number);
            // In front of an audience an open question stands in place of the title. What is long
            // takes two lines.
            const auto asks = window.lesson().asks();
            const bool asked = window.state().layout == LayoutName::Present && asks;
            const std::string& heading =
                asked ? window.lesson().predictions[*asks].prediction.question : head.steps[i];
            CHECK(says(window.written(), heading.substr(0, heading.find(' '))));
            if (!window.lesson().has_more) continue;
            window.ask("lesson.go_on");
            CHECK(window.lesson().revealed);
            window.written();
            CHECK_FALSE(window.state().notice);
        }
}

TEST_CASE("a lesson is drawn at every size, in every layout and scale", "[lesson_panel]") {
    for (const PixelSize size : {PixelSize{1280, 720}, {640, 360}, {3840, 2160}, {200, 150}}) {
        LessonWindow window(size);
        window.ask("lesson.open 8");
        for (const char* layout :
             {"layout.learn", "layout.explore", "layout.present", "layout.compare"}) {
            window.ask(layout);
            window.written();
        }
        window.ask("text.scale 3");
        window.ask("layout.learn");
        window.written();
    }
}

TEST_CASE("a page asks its exercises side by side where there is room, else below each other",
          "[lesson_panel]") {
    const auto place_of = [](const std::vector<WrittenText>& all, std::string_view words) {
        const auto it = std::find_if(all.begin(), all.end(),
                                     [&](const WrittenText& t) { return t.text == words; });
        REQUIRE(it != all.end());
        return Vec2{it->rect.x, it->rect.y};
    };
    for (const bool wide : {true, false}) {
        LessonWindow window(wide ? PixelSize{1920, 1080} : PixelSize{900, 1080});
        window.ask("lesson.open 14:pitfalls");
        CHECK(window.state().docks() == LayoutName::Page);
        const auto all = window.written();
        const Vec2 first = place_of(all, "Exercise 14.5"), second = place_of(all, "Exercise 14.6");
        CHECK((first.y == second.y) == wide);
        CHECK((first.x == second.x) != wide);
        window.ask("lesson.answer 14.5 0");  // where it stands it is graded
        CHECK(window.lesson().exercises[0].graded);
    }
}

TEST_CASE("the bar does not tell how a server is set while that is asked", "[lesson_panel]") {
    LessonWindow window({1920, 1080});
    window.ask("lesson.open 14:bytes");
    REQUIRE(window.lesson().hides_future());
    CHECK_FALSE(says(window.written(), "F32"));
    window.ask("lesson.say 1 1");
    window.ask("lesson.reveal");
    CHECK(says(window.written(), "F32"));
}

TEST_CASE("an open lesson is read in every layout, and leaves it when it is closed",
          "[lesson_panel]") {
    for (const PixelSize size : {PixelSize{1920, 1080}, {1280, 720}, {900, 600}})
        for (const LayoutName layout :
             {LayoutName::Learn, LayoutName::Explore, LayoutName::Compare}) {
            const Vec2 window{static_cast<float>(size.w), static_cast<float>(size.h)};
            AppState state;
            state.layout = layout;
            const auto has_lesson = [&] {
                const auto docks = place_docks(current_tree(state, window), dock_area(window));
                return std::any_of(docks.begin(), docks.end(), [](const DockPlace& place) {
                    const auto& tabs = place.dock.tabs;
                    return std::find(tabs.begin(), tabs.end(), PanelId::Lesson) != tabs.end();
                });
            };
            CHECK(has_lesson() == (layout == LayoutName::Learn));
            state.run.lesson.open = true;
            CHECK(has_lesson());
        }
}

TEST_CASE("digits answer, Enter reveals, and until then the run shows no future",
          "[lesson_panel]") {
    LessonWindow window({1920, 1080});
    window.ask("lesson.close");
    const LessonHead head = window.lesson().shelf.front();
    for (const std::string& id : head.ids) {
        window.ask("lesson.open " + std::to_string(head.number) + ":" + id);
        const auto& asked = window.lesson().predictions;
        if (asked.size() == 1 && !asked.front().prediction.choices.empty() &&
            window.screen.run().view() != nullptr)
            break;
    }
    REQUIRE(window.lesson().predictions.size() == 1);
    window.written(true);
    const RunView& before = window.run();
    CHECK(before.trace.end().iteration == before.now.iteration);
    window.press(ImGuiKey_Enter);
    CHECK_FALSE(window.lesson().revealed);
    window.press(ImGuiKey_1);
    REQUIRE(window.lesson().predictions.front().said);
    CHECK(*window.lesson().predictions.front().said ==
          window.lesson().predictions.front().prediction.choices.front());
    window.press(ImGuiKey_Enter);
    CHECK(window.lesson().revealed);
}

TEST_CASE("a digit is a layer while no lesson asks", "[lesson_panel]") {
    LessonWindow window({1280, 720});
    window.ask("file.open_scene learn");
    window.written(true);
    window.press(ImGuiKey_3);
    CHECK(window.state().run.focus.layer == 3);
    window.press(ImGuiKey_9);  // there is none
    CHECK(window.state().run.focus.layer == 3);
}

TEST_CASE("every link of a lesson stands for commands that exist", "[lesson_panel]") {
    for (int kind = 0; kind <= static_cast<int>(LinkKind::Source); ++kind) {
        ShownLink link;
        link.kind = static_cast<LinkKind>(kind), link.name = "A";
        link.number = 2, link.block = BlockId(3);
        for (const std::string& words : commands_of(link)) {
            std::string why;
            INFO(words << " " << why);
            CHECK(parse_command(words, why));
        }
    }
    ShownLink token;
    token.kind = LinkKind::Token, token.name = "B";
    token.number = 7;
    CHECK(commands_of(token) == std::vector<std::string>{"focus.request B", "select.token 7"});
}

TEST_CASE("in front of an audience the next page reveals first, and then goes on",
          "[lesson_panel]") {
    LessonWindow window({1280, 720});
    window.ask("lesson.open 8");
    window.ask("layout.present");
    window.written(true);
    const std::string first = window.lesson().shown.id;
    const std::string title = window.lesson().shown.title;
    REQUIRE(says(window.written(true), title.substr(0, title.find(' '))));
    const bool has_more = window.lesson().has_more;
    window.press(ImGuiKey_PageDown);
    if (has_more) {
        CHECK(window.lesson().shown.id == first);
        CHECK(window.lesson().revealed);
        window.press(ImGuiKey_PageDown);
    }
    CHECK(window.lesson().shown.id != first);
    window.press(ImGuiKey_PageUp);
    CHECK(window.lesson().shown.id == first);
}

// The scene looks at A, which has ended where this step stands.
TEST_CASE("a step looks at a request that lives", "[lesson][panel]") {
    LessonWindow window({1280, 720});
    window.ask("lesson.open 6:3");
    const Snapshot& now = window.run().now;
    REQUIRE(now.requests[0].state == RequestState::Finished);
    CHECK(now.requests[window.state().run.focus.request.index()].state == RequestState::Running);
}
