#include "app/panels/present/page/page.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/present/layout.hpp"
#include "app/panels/present/page/paint.hpp"
#include "app/panels/present/page/sides.hpp"
#include "app/panels/present/paint.hpp"
#include "app/panels/present/run/picture.hpp"
#include "app/widgets/hit.hpp"

namespace kv {
namespace {

constexpr float kGivens = 200, kBelowGivens = 24, kLeastRun = 300, kPanelScale = 1.8f,
                kPanelScaleAlone = 1.4f, kFigureScale = 1.5f, kCodeShare = 0.42f, kBesideCode = 40,
                kAloneMargin = 66,
                kCodeOfFigure = 400;  // the least height of code in the column of a figure

enum class PagePicture : std::uint8_t { None, Figure, Walk, Sides, Event, Panel, Run };

PagePicture picture_of(const PageInput& in, const EventStory* story) {
    if (in.lesson.exercise_in_front() || in.lesson.task_in_front()) return PagePicture::None;
    // What a lesson draws for an audience alone is larger than its figure.
    if (in.lesson.shown.walk) return PagePicture::Walk;
    if (has_figure(in.lesson)) return PagePicture::Figure;
    if (in.run != nullptr && in.other != nullptr) return PagePicture::Sides;
    if (story != nullptr) return PagePicture::Event;
    if (in.panel) return PagePicture::Panel;
    return in.run != nullptr ? PagePicture::Run : PagePicture::None;
}

const ToldEvent* event_page(const PageInput& in, PageUi& own, const PageFace& face,
                            const Texts& text) {
    if (face.state != PageState::Then || in.run == nullptr || in.other != nullptr ||
        has_figure(in.lesson) || in.lesson.shown.walk || in.lesson.opens >= in.lesson.ends)
        return nullptr;
    const ToldEvent& told =
        tell_event(*in.run, in.focus, {in.lesson.opens, in.lesson.ends}, own.told, text);
    return told.story ? &told : nullptr;
}

// When the step was revealed, by the clock of the window.
double seconds_revealed(const PageInput& in, PageUi& own) {
    const std::tuple shown{in.lesson.lesson, in.lesson.step, in.lesson.revealed};
    if (own.shown != shown) own.shown = shown, own.since = in.now;
    return in.now - own.since;
}

std::size_t filled(const Ui& ui, const PageInput& in, PageUi& own, const PageFace& face,
                   std::size_t n) {
    const double seconds = seconds_revealed(in, own);
    if (face.is_question() || !in.lesson.revealed) return 0;
    const std::size_t k = boxes_filled(seconds, n, ui.reduced_motion);
    own.is_moving = k < n;
    return k;
}

void draw_run(const Ui& ui, const PageInput& in, PageUi& own, const Rect& room) {
    Rect tokens = room;
    tokens.w += ui.px(kPresentMargin - 16);  // lines may use the margin
    const RunPicturePlan plan =
        plan_run_picture(tokens, room.w, ui.unit, run_picture_needs(*in.run, in.focus));
    draw_run_picture(ui, *in.run, in.focus, own.left, plan);
}

// A panel as it stands on a desk, larger.
void draw_panel(const Ui& ui, const PageInput& in, const Rect& room, float scale) {
    ImGui::SetCursorScreenPos(im(room.min()));
    ImGui::BeginChild("panel", {room.w, room.h}, 0, ImGuiWindowFlags_NoBackground);
    in.panel(scaled(ui, ui.unit * scale));
    ImGui::EndChild();
}

// What a question builds on stands over the picture, or in its place; never in that of two sides.
Rect draw_givens(const Ui& ui, const PagePlan& plan, const PageFace& face, const PageInput& in,
                 PageUi& own, bool may_be_alone) {
    Rect room = plan.picture;
    const bool has_givens = face.prediction && !in.alone &&
                            !in.lesson.predictions[*face.prediction].prediction.givens.empty();
    if (!has_givens) return room;
    const ShownPrediction& asked = in.lesson.predictions[*face.prediction].prediction;
    const float strip = ui.px(kGivens), rest = room.h - strip - ui.px(kBelowGivens);
    const bool alone = rest < ui.px(kLeastRun);
    if (alone && !may_be_alone) return room;
    const Rect givens{room.x, room.y, room.w, alone ? room.h : strip};
    paint_figure(ui, plan_givens(givens, plan.words * (alone ? 1.4f : 1.0f), asked,
                                 filled(ui, in, own, face, 1), ui.text));
    if (alone) return {room.x, room.y, room.w, 0};
    return {room.x, givens.bottom() + ui.px(kBelowGivens), room.w, rest};
}

// The picture gives up the right part of its room; in the column of a figure code stands where
// prose would, as far down as choices and foot let it.
void draw_code_beside(const Ui& ui, const PageInput& in, PagePlan& plan) {
    const Ui large = scaled(ui, ui.unit * kFigureScale);
    if (plan.in_column) return in.code(large, plan.prose);
    const float gap = ui.px(kBesideCode), width = std::round(plan.picture.w * kCodeShare);
    plan.picture.w -= width + gap;
    in.code(large, {plan.picture.right() + gap, plan.picture.y, width, plan.picture.h});
}

void draw_picture(const Ui& ui, const PagePlan& plan, const PageFace& face, const PageInput& in,
                  PageUi& own, const ToldEvent* event) {
    const PagePicture picture = picture_of(in, event != nullptr ? &*event->story : nullptr);
    if (picture == PagePicture::Figure) {
        // A figure has a margin of its own.
        Rect room = plan.picture;
        if (in.alone) room.x -= ui.px(kAloneMargin), room.w += 2 * ui.px(kAloneMargin);
        draw_figure_in(scaled(ui, ui.unit * kFigureScale), in.lesson, own.figure, room,
                       in.alone.has_value());
        own.is_moving = own.figure.is_moving;
        return;
    }
    if (picture == PagePicture::Walk)
        return paint_figure(ui, plan_walk(plan.picture, plan.words, *in.lesson.shown.walk,
                                          filled(ui, in, own, face, kWalkUnknowns), ui.text));
    if (picture == PagePicture::Event) {
        const EventMoments moments{event->before, event->after, in.run->word};
        return paint_event(ui, plan_event(plan.picture, plan.words, *event->story, moments),
                           *event->story, moments);
    }
    const Rect room = draw_givens(ui, plan, face, in, own, picture != PagePicture::Sides);
    if (room.h <= 0) return;
    if (picture == PagePicture::Sides)
        draw_sides(ui, {*in.run, *in.other, in.focus, own.left, own.right}, room);
    if (picture == PagePicture::Panel)
        draw_panel(ui, in, room, in.alone ? kPanelScaleAlone : kPanelScale);
    if (picture == PagePicture::Run) draw_run(ui, in, own, room);
}

// Plans the picture alone, between the margins of a page, in whose room lines may run.
PagePlan plan_alone(const Rect& room, float height) {
    PagePlan plan;
    plan.unit = plan.words = std::max(0.01f, room.w / kPresentWidth);
    const float margin = std::round(kAloneMargin * plan.unit);
    plan.picture = {room.x + margin, room.y, room.w - 2 * margin, std::min(height, room.h)};
    return plan;
}

// Plans a figure with its words beside it, in a column; code takes the place of their prose.
std::optional<PagePlan> plan_beside_figure(const PageInput& in, const PageWords& words,
                                           const Rect& room) {
    PageNeeds needs = page_needs(words);
    if (in.code) {
        needs.prose = [](float size, float) { return kCodeOfFigure * size; };
        needs.prose_fills = true;
    }
    return plan_page_in_columns(room, in.text_scale, in.bar, needs);
}

PageFace without_prose(PageFace face) {
    face.prose = nullptr, face.hint = nullptr;
    face.words.clear(), face.hint_words.clear();
    return face;
}

void draw_planned(const Ui& ui, const PageInput& in, PageUi& own, PagePlan plan,
                  const PageFace& face, const ToldEvent* event) {
    const Ui own_ui = scaled(ui, plan.unit);
    if (plan.has_picture()) {
        if (in.code) draw_code_beside(own_ui, in, plan);
        draw_picture(own_ui, plan, face, in, own, event);
        const Painter p(own_ui);
        if (plan.in_column)
            vline(p, plan.rule, plan.picture.y, plan.picture.bottom(), ui.colors.line, 2);
        else
            hline(p, plan.headline.x, plan.headline.right(), plan.rule, ui.colors.line, 2);
    }
    draw_page_words(own_ui, plan, face, event != nullptr ? &*event->story : nullptr, in.focus);
}

}  // namespace

void draw_page(const Ui& ui, const PageInput& in, PageUi& own, const Rect& room) {
    own.is_moving = false;
    const PageFace face = page_face(in.lesson, ui.text);
    const ToldEvent* event = event_page(in, own, face, ui.text);
    const EventStory* story = event != nullptr ? &*event->story : nullptr;
    if (in.alone) {
        const PagePlan plan = plan_alone(room, *in.alone);
        return draw_picture(scaled(ui, plan.unit), plan, face, in, own, event);
    }
    const PagePicture picture = picture_of(in, story);
    if (picture == PagePicture::Figure) {
        const PageFace said = in.code ? without_prose(face) : face;
        if (const auto plan = plan_beside_figure(in, {ui, said, story, true}, room))
            return draw_planned(ui, in, own, *plan, said, event);
    }
    // Where a person asks for words so large that no column holds them, the figure yields.
    const PageWords words{ui, face, story};
    PageNeeds needs = page_needs(words);
    needs.has_picture = picture != PagePicture::None && picture != PagePicture::Figure;
    draw_planned(ui, in, own, plan_page(room, in.text_scale, in.bar, needs), face, event);
}

}  // namespace kv
