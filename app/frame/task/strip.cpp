#include "app/frame/task/strip.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/widgets/bare_window.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/paint/paint.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kHeadLine = 22, kTaskPitch = 20, kConditionPitch = 20, kConditionGap = 4,
                kMark = 22, kNoteGap = 6, kButtonGap = 8, kNoteLine = 18;

struct StripButton {
    CommandId command;
    TextId label;
    std::string_view key;
    const char* id;
};
constexpr std::array kStripButtons =
    std::to_array<StripButton>({{"task.hint", "task.hint"_t, "H", "###hint"},
                                {"task.reset", "task.reset"_t, "", "###reset"},
                                {"task.give_up", "task.give_up"_t, "", "###give_up"},
                                {"task.leave", "task.leave"_t, "", "###leave"}});

ButtonLook look_of(const TaskView& task, const StripButton& button) {
    ButtonLook look{.dense = true, .key = button.key};
    if (button.command == "task.hint") look.enabled = !task.hinted;
    if (button.command == "task.give_up") look.enabled = !task.gave_up;
    if (button.command == "task.leave") look.primary = task.done;
    return look;
}

float buttons_width(const Ui& ui, const TaskView& task) {
    float width = ui.px(kButtonGap) * static_cast<float>(kStripButtons.size() - 1);
    for (const StripButton& one : kStripButtons)
        width += button_width(ui, ui.text[one.label], look_of(task, one));
    return width;
}

TextStyle task_style(const Ui& ui) {
    return colored(sized(type::prose(ui), 14), ui.colors.text);
}
TextStyle note_style(const Ui& ui) {
    return type::body(ui);
}

// The task, and under it what was asked for or what became of it.
struct TaskWords {
    Text rule, hint, note;
    bool note_is_bad = false;
};
TaskWords words_of(const Ui& ui, const TaskView& view) {
    TaskWords words;
    const bool is_over_recording = view.task.within == 0;  // there are no steps to count
    const TextId rule = is_over_recording              ? "task.done_when.asked"_t
                        : view.task.conditions.empty() ? "task.done_when.score"_t
                        : view.task.at_end             ? "task.done_when.end"_t
                                                       : "task.done_when.moment"_t;
    words.rule = Text(ui.text["task.done_when"_t]) + " " +
                 fill(ui.text[rule], {{"n", with_commas(view.task.within)}});
    Text list;
    for (const std::string& change : view.task.allow) {
        if (!list.empty()) list += ", ";
        list += change;
    }
    words.rule += ". ";
    words.rule += fill(ui.text["task.may"_t], {{"list", list}});
    if (view.hinted) words.hint = view.hint;
    if (!view.refused.empty()) {
        words.note = view.refused, words.note_is_bad = true;
    } else if (view.done) {
        const TextId done = is_over_recording ? "task.done.asked"_t
                            : view.gave_up    ? "task.done.gave_up"_t
                                              : "task.done"_t;
        words.note = fill(ui.text[done], {{"n", with_commas(view.done_at)}}) + ". " + view.why;
    } else if (view.gave_up) {
        words.note = ui.text["task.gave_up"_t];
    }
    return words;
}

float task_height(const Ui& ui, const TaskView& view, const TaskWords& words, float width) {
    float height = ui.px(kHeadLine);
    height += wrapped_height(ui, task_style(ui), kTaskPitch, width, view.words);
    height += ui.px(2) + wrapped_height(ui, type::caption(ui), kNoteLine, width, words.rule);
    if (!words.hint.empty())
        height +=
            ui.px(kNoteGap) + wrapped_height(ui, note_style(ui), kNoteLine, width, words.hint);
    return height;
}

float condition_height(const Ui& ui, const TaskCondition& condition, float width) {
    return wrapped_height(ui, type::body(ui), kConditionPitch, width - ui.px(kMark),
                          condition.words) +
           ui.px(kConditionGap);
}

Text score_line(const Ui& ui, const TaskView& view) {
    Text line = fill(ui.text["task.score"_t], {{"what", view.task.score}});
    line += ", ";
    line += ui.text[view.task.lower_is_better ? "task.lower"_t : "task.higher"_t];
    return line;
}

Text scores_line(const Ui& ui, const TaskView& view) {
    Text line;
    const auto add = [&](const Text& part) {
        if (!line.empty()) line += "   ";
        line += part;
    };
    if (!view.score.empty()) add(fill(ui.text["task.this"_t], {{"score", view.score}}));
    if (!view.record.shown.empty())
        add(fill(ui.text["task.own"_t], {{"score", view.record.shown}}));
    if (!view.best.empty()) add(fill(ui.text["task.best"_t], {{"score", view.best}}));
    if (line.empty()) line = ui.text["task.no_score"_t];
    return line;
}

float conditions_height(const Ui& ui, const TaskView& view, const TaskWords& words, float width) {
    float height = 0;
    for (const TaskCondition& condition : view.conditions)
        height += condition_height(ui, condition, width);
    if (view.task.is_challenge)
        height += wrapped_height(ui, type::body(ui), kNoteLine, width, score_line(ui, view)) +
                  wrapped_height(ui, type::strong(ui), kNoteLine + 2, width, scores_line(ui, view));
    if (!words.note.empty())
        height +=
            ui.px(kNoteGap) + wrapped_height(ui, note_style(ui), kNoteLine, width, words.note);
    return height;
}

void draw_task(const Ui& ui, const TaskView& view, const TaskWords& words, const Rect& box) {
    const Painter p(ui);
    text_in(p, type::section(ui), {box.x, box.y, box.w, ui.px(kHeadLine - 2)},
            fill(ui.text[view.task.is_challenge ? "task.head.challenge"_t : "task.head"_t],
                 {{"id", view.task.id}}));
    float y = box.y + ui.px(kHeadLine);
    y += wrapped_at(p, task_style(ui), kTaskPitch, {box.x, y, box.w, 0}, view.words) + ui.px(2);
    y += wrapped_at(p, type::caption(ui), kNoteLine, {box.x, y, box.w, 0}, words.rule);
    if (!words.hint.empty())
        wrapped_at(p, note_style(ui), kNoteLine, {box.x, y + ui.px(kNoteGap), box.w, 0},
                   words.hint);
}

// A tick where it holds, else an open ring; what it is now at the right.
float draw_condition(const Ui& ui, const TaskCondition& condition, const Rect& box) {
    const Painter p(ui);
    const float middle = box.y + ui.px(kConditionPitch) / 2;
    if (condition.holds)
        tick_mark(p, {box.x + ui.px(8), middle}, 12, ui.colors.text, 2.2f);
    else
        p.list.AddCircle({box.x + ui.px(8), middle}, ui.px(5), im(ui.colors.text2), 0, ui.px(1.4f));
    TextStyle style = colored(type::body(ui), ui.colors.text);
    if (condition.holds) style = with_font(style, ui.fonts.semibold);
    const float words = box.w - ui.px(kMark);
    const float height = wrapped_at(p, style, kConditionPitch,
                                    {box.x + ui.px(kMark), box.y, words, 0}, condition.words);
    if (!condition.now.empty()) {
        const Text now = fill(ui.text["task.now"_t], {{"value", condition.now}});
        const float said = text_width(ui, style, condition.words);
        const float room = words - said - ui.px(12);
        if (text_width(ui, type::number_small(ui), now) <= room)
            text_in(p, type::number_small(ui),
                    {box.x + ui.px(kMark) + said + ui.px(12), box.y, room, ui.px(kConditionPitch)},
                    now);
    }
    return height + ui.px(kConditionGap);
}

void draw_conditions(const Ui& ui, const TaskView& view, const TaskWords& words, const Rect& box) {
    const Painter p(ui);
    float y = box.y;
    for (const TaskCondition& condition : view.conditions)
        y += draw_condition(ui, condition, {box.x, y, box.w, 0});
    if (view.task.is_challenge) {
        y += wrapped_at(p, type::body(ui), kNoteLine, {box.x, y, box.w, 0}, score_line(ui, view));
        y += wrapped_at(p, type::strong(ui), kNoteLine + 2, {box.x, y, box.w, 0},
                        scores_line(ui, view));
    }
    if (words.note.empty()) return;
    const Color ink = words.note_is_bad ? ui.colors.loss.ink : ui.colors.text;
    wrapped_at(p, colored(note_style(ui), ink), kNoteLine, {box.x, y + ui.px(kNoteGap), box.w, 0},
               words.note);
}

void draw_buttons(const Ui& ui, const TaskView& view, const Rect& box) {
    float x = box.x;
    for (const StripButton& one : kStripButtons) {
        const ButtonLook look = look_of(view, one);
        ImGui::SetCursorScreenPos({x, box.y});
        if (button(ui, one.id, ui.text[one.label], look)) ui.out.push(one.command);
        x += button_width(ui, ui.text[one.label], look) + ui.px(kButtonGap);
    }
}

TaskStripPlan planned(const Ui& ui, const TaskView& view, const TaskWords& words, float width) {
    return plan_task_strip(
        {.width = width,
         .unit = ui.unit,
         .buttons = buttons_width(ui, view),
         .button_height = control_height(ui, true),
         .task_height = [&](float w) { return task_height(ui, view, words, w); },
         .conditions_height = [&](float w) { return conditions_height(ui, view, words, w); }});
}

Rect moved(const Rect& r, const Rect& into) {
    return {into.x + r.x, into.y + r.y, r.w, r.h};
}

}  // namespace

float task_strip_height(const Ui& ui, const AppState& state, const LessonView* lesson,
                        float width) {
    const bool shown = lesson != nullptr && lesson->task && state.run.lesson.in_tank;
    if (!shown || state.only_panel) return 0;
    return planned(ui, *lesson->task, words_of(ui, *lesson->task), width).height;
}

void draw_task_strip(const Ui& ui, const LessonView& lesson, const Rect& box) {
    const TaskView& view = *lesson.task;
    const BareWindow window("###task", box, ui.colors.raised);
    const TaskWords words = words_of(ui, view);
    const TaskStripPlan plan = planned(ui, view, words, box.w);
    const Painter p(ui);
    // A band at the left end says at a glance that it is done.
    fill(p, {box.x, box.y, ui.px(4), box.h}, view.done ? ui.colors.focus : ui.colors.edge, 0);
    draw_task(ui, view, words, moved(plan.task, box));
    draw_conditions(ui, view, words, moved(plan.conditions, box));
    draw_buttons(ui, view, moved(plan.buttons, box));
}

}  // namespace kv
