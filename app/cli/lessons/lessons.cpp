#include "app/cli/lessons/lessons.hpp"

#include <algorithm>
#include <iostream>

#include "app/cli/lessons/ask.hpp"
#include "app/cli/lessons/grade.hpp"
#include "app/cli/lessons/pages.hpp"
#include "app/cli/lessons/sheet.hpp"
#include "app/cli/lessons/slides.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/places.hpp"
#include "app/cli/terminal/progress_line.hpp"
#include "app/cli/terminal/values.hpp"
#include "app/session/shipped_models.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/course/exercises.hpp"

namespace kv {
namespace {

const Lesson& lesson_asked(const LessonShelf& shelf, u64 number) {
    const Lesson* lesson = shelf.find(static_cast<std::uint32_t>(number));
    if (lesson == nullptr)
        throw Error(ErrorCode::Usage, "--show: there is no lesson " + std::to_string(number) +
                                          "; kvarium lessons --list names them.");
    return *lesson;
}

constexpr std::string_view kTasks[] = {"--list", "--show",  "--check", "--pages", "--functions",
                                       "--ask",  "--grade", "--sheet", "--slides"};

void refuse_two_tasks(const GivenOptions& given) {
    std::string_view first;
    for (const std::string_view task : kTasks) {
        if (!given.has(task)) continue;
        if (!first.empty()) refuse_both(given, first, task);
        first = task;
    }
}

// Options that say nothing without another one.
struct Companion {
    std::string_view option;
    std::vector<std::string_view> tasks;  // one of them has to be there
    const char* sentence;
};
const std::vector<Companion>& companions() {
    static const std::vector<Companion> all{
        {"--renew", {"--check"}, "--renew writes what a check has measured; add --check."},
        {"--teacher", {"--show"}, "--teacher is a page of a lesson; add --show N."},
        {"--fixed",
         {"--ask", "--sheet"},
         "--fixed goes with a lesson's questions; add --ask N or --sheet N."},
        {"--key", {"--ask"}, "--key goes with a lesson's questions; add --ask N."},
        {"--table", {"--grade"}, "--table is of a class; add --grade and the files of answers."},
        {"--seeds", {"--sheet"}, "--seeds are of sheets of exercises; add --sheet N."},
        {"--no-key", {"--sheet"}, "--no-key is of a sheet of exercises; add --sheet N."},
        {"--export", {"--sheet"}, "--export is of a sheet of exercises; add --sheet N."},
        {"--lesson",
         {"--slides"},
         "--lesson goes with --slides DIR; a lesson as text is --show N."}};
    return all;
}

void refuse_lonely(const GivenOptions& given) {
    for (const Companion& one : companions()) {
        const bool has_task = std::any_of(one.tasks.begin(), one.tasks.end(),
                                          [&](std::string_view task) { return given.has(task); });
        if (given.has(one.option) && !has_task) throw Error(ErrorCode::Usage, one.sentence);
    }
    refuse_both(given, "--fixed", "--seed");
    if (!given.positionals.empty() && !given.has("--grade"))
        throw Error(ErrorCode::Usage,
                    shown(given.positionals.front()) +
                        " is one argument too many; put the option's name in front of it or leave "
                        "it out.");
}

int run_lessons(const GivenOptions& given, const CommonOptions& common) {
    refuse_two_tasks(given);
    refuse_lonely(given);
    const std::string folder = given.text("--folder").value_or(lessons_folder().string());
    const LessonShelf shelf = read_shelf(folder);
    if (given.has("--sheet")) return run_lessons_sheet(shelf, given, common);
    if (const auto slides = given.text("--slides")) {
        const std::size_t written =
            write_slides(shelf, {.lessons = folder,
                                 .folder = *slides,
                                 .lesson = whole_option(given, "--lesson", 0, 99),
                                 .quiet = common.quiet});
        if (!common.quiet)
            std::cout << "the slides of " << counted(written, "lesson") << " are in " << *slides
                      << "\n";
        return 0;
    }
    ShippedModels models([](const std::string& name) { return model_folder(name).string(); });
    const CourseExercises exercises;
    LessonPlayer player(models, [](const std::string& name) { return scene_file(name).string(); });
    if (shelf.measures && !given.has("--check")) player.know(*shelf.measures);
    if (!given.has("--check")) player.leave_out_hashes();
    if (given.has("--ask")) return run_lessons_ask(given, common, {shelf, player});
    if (given.has("--grade")) return run_lessons_grade(given, common, {shelf, player});
    if (given.has("--functions")) {
        write_output(common.out, lesson_functions_text());
        return 0;
    }
    if (const auto number = whole_option(given, "--show", 0, 99)) {
        const Lesson& lesson = lesson_asked(shelf, *number);
        write_output(common.out, given.has("--teacher") ? teacher_page(lesson, player, &exercises)
                                                        : lesson_text(lesson, player, &exercises));
        return 0;
    }
    if (given.has("--check")) {
        LessonReport report;
        {
            ProgressLine progress(common.quiet);
            report = check_shelf(shelf, player, &exercises, [&](const Lesson& lesson) {
                progress.show("lesson " + std::to_string(lesson.number));
            });
        }
        const std::string file = folder + "/" + kMeasuresFile;
        if (given.has("--renew"))
            write_output(file, player.measured().text());
        else if (shelf.measures)
            for (std::string words : shelf.measures->differences(player.measured()))
                report.broken.push_back(
                    words.insert(0, " ").insert(0, file).append("; write it anew with --renew."));
        write_output(common.out, report_text(report, common.json));
        const bool good = report.broken.empty() && rows_missing(report.rows).empty();
        return good ? 0 : static_cast<int>(ErrorCode::Check);
    }
    if (const auto pages = given.text("--pages")) {
        const std::size_t written =
            write_lesson_pages({shelf, player, exercises, *pages}, common.quiet);
        if (!common.quiet) std::cout << written << " pages are in " << *pages << "\n";
        return 0;
    }
    if (!given.has("--list"))
        throw Error(
            ErrorCode::Usage,
            "lessons wants --list, --show N, --check, --ask N, --sheet N, --slides DIR, --grade "
            "FILE or --pages DIR; see kvarium lessons --help.");
    write_output(common.out, lessons_list(shelf, common.json));
    return 0;
}

}  // namespace

Subcommand lessons_command() {
    std::vector<OptionSpec> options{
        {"--list", "", "the lessons with their numbers"},
        {"--show", "N", "a lesson as text, its numbers filled in"},
        {"--teacher", "", "with --show: the page of who teaches it"},
        {"--check", "", "play every lesson, compute every number, test every expectation"},
        {"--renew", "", "with --check: keep what was measured, so that lessons open at once"},
        {"--pages", "DIR",
         "the lessons as Markdown pages for a site; with the figures of shot --all figures where "
         "they are in DIR/pictures"},
        {"--slides", "DIR",
         "the lessons as slides, one file of HTML each that needs nothing else; with ?notes behind "
         "its name it shows the words of who speaks. scripts/slides makes PDF of them"},
        {"--lesson", "N", "with --slides: of this lesson alone"},
        {"--functions", "", "what the expressions of a lesson file can call"},
        {"--folder", "DIR", "lessons from there instead of the shipped ones"}};
    for (const auto* more :
         {&lessons_ask_options(), &lessons_sheet_options(), &lessons_grade_options()})
        options.insert(options.end(), more->begin(), more->end());
    return {"lessons",
            "the course as text, whether all of it is true, and questions on it",
            {"lessons --list --json", "lessons --show 8", "lessons --show 8 --teacher",
             "lessons --check", "lessons --ask 8 --seed 3 --json", "lessons --ask 8 --fixed",
             "lessons --sheet 8 --seeds 1..30 --out sheets.html", "lessons --grade FILE --json",
             "lessons --grade ada.json ben.json --table", "lessons --slides slides",
             "lessons --pages site/lessons"},
            "FILE...",
            std::move(options),
            run_lessons};
}

}  // namespace kv
