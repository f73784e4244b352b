#include "app/cli/shot/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "app/cli/screen/figure_words.hpp"
#include "app/cli/screen/start_state.hpp"
#include "app/cli/shot/lessons.hpp"
#include "app/cli/shot/screen.hpp"
#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/terminal/places.hpp"
#include "app/cli/terminal/progress_line.hpp"
#include "app/shell/files.hpp"
#include "app/shell/staged_folder.hpp"
#include "core/base/error.hpp"
#include "core/lesson/course/shelf.hpp"

namespace kv {
namespace {

constexpr std::string_view kWords = "Description";
constexpr std::size_t kMostPictureBytes = std::size_t{1} << 26;

// The window is as large as leaves the panels beside the lesson room, and no larger: a page shows
// them smaller than they are.
PixelSize window_size(const LessonStep& step) {
    return step.layout == "learn" ? PixelSize{1600, 1000} : PixelSize{1760, 1000};
}

bool asks_for_charts(const LessonStep& step) {
    return step.layout == "learn" && !step.figure &&
           std::find(step.panels.begin(), step.panels.end(), "charts") != step.panels.end();
}

Image cut_out(const Image& from, const Rect& rect) {
    const auto whole = [](float x) { return static_cast<int>(std::lround(x)); };
    const int x = whole(rect.x), y = whole(rect.y), w = whole(rect.w), h = whole(rect.h);
    KV_ASSERT(x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= from.size.w && y + h <= from.size.h);
    Image part{{w, h}, {}};
    part.rgba.reserve(std::size_t(w) * std::size_t(h) * 4);
    for (int row = y; row < y + h; ++row) {
        const auto first = from.rgba.begin() + (std::ptrdiff_t{row} * from.size.w + x) * 4;
        part.rgba.insert(part.rgba.end(), first, first + std::ptrdiff_t{w} * 4);
    }
    return part;
}

// Both themes of one cut.
struct Figure {
    std::array<Image, std::size(kFigureThemes)> images;
    std::string words;
};

bool looks_same(const Figure& a, const Figure& b) {
    return std::equal(a.images.begin(), a.images.end(), b.images.begin(),
                      [](const Image& x, const Image& y) { return looks_same(x, y); });
}

// A step on a screen of its own.
class StepScreen {
public:
    StepScreen(const Lesson& lesson, const LessonStep& step, Renderer renderer)
        : step_(step),
          size_(window_size(step)),
          shot_(options(lesson), open_headless(size_, renderer)) {}

    void reveal() {
        carry_out(shot_.screen.frame().state(), {"lesson.go_on"});
        shot_.screen.finish_run();
    }

    struct Cuts {
        Figure panels;
        std::optional<Figure> charts;
    };
    Cuts draw() {
        Cuts cuts;
        if (asks_for_charts(step_)) cuts.charts.emplace();
        for (std::size_t i = 0; i < std::size(kFigureThemes); ++i) {
            shot_.screen.frame().state().settings.theme = *theme_named(kFigureThemes[i]);
            shot_.settle();
            const Image window = shot_.screen.surface().read_pixels();
            const FigurePlaces places = figure_places(shot_.screen.frame().state(), size_);
            cuts.panels.images[i] = cut_out(window, places.panels);
            if (cuts.charts) cuts.charts->images[i] = cut_out(window, places.charts);
            if (i > 0) continue;  // both themes show the same words
            cuts.panels.words = words_of_figure(shot_.screen, step_, places.fronts);
            if (cuts.charts) cuts.charts->words = words_of_charts(shot_.screen);
        }
        return cuts;
    }

private:
    ShotOptions options(const Lesson& lesson) const {
        ShotOptions options;
        options.scene = "";  // none of its own: the command opens that of the step
        options.layout = "learn";
        options.size = size_;
        options.commands = {"lesson.open " + std::to_string(lesson.number) + ":" + step_.id};
        return options;
    }

    const LessonStep& step_;
    PixelSize size_;
    ShotScreen shot_;
};

class FigureFolder {
public:
    explicit FigureFolder(const std::filesystem::path& folder) : folder_(folder) {}
    void keep(const Figure& figure, const std::string& step, std::string_view part) {
        const std::array<PngText, 1> words{{{std::string(kWords), figure.words}}};
        for (std::size_t i = 0; i < std::size(kFigureThemes); ++i, ++kept)
            write_png(folder_.path() / figure_file(step, part, kFigureThemes[i]), figure.images[i],
                      words);
    }
    void finish() { folder_.keep(); }
    std::size_t kept = 0;

private:
    StagedFolder folder_;
};

void draw_step(const Lesson& lesson, std::size_t index, Renderer renderer, FigureFolder& folder) {
    const LessonStep& step = lesson.steps[index];
    const std::string name = step_name(lesson, index);
    StepScreen screen(lesson, step, renderer);
    const StepScreen::Cuts before = screen.draw();
    folder.keep(before.panels, name, kOpens);
    if (before.charts) folder.keep(*before.charts, name, kOpensCharts);
    if (!has_more(step)) return;
    screen.reveal();
    const StepScreen::Cuts then = screen.draw();
    if (!looks_same(then.panels, before.panels)) folder.keep(then.panels, name, kThen);
    if (then.charts && !looks_same(*then.charts, *before.charts))
        folder.keep(*then.charts, name, kThenCharts);
}

}  // namespace

std::string figure_file(const std::string& step, std::string_view part, std::string_view theme) {
    return step + std::string(part) + "." + std::string(theme) + ".png";
}

bool looks_same(const Image& a, const Image& b) {
    constexpr int kFaint = 64;         // of 255, of one channel
    constexpr std::size_t kFew = 200;  // channels of pixels
    if (a.size != b.size) return false;
    std::size_t differ = 0;
    for (std::size_t i = 0; i < a.rgba.size(); ++i) {
        if (a.rgba[i] == b.rgba[i]) continue;
        if (std::abs(int{a.rgba[i]} - int{b.rgba[i]}) > kFaint || ++differ > kFew) return false;
    }
    return true;
}

std::string figure_words(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    return png_text(read_file(file, kMostPictureBytes), kWords, name).value_or("");
}

int shot_all_figures(const ShotOptions& options, std::optional<std::uint64_t> lesson,
                     std::optional<std::uint64_t> step) {
    const LessonShelf shelf = read_shelf(lessons_folder().string());
    const std::vector<LessonPlace> places = places_of_steps(shelf, lesson, step);
    FigureFolder folder(out_dir_of(options));
    watch_for_interrupts();
    {
        ProgressLine progress(options.quiet);
        for (const LessonPlace& place : places) {
            stop_if_interrupted("Stopped; none of the figures is kept.");
            progress.show("lesson " + std::to_string(place.lesson->number) + ", step " +
                          std::to_string(place.index + 1));
            draw_step(*place.lesson, place.index, options.renderer, folder);
        }
    }
    folder.finish();
    if (!options.quiet) std::cout << folder.kept << " pictures are in " << *options.out_dir << "\n";
    return 0;
}

}  // namespace kv
