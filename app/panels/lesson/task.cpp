// A task of a step, as it is read before the tank is opened.

#include <imgui.h>

#include "app/panels/lesson/boxed.hpp"
#include "app/panels/lesson/parts.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {

Text allowed_words(const Ui& ui, const ShownTask& task) {
    Text list;
    for (const std::string& change : task.allow) {
        if (!list.empty()) list += ", ";
        list += change;
    }
    return fill(ui.text["task.may"_t], {{"list", list}});
}

Text task_rule(const Ui& ui, const ShownTask& task) {
    const TextId rule = task.within == 0          ? "task.done_when.asked"_t
                        : task.conditions.empty() ? "task.done_when.score"_t
                        : task.at_end             ? "task.done_when.end"_t
                                                  : "task.done_when.moment"_t;
    return fill(ui.text[rule], {{"n", with_commas(task.within)}});
}

namespace {

// An open ring with a condition beside it: nothing has been tried here.
void draw_open_condition(const Ui& ui, float width, std::string_view words) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Painter p(ui);
    const float left = ui.px(22), line = ui.px(20);
    p.list.AddCircle({at.x + ui.px(8), at.y + line / 2}, ui.px(5), im(ui.colors.text2), 0,
                     ui.px(1.4f));
    const TextStyle style = colored(type::body(ui), ui.colors.text);
    const float height = wrapped_at(p, style, 20, {at.x + left, at.y, width - left, 0}, words);
    ImGui::Dummy({width, height});
}

Text score_words(const Ui& ui, const ShownTask& task) {
    return fill(ui.text["task.score"_t], {{"what", task.score}}) + ", " +
           ui.text[task.lower_is_better ? "task.lower"_t : "task.higher"_t];
}

}  // namespace

void draw_lesson_task(const Ui& ui, const LessonView& view, const TaskCard& card) {
    const ShownTask& task = card.task;
    space(ui, 18);
    ImGui::PushID(task.id.c_str());
    {
        const Boxed box(ui, true);
        const float width = box.width();
        head_line(ui, width,
                  fill(ui.text[task.is_challenge ? "task.head.challenge"_t : "task.head"_t],
                       {{"id", task.id}}),
                  ui.text[card.record.done ? "task.where.done"_t : "task.where"_t]);
        wrapped(ui, colored(type::prose(ui), ui.colors.text), 21, width, card.words);
        space(ui, 8);
        wrapped(ui, type::caption(ui), 18, width,
                Text(ui.text["task.done_when"_t]) + " " + task_rule(ui, task));
        space(ui, 4);
        for (const std::string& condition : task.conditions)
            draw_open_condition(ui, width, condition);
        if (task.is_challenge) {
            space(ui, 4);
            wrapped(ui, colored(type::body(ui), ui.colors.text), 20, width, score_words(ui, task));
            if (!card.record.shown.empty())
                wrapped(ui, type::caption(ui), 18, width,
                        fill(ui.text["task.own"_t], {{"score", card.record.shown}}));
        }
        space(ui, 4);
        wrapped(ui, type::caption(ui), 18, width, allowed_words(ui, task));
        space(ui, 10);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const bool on = view.task && view.task->task.id == task.id;
        const std::string_view label = ui.text[on ? "task.on"_t : "task.open"_t];
        const ButtonLook look{.primary = !card.record.done};
        if (button(ui, "open", label, look)) ui.out.push("task.open", task.id);
        const float left = button_width(ui, label, look) + ui.px(12);
        text_in(Painter(ui), type::caption(ui),
                {at.x + left, at.y, width - left, control_height(ui, false)},
                ui.text["task.open.why"_t]);
    }
    ImGui::PopID();
}

}  // namespace kv
