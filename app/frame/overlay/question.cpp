// The question before own work is dropped: what it is, and three answers.

#include <algorithm>
#include <array>

#include "app/frame/overlay/overlay.hpp"
#include "app/frame/overlay/overlays.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

struct Answer {
    const char* id;
    TextId label;
    CommandId command;
    ButtonLook look;
};

std::array<Answer, 3> answers() {
    return {{{"###save", "question.save"_t, "question.save", {.primary = true, .key = "Enter"}},
             {"###drop", "question.drop"_t, "question.drop", {.key = "D"}},
             {"###stay", "question.stay"_t, "question.stay", {.key = "Esc"}}}};
}

void draw_work(const Ui& ui, const OwnWork& work) {
    const TextStyle style = colored(type::body(ui), ui.colors.text);
    if (work.sentence) paragraph(ui, style, 21, ui.text["question.sentence"_t]);
    if (work.commands > 0)
        paragraph(ui, style, 21,
                  fill(ui.text["question.commands"_t], {{"n", with_commas(work.commands)}}));
    if (work.settings) paragraph(ui, style, 21, ui.text["question.settings"_t]);
}

// Draws the answers beside each other, as far as they fit. True when one was pressed.
bool draw_answers(const Ui& ui) {
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    bool first = true, given = false;
    for (const Answer& answer : answers()) {
        const float width = button_width(ui, ui.text[answer.label], answer.look);
        const bool fits = ImGui::GetItemRectMax().x + ui.px(8) + width <= right;
        if (!first && fits) ImGui::SameLine(0, ui.px(8));
        if (!first && !fits) space(ui, 8);
        if (button(ui, answer.id, ui.text[answer.label], answer.look)) {
            ui.out.push(answer.command);
            given = true;
        }
        first = false;
    }
    return given;
}

// The keys work wherever the focus is; a button that has it is pressed by itself.
bool read_answer(const Ui& ui) {
    if (ImGui::IsWindowAppearing()) return false;
    const bool enter = ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
                       ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
    const bool saves = enter && !ImGui::IsAnyItemFocused();
    const bool drops = ImGui::IsKeyPressed(ImGuiKey_D, false);
    if (saves) ui.out.push("question.save");
    if (drops && !saves) ui.out.push("question.drop");
    return saves || drops;
}

// The palette was closed without a path, or there was no writing to it.
bool gave_up_saving(const Ui& ui, const AppState& state) {
    const auto saves = [](const Command& wish) { return wish.id == "file.save_scene"; };
    const auto& wishes = state.run.wishes;
    return !state.palette.open && ui.out.empty() &&
           std::none_of(wishes.begin(), wishes.end(), saves);
}

TextId title_of(CommandId asked) {
    return asked == "app.quit"        ? "question.quit"_t
           : asked == "lesson.reload" ? "question.reload"_t
                                      : "question.open"_t;
}

}  // namespace

void draw_question(const Ui& ui, AppState& state) {
    if (!state.question) return;
    if (state.question->saving) {  // the key that closed the palette is no answer
        state.question->saving = !gave_up_saving(ui, state);
        return;
    }
    bool open = true, answered = false;
    overlay(ui, "###question", {.width = 520}, open, [&] {
        paragraph(ui, colored(type::object_title(ui), ui.colors.text), 26,
                  ui.text[title_of(state.question->held_back.id)]);
        space(ui, 8);
        draw_work(ui, state.run.own_work);
        space(ui, 16);
        answered = draw_answers(ui) || read_answer(ui);
        if (answered) open = false;
    });
    if (!open && !answered) ui.out.push("question.stay");
}

}  // namespace kv
