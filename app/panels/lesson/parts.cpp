#include "app/panels/lesson/parts.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/lesson/boxed.hpp"
#include "app/panels/lesson/prose.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/fields.hpp"
#include "app/widgets/hit.hpp"
#include "app/widgets/paint/paint.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"
#include "core/lesson/exercises/answer_text.hpp"

namespace kv {
namespace {

constexpr float kChoicePitch = 19, kChoicePad = 6, kKeyRoom = 26, kChoiceGap = 6;
constexpr float kGivenPitch = 20, kBetweenGivens = 18;

// A choice: its digit, and as many lines as it needs.
bool draw_choice(const Ui& ui, std::size_t i, std::string_view label, bool chosen, float width) {
    const float pad = ui.px(kChoicePad), left = ui.px(kKeyRoom);
    const TextStyle style = colored(type::body(ui), ui.colors.text);
    const float words = width - left - 2 * pad;
    const float height = wrapped_height(ui, style, kChoicePitch, words, label) + 2 * pad;
    const Hit hit = hit_item(PartId(i).c_str(), {width, height});
    const Painter p(ui);
    draw_control(p, hit, control_paint(ui.colors, hit, chosen));
    const TextStyle said = chosen ? with_font(style, ui.fonts.semibold) : style;
    draw_key_cap(p, {hit.rect.x + pad, hit.rect.y + pad + ui.px(kChoicePitch) / 2},
                 std::to_string(i + 1));
    wrapped_at(p, said, kChoicePitch, {hit.rect.x + left + pad, hit.rect.y + pad, words, height},
               label);
    return hit.pressed;
}

// Short ones stand side by side; nothing when they are too long for that.
std::optional<float> width_side_by_side(const Ui& ui, const std::vector<std::string>& choices,
                                        float width) {
    const TextStyle style = with_font(type::body(ui), ui.fonts.semibold);
    float widest = 0;
    for (const std::string& choice : choices)
        widest = std::max(widest, text_width(ui, style, choice));
    const auto n = static_cast<float>(choices.size());
    const float each = std::floor((width - ui.px(kChoiceGap) * (n - 1)) / n);
    const float needed = widest + ui.px(kKeyRoom) + 3 * ui.px(kChoicePad);
    return needed <= each ? std::optional(needed) : std::nullopt;
}

std::optional<std::size_t> draw_choices(const Ui& ui, const std::vector<std::string>& choices,
                                        const std::optional<std::string>& said, float width) {
    std::optional<std::size_t> pressed;
    if (const auto each = width_side_by_side(ui, choices, width)) {
        for (std::size_t i = 0; i < choices.size(); ++i) {
            if (i > 0) ImGui::SameLine(0, ui.px(kChoiceGap));
            if (draw_choice(ui, i, choices[i], said == choices[i], *each)) pressed = i;
        }
        return pressed;
    }
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (i > 0) space(ui, kChoiceGap);
        if (draw_choice(ui, i, choices[i], said == choices[i], width)) pressed = i;
    }
    return pressed;
}

// A tick or a cross, what it belongs to, and what was said; no mark where nobody said anything.
void verdict_line(const Ui& ui, std::optional<bool> right, std::string_view title,
                  std::string_view words) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float h = ui.px(20), width = ImGui::GetContentRegionAvail().x, left = ui.px(20);
    const Painter p(ui);
    const Vec2 mark{at.x + ui.px(7), at.y + h / 2};
    if (!right)
        hline(p, mark.x - ui.px(5), mark.x + ui.px(5), std::floor(mark.y), ui.colors.text3, 2);
    else if (*right)
        tick_mark(p, mark, 12, ui.colors.text);
    else
        cross_mark(p, mark, 10, ui.colors.loss.ink);
    const float title_w = text_width(ui, type::section(ui), title) + ui.px(8);
    text_in(p, type::section(ui), {at.x + left, at.y, title_w, h}, title);
    // What does not fit behind the title stands below it: a verdict is never cut.
    const float room = width - left - title_w;
    const bool fits = text_width(ui, type::body(ui), words) <= room;
    if (fits) text_in(p, type::body(ui), {at.x + left + title_w, at.y, room, h}, words);
    ImGui::Dummy({width, h});
    if (!fits) paragraph(ui, type::body(ui), 20, words);
}

// What the answer follows from, one behind the other: "cards 8   query heads 128".
void draw_givens(const Ui& ui, const std::vector<ShownGiven>& givens, float width) {
    const TextStyle label = type::body(ui), value = type::number(ui);
    const Painter p(ui);
    const float pitch = ui.px(kGivenPitch);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    float x = 0, y = 0;
    for (const ShownGiven& given : givens) {
        const std::array runs{Run{label, given.label}, Run{value, given.value, 6}};
        const float wide = runs_width(ui, runs);
        if (x > 0 && x + wide > width) x = 0, y += pitch;
        if (wide > width) {
            y += wrapped_at(p, label, kGivenPitch, {top.x, top.y + y, width, 0},
                            given.label + " " + given.value);
            continue;
        }
        runs_in(p, runs, {top.x + x, top.y + y, wide, pitch});
        x += wide + ui.px(kBetweenGivens);
    }
    ImGui::Dummy({width, x > 0 ? y + pitch : y});
}

std::string title_of(const Ui& ui, std::size_t i) {
    return fill(ui.text["lesson.predict"_t], {{"n", with_commas(i + 1)}});
}

TextId verdict_words(const AskedPrediction& asked) {
    if (asked.verdict->right) return "lesson.said.right"_t;
    return asked.said ? "lesson.said.wrong"_t : "lesson.said.none"_t;
}

// After the reveal: what was said, what is real, and why.
void draw_answered(const Ui& ui, const AskedPrediction& asked, std::size_t i, RunFocus& focus) {
    const GradedPrediction& verdict = *asked.verdict;
    const auto right = asked.said ? std::optional(verdict.right) : std::nullopt;
    verdict_line(
        ui, right, title_of(ui, i),
        fill(ui.text[verdict_words(asked)], {{"said", verdict.said}, {"real", verdict.real}}));
    paragraph(ui, type::caption(ui), 17, asked.prediction.question);
    space(ui, 4);
    draw_lesson_prose(ui, ("why " + std::to_string(i)).c_str(), asked.prediction.why, focus,
                      {.size = 14, .pitch = 21});
}

void say(const Ui& ui, std::size_t prediction, const std::string& answer) {
    ui.out.push("lesson.say", std::to_string(prediction + 1) + " " + answer);
}

// Draws the hint once it was asked for, and until then the way to it beside the question whose turn
// it is.
void draw_prediction_hint(const Ui& ui, const LessonView& view, std::size_t i, RunFocus& focus) {
    const AskedPrediction& asked = view.predictions[i];
    if (asked.hinted) {
        space(ui, 8);
        draw_lesson_prose(ui, "hint", asked.prediction.hint, focus,
                          {.size = 14, .pitch = 21, .quiet = true});
    } else if (view.asks() == i && view.may_hint()) {
        space(ui, 8);
        if (button(ui, "hint", ui.text["lesson.hint"_t], {.dense = true, .key = "H"}))
            ui.out.push("lesson.hint");
    }
}

bool is_wrong(const AskedExercise& asked, std::size_t part) {
    if (!asked.graded || asked.graded->ok) return false;
    return asked.graded->right.empty() || !asked.graded->right[part];
}

std::optional<std::string> draw_answer_field(const Ui& ui, const AskedExercise& asked,
                                             std::size_t part, const std::string& value,
                                             float width) {
    const std::string& unit = asked.exercise.parts[part].unit;
    const bool alone = asked.exercise.parts.size() == 1;
    return text_field(
        ui, alone ? "answer" : PartId(part).c_str(), value,
        {.dense = false,
         .wrong = is_wrong(asked, part),
         .width = width,
         .hint = alone || unit.empty() ? std::string_view(ui.text["lesson.exercise.hint_text"_t])
                                       : std::string_view(unit)});
}

// A field for each value, under its name; Enter leads from one to the next. The whole answer once
// one of them has changed.
std::optional<std::string> draw_answer_fields(const Ui& ui, const AskedExercise& asked,
                                              float width) {
    const Exercise& exercise = asked.exercise;
    if (exercise.parts.size() == 1) return draw_answer_field(ui, asked, 0, asked.said, width);
    std::vector<std::string> fields = answer_fields(exercise, asked.said);
    bool changed = false, leads_on = false;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i > 0) space(ui, 6);
        wrapped(ui, colored(type::body(ui), ui.colors.text), 19, width, exercise.parts[i].name);
        space(ui, 2);
        if (std::exchange(leads_on, false)) ImGui::SetKeyboardFocusHere();
        const float wide = std::min(width, ui.px(220));
        const auto typed = draw_answer_field(ui, asked, i, fields[i], wide);
        if (!typed) continue;
        fields[i] = *typed, changed = true;
        leads_on = ImGui::IsKeyPressed(ImGuiKey_Enter, false);
    }
    return changed ? std::optional(answer_of_fields(fields)) : std::nullopt;
}

}  // namespace

void draw_lesson_prediction(const Ui& ui, const LessonView& view, std::size_t i, RunFocus& focus) {
    const AskedPrediction& asked = view.predictions[i];
    space(ui, 14);
    if (asked.verdict) return draw_answered(ui, asked, i, focus);
    ImGui::PushID(static_cast<int>(i));
    {
        const Boxed box(ui, true);
        const ShownPrediction& ask = asked.prediction;
        head_line(
            ui, box.width(), title_of(ui, i),
            ui.text[ask.choices.empty() ? "lesson.predict.write"_t : "lesson.predict.pick"_t]);
        wrapped(ui, colored(type::prose(ui), ui.colors.text), 21, box.width(), ask.question);
        if (!ask.givens.empty()) {
            space(ui, 4);
            draw_givens(ui, ask.givens, box.width());
        }
        space(ui, 8);
        if (ask.choices.empty()) {
            const float wide = std::min(box.width(), ui.px(220));
            if (const auto typed = text_field(ui, "value", asked.said.value_or(""),
                                              {.dense = false, .width = wide, .hint = ask.unit}))
                say(ui, i, *typed);
        } else if (const auto chosen = draw_choices(ui, ask.choices, asked.said, box.width())) {
            say(ui, i, std::to_string(*chosen + 1));
        }
        draw_prediction_hint(ui, view, i, focus);
    }
    ImGui::PopID();
}

namespace {

TextId reveal_words(const LessonView& view) {
    const bool in_figure = view.shown.figure.has_value();
    const bool in_recording = !in_figure && !view.shown.recording.empty();
    if (in_recording && view.predictions.empty()) return "lesson.show.recording"_t;
    if (in_recording && view.may_reveal()) return "lesson.reveal.recording"_t;
    if (view.predictions.empty()) return in_figure ? "lesson.show.figure"_t : "lesson.show.why"_t;
    if (!view.may_reveal()) return "lesson.reveal.first"_t;
    return in_figure ? "lesson.reveal.figure"_t : "lesson.reveal.why"_t;
}

}  // namespace

void draw_lesson_reveal(const Ui& ui, const LessonView& view) {
    space(ui, 14);
    const bool asks = !view.predictions.empty();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string_view label = ui.text[asks ? "lesson.reveal"_t : "lesson.show"_t];
    const ButtonLook look{.primary = true, .enabled = view.may_reveal(), .key = "Enter"};
    if (button(ui, "reveal", label, look)) ui.out.push("lesson.reveal");
    const float left = button_width(ui, label, look) + ui.px(12);
    text_in(Painter(ui), type::body(ui),
            {at.x + left, at.y, ImGui::GetContentRegionAvail().x - left, control_height(ui, false)},
            ui.text[reveal_words(view)]);
}

void draw_lesson_exercise(const Ui& ui, const AskedExercise& asked) {
    const Exercise& exercise = asked.exercise;
    space(ui, 18);
    ImGui::PushID(exercise.id.c_str());
    const float width = ImGui::GetContentRegionAvail().x;
    head_line(ui, width, fill(ui.text["lesson.exercise"_t], {{"id", exercise.id}}),
              asked.seed
                  ? fill(ui.text["lesson.exercise.seed"_t], {{"seed", with_commas(*asked.seed)}})
                  : Text(ui.text["lesson.exercise.fixed"_t]));
    wrapped(ui, colored(type::prose(ui), ui.colors.text), 21, width, exercise.text);
    space(ui, 8);
    const auto answer = [&](const std::string& text) {
        ui.out.push("lesson.answer", exercise.id + " " + text);
    };
    if (exercise.choices.empty()) {
        if (const auto typed = draw_answer_fields(ui, asked, width)) answer(*typed);
    } else if (const auto chosen = draw_choices(ui, exercise.choices, asked.said, width)) {
        answer(exercise.choices[*chosen]);
    }
    space(ui, 8);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float hint = button_width(ui, ui.text["lesson.hint"_t], {.dense = true}) + ui.px(8);
    if (button(ui, "hint", ui.text["lesson.hint"_t],
               {.enabled = !asked.hinted && !exercise.hint.empty(), .dense = true}))
        ui.out.push("lesson.hint", exercise.id);
    ImGui::SetCursorScreenPos({at.x + hint, at.y});
    if (button(ui, "another", ui.text["lesson.another"_t], {.dense = true}))
        ui.out.push("lesson.another", exercise.id);
    if (asked.hinted) {
        space(ui, 6);
        paragraph(ui, type::body(ui), 19, exercise.hint);
    }
    if (asked.graded) {
        space(ui, 6);
        const Graded& graded = *asked.graded;
        verdict_line(ui, graded.ok, ui.text[graded.ok ? "lesson.right"_t : "lesson.wrong"_t],
                     asked.said);
        if (graded.slip)
            paragraph(ui, colored(type::body(ui), ui.colors.text), 19,
                      fill(ui.text["lesson.slip"_t], {{"slip", *graded.slip}}));
        if (!graded.note.empty())
            paragraph(ui, colored(type::body(ui), ui.colors.text), 19, graded.note);
    }
    ImGui::PopID();
}

}  // namespace kv
