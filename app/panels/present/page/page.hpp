#pragma once
// A page of a lesson in front of an audience: one picture, what is said or asked, and the keys.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>

#include "app/panels/figure/figure.hpp"
#include "app/panels/lesson/view.hpp"
#include "app/panels/present/page/told.hpp"
#include "app/panels/stage/ui.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// What a page remembers between frames. Moments of an event are restored once for each page.
struct PageUi {
    StageUi left, right;  // of two sides; of one run the left one
    std::tuple<std::optional<std::uint32_t>, std::size_t, bool> shown =
        {};                  // lesson, step, revealed
    double since = 0;        // seconds: the reveal
    bool is_moving = false;  // so the next picture is another one
    std::shared_ptr<const ToldEvent> told;
    FigureUi figure;
};

struct PageInput {
    const LessonView& lesson;
    const RunView* run = nullptr;
    const RunView* other = nullptr;  // beside it, where the step compares
    RunFocus& focus;
    // Draws the panel that the step names first, at the cursor; none where that is the run itself.
    std::function<void(const Ui&)> panel = {};
    // Draws the code of the step beside the picture, in that room; none where nobody asked.
    std::function<void(const Ui&, const Rect&)> code = {};
    float text_scale = 1;
    float bar = 0;  // pixels that the bar covers
    // The picture alone, so many pixels high, at the upper edge: words stand elsewhere.
    std::optional<float> alone = {};
    double now = 0;
};
void draw_page(const Ui& ui, const PageInput& in, PageUi& own, const Rect& room);

}  // namespace kv
