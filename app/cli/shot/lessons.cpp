#include "app/cli/shot/lessons.hpp"

#include <filesystem>
#include <iostream>

#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/terminal/places.hpp"
#include "app/cli/terminal/values.hpp"
#include "app/shell/staged_folder.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

std::string two_digits(std::uint64_t n) {
    return (n < 10 ? "0" : "") + std::to_string(n);
}

void draw(ShotOptions options, const std::filesystem::path& folder, const std::string& file) {
    stop_if_interrupted("Stopped; none of the pictures is kept.");
    options.out = (folder / (file + ".png")).string();
    options.out_dir.reset();
    options.quiet = true;
    run_shot(options);
}

}  // namespace

std::optional<std::string> lesson_command(const GivenOptions& given) {
    const auto lesson = whole_option(given, "--lesson", 0, 99);
    if (!lesson || given.text("--all")) return std::nullopt;
    if (given.positional)
        throw Error(ErrorCode::Usage,
                    "--lesson and a scene are two things to open; a step of a lesson has its own "
                    "scene. Keep one of them.");
    const auto step = whole_option(given, "--step", 1, 999);
    return "lesson.open " + std::to_string(*lesson) + (step ? ":" + std::to_string(*step) : "");
}

bool has_more(const LessonStep& step) {
    return step.moves() || !step.then.empty() || !step.predictions.empty();
}

std::string step_name(const Lesson& lesson, std::size_t index) {
    return two_digits(lesson.number) + "-" + two_digits(index + 1) + "-" + lesson.steps[index].id;
}

std::vector<LessonPlace> places_of_steps(const LessonShelf& shelf,
                                         std::optional<std::uint64_t> lesson,
                                         std::optional<std::uint64_t> step) {
    std::vector<LessonPlace> places;
    for (const Lesson& one : shelf.lessons)
        for (std::size_t i = 0; i < one.steps.size(); ++i)
            if ((!lesson || *lesson == one.number) && (!step || *step == i + 1))
                places.push_back({&one, i});
    if (places.empty())
        throw Error(ErrorCode::Usage,
                    "There is no such step of a lesson; `kvarium lessons --list` "
                    "says which lessons there are, and how many steps they have.");
    return places;
}

const std::string& out_dir_of(const ShotOptions& options) {
    if (!options.out_dir)
        throw Error(ErrorCode::Usage,
                    "--all draws many pictures; name their folder with --out-dir.");
    return *options.out_dir;
}

int shot_all_lessons(const ShotOptions& options, std::optional<std::uint64_t> lesson,
                     std::optional<std::uint64_t> step) {
    const LessonShelf shelf = read_shelf(lessons_folder().string());
    const std::vector<LessonPlace> places = places_of_steps(shelf, lesson, step);
    StagedFolder folder(out_dir_of(options));
    watch_for_interrupts();
    std::uint64_t drawn = 0;
    for (const LessonPlace& place : places) {
        const LessonStep& one = place.lesson->steps[place.index];
        const std::string name = step_name(*place.lesson, place.index);
        ShotOptions picture = options;
        picture.scene = "", picture.layout = "learn", picture.step.reset();
        picture.commands = {"lesson.open " + std::to_string(place.lesson->number) + ":" + one.id};
        draw(picture, folder.path(), name), ++drawn;
        if (!has_more(one)) continue;
        picture.commands.push_back("lesson.go_on");
        draw(picture, folder.path(), name + "-then"), ++drawn;
    }
    folder.keep();
    if (!options.quiet) std::cout << drawn << " pictures are in " << *options.out_dir << "\n";
    return 0;
}

}  // namespace kv
