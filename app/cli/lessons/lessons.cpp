#include "app/cli/lessons/lessons.hpp"

#include <iostream>

#include "app/cli/lessons/ask.hpp"
#include "app/cli/lessons/pages.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/places.hpp"
#include "app/cli/terminal/progress_line.hpp"
#include "app/cli/terminal/values.hpp"
#include "app/session/shipped_models.hpp"
#include "core/base/error.hpp"
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

void refuse_two_tasks(const GivenOptions& given) {
    std::string_view first;
    for (const std::string_view task :
         {"--list", "--show", "--check", "--pages", "--functions", "--ask", "--grade"}) {
        if (!given.has(task)) continue;
        if (!first.empty()) refuse_both(given, first, task);
        first = task;
    }
}

int run_lessons(const GivenOptions& given, const CommonOptions& common) {
    refuse_two_tasks(given);
    if (given.has("--renew") && !given.has("--check"))
        throw Error(ErrorCode::Usage, "--renew writes what a check has measured; add --check.");
    if (given.has("--teacher") && !given.has("--show"))
        throw Error(ErrorCode::Usage, "--teacher is a page of a lesson; add --show N.");
    const std::string folder = given.text("--folder").value_or(lessons_folder().string());
    const LessonShelf shelf = read_shelf(folder);
    ShippedModels models([](const std::string& name) { return model_folder(name).string(); });
    const CourseExercises exercises;
    LessonPlayer player(models, [](const std::string& name) { return scene_file(name).string(); });
    if (shelf.measures && !given.has("--check")) player.know(*shelf.measures);
    if (asks_or_grades(given)) return run_lessons_ask(given, common, {shelf, player});
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
            "lessons wants --list, --show N, --check, --ask N, --grade FILE or --pages DIR; "
            "see kvarium lessons --help.");
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
        {"--functions", "", "what the expressions of a lesson file can call"},
        {"--folder", "DIR", "lessons from there instead of the shipped ones"}};
    const std::vector<OptionSpec>& ask = lessons_ask_options();
    options.insert(options.end(), ask.begin(), ask.end());
    return {"lessons",
            "the course as text, whether all of it is true, and questions on it",
            {"lessons --list --json", "lessons --show 8", "lessons --show 8 --teacher",
             "lessons --check", "lessons --ask 8 --seed 3 --json", "lessons --ask 8 --fixed",
             "lessons --grade FILE --json", "lessons --pages site/lessons"},
            "",
            std::move(options),
            run_lessons};
}

}  // namespace kv
