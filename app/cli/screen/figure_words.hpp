#pragma once
// Which part of the window is the figure of a lesson's step, and what it shows in words.

#include <string>
#include <vector>

#include "app/cli/screen/screen.hpp"
#include "core/lesson/course/lesson.hpp"

namespace kv {

// Everything but the lesson's own words, the transport and the top bar.
struct FigurePlaces {
    Rect panels, charts;       // logical pixels; charts: the small ones of Learn
    std::vector<Dock> fronts;  // the docks within `panels`
};
FigurePlaces figure_places(const AppState& state, PixelSize window);

std::string words_of_figure(Screen& screen, const LessonStep& step,
                            const std::vector<Dock>& fronts);
std::string words_of_charts(Screen& screen);

}  // namespace kv
