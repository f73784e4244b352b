#include "app/cli/shot/film.hpp"

#include <chrono>
#include <cstdlib>
#include <thread>

#include "app/cli/screen/start_state.hpp"
#include "app/cli/shot/screen.hpp"
#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/terminal/progress_line.hpp"
#include "app/export/film.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr std::uint32_t kMostPictures = 10'000, kLastStep = 1'000'000'000;

FilmAsk film_ask(const ShotOptions& options) {
    const char* folders = std::getenv("PATH");
    FilmAsk ask{.kind = FilmKind::Pictures,
                .target = options.out_dir.value_or(""),
                .per_second = options.per_second,
                .path_variable = folders == nullptr ? "" : folders};
    if (options.out_dir) return ask;
    if (!options.out || *options.out == "-")
        throw Error(ErrorCode::Usage,
                    "--steps needs a place for its film: --out FILE.gif, --out FILE.mp4, or "
                    "--out-dir FOLDER for single pictures.");
    const auto kind = film_kind(*options.out);
    if (!kind)
        throw Error(ErrorCode::Usage, "--out `" + shown(*options.out) +
                                          "` is no film; end it in .gif or .mp4, or give a folder "
                                          "for single pictures with --out-dir FOLDER.");
    ask.kind = *kind, ask.target = *options.out;
    return ask;
}

constexpr const char* kStopped = "Stopped; nothing of the film is kept.";
// Of a further step: the windows have their sizes, and only what is in them moves.
constexpr int kFramesOfNextStep = 3;

void go_to(ShotScreen& shot, std::uint32_t step) {
    carry_out(shot.screen.frame().state(), {"run.goto " + std::to_string(step)});
    shot.screen.finish_run();
}

// As `shot --step` looks at that step: the scene's own view, then what the line selects.
void look_at_step(ShotScreen& shot, std::uint32_t step) {
    go_to(shot, step);
    AppState& state = shot.screen.frame().state();
    shot.screen.run().apply_scene_view(state);
    for (const std::string& command : shot.note.drawn.commands)
        if (command.starts_with("select.") || command.starts_with("focus."))
            carry_out(state, {command});
    shot.screen.finish_run();
}

// Before anything is drawn: a film that cannot be finished is not begun.
void check_reach(ShotScreen& shot, const StepSpan& steps) {
    const RunView* run = shot.screen.run().view();
    if (run == nullptr)
        throw Error(ErrorCode::Usage,
                    "--steps: nothing runs without a scene; name one with --scene.");
    go_to(shot, steps.last);  // refuses a step behind the end
}

void draw_steps(ShotScreen& shot, FilmMaker& film, const StepSpan& steps, ProgressLine& line) {
    const std::string last = with_commas(steps.last);
    for (std::uint32_t step = steps.first; step <= steps.last; ++step) {
        stop_if_interrupted(kStopped);
        line.show("step " + with_commas(step) + " of " + last);
        look_at_step(shot, step);
        shot.settle(step == steps.first ? kSettleFrames : kFramesOfNextStep);
        if (shot.note.scene) shot.note.scene->step = step;
        film.add(shot.screen.surface().read_pixels(), texts_of(shot.note));
    }
}

// "100..112", both ends in it. On a refusal `why` is the end of a sentence.
std::optional<StepSpan> span_of(std::string_view text, std::string& why) {
    const std::size_t dots = text.find("..");
    why = "is not FIRST..LAST";
    if (dots == std::string_view::npos) return std::nullopt;
    const auto first = parse_whole(text.substr(0, dots), 0, kLastStep, why);
    if (!first) return std::nullopt;
    const auto last = parse_whole(text.substr(dots + 2), 0, kLastStep, why);
    if (!last) return std::nullopt;
    if (*last < *first) {
        why = "ends before it begins";
        return std::nullopt;
    }
    if (*last - *first >= kMostPictures) {
        why = "has more than 10,000 steps";
        return std::nullopt;
    }
    return StepSpan{.first = static_cast<std::uint32_t>(*first),
                    .last = static_cast<std::uint32_t>(*last)};
}

}  // namespace

StepSpan read_steps(const std::string& text, const std::string& what) {
    std::string why;
    if (const auto span = span_of(text, why)) return *span;
    throw Error(ErrorCode::Usage,
                what + " `" + shown(text) + "` " + why + "; write it like 20..40.");
}

int run_film(const ShotOptions& options) {
    const StepSpan steps = read_steps(*options.steps, "--steps");
    const FilmAsk ask = film_ask(options);
    watch_for_interrupts();
    FilmMaker film(ask);
    ShotOptions first = options;
    first.step = steps.first;
    ShotScreen shot(first, open_headless(picture_size(options), options.renderer));
    check_reach(shot, steps);
    ProgressLine line(options.quiet);
    draw_steps(shot, film, steps, line);
    line.show("packing the film");
    while (!film.pack()) {
        stop_if_interrupted(kStopped);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return 0;
}

}  // namespace kv
