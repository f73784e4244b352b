#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/lesson/course/grade_prediction.hpp"
#include "core/trace/event/event.hpp"
#include "tests/lesson/small_lesson.hpp"

using namespace kv;
using namespace kv::test;

TEST_CASE("prose is filled at the moment at which it is read", "[lesson][player]") {
    Stand stand;
    const Lesson lesson = stand.lesson(kStep);
    const ShownStep step = stand.player.shown_step(lesson, lesson.steps[0]);
    // Prefill stores five; each step after it one more.
    CHECK(plain_text(step.text) == "It stores 5 tokens in a table.\n");
    CHECK(plain_text(step.then) == "Now it stores 7.\n");
    REQUIRE(step.predictions.size() == 1);
    CHECK(step.predictions[0].answer == "7");
    CHECK(plain_text(step.predictions[0].why) == "One a step, from 5 on.\n");
    CHECK(step.text[0].cells[0][3].link->request == SeqId(0));
    CHECK(stand.player.broken_expects(lesson, lesson.steps[0]).empty());
}

TEST_CASE("givens and hint are read before the step, so that they give no answer away",
          "[lesson][player]") {
    Stand stand;
    const Lesson lesson = stand.lesson(with(
        kStep, "> unit: tokens\n",
        "> given: stored now = {A.stored}\n> unit: tokens\n> hint: {A.stored} are stored now,\n"
        "> and steps follow.\n"));
    const ShownPrediction p = stand.player.shown_step(lesson, lesson.steps[0]).predictions[0];
    REQUIRE(p.givens.size() == 1);
    CHECK(p.givens[0].label == "stored now");
    CHECK(p.givens[0].value == "5");
    CHECK(plain_text(p.hint) == "5 are stored now, and steps follow.\n");
    CHECK(p.answer == "7");
}

TEST_CASE("choices stand in another order in each step, and in the same one whenever it is shown",
          "[lesson][player]") {
    Stand stand;
    const std::string asks =
        with(kStep, "> unit: tokens\n", "> choice: 7\n> choice: 5\n> choice: 12\n");
    std::map<std::ptrdiff_t, int> places;
    for (int n = 0; n < 60; ++n) {
        const Lesson lesson = stand.lesson(with(asks, "## ", "## s" + std::to_string(n)));
        const auto choices = [&] {
            return stand.player.shown_step(lesson, lesson.steps[0]).predictions[0].choices;
        };
        const std::vector<std::string> shown = choices();
        CHECK(shown == choices());
        CHECK(std::is_permutation(shown.begin(), shown.end(),
                                  std::vector<std::string>{"7", "5", "12"}.begin()));
        ++places[std::find(shown.begin(), shown.end(), "7") - shown.begin()];
    }
    // Sixty throws of a die of three sides: below 8 one of them falls once in three thousand times.
    for (int place = 0; place < 3; ++place) CHECK(places[place] >= 8);
}

TEST_CASE("a walk is a picture with three numbers that go together", "[lesson][player]") {
    Stand stand;
    const auto walk = [](const std::string& what) {
        return with(kStep, "shows: C040\n", "picture: walk(" + what + ")\n");
    };
    const Lesson lesson = stand.lesson(walk("37, 16, [91, 17, 44]"));
    const auto shown = stand.player.shown_step(lesson, lesson.steps[0]).walk;
    REQUIRE(shown);
    CHECK(shown->logical() == 2);
    CHECK(shown->offset() == 5);
    CHECK(shown->physical() == 44);
    CHECK(stand.refusal(walk("48, 16, [91, 17, 44]")).find("behind its table") !=
          std::string::npos);
    CHECK(stand.refusal(walk("37, 0, [91]")).find("behind its table") != std::string::npos);
    CHECK(stand.refusal(walk("0.5, 16, [91]")).find("whole numbers") != std::string::npos);
    CHECK(stand.refusal(walk("37, 16")).find("wants a position") != std::string::npos);
}

TEST_CASE("an answer may be written with its unit, and a wrong one is shown beside the real one",
          "[lesson][player]") {
    Stand stand;
    const Lesson lesson = stand.lesson(kStep);
    const ShownPrediction p = stand.player.shown_step(lesson, lesson.steps[0]).predictions[0];
    CHECK(grade_prediction(p, "7").right);
    CHECK(grade_prediction(p, " 7 tokens").right);
    CHECK_FALSE(grade_prediction(p, "").right);
    const GradedPrediction wrong = grade_prediction(p, "8");
    CHECK_FALSE(wrong.right);
    CHECK(wrong.said == "8");
    CHECK(wrong.real == "7");
    ShownPrediction number;
    number.question = "How many?", number.answer = "1.5";
    CHECK(grade_prediction(number, "1,5").right);
    number.answer = "15";
    CHECK_FALSE(grade_prediction(number, "1,5").right);
    number.answer = "1,500";
    CHECK(grade_prediction(number, "1500").right);
    CHECK_FALSE(grade_prediction(number, "1,5").right);
    number.answer = "1,024", number.unit = "tokens";
    CHECK(grade_prediction(number, "1024").right);
    CHECK(grade_prediction(number, "1024 tokens").right);
    CHECK_FALSE(grade_prediction(number, "1K").right);
    number.answer = "37, 16", number.unit = "";
    CHECK(grade_prediction(number, "37,16").right);
    CHECK_FALSE(grade_prediction(number, "37,17").right);
    ShownPrediction choice;
    choice.question = "Which?", choice.choices = {"left", "right"}, choice.answer = "right";
    CHECK(grade_prediction(choice, "2").right);
    CHECK(grade_prediction(choice, "Right").right);
    CHECK_FALSE(grade_prediction(choice, "1").right);
}

TEST_CASE("a step that is jumped to is the step that is played to", "[lesson][player]") {
    Stand stand;
    const Lesson lesson = stand.lesson(kStep + "\n## on: On\n\nto: 8\n\nOn.\n");
    for (const LessonStep& step : lesson.steps)
        CHECK(stand.player.broken_jump(lesson, step).empty());
    // The second step, opened by a player that has shown nothing before.
    Stand fresh;
    const StepRuns played = stand.player.restore(lesson, lesson.steps[1]);
    const StepRuns jumped = fresh.player.restore(lesson, lesson.steps[1]);
    CHECK(played.main.ends == jumped.main.ends);
    CHECK(played.main.run->trace().at(played.main.ends) ==
          jumped.main.run->trace().at(jumped.main.ends));
    CHECK(played.main.run->facts(8)->state_hash == jumped.main.run->facts(8)->state_hash);
    CHECK(played.main.run->facts(8)->state_hash != played.main.run->facts(7)->state_hash);
}

TEST_CASE("false expectations and references that lead nowhere are said with their line",
          "[lesson][player]") {
    Stand stand;
    const Lesson wrong = stand.lesson(with(kStep, "A.stored == 7", "A.stored == 8"));
    const auto broken = stand.player.broken_expects(wrong, wrong.steps[0]);
    REQUIRE(broken.size() == 1);
    CHECK(broken[0] == stand.folder + "/lesson.md:17: A.stored == 8 is false.");

    const auto says = [&](const std::string& from, const std::string& to, const std::string& part) {
        const std::string sentence = stand.refusal(with(kStep, from, to));
        CAPTURE(sentence);
        CHECK(sentence.find("lesson.md:") != std::string::npos);
        CHECK(sentence.find(part) != std::string::npos);
    };
    says("{A.stored} tokens", "{B.stored} tokens", "the name \"B\"");
    says("{A.stored} tokens", "{A.weight} tokens", "the member \"weight\"");
    says("(request:A)", "(request:B)", "has not arrived");
    says("(request:A)", "(token:A:6)", "points at token 6, and there are 6");
    says("(request:A)", "(block:8)", "points at block 8, and there are 8");
    says("{A.stored} tokens", "{published(\"96 %\", \"book\")} tokens", "the source \"book\"");
    says("to: 3", "to: 99", "a moment that its run does not have");
    says("at: 1\nto: 3", "at: 3\nto: 1", "ends before it opens");
    says("> unit: tokens", "> choice: 1\n> choice: 2", "is not exactly one of its choices");
    says("> unit: tokens", "> choice: 7\n> choice: 8\n> choice: 8", "the choice \"8\" twice");
    CHECK(stand.refusal(kStep).empty());
}

TEST_CASE("a branch stands beside the run that it leaves", "[lesson][player]") {
    Stand stand;
    const Lesson lesson = stand.lesson(
        "\n## fork: What if\n\nscene: run.kvscene\nat: 2\nto: 5\nother to: end\nbranch: 3 stop "
        "A\n\n"
        "Left {A.state}, right {other(A.state)}.\n\n### Then\n\nLeft {A.state}, right "
        "{other(A.state)}.\n");
    const ShownStep step = stand.player.shown_step(lesson, lesson.steps[0]);
    CHECK(plain_text(step.text) == "Left running, right running.\n");
    CHECK(plain_text(step.then) == "Left running, right finished.\n");
    CHECK(stand.player.other_scene(lesson, lesson.steps[0])->name == "stop A");
}

TEST_CASE("settings and sizes are those of the moment that a sentence speaks of",
          "[lesson][player]") {
    Stand stand;
    const Lesson lesson = stand.lesson(
        "\n## fork: What if\n\nscene: run.kvscene\nat: 2\nto: 5\nother to: end\nbranch: 3 set "
        "k_codec int8\n\n"
        "{settings.k_codec} {other(settings.k_codec)} {bytes.per_token == "
        "other(bytes.per_token)}\n\n"
        "### Then\n\n"
        "{settings.k_codec} {other(settings.k_codec)} {bytes.per_token > "
        "other(bytes.per_token)}\n");
    const ShownStep step = stand.player.shown_step(lesson, lesson.steps[0]);
    CHECK(plain_text(step.text) == "bf16 bf16 yes\n");
    CHECK(plain_text(step.then) == "bf16 int8 yes\n");
}

TEST_CASE("facts of a run are those of its trace and its counters", "[lesson][player]") {
    Stand stand;
    const Lesson lesson = stand.lesson(
        "\n## all: All\n\nscene: run.kvscene\nat: 4\n\n{A.stored} {A.blocks} {A.table} {pool.free} "
        "{work.positions_projected} {last.score_pairs} {series(last.score_pairs, 1, 4)} "
        "{first(A.stored > 5)} {always(pool.used > 0)} {events(\"BlockAllocated\")} "
        "{at(1, A.blocks)} {block(0).ref_count} {bytes.live == 8 * bytes.per_token}\n");
    // 5 + 3 tokens in two blocks; 5 + 3 positions; 8 visible keys; 15 pairs of five tokens.
    CHECK(plain_text(stand.player.shown_step(lesson, lesson.steps[0]).text) ==
          "8 2 0, 1 6 8 8 15, 6, 7, 8 2 yes 2 2 1 yes\n");
}

TEST_CASE("under the causal mask old rows stay, without it they change", "[lesson][C019][C023]") {
    Stand stand;
    const Lesson lesson = stand.lesson(
        "\n## mask: Masks\n\nscene: run.kvscene\nat: 1\n\n"
        "{edited(\"A\", 2, 0)}; {edited(\"A\", 2, 1)}; {masked(\"A\", \"causal\", 1)}; "
        "{masked(\"A\", \"none\", 0)}; {masked(\"A\", \"none\", 1)}; {masked(\"A\", \"late\", 0)}; "
        "{masked(\"A\", \"late\", 1)}\n");
    // A has six tokens. An edit changes its own row in layer 0 and the tail in layer 1. One more
    // token changes nothing under the causal mask, and everything above layer 0 without a mask.
    // Attending before appending spares the first token alone, which has nobody else to see.
    CHECK(plain_text(stand.player.shown_step(lesson, lesson.steps[0]).text) ==
          "2; 2, 3, 4, 5; none; none; 0, 1, 2, 3, 4; none; 1, 2, 3, 4, 5\n");
}
