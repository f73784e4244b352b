// The panel Lesson over a LessonView, which app/live/lessons fills: the shelf, or head, step and
// foot of the lesson that is open. Its figure is a panel of its own, app/panels/figure.

#include "app/panels/lesson/lesson.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/panels/lesson/parts.hpp"
#include "app/panels/lesson/prose.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/message.hpp"
#include "app/widgets/paint/paint.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kPageWide = 1320, kPageText = 860, kPageFrom = 1000;
constexpr float kExerciseGap = 16, kExercisePad = 16;
constexpr float kExerciseAbove = 18;  // what draw_lesson_exercise leaves free above itself
constexpr float kStepScrollbar = 11, kLessonFoot = 52, kStepBox = 8, kStepGap = 3;
// Prose beside a figure is large from the first width on; a step stands without its foot in less
// than the second height.
constexpr float kLargeProseFrom = 480, kLeastStepRoom = 60;

// "Lesson 8 of 16: Pages" and a box for every step; press one to go there.
void draw_head(const Ui& ui, const LessonView& view, const LessonHead& head) {
    const Painter p(ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = ui.px(20);
    const float pitch = ui.px(kStepBox) + ui.px(kStepGap);
    const float boxes = pitch * static_cast<float>(head.steps.size());
    const bool fits = boxes < width * 0.5f;
    Text words = head.title;
    if (is_of_course(head.number))
        words = fill(ui.text["lesson.head"_t], {{"n", with_commas(head.number)},
                                                {"all", with_commas(view.last_number())},
                                                {"title", head.title}});
    text_in(p, type::body(ui), {at.x, at.y, width - (fits ? boxes + ui.px(8) : 0), line}, words);
    for (std::size_t i = 0; fits && i < head.steps.size(); ++i) {
        const float x = at.x + width - boxes + pitch * static_cast<float>(i);
        const Rect box =
            snap({x, at.y + (line - ui.px(kStepBox)) / 2, ui.px(kStepBox), ui.px(kStepBox)});
        ImGui::SetCursorScreenPos({box.x, at.y});
        const Hit hit = hit_item(PartId(i).c_str(), {pitch, line});
        if (i == view.step)
            fill(p, box, ui.colors.focus, 1);
        else if (view.is_done(head.number, head.ids[i]))
            fill(p, box, ui.colors.text3, 1);
        else
            outline(p, box, ui.colors.edge, 1);
        if (hit.hovered) ImGui::SetItemTooltip("%s", head.steps[i].c_str());
        if (hit.focused) focus_ring(p, box, 1);
        if (hit.pressed)
            ui.out.push("lesson.open", std::to_string(head.number) + ":" + head.ids[i]);
    }
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, line});
}

void draw_leaves_out(const Ui& ui, const LessonView& view, RunFocus& focus) {
    if (view.leaves_out.empty()) return;
    rule(ui, RuleSpan::Content, 16, 10);
    paragraph(ui, type::section(ui), 20, ui.text["lesson.leaves"_t]);
    draw_lesson_prose(ui, "leaves", view.leaves_out, focus,
                      {.size = 13, .pitch = 19, .quiet = true});
}

// The way to the code of the step.
void draw_code_link(const Ui& ui, const LessonView& view) {
    if (view.shown.code == nullptr) return;
    space(ui, 10);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float cap = key_cap_width(ui, "C"), line = ui.px(22);
    draw_key_cap(Painter(ui), {at.x, at.y + line / 2}, "C");
    ImGui::SetCursorScreenPos({at.x + cap + ui.px(8), at.y});
    const Text words = fill(ui.text["code.of_step"_t], {{"title", view.shown.code->title}});
    if (link(ui, "code", words)) ui.out.push("code.show");
    ImGui::SetCursorScreenPos({at.x, at.y + line});
    ImGui::Dummy({0, 0});
}

// Exercises of a page: two columns of cards, each under the shorter one.
void draw_cards(const Ui& ui, const LessonView& view, float width) {
    const float gap = ui.px(kExerciseGap), wide = std::floor((width - gap) / 2);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    float foot[2] = {at.y + ui.px(18), at.y + ui.px(18)};
    ImGui::PushStyleColor(ImGuiCol_ChildBg, im(ui.colors.raised));
    ImGui::PushStyleColor(ImGuiCol_Border, im(ui.colors.edge));
    ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, ui.px(4));
    ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, ui.px(1));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(kExercisePad), ui.px(kExercisePad)});
    for (const AskedExercise& exercise : view.exercises) {
        const int column = foot[1] < foot[0] ? 1 : 0;
        ImGui::SetCursorScreenPos({at.x + static_cast<float>(column) * (wide + gap), foot[column]});
        ImGui::BeginChild(
            exercise.exercise.id.c_str(), {wide, 0},
            ImGuiChildFlags_Borders | ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_NavFlattened);
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ui.px(kExerciseAbove));
        draw_lesson_exercise(ui, exercise);
        ImGui::EndChild();
        foot[column] = ImGui::GetItemRectMax().y + gap;
    }
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor(2);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, std::max(foot[0], foot[1]) - at.y});
}

struct StepLook {
    float title_size, title_pitch;
    LessonProseLook prose;
    bool is_page;  // its exercises stand in cards below it, and no code beside it
};

// A step from its title down. What answers a question is drawn once it is revealed.
void draw_step_parts(const Ui& ui, const LessonView& view, RunFocus& focus, const StepLook& look) {
    paragraph(ui, sized(type::lesson_title(ui), look.title_size), look.title_pitch,
              view.shown.title);
    space(ui, 8);
    draw_lesson_prose(ui, "text", view.shown.text, focus, look.prose);
    if (!look.is_page) draw_code_link(ui, view);
    for (std::size_t i = 0; i < view.predictions.size(); ++i)
        draw_lesson_prediction(ui, view, i, focus);
    if (view.has_more && !view.revealed) draw_lesson_reveal(ui, view);
    if (view.revealed && !view.shown.then.empty()) {
        rule(ui, RuleSpan::Content, 14, 12);
        draw_lesson_prose(ui, "then", view.shown.then, focus, look.prose);
    }
    if (!look.is_page)
        for (const AskedExercise& exercise : view.exercises) draw_lesson_exercise(ui, exercise);
    if (!view.has_more || view.revealed)
        for (const TaskCard& card : view.tasks) draw_lesson_task(ui, view, card);
    if (view.head() != nullptr && view.step + 1 == view.head()->steps.size())
        draw_leaves_out(ui, view, focus);
}

constexpr LessonProseLook kLargeProse{.size = 17, .pitch = 26};

// A step that is read alone: its text at the width of a page, and what it asks side by side.
void draw_page(const Ui& ui, const LessonView& view, RunFocus& focus) {
    const float room = ImGui::GetContentRegionAvail().x, wide = std::min(room, ui.px(kPageWide));
    const float left = std::floor((room - wide) / 2);
    space(ui, 16);
    ImGui::Indent(left + 0.01f);  // none would be the usual one
    const float text = std::min(wide, view.exercises.empty() ? wide : ui.px(kPageText));
    ImGui::BeginChild("page", {text, 0},
                      ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_NavFlattened);
    draw_step_parts(ui, view, focus,
                    {.title_size = 32, .title_pitch = 40, .prose = kLargeProse, .is_page = true});
    ImGui::EndChild();
    if (!view.exercises.empty()) draw_cards(ui, view, wide);
    ImGui::Unindent(left + 0.01f);
    space(ui, 16);
}

void draw_step(const Ui& ui, const LessonView& view, RunFocus& focus) {
    const float width = ImGui::GetContentRegionAvail().x;
    if (view.is_page() && width >= ui.px(kPageFrom)) return draw_page(ui, view, focus);
    StepLook look{.title_size = 26, .title_pitch = 32, .prose = {}, .is_page = false};
    if (view.shown.figure && width >= ui.px(kLargeProseFrom))
        look = {.title_size = 32, .title_pitch = 40, .prose = kLargeProse, .is_page = false};
    space(ui, 4);
    draw_step_parts(ui, view, focus, look);
    space(ui, 16);
}

// Previous, "page 5 of 9", Next.
void draw_foot(const Ui& ui, const LessonView& view, const LessonHead& head) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, wide = ui.px(96);
    const Painter p(ui);
    hline(p, at.x, at.x + width, at.y, ui.colors.line);
    const float y = at.y + ui.px(kLessonFoot) - control_height(ui, false);
    ImGui::SetCursorScreenPos({at.x, y});
    if (button(ui, "previous", ui.text["lesson.previous"_t], {.width = wide}))
        ui.out.push("lesson.previous");
    ImGui::SetCursorScreenPos({at.x + width - wide, y});
    if (button(ui, "next", ui.text["lesson.next"_t],
               {.primary = !view.has_more || view.revealed, .width = wide}))
        ui.out.push("lesson.next");
    const Text words = fill(ui.text["lesson.page"_t], {{"n", with_commas(view.step + 1)},
                                                       {"all", with_commas(head.steps.size())}});
    const float between = width - 2 * wide;
    const bool fits = text_width(ui, type::body(ui), words) <= between;
    text_in(p, aligned(type::body(ui), Align::Center),
            {at.x + wide, y, between, control_height(ui, false)},
            fits ? words : Text(with_commas(view.step + 1) + "/" + with_commas(head.steps.size())));
}

void draw_problem(const Ui& ui, const LessonView& view) {
    const Text problem = view.problem.in(ui.text);
    const std::string_view lines[] = {problem};
    const auto answer = message_centered(ui, "problem",
                                         {.title = ui.text["lesson.problem"_t],
                                          .lines = lines,
                                          .primary = ui.text["lesson.problem.again"_t],
                                          .secondary = ui.text["lesson.all"_t],
                                          .refusal = true});
    if (answer == MessageAnswer::Primary) ui.out.push("lesson.reload");
    if (answer == MessageAnswer::Secondary) ui.out.push("lesson.close");
}

}  // namespace

void draw_lesson(const Ui& ui, const LessonView& view, RunFocus& focus) {
    const Flush flush;
    if (!view.problem.empty()) return draw_problem(ui, view);
    const LessonHead* head = view.head();
    if (head == nullptr) return draw_lesson_shelf(ui, view);
    draw_head(ui, view, *head);
    const float foot = ui.px(kLessonFoot);
    const float room = ImGui::GetContentRegionAvail().y - foot;
    if (room > ui.px(kLeastStepRoom)) {
        // A window of its own for every step, so that each is read from its beginning.
        const std::string id = "step " + std::to_string(head->number) + "." + view.shown.id;
        // Its scrollbar lies in the padding of the panel.
        const float width = ImGui::GetContentRegionAvail().x;
        ImGui::SetNextWindowContentSize({width, 0});
        ImGui::BeginChild(id.c_str(), {width + ui.px(kStepScrollbar), room});
        if (view.busy && view.shown.title.empty())
            paragraph(ui, type::prose(ui), 23, ui.text["lesson.busy"_t]);
        else
            draw_step(ui, view, focus);
        ImGui::EndChild();
        draw_foot(ui, view, *head);
    } else {
        draw_step(ui, view, focus);
    }
}

}  // namespace kv
