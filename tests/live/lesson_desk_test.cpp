// A reader and the lessons, without a window: what is asked, what is said, what the run then shows,
// and what is kept of it.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/live/lessons/desk.hpp"
#include "core/base/error.hpp"
#include "tests/live/desk.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

const char* const kLesson = R"(---
number: 1
title: A small lesson
minutes: 5
objective: Count the blocks.
leaves out: All but the blocks.
---

## first: What is there

scene: small.kvscene
at: 1

[Request A](request:A) has {A.blocks} blocks.

> predict: How many tokens has it after the next step?
> choice: A.stored
> choice: before(A.stored) + 1
> answer: after(A.stored)
> why: One more.

### Then

It has {A.stored}.

## second: The end

scene: small.kvscene
at: 2

{A.stored} tokens.
)";

const char* const kScene = R"({"version":1,"name":"small","seed":1,"model":{"name":"gqa"},
 "settings":{"block_size":4,"pool":"16blocks","backend":"reference"},
 "requests":[{"id":"A","arrive":0,"prompt":"Mia put the key","max_new":4}]})";

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The prediction without its choices: a value is asked for.
std::string asking_for_a_value() {
    std::string lesson = kLesson;
    const std::size_t choices = lesson.find("> choice: A.stored\n");
    lesson.erase(choices, lesson.find("> answer:") - choices);
    return lesson;
}

// One reader with a folder of one lesson.
struct Reader {
    ScratchFolder folder;
    std::unique_ptr<LessonDesk> desk;

    explicit Reader(const std::string& lesson = kLesson) {
        write(file(), lesson);
        write(folder.path() / "lessons/01-small/small.kvscene", kScene);
        come_back();
    }
    fs::path file() const { return folder.path() / "lessons/01-small/lesson.md"; }
    fs::path progress() const { return folder.path() / "state/lessons.json"; }
    void come_back() {
        desk = std::make_unique<LessonDesk>(
            LessonPlaces{[this] { return (folder.path() / "lessons").string(); },
                         [](const std::string& scene) { return scene; },
                         [](const std::string& model) { return shipped("models", model, ""); },
                         progress().string()},
            [] {});
    }
    const LessonView& view() const { return desk->view(); }
    std::optional<TankSetup> ask(const std::string& words) {
        std::string why;
        const auto command = parse_command(words, why);
        INFO(words << " " << why);
        REQUIRE(command);
        desk->carry_out(*command);
        return desk->take(100);
    }
};

}  // namespace

TEST_CASE("a figure goes key by key to its question, and on with the reveal", "[lesson][figure]") {
    std::string lesson = kLesson;
    lesson.insert(lesson.find("at: 1\n"),
                  "figure: without_cache steps=2, asked=4, cache=\"never\"\n");
    Reader reader(lesson);
    reader.ask("lesson.open 1");
    CHECK(reader.view().problem.empty());
    REQUIRE(reader.view().shown.figure);
    const auto key_after = [&](const char* wish) {
        reader.ask(wish);
        return reader.view().figure_key;
    };
    CHECK(reader.view().figure_key == 2);
    CHECK(key_after("figure.forward") == 2);  // the rest is asked
    CHECK(key_after("figure.back") == 1);
    CHECK(key_after("figure.back") == 1);
    CHECK(key_after("figure.last") == 2);
    CHECK(key_after("figure.play") == 1);  // from its end it plays anew
    CHECK(reader.view().figure_plays);
    CHECK(key_after("figure.forward") == 2);
    CHECK_FALSE(reader.view().figure_plays);
    reader.ask("lesson.say 1");
    reader.ask("figure.first");
    reader.ask("lesson.reveal");
    CHECK(reader.view().figure_key == 2);  // it goes on where the question was
    CHECK(reader.view().figure_plays);
    CHECK(key_after("figure.forward") == 3);
    reader.desk->finish_figure();
    CHECK(reader.view().figure_key == 4);
    CHECK_FALSE(reader.view().figure_plays);

    reader.ask("lesson.next");
    CHECK_FALSE(reader.view().shown.figure);
    CHECK_THROWS_AS(reader.desk->carry_out({.id = "figure.forward", .argument = {}}), Error);
}

TEST_CASE("a step opens at its moment, and its reveal moves on to its end", "[lesson]") {
    Reader reader;
    const auto opened = reader.ask("lesson.open 1");
    REQUIRE(opened);
    CHECK(opened->begins);
    REQUIRE(opened->scene);
    CHECK(opened->stand.iteration == 1);
    CHECK(reader.view().problem.empty());
    CHECK(reader.view().shown.title == "What is there");
    CHECK(reader.view().hides_future());

    CHECK_FALSE(reader.view().may_reveal());
    CHECK_FALSE(reader.ask("lesson.reveal"));  // nothing was said yet
    reader.ask("lesson.say 2");
    CHECK(reader.view().may_reveal());
    const auto revealed = reader.ask("lesson.reveal");
    REQUIRE(revealed);
    CHECK_FALSE(revealed->begins);
    CHECK_FALSE(revealed->scene);
    REQUIRE(reader.view().predictions.front().verdict);
    CHECK_FALSE(reader.view().hides_future());
    CHECK(reader.view().is_done(1, "first"));
}

TEST_CASE("in front of an audience a step goes on without an answer", "[lesson]") {
    Reader reader;
    reader.ask("lesson.open 1");
    REQUIRE(reader.ask("lesson.go_on"));
    CHECK(reader.view().revealed);
    CHECK_FALSE(reader.view().predictions.front().verdict->right);
    CHECK_FALSE(reader.view().predictions.front().verdict->real.empty());
    CHECK(reader.view().reason_in_front() == 0u);
    reader.ask("lesson.go_on");  // what is said behind the reveal
    CHECK(reader.view().shows_then());
    reader.ask("lesson.go_back");
    CHECK(reader.view().reason_in_front() == 0u);
    reader.ask("lesson.go_on");
    reader.ask("lesson.go_on");
    CHECK(reader.view().shown.id == "second");
    reader.ask("lesson.next");
    CHECK_FALSE(reader.view().lesson);  // behind the last one lies the shelf
}

TEST_CASE("a lesson that was closed stays closed", "[lesson]") {
    Reader reader;
    const auto begin = [&](const char* step) {
        reader.desk->carry_out({"lesson.open", std::string(step)});
    };
    const auto check_closed = [&] {
        CHECK_FALSE(reader.desk->take(100));
        CHECK_FALSE(reader.view().lesson);
        CHECK_FALSE(reader.view().busy);
        CHECK_FALSE(reader.view().task);
        CHECK(reader.view().problem.empty());
    };
    begin("1:second");  // it is computed beside the window
    reader.desk->carry_out({"lesson.close", {}});
    check_closed();
    begin("1:second");
    reader.desk->carry_out({"lesson.close", {}});
    begin("1:first");  // the one that is asked for last comes
    reader.desk->take(100);
    CHECK(reader.view().shown.id == "first");

    // Behind the last step it is closed in the same way, at either end of all lessons.
    for (const auto& [open, leave] : {std::pair{"1:second", CommandId("lesson.next")},
                                      std::pair{"1:first", CommandId("lesson.previous")}}) {
        begin(open);
        reader.desk->take(100);
        reader.desk->carry_out({leave, {}});
        check_closed();
        fs::last_write_time(reader.file(),
                            fs::last_write_time(reader.file()) + std::chrono::seconds(5));
        CHECK_FALSE(reader.desk->file_has_changed());
        reader.desk->carry_out({"lesson.reload", {}});
        check_closed();
    }
}

TEST_CASE("a lesson that is read anew while a step is computed shows that step", "[lesson]") {
    Reader reader;
    reader.ask("lesson.open 1:first");
    reader.desk->carry_out({"lesson.next", {}});
    CHECK(reader.ask("lesson.reload"));
    CHECK(reader.view().shown.id == "second");
    CHECK_FALSE(reader.view().busy);
    // Also the very first one, and one that is asked for behind a lesson that was closed meanwhile.
    reader.come_back();
    reader.desk->carry_out({"lesson.open", std::string("1:second")});
    reader.ask("lesson.reload");
    CHECK(reader.view().shown.id == "second");
    reader.desk->carry_out({"lesson.open", std::string("1:first")});
    reader.desk->carry_out({"lesson.close", {}});
    reader.desk->carry_out({"lesson.reload", {}});
    CHECK(reader.ask("lesson.open 1:first"));
    CHECK(reader.view().shown.id == "first");
}

TEST_CASE("what is wrong with a step does not come after its lesson was closed", "[lesson]") {
    std::string lesson = kLesson;
    lesson.replace(lesson.find("{A.blocks}"), 10, "{A.blokcs}");
    Reader reader(lesson);
    reader.desk->carry_out({"lesson.open", std::string("1")});
    reader.desk->carry_out({"lesson.close", {}});
    CHECK_FALSE(reader.desk->take(100));
    CHECK(reader.view().problem.empty());
}

TEST_CASE("a value is said with its unit, and the number of its prediction may stand before it",
          "[lesson]") {
    Reader reader(asking_for_a_value());
    reader.ask("lesson.open 1");
    const AskedPrediction& asked = reader.view().predictions.at(0);
    const auto said_after = [&](const std::string& words) {
        reader.ask("lesson.say " + words);
        return asked.said.value_or("nothing");
    };
    CHECK(said_after("57 blocks") == "57 blocks");
    CHECK(said_after("2 blocks") == "2 blocks");  // there is no second prediction
    CHECK(said_after("1 8") == "8");
    CHECK(said_after("1 8 blocks") == "8 blocks");
    CHECK(said_after("about 8 blocks") == "about 8 blocks");
    CHECK(said_after("8") == "8");
    CHECK(said_after("1 ") == "nothing");  // taken back
}

TEST_CASE("steps are named by id and by number, and what is not there is refused", "[lesson]") {
    Reader reader;
    CHECK(reader.ask("lesson.open 1:second")->stand.iteration == 2);
    CHECK(reader.ask("lesson.open 1:1")->stand.iteration == 1);
    for (const char* wrong :
         {"lesson.open 2", "lesson.open 0", "lesson.open x", "lesson.open 1:third",
          "lesson.open 1:3", "lesson.open 1:0", "lesson.open 1:"})
        CHECK_THROWS_AS(reader.ask(wrong), Error);
    CHECK(reader.view().step == 0);
    reader.ask("lesson.close");
    CHECK_THROWS_AS(reader.ask("lesson.next"), Error);
}

TEST_CASE("what was read is known when the reader comes back", "[lesson]") {
    Reader reader;
    reader.ask("lesson.open 1:second");
    CHECK(reader.view().is_done(1, "second"));  // there is nothing to reveal
    reader.come_back();
    CHECK(reader.view().is_done(1, "second"));
    CHECK_FALSE(reader.view().is_done(1, "first"));
    reader.ask("lesson.continue");
    CHECK(reader.view().shown.id == "second");
}

TEST_CASE("answers are known when the reader comes back, graded anew", "[lesson]") {
    std::string lesson = kLesson;
    lesson.replace(lesson.find("scene: small.kvscene\nat: 2"), 26,
                   "scene: small.kvscene\nexercise: 1.1, 1.3\nat: 2");
    Reader reader(lesson);
    reader.ask("lesson.open 1");
    reader.ask("lesson.say 2");
    reader.ask("lesson.next");
    REQUIRE(reader.view().exercises.size() == 2);
    reader.ask("lesson.answer 1.1 nonsense");
    reader.ask("lesson.another 1.3");
    const std::string asked = reader.view().exercises[1].exercise.text;
    reader.ask("lesson.answer 1.3 7");

    reader.come_back();
    reader.ask("lesson.open 1");
    CHECK(reader.view().may_reveal());
    CHECK_FALSE(reader.view().revealed);
    reader.ask("lesson.next");
    const auto& exercises = reader.view().exercises;
    CHECK(exercises[0].said == "nonsense");
    REQUIRE(exercises[0].graded);
    CHECK_FALSE(exercises[0].graded->ok);
    CHECK(exercises[1].said == "7");
    CHECK(exercises[1].exercise.text == asked);
    CHECK(exercises[1].seed == 1);
}

TEST_CASE("a file of progress that is not ours stays as it is", "[lesson]") {
    for (const char* other :
         {"", "{", "[]", "{\"version\":2}", "{\"version\":1,\"done\":{\"x\":[]}}",
          "{\"version\":1,\"done\":[1]}", "{\"version\":1,\"last\":3}",
          "{\"version\":1,\"answers\":{\"8.1\":\"53\"}}", "{\"version\":1,\"answers\":[]}",
          "{\"version\":1,\"answers\":{\"8.1\":{\"said\":\"3\",\"seed\":-1}}}",
          "{\"version\":1,\"predicted\":{\"8:walk\":[1]}}",
          "{\"version\":1,\"notes\":{\"8:walk\":1}}", "{\"version\":1,\"tasks\":{\"8.t1\":1}}",
          "{\"version\":1,\"tasks\":{\"8.t1\":{\"done\":true,\"score\":\"4\"}}}"}) {
        CAPTURE(other);
        Reader reader;
        write(reader.progress(), other);
        reader.come_back();
        reader.ask("lesson.open 1:second");
        CHECK(read(reader.progress()) == other);
    }
    LessonProgress progress;
    progress.done = {{1, {"first"}}, {8, {"walk", "live"}}};
    progress.last = "8:walk";
    progress.answers = {{"8.1", {"53 blocks", std::nullopt}}, {"8.2", {"3, 5", 4}}};
    progress.predicted = {{"8:walk", {"", "57"}}};
    progress.notes = {{"8:walk", "say it slowly"}};
    progress.tasks = {{"8.t1", {true, {}, ""}}, {"8.c1", {true, 0.875, "87.5 %"}}};
    CHECK(parse_progress(progress_text(progress)) == progress);
}

TEST_CASE("own words about a page are there again after a restart", "[lesson]") {
    Reader reader;
    reader.desk->keep_notes({{"1:second", "ask them first"}});
    reader.come_back();
    CHECK(reader.desk->notes().at("1:second") == "ask them first");
}

TEST_CASE("an edited lesson is shown at once, and a broken one says where it is broken",
          "[lesson]") {
    Reader reader;
    reader.ask("lesson.open 1");
    CHECK_FALSE(reader.desk->file_has_changed());
    const auto edit = [&](const std::string& from, const std::string& to) {
        std::string text = read(reader.file());
        text.replace(text.find(from), from.size(), to);
        write(reader.file(), text);
        fs::last_write_time(reader.file(),
                            fs::last_write_time(reader.file()) + std::chrono::seconds(5));
    };
    edit("What is there", "What stands there");
    CHECK(reader.desk->file_has_changed());
    CHECK_FALSE(reader.desk->file_has_changed());         // told once
    CHECK(reader.view().shown.title == "What is there");  // read when it is asked for
    reader.ask("lesson.reload");
    CHECK(reader.view().shown.title == "What stands there");

    edit("{A.blocks}", "{A.blokcs}");
    reader.ask("lesson.reload");
    CHECK_THAT(reader.view().problem.english(), ContainsSubstring("lesson.md:"));
    CHECK_THAT(reader.view().problem.english(), ContainsSubstring("blokcs"));
    edit("{A.blokcs}", "{A.blocks}");
    reader.ask("lesson.reload");
    CHECK(reader.view().problem.empty());
}

TEST_CASE("a folder without lessons is said, and asking again reads it again", "[lesson]") {
    Reader reader;
    fs::rename(reader.folder.path() / "lessons", reader.folder.path() / "elsewhere");
    reader.come_back();
    reader.desk->open_shelf();
    CHECK_FALSE(reader.view().problem.empty());
    fs::rename(reader.folder.path() / "elsewhere", reader.folder.path() / "lessons");
    reader.ask("lesson.reload");
    CHECK(reader.view().shelf.size() == 1);
}

TEST_CASE("an exercise is graded, hinted at and asked with other numbers", "[lesson]") {
    std::string lesson = kLesson;
    lesson.replace(lesson.find("scene: small.kvscene\nat: 2"), 26,
                   "scene: small.kvscene\nat: 2\nexercise: 8.1");
    Reader reader(lesson);
    reader.ask("lesson.open 1:second");
    REQUIRE(reader.view().exercises.size() == 1);
    const AskedExercise& asked = reader.view().exercises.front();
    const Exercise printed = asked.exercise;
    reader.ask("lesson.answer 8.1 " + expected_answer(printed));
    CHECK(asked.graded->ok);
    reader.ask("lesson.answer 8.1 1");
    CHECK_FALSE(asked.graded->ok);
    reader.ask("lesson.hint 8.1");
    CHECK(asked.hinted);
    reader.ask("lesson.another 8.1");
    CHECK(asked.exercise.text != printed.text);
    CHECK_FALSE(asked.graded);
    CHECK_THROWS_AS(reader.ask("lesson.hint 9.9"), Error);
}
