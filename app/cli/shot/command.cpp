// The options of `kvarium shot`, and how each is read.

#include "app/cli/shot/command.hpp"

#include "app/cli/shot/figures.hpp"
#include "app/cli/shot/lessons.hpp"
#include "app/cli/shot/shot.hpp"
#include "app/cli/terminal/places.hpp"
#include "app/cli/terminal/values.hpp"
#include "app/live/scene/picture_note.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr u64 kLargestSide = 16'384;

// "1920x1080", strictly.
PixelSize read_size(const std::string& text) {
    const std::size_t x = text.find('x');
    std::string why = "is not WIDTHxHEIGHT";
    if (x != std::string::npos) {
        const auto w = parse_whole(std::string_view(text).substr(0, x), 64, kLargestSide, why);
        const auto h =
            w ? parse_whole(std::string_view(text).substr(x + 1), 64, kLargestSide, why) : w;
        if (h) return {static_cast<int>(*w), static_cast<int>(*h)};
    }
    refuse_value("--size", text, why, "write it like 1920x1080, each side from 64 to 16,384");
}

double read_scale(const GivenOptions& given, std::string_view name, double min, double max) {
    const auto text = given.text(name);
    if (!text) return 1.0;
    std::string why;
    const auto value = parse_decimal(*text, why);
    const std::string range = round_trip(min) + " to " + round_trip(max);
    if (!value) refuse_value(name, *text, why, "write a number from " + range);
    if (*value < min || *value > max)
        refuse_value(name, *text, "is outside " + range, "choose a number in between");
    return *value;
}

// A new size or scale is no longer that of the picture that is drawn again.
void read_sizes(ShotOptions& options, const GivenOptions& given) {
    if (const auto size = given.text("--size")) {
        options.size = read_size(*size);
        options.pixels.reset();
    }
    if (given.text("--scale")) {
        options.scale = read_scale(given, "--scale", 0.5, 4.0);
        options.pixels.reset();
    }
    if (given.text("--text-scale"))
        options.text_scale = read_scale(given, "--text-scale", 0.8, 3.0);
}

std::optional<ExportFormat> format_asked(const ShotOptions& options) {
    if (options.format || !options.out) return options.format;
    return format_of(*options.out);
}

void read_exports(ShotOptions& options, const GivenOptions& given) {
    if (const auto word = given.text("--export")) {
        options.format = format_named(*word);
        if (!options.format)
            refuse_value("--export", *word, "is no format",
                         "use png, svg, csv, json, md, gif or mp4");
    }
    options.table = given.text("--table");
    options.steps = given.text("--steps");
    options.out_dir = given.text("--out-dir");
    refuse_both(given, "--out", "--out-dir");
    if (options.steps && given.has("--step"))
        throw Error(ErrorCode::Usage,
                    "--step is one step and --steps a film of many; keep one of them.");
    const bool is_film = options.format == ExportFormat::Gif || options.format == ExportFormat::Mp4;
    if (options.steps && options.format && !is_film)
        throw Error(ErrorCode::Usage,
                    "--export stands beside --steps, which make a film; write gif or mp4, or leave "
                    "one of them out.");
    if (given.has("--fps") && !given.has("--steps"))
        throw Error(ErrorCode::Usage, "--fps is of a film; add --steps FIRST..LAST.");
    if (options.table && format_asked(options) != ExportFormat::Csv)
        throw Error(ErrorCode::Usage,
                    "--table is of a CSV file; end --out in .csv, or add --export csv.");
    if (given.text("--fps")) options.per_second = read_scale(given, "--fps", 0.1, 60);
}

Renderer read_renderer(const GivenOptions& given) {
    const std::string word = given.text("--renderer").value_or("integers");
    if (word == "integers") return Renderer::Integers;
    if (word == "gl") return Renderer::Gl;
    refuse_value("--renderer", word, "is no renderer", "write integers or gl");
}

// What runs: a scene, a picture that is drawn again, or a step of a lesson, which a command opens.
// Answers whether it is a lesson.
bool read_source_of_run(ShotOptions& options, const GivenOptions& given) {
    options.scene = given.text("--scene");
    if (options.scene == "none") options.scene = "";
    if (options.scene && !options.scene->empty())
        if (const auto note = read_picture_note(scene_file(*options.scene)))
            draw_again(options, *note);
    const auto lesson = lesson_command(given);
    if (!lesson) return false;
    if (options.scene)
        throw Error(ErrorCode::Usage,
                    "--lesson and --scene are two pictures; a step of a lesson has its own "
                    "scene. Use one of them.");
    options.scene = "";
    options.layout = "learn";
    options.commands.push_back(*lesson);
    if (given.text("--layout")) options.commands.push_back("layout." + *given.text("--layout"));
    return true;
}

int shot_all(const std::string& what, const ShotOptions& options, const GivenOptions& given) {
    const auto number = whole_option(given, "--lesson", 0, 99),
               step = whole_option(given, "--step", 1, 999);
    if (step && !number)
        throw Error(ErrorCode::Usage, "--step with --all is a step of a lesson; add --lesson N.");
    if (what == "lessons") return shot_all_lessons(options, number, step);
    if (what == "figures") return shot_all_figures(options, number, step);
    refuse_value("--all", what, "is nothing that can be drawn altogether",
                 "write --all lessons or --all figures");
}

int take_shot(const GivenOptions& given, const CommonOptions& common) {
    ShotOptions options;
    options.renderer = read_renderer(given);
    const bool is_lesson = read_source_of_run(options, given);
    options.layout = given.text("--layout").value_or(options.layout);
    options.theme = given.text("--theme").value_or(options.theme);
    if (const auto panel = given.text("--panel")) options.panel = panel;
    // With a lesson the step is one of its own, which its command names.
    if (const auto step = whole_option(given, "--step", 0, 1'000'000'000); step && !is_lesson)
        options.step = static_cast<std::uint32_t>(*step);
    options.plan = given.text("--plan");
    options.out = common.out;
    options.language = given.text("--language").value_or(options.language);
    for (const std::string& command : given.all("--command")) options.commands.push_back(command);
    read_sizes(options, given);
    read_exports(options, given);
    options.quiet = common.quiet;
    if (const auto all = given.text("--all")) return shot_all(*all, options, given);
    return run_shot(options);
}

}  // namespace

Subcommand shot_command() {
    return {
        .name = "shot",
        .summary = "draw a layout or a panel into a file, without a display",
        .usage = {"shot --scene assets/scenes/explore.kvscene --step 112 --out picture.png",
                  "shot --layout explore --theme dark --size 1920x1080 --out picture.png",
                  "shot --panel equation --size 388x316 --scale 2 --out equation.svg",
                  "shot --scene explore --panel charts --table samples --out samples.csv",
                  "shot --scene first --steps 1..20 --out first.gif",
                  "shot --lesson 8 --step 3 --out step.png",
                  "shot --all lessons --out-dir pictures",
                  "shot --all figures --lesson 8 --out-dir pictures"},
        .positional = "",
        .options = {{"--scene", "FILE",
                     "what runs: a scene file, a picture of one, a shipped scene's name, or none; "
                     "default: the layout's own scene"},
                    {"--step", "N",
                     "draw it after that step; default: the scene's own. With --lesson: which "
                     "step of it"},
                    {"--lesson", "N",
                     "a step of the lesson of this number, before its reveal; the one behind the "
                     "course is the bug museum"},
                    {"--all", "WHAT",
                     "lessons: every step of every lesson, into --out-dir; figures: what the "
                     "documentation shows of them; --lesson N, --step N: of this one"},
                    {"--layout", "NAME",
                     "learn, explore, present, compare or attach; default explore"},
                    {"--panel", "NAME", "only this panel, filling the picture"},
                    {"--theme", "NAME", "dark, light or contrast; default dark"},
                    {"--size", "WxH", "logical pixels; default 1920x1080"},
                    {"--scale", "X", "picture pixels per logical pixel, 0.5 to 4; default 1"},
                    {"--text-scale", "X", "size of all text, 0.8 to 3; default 1"},
                    {"--export", "FORMAT",
                     "png, svg, csv, json, md, gif or mp4; default: what the ending of --out says"},
                    {"--table", "NAME", "which table of the panel, for csv; default: its first"},
                    {"--steps", "A..B", "these steps as a film: --out FILE.gif or FILE.mp4"},
                    {"--out-dir", "FOLDER", "the pictures of a film one by one"},
                    {"--fps", "X", "steps per second of a film, 0.1 to 60; default 2"},
                    {"--renderer", "NAME",
                     "integers: the same bytes on every machine, the default; gl: by this "
                     "machine's OpenGL, as the window"},
                    {"--plan", "FILE", "write rectangles, labels and ids as JSON; needs no --out",
                     false, true},
                    {"--language", "FILE", "a translation, or pseudo"},
                    {"--command", "TEXT",
                     "carry this out first, such as \"bill.tokens 4096\"; may be repeated", true}},
        .run = take_shot};
}

}  // namespace kv
