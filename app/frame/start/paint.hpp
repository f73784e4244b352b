#pragma once
// What the parts of the page share: the plan, and where it lies on the screen.

#include <string>

#include "app/frame/start/plan.hpp"
#include "app/frame/start/start.hpp"
#include "app/widgets/hit.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {

struct StartPage {
    const StartScene& scene;
    const Ui& ui;
    StartPlan plan;
    float scrolled = 0;  // pixels

    Rect at(const Rect& r) const {
        return snap({r.x * ui.unit, r.y * ui.unit - scrolled, r.w * ui.unit, r.h * ui.unit});
    }
    Vec2 at(Vec2 p) const { return {p.x * ui.unit, p.y * ui.unit - scrolled}; }
    StartUi& own() const { return scene.state.start; }
};

TextStyle start_style(const Ui& ui, StartText text, float size);
// The first lesson of the course, and how many come after it.
Text lesson_words(const Ui& ui, const LessonView* lesson);
std::string first_lesson(const LessonView* lesson);
Text hint_words(const Ui& ui, const StartView& view);
// The line under the doors, with the key and the menu in it.
Text escape_words(const Ui& ui);

void draw_doors(const StartPage& page);
void paint_thumb(const Painter& p, const Rect& box, std::size_t door);
void draw_field(const StartPage& page);
// What stands under the field: what is wrong with the sentence, what its tokens are, or how to
// type.
void paint_field_words(const StartPage& page);
void draw_picture(const StartPage& page);
void draw_comfort(const StartPage& page);
std::array<float, 3> comfort_widths(const Ui& ui);
void read_start_keys(const StartPage& page);

}  // namespace kv
