// What the page costs: a token of its own against one of the native program's one thread, a frame
// against the same frame natively, being ready against the browser's compiling of the same program.
// tests/web/measure.py drives a browser and says what it measured.

#include <chrono>
#include <optional>

#include "app/cli/screen/screen.hpp"
#include "bench/child.hpp"
#include "bench/row.hpp"
#include "bench/script.hpp"
#include "core/base/error.hpp"

namespace kv::bench {
namespace {

constexpr const char* kScript = "tests/web/measure.py";
constexpr PixelSize kPicture{1280, 540};  // of the page at 1280 x 900; measure.py says the same
constexpr std::size_t kFirstFrames = 10;  // which make fonts and shaders

struct Against {
    const char *ours, *theirs;  // names of figures
    const char *unit, *page_is, *other_is;
};

Result compared(Result result, const Measured& measured, const Against& names) {
    result.skipped = measured.skipped;
    if (result.skipped) return result;
    result.figures = {{names.page_is, names.unit, spread_of(measured.figures.at(names.ours))},
                      {names.other_is, names.unit, spread_of(measured.figures.at(names.theirs))}};
    result.ratio = result.figures[0].spread.median / result.figures[1].spread.median;
    return result;
}

std::vector<std::string> words(const char* what, const Programs& programs, std::size_t samples) {
    return {what, std::to_string(samples), programs.kvarium};
}

// The same scene in the same layout, drawn by the machine's OpenGL in software; nothing where there
// is none.
std::vector<double> native_frames(std::size_t n, std::string& renderer) {
    std::unique_ptr<Surface> surface = open_headless(kPicture, Renderer::Gl);
    renderer = surface->renderer();
    AppState state;
    state.layout = LayoutName::Explore;
    Screen screen(std::move(surface), std::move(state), texts_for(""));
    screen.open_scene("explore", std::nullopt);
    screen.finish_run();
    std::vector<double> ms;
    for (std::size_t i = 0; i < n + kFirstFrames; ++i) {
        const auto begun = Clock::now();
        screen.draw(false);
        if (i >= kFirstFrames)
            ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begun).count());
    }
    return ms;
}

}  // namespace

Result measure_web_decode(const Programs& programs, std::size_t samples) {
    Result result;
    result.row = "web_decode";
    result.what = "a token with an f32 cache in the page, against one thread of the native program";
    return compared(std::move(result), run_script(kScript, words("decode", programs, samples)),
                    {"page", "native", "ms", "page", "native, one thread"});
}

Result measure_web_frame(const Programs& programs, std::size_t samples) {
    Result result;
    result.row = "web_frame";
    result.what = "a frame of Explore in the page, against the same natively, both in software";
    Measured measured = run_script(kScript, words("frame", programs, samples));
    try {
        if (!measured.skipped)
            measured.figures["native"] = native_frames(samples * 10, result.done_by);
    } catch (const Error& none) {
        measured.skipped = none.what();
    }
    return compared(std::move(result), measured, {"page", "native", "ms", "page", "native"});
}

Result measure_web_ready(const Programs& programs, std::size_t samples) {
    Result result;
    result.row = "web_ready";
    result.what =
        "from opening the page's file to its first picture, against compiling the program";
    const Measured measured = run_script(kScript, words("ready", programs, samples));
    result = compared(std::move(result), measured,
                      {"ready", "compile", "ms", "first picture", "unpacking and compiling"});
    if (!result.skipped)
        result.figures.push_back(
            {"compiling alone", "ms", spread_of(measured.figures.at("alone"))});
    return result;
}

}  // namespace kv::bench
