// The choices of a question with their keys, and the box into which an answer is typed.

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/present/page/paint.hpp"
#include "app/panels/present/paint.hpp"
#include "app/widgets/hit.hpp"

namespace kv {
namespace {

constexpr float kKeyBox = 48, kKeyGap = 24, kChoiceInset = 26, kPitch = 1.25f;
constexpr int kNever = 99;  // lines: a word would be cut

TextStyle choice_style(const Ui& ui, float size, std::string_view words) {
    const bool is_number =
        !words.empty() && words.find_first_not_of("0123456789.,[] -") == std::string_view::npos;
    return {is_number ? ui.fonts.mono_bold : ui.fonts.semibold, size, ui.colors.text,
            is_number ? Align::Center : Align::Left};
}
// What stands beside the words of a choice: its key, and a tick or a cross.
float choice_edges(const Ui& ui) {
    return ui.px(2 * kChoiceInset + 2 * kKeyGap + 2 * kKeyBox);
}

void draw_choice(const Ui& ui, const PagePlan& plan, const PageFace& face, std::size_t i) {
    const PageChoice& choice = face.choices[i];
    const Rect& box = plan.choices[i];
    const Palette& colors = ui.colors;
    ImGui::SetCursorScreenPos(im(box.min()));
    const Hit hit = hit_item(PartId(i).c_str(), {box.w, box.h}, face.is_question());
    const Painter p(ui);
    const bool inverted = choice.chosen;
    fill(p, box, inverted ? colors.focus : colors.raised, 4);
    outline(p, box, hit.hovered ? colors.text : colors.edge, 4, 2);
    if (choice.right == true) outline(p, box.inset(-ui.px(5)), colors.focus, 6, 4);
    const Color ink = inverted ? (colors.is_light() ? colors.panel : colors.on_fill) : colors.text;
    const Rect key{box.x + ui.px(kChoiceInset), box.center().y - ui.px(kKeyBox) / 2, ui.px(kKeyBox),
                   ui.px(kKeyBox)};
    outline(p, snap(key), inverted ? ink : colors.edge, 4, 2);
    text_in(p, {ui.fonts.mono, 24, ink, Align::Center}, snap(key), std::to_string(i + 1));
    Rect words = box;
    words.x = key.right() + ui.px(kKeyGap);
    words.w = box.right() - ui.px(kChoiceInset + kKeyBox + kKeyGap) - words.x;
    TextStyle style = colored(choice_style(ui, plan.choice_size, choice.words), ink);
    const float pitch = plan.choice_size * kPitch;
    const float height = wrapped_height(ui, style, pitch, words.w, choice.words);
    if (style.align == Align::Center && text_width(ui, style, choice.words) <= words.w)
        text_in(p, style, words, choice.words);
    else
        wrapped_at(p, aligned(style, Align::Left), pitch,
                   {words.x, std::round(box.center().y - height / 2), words.w, height},
                   choice.words);
    const Vec2 verdict{box.right() - ui.px(kChoiceInset + kKeyBox / 2), box.center().y};
    if (choice.right == true) tick_mark(p, verdict, 40, ink, 5);
    if (choice.right == false) cross_mark(p, verdict, 34, ink, 5);
    if (hit.focused) focus_ring(p, box, 4);
    if (hit.pressed)
        ui.out.push("lesson.say",
                    std::to_string(*face.prediction + 1) + " " + std::to_string(i + 1));
}

// What is typed, or the answer once it is known.
void draw_written(const Ui& ui, const PagePlan& plan, const PageFace& face) {
    const Painter p(ui);
    const Rect& box = plan.choices.front();
    const bool waits = face.typed.empty();
    if (waits)
        dashed_outline(p, box, ui.colors.edge, 4, 2);
    else
        outline(p, box, ui.colors.focus, 4, 3);
    const Rect room{box.x + ui.px(kChoiceInset), box.y, box.w - 2 * ui.px(kChoiceInset), box.h};
    const TextStyle style{ui.fonts.mono_bold, plan.choice_size, ui.colors.text, Align::Center};
    if (!face.beside.empty()) {
        // Below the box where it fills its column.
        const float x = plan.in_column ? box.x : box.right() + ui.px(kChoiceInset),
                    mark = ui.px(kKeyBox);
        const Rect row = plan.in_column ? Rect{x, box.bottom() + ui.px(8), box.w, ui.px(kKeyBox)}
                                        : Rect{x, box.y, 0, box.h};
        const Vec2 at{x + mark / 2, row.center().y};
        if (face.typed_right == true) tick_mark(p, at, 40, ui.colors.text, 5);
        if (face.typed_right == false) cross_mark(p, at, 34, ui.colors.text, 5);
        const float indent = mark + ui.px(kKeyGap);
        TextStyle said{ui.fonts.regular, 33, ui.colors.text2};
        if (plan.in_column) said = fitting(ui, said, face.beside, row.w - indent);
        text_in(p, said, {x + indent, row.y, 0, row.h}, face.beside);
    }
    if (waits)
        text_in(p, {ui.fonts.regular, 33, ui.colors.text3, Align::Center}, room,
                ui.text[face.state == PageState::Exercise ? "lesson.page.answer"_t
                                                          : "lesson.page.your_answer"_t]);
    else
        text_in(p, fitting(ui, style, face.typed, room.w), room, face.typed);
}

}  // namespace

int choice_lines(const Ui& ui, const PageFace& face, float size, float width) {
    const float room = std::max(1.0f, width - choice_edges(ui));
    int most = 1;
    for (const PageChoice& choice : face.choices) {
        const TextStyle style = choice_style(ui, size, choice.words);
        const float pitch = size * kPitch;
        const float height = wrapped_height(ui, style, pitch, room, choice.words);
        most = std::max(most, static_cast<int>(std::lround(height / ui.px(pitch))));
        const std::string_view words = choice.words;
        if (text_width(ui, style, words.substr(0, words.find(' '))) > room) return kNever;
    }
    return most;
}

void draw_choices(const Ui& ui, const PagePlan& plan, const PageFace& face) {
    for (std::size_t i = 0; i < face.choices.size(); ++i) draw_choice(ui, plan, face, i);
    if (face.choices.empty() && face.is_written) draw_written(ui, plan, face);
}

}  // namespace kv
