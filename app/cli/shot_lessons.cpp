#include "app/cli/shot_lessons.hpp"

#include <filesystem>
#include <iostream>

#include "app/cli/places.hpp"
#include "app/cli/progress_line.hpp"
#include "app/cli/values.hpp"
#include "core/base/error.hpp"
#include "core/lesson/lesson_shelf.hpp"

namespace kv {
namespace {

std::string two_digits(std::uint64_t n) {
    return (n < 10 ? "0" : "") + std::to_string(n);
}

bool has_more(const LessonStep& step) {
    return step.moves() || !step.then.empty() || !step.predictions.empty();
}

void draw(ShotOptions options, const std::string& file) {
    options.out = (std::filesystem::path(*options.out_dir) / (file + ".png")).string();
    options.out_dir.reset();
    options.quiet = true;
    run_shot(options);
}

}  // namespace

std::optional<std::string> lesson_command(const GivenOptions& given) {
    const auto lesson = whole_option(given, "--lesson", 1, 99);
    if (!lesson || given.text("--all")) return std::nullopt;
    const auto step = whole_option(given, "--step", 1, 999);
    return "lesson.open " + std::to_string(*lesson) + (step ? ":" + std::to_string(*step) : "");
}

int shot_all_lessons(const ShotOptions& options, std::optional<std::uint64_t> lesson) {
    if (!options.out_dir)
        throw Error(ErrorCode::Usage,
                    "--all draws many pictures; name their folder with --out-dir.");
    std::filesystem::create_directories(*options.out_dir);
    const LessonShelf shelf = read_shelf(lessons_folder().string());
    std::uint64_t drawn = 0;
    for (const Lesson& one : shelf.lessons) {
        if (lesson && one.number != *lesson) continue;
        for (std::size_t i = 0; i < one.steps.size(); ++i) {
            const LessonStep& step = one.steps[i];
            const std::string name =
                two_digits(one.number) + "-" + two_digits(i + 1) + "-" + step.id;
            ShotOptions picture = options;
            picture.scene = "", picture.layout = "learn", picture.step.reset();
            picture.commands = {"lesson.open " + std::to_string(one.number) + ":" + step.id};
            draw(picture, name), ++drawn;
            if (!has_more(step)) continue;
            picture.commands.push_back("lesson.go_on");
            draw(picture, name + "-then"), ++drawn;
        }
    }
    if (lesson && drawn == 0)
        throw Error(ErrorCode::Usage, "There is no lesson " + std::to_string(*lesson) +
                                          "; `kvarium lessons --list` "
                                          "names those there are.");
    if (!options.quiet) std::cout << drawn << " pictures are in " << *options.out_dir << "\n";
    return 0;
}

}  // namespace kv
