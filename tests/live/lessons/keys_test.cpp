#include "app/live/lessons/keys.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace kv;

namespace {

// A step of lesson 1 with one question, of which there is something to reveal.
LessonView asking(std::vector<std::string> choices) {
    LessonView view;
    view.lesson = 1, view.has_more = true;
    view.predictions.resize(1);
    view.predictions[0].prediction.choices = std::move(choices);
    return view;
}

}  // namespace

TEST_CASE("where no lesson is open, keys know of none", "[live][lesson]") {
    for (const LayoutName layout : {LayoutName::Learn, LayoutName::Present}) {
        const LessonKeys keys = lesson_keys({}, layout);
        CHECK_FALSE((keys.open || keys.asks || keys.figure || keys.page || keys.recording));
        CHECK_FALSE((keys.may_reveal || keys.may_hint || keys.leaves_on || keys.leaves_back));
        CHECK(keys.types_to == 0);
        CHECK(keys.panels.empty());
    }
}

TEST_CASE("a question is revealed once it is answered, and asks no more then", "[live][lesson]") {
    LessonView view = asking({"4", "5"});
    LessonKeys keys = lesson_keys(view, LayoutName::Learn);
    CHECK(keys.asks);
    CHECK_FALSE(keys.may_reveal);
    CHECK(keys.types_to == 0);  // it is chosen, not typed
    view.predictions[0].said = "5";
    CHECK(lesson_keys(view, LayoutName::Learn).may_reveal);
    view.revealed = true;
    keys = lesson_keys(view, LayoutName::Learn);
    CHECK_FALSE(keys.asks);
    CHECK_FALSE(keys.may_reveal);
}

TEST_CASE("an answer that is not chosen is typed, to the question in front", "[live][lesson]") {
    LessonView view = asking({});
    CHECK(lesson_keys(view, LayoutName::Present).types_to == 1);
    CHECK(lesson_keys(view, LayoutName::Present).typed.empty());
    view.predictions[0].said = "12";
    CHECK(lesson_keys(view, LayoutName::Present).typed == "12");
}

TEST_CASE("in front of an audience an exercise has its answer revealed", "[live][lesson]") {
    LessonView view;
    view.lesson = 1;
    view.exercises.resize(1);
    view.face = 1;  // behind the step's own
    CHECK(lesson_keys(view, LayoutName::Present).may_reveal);
    CHECK_FALSE(lesson_keys(view, LayoutName::Learn).may_reveal);
    CHECK(lesson_keys(view, LayoutName::Present).leaves_on);
    view.exercises[0].answered = true;
    CHECK_FALSE(lesson_keys(view, LayoutName::Present).may_reveal);
}

TEST_CASE("a task is in the tank where the run is seen, and has one hint", "[live][lesson]") {
    LessonView view;
    view.lesson = 1;
    view.task.emplace();
    CHECK_FALSE(lesson_keys(view, LayoutName::Learn).in_tank);
    for (const LayoutName layout : {LayoutName::Explore, LayoutName::Compare}) {
        CHECK(lesson_keys(view, layout).in_tank);
        CHECK(lesson_keys(view, layout).may_hint);
    }
    view.task->hinted = true;
    CHECK_FALSE(lesson_keys(view, LayoutName::Explore).may_hint);
}

TEST_CASE("the panels that a step names are those that there are", "[live][lesson]") {
    LessonView view = asking({});
    view.shown.panels = {"events", "nonsense", "lesson"};
    CHECK(lesson_keys(view, LayoutName::Learn).panels ==
          List<PanelId>{PanelId::Events, PanelId::Lesson});
    CHECK_FALSE(lesson_keys(view, LayoutName::Learn).page);
    view.shown.panels = {"lesson"};
    CHECK(lesson_keys(view, LayoutName::Learn).page);
}
