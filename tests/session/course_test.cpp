// The course as it ships: every lesson is played, every number computed, every expectation tested,
// and every row of the table of checks has a step that shows it and, where it must, a test.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "app/session/shipped_models.hpp"
#include "core/lesson/course/exercises.hpp"
#include "core/lesson/language/run.hpp"
#include "core/trace/event/event.hpp"
#include "tests/places.hpp"

using namespace kv;

namespace {

const std::string kRoot = kv::test::source_dir();

struct Course {
    ShippedModels models{[](const std::string& name) { return kRoot + "/assets/models/" + name; }};
    LessonPlayer player{models, [](const std::string& name) {
                            return kRoot + "/assets/scenes/" + name + ".kvscene";
                        }};
    LessonShelf shelf = read_shelf(kRoot + "/lessons");

    LessonRun run(const std::string& scene) {
        Scene read = read_scene(kRoot + "/lessons/" + scene);
        const LessonModel& model = models.model(read.model);
        return LessonRun(model, std::move(read), scene);
    }
};

// "C001 1 concept test": a row, the lesson that owns it, and whether a test has to assert it.
struct CheckRow {
    std::string name, kind, by;
    std::uint32_t lesson = 0;
};
std::vector<CheckRow> check_rows() {
    std::ifstream file(kRoot + "/tests/lesson/checks.txt");
    std::vector<CheckRow> rows;
    CheckRow row;
    while (file >> row.name >> row.lesson >> row.kind >> row.by) rows.push_back(row);
    return rows;
}

// Rows that stand as a tag behind the name of some test.
std::set<std::string> tagged_rows() {
    std::set<std::string> rows;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot + "/tests")) {
        if (entry.path().extension() != ".cpp") continue;
        std::ifstream file(entry.path());
        std::stringstream text;
        text << file.rdbuf();
        const std::string all = text.str();
        const std::regex cases(
            "(TEST_CASE|TEMPLATE_TEST_CASE)\\(\\s*\"[^;{]*?\"(\\s*\"[^;{]*?\")*"
            ",\\s*\"(\\[[^\"]*)\"");
        const std::regex tag("\\[(C[0-9]{3})\\]");
        for (std::sregex_iterator c(all.begin(), all.end(), cases), end; c != end; ++c) {
            const std::string tags = (*c)[3];
            for (std::sregex_iterator t(tags.begin(), tags.end(), tag), none; t != none; ++t)
                rows.insert((*t)[1]);
        }
    }
    return rows;
}

}  // namespace

TEST_CASE("every lesson that ships is true", "[lesson][course][heavy]") {
    Course course;
    const CourseExercises exercises;
    const LessonReport report = check_shelf(course.shelf, course.player, &exercises);
    CHECK(report.broken == std::vector<std::string>{});
    // With the orientation, which is number zero, and without the museum.
    CHECK(report.lessons == kLessons);
    CHECK(report.exhibits == 13);
    CHECK(rows_missing(report.rows) == std::vector<std::string>{});
}

TEST_CASE("the museum stands last, and the lessons before it in the order of their numbers",
          "[lesson][course]") {
    const LessonShelf shelf = read_shelf(kRoot + "/lessons");
    REQUIRE(shelf.lessons.size() == kLessons + 1);
    CHECK(shelf.lessons.back().number == kMuseum);
    for (std::size_t i = 2; i + 1 < shelf.lessons.size(); ++i)
        CHECK(shelf.lessons[i - 1].number < shelf.lessons[i].number);
    CHECK(exercises_of(kMuseum).empty());
}

TEST_CASE("every row of the table of checks is shown by its lesson, and tested where it must be",
          "[lesson][course][heavy]") {
    const LessonShelf shelf = read_shelf(kRoot + "/lessons");
    const std::vector<CheckRow> rows = check_rows();
    REQUIRE(rows.size() == kCheckRows);
    const std::set<std::string> tags = tagged_rows();
    std::vector<std::string> without_step, without_test;
    for (const CheckRow& row : rows) {
        const Lesson* lesson = shelf.find(row.lesson);
        REQUIRE(lesson != nullptr);
        bool shown = false;
        for (const LessonStep& step : lesson->steps)
            for (const std::string& check : step.checks) shown = shown || check == row.name;
        if (!shown) without_step.push_back(row.name);
        if (row.by == "test" && tags.count(row.name) == 0) without_test.push_back(row.name);
    }
    CHECK(without_step == std::vector<std::string>{});
    CHECK(without_test == std::vector<std::string>{});
}

TEST_CASE("a plan that counts prompts alone runs out of blocks before it ends",
          "[lesson][course][C063]") {
    Course course;
    const LessonRun run = course.run("04-the-bill/growth.kvscene");
    const Snapshot planned = run.trace().at(*run.moment_after(1));
    CHECK(planned.counters.prompt_tokens == 30);  // 14 + 11 + 5: nine blocks of four, of sixteen
    CHECK(planned.lanes[0].used == 9);
    const auto out = run.trace().find(
        0, [](const Event& e) { return std::holds_alternative<RequestPreempted>(e.what); });
    REQUIRE(out.has_value());
    CHECK(run.trace().event(*out).reason.why == Why::RoomFor);
}

TEST_CASE("sharing by force damages more than trained sharing loses", "[lesson][course][C102]") {
    Course course;
    const auto loss = [&](const std::string& scene) {
        const LessonRun run = course.run("07-fewer-heads/" + scene);
        return means_of(run.quality("A", run.engine().settings())).nll_full;
    };
    const double full = loss("mha.kvscene"), trained = loss("gqa.kvscene"),
                 forced = loss("forced-2.kvscene");
    CHECK(forced - full > 1);
    CHECK(forced - full > 5 * std::abs(trained - full));
}
