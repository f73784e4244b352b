// The page itself: its window, what it says first, and its parts in order.

#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/frame/start/paint.hpp"
#include "app/frame/state/layout.hpp"
#include "app/panels/view/sentence.hpp"
#include "app/widgets/prose.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

// The height of a text in logical pixels, as the plan wants it.
float height_of(const StartScene& scene, StartText text, float size, float width) {
    const Ui& ui = scene.ui;
    const auto wrapped = [&](std::string_view words) {
        const TextStyle style = start_style(ui, text, size);
        return wrapped_height(ui, style, start_pitch(text, size), ui.px(width), words) / ui.unit;
    };
    switch (text) {
        case StartText::Title:
            return wrapped(ui.text["start.title"_t]);
        case StartText::Why:
            return wrapped(fill(ui.text["start.why"_t], {{"cache", ui.text["start.cache"_t]}}));
        case StartText::Show:
            return wrapped(ui.text["start.show.why"_t]);
        case StartText::Learn:
            return wrapped(lesson_words(ui, scene.lesson));
        case StartText::Own:
            return wrapped(ui.text["start.own.why"_t]);
        case StartText::Hint:
            return wrapped(hint_words(ui, scene.view));
        case StartText::Escape:
            return wrapped(escape_words(ui));
    }
    return 0;
}

StartPlan plan_of(const StartScene& scene) {
    const ImVec2 pixels = ImGui::GetMainViewport()->Size;
    return plan_start(
        {.window = {pixels.x / scene.ui.unit, pixels.y / scene.ui.unit},
         .height_of = [&scene](StartText text, float size,
                               float width) { return height_of(scene, text, size, width); },
         .comfort = comfort_widths(scene.ui)});
}

void paint_head(const StartPage& page) {
    const Ui& ui = page.ui;
    const Painter p(ui);
    const StartPlan& plan = page.plan;
    wrapped_at(p, start_style(ui, StartText::Title, plan.title_size),
               start_pitch(StartText::Title, plan.title_size), page.at(plan.title),
               ui.text["start.title"_t]);
    const TextStyle words = start_style(ui, StartText::Why, plan.why_size);
    const TextStyle strong = with_font(colored(words, ui.colors.text), ui.fonts.bold);
    List<ProsePiece> prose;
    const List<SentencePiece> parts =
        pieces(ui.text["start.why"_t], {{"cache", ui.text["start.cache"_t]}});
    for (const SentencePiece& piece : parts)
        prose.push_back({piece.text, piece.is_value ? strong : words});
    const Rect room = page.at(plan.why);
    ImGui::SetCursorScreenPos({room.x, room.y});
    flowing_prose(ui, "why", prose, plan.why_pitch, room.w);
}

void paint_foot(const StartPage& page) {
    const Ui& ui = page.ui;
    const Painter p(ui);
    const StartPlan& plan = page.plan;
    const Rect line = page.at(plan.escape);
    const TextStyle quiet = start_style(ui, StartText::Escape, 13);
    const bool one_line = plan.escape.h < 30;
    if (one_line) {
        const List<SentencePiece> parts = pieces(
            ui.text["start.escape"_t], {{"key", "Esc"}, {"menu", ui.text["start.escape.menu"_t]}});
        List<Run> runs;
        for (const SentencePiece& piece : parts) {
            const bool is_key = piece.is_value && piece.text == "Esc";
            const TextStyle value = is_key ? with_font(quiet, ui.fonts.mono_bold) : quiet;
            runs.push_back(
                {colored(value, piece.is_value ? ui.colors.text2 : ui.colors.text3), piece.text});
        }
        runs_in(p, runs, line);
    } else {
        wrapped_at(p, quiet, start_pitch(StartText::Escape, 13), line, escape_words(ui));
    }
    const Rect rule = page.at(Rect{plan.escape.x, plan.rule, plan.escape.w, 1});
    hline(p, rule.x, rule.right(), rule.y, ui.colors.line);
    if (!plan.divider) return;
    const Rect panel = page.at(plan.panel);
    vline(p, page.at(Rect{*plan.divider, 0, 1, 1}).x, panel.y + ui.px(46),
          panel.bottom() - ui.px(40), ui.colors.line);
}

}  // namespace

TextStyle start_style(const Ui& ui, StartText text, float size) {
    switch (text) {
        case StartText::Title:
            return {ui.fonts.bold, size, ui.colors.text};
        case StartText::Why:
            return {ui.fonts.regular, size, ui.colors.text2};
        case StartText::Hint:
        case StartText::Escape:
            return {ui.fonts.regular, size, ui.colors.text3};
        default:
            return {ui.fonts.regular, size, ui.colors.text2};
    }
}

std::string first_lesson(const LessonView* lesson) {
    return lesson == nullptr || lesson->shelf.empty()
               ? "1"
               : std::to_string(lesson->shelf.front().number);
}

Text lesson_words(const Ui& ui, const LessonView* lesson) {
    if (lesson == nullptr || lesson->shelf.empty()) return ui.text["start.learn.none"_t];
    const LessonHead& first = lesson->shelf.front();
    return fill(ui.text["start.learn.why"_t], {{"number", with_commas(first.number)},
                                               {"title", first.title},
                                               {"more", with_commas(lesson->in_course() - 1)}});
}

Text hint_words(const Ui& ui, const StartView& view) {
    return fill(ui.text["start.hint"_t],
                {{"page", with_commas(view.page)}, {"blocks", with_commas(view.blocks)}});
}

Text escape_words(const Ui& ui) {
    return fill(ui.text["start.escape"_t],
                {{"key", "Esc"}, {"menu", ui.text["start.escape.menu"_t]}});
}

void draw_start(const StartScene& scene) {
    const Ui& ui = scene.ui;
    StartPage page{scene, ui, plan_of(scene)};
    const Rect panel = page.at(page.plan.panel);
    const bool scrolls = page.plan.height > page.plan.panel.h + 1;
    ImGui::SetNextWindowPos({panel.x, panel.y});
    ImGui::SetNextWindowSize({panel.w, panel.h});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, ui.line());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im(ui.colors.panel));
    ImGui::PushStyleColor(ImGuiCol_Border, im(ui.colors.line));
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                             ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                             ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse;
    if (!scrolls) flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin("###start", nullptr, flags);
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar(3);
    page.scrolled = ImGui::GetScrollY();
    if (scene.read_keys) read_start_keys(page);
    paint_head(page);
    draw_doors(page);
    draw_picture(page);
    paint_foot(page);
    draw_comfort(page);
    ImGui::SetCursorScreenPos({panel.x, panel.y - page.scrolled});
    if (scrolls) ImGui::Dummy({1, ui.px(page.plan.height)});
    ImGui::End();
    scene.state.start.just_opened = false;
}

}  // namespace kv
