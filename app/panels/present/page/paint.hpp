#pragma once
// The parts of a page, painted. Internal to the room; a unit of `ui` is a pixel of the design.

#include "app/panels/present/page/event_plan.hpp"
#include "app/panels/present/page/face.hpp"
#include "app/panels/present/page/figure_plan.hpp"
#include "app/panels/present/page/plan.hpp"
#include "app/panels/view/focus.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {

void paint_figure(const Ui& ui, const FigurePlan& plan);
void paint_event(const Ui& ui, const EventPicturePlan& plan, const EventStory& story,
                 const EventMoments& moments);

// The lines of the longest choice at that size in a box of that width; many where a word is cut.
int choice_lines(const Ui& ui, const PageFace& face, float size, float width);
void draw_choices(const Ui& ui, const PagePlan& plan, const PageFace& face);
void draw_page_foot(const Ui& ui, const PagePlan& plan, const PageFace& face,
                    const EventStory* story);

// What a page says; in a column its headline is smaller, and takes more lines.
struct PageWords {
    const Ui& ui;
    const PageFace& face;
    const EventStory* story;  // may be null
    bool in_column = false;
};
// What the plan of the page needs to know; it asks while `words` lives.
PageNeeds page_needs(const PageWords& words);
// Headline, prose, choices and foot; what is pressed becomes a command.
void draw_page_words(const Ui& ui, const PagePlan& plan, const PageFace& face,
                     const EventStory* story, RunFocus& focus);

}  // namespace kv
