#include "app/frame/present.hpp"

#include <imgui.h>

#include <algorithm>

#include "app/panels/code/code.hpp"
#include "app/panels/present/bar.hpp"
#include "app/panels/present/page/page.hpp"
#include "app/panels/present/page/run_event.hpp"
#include "app/panels/present/paint.hpp"
#include "app/panels/present/present.hpp"
#include "app/panels/present/run/run.hpp"
#include "app/widgets/bare_window.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kLargestBar = 2;  // as many times as large as it was designed

bool is_lesson(const PresentedRun& shown) {
    return shown.lesson != nullptr && shown.lesson->lesson && !shown.lesson->shown.title.empty();
}

PresentBarView lesson_bar(const Texts& text, const LessonView& lesson) {
    const LessonHead* head = lesson.head();
    PresentBarView bar;
    bar.has_code = has_code(lesson);
    bar.at = lesson.step;
    bar.n_pages = head != nullptr ? head->steps.size() : 0;
    bar.title = head != nullptr ? head->title : std::string();
    const bool is_museum = lesson.lesson == kMuseum;
    bar.page = fill(text[is_museum ? "lesson.page.museum"_t : "lesson.page.head"_t],
                    {{"n", with_commas(*lesson.lesson)},
                     {"page", with_commas(lesson.step + 1)},
                     {"pages", with_commas(std::max(bar.n_pages, lesson.step + 1))}});
    return bar;
}

PresentBarView bar_of(const Texts& text, const AppState& state, const PresentedRun& shown) {
    PresentBarView bar;
    if (is_lesson(shown)) {
        bar = lesson_bar(text, *shown.lesson);
    } else if (shown.run != nullptr) {
        const RunView& run = *shown.run;
        const std::uint32_t last =
            run.samples.empty() ? run.now.iteration : run.samples.back().iteration;
        bar.title = run.scene;
        bar.page = fill(text["present.bar.step"_t],
                        {{"n", with_commas(run.now.iteration)},
                         {"total", with_commas(std::max(last, run.now.iteration))}});
    } else {
        bar.title = text["present.title"_t];
    }
    bar.can_freeze = shown.run != nullptr;
    bar.frozen = state.run.frozen;
    return bar;
}

// The panel that a step names first, where that is not the run itself.
std::optional<PanelId> panel_of(const LessonView& lesson) {
    if (lesson.shown.panels.empty()) return std::nullopt;
    const PanelRow* row = find_panel(lesson.shown.panels.front());
    const bool is_picture = row != nullptr && row->id != PanelId::Stage &&
                            row->id != PanelId::Events && row->id != PanelId::Requests;
    return is_picture ? std::optional(row->id) : std::nullopt;
}

void draw_lesson(const Ui& ui, AppState& state, const PresentInput& in, const PresentedRun& shown,
                 const Rect& room, float bar) {
    PageInput page{.lesson = *shown.lesson,
                   .run = shown.run,
                   .other = shown.other,
                   .focus = *shown.focus,
                   .text_scale = state.settings.text_scale,
                   .bar = bar,
                   .alone = state.only_picture,
                   .now = ImGui::GetTime()};
    // A panel keeps its state outside of it, so that only what stands now can be drawn.
    if (const auto panel = panel_of(*shown.lesson); panel && !state.run.frozen)
        page.panel = [&state, &in, id = *panel](const Ui& large) {
            // A list of words is nothing to look at.
            if (state.only_picture && id == PanelId::Glossary) return;
            draw_panel({large, state, in.run, in.other, in.lesson}, id);
        };
    if (state.run.code.presented && has_code(*shown.lesson) && !shown.lesson->exercise_in_front())
        page.code = [&state, &shown](const Ui& large, const Rect& beside) {
            draw_code_in(large, *shown.lesson, shown.run, state.run.code, beside);
        };
    draw_page(ui, page, state.run.page, room);
}

// What just happened to a block, else the tank. Nobody reads pages as fast as a run plays.
void draw_run(const Ui& ui, RunState& own, const PresentedRun& shown, const Rect& room,
              const PresentLook& look) {
    if (!own.playback.playing && draw_run_event(ui, *shown.run, *shown.focus, own.page, room, look))
        return;
    draw_present_run(ui, *shown.run, *shown.focus, own.present, room, own.frozen, look);
}

}  // namespace

void draw_present_layout(const Ui& ui, AppState& state, const PresentInput& in,
                         FrozenPicture& frozen, const Rect& room) {
    RunState& own = state.run;
    const PresentedRun shown = frozen.shown({in.run, in.other, in.lesson, &own.focus}, own.frozen);
    const float scale = state.settings.text_scale;
    const Ui bar_ui = scaled(ui, in.display_scale * std::min(scale, kLargestBar));
    const float bar = bar_ui.px(kPresentBar);
    const BareWindow window("###present", room, ui.colors.panel);
    own.page.is_moving = false;
    // One picture: the page of a lesson that is open, else the run, else the bill.
    if (is_lesson(shown))
        draw_lesson(ui, state, in, shown, room, bar);
    else if (shown.run != nullptr)
        draw_run(ui, own, shown, room, {scale, bar});
    else
        draw_present(ui, state.bill, room, {scale, bar});
    if (state.only_picture) return;  // a slide is drawn, which has no bar
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    follow_bar(state.present_bar, moved.x != 0 || moved.y != 0, ImGui::GetTime());
    draw_present_bar(bar_ui, bar_of(ui.text, state, shown), state.present_bar, room);
}

}  // namespace kv
