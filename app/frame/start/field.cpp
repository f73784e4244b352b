// The field of the third door: a sentence, what the model makes of its words while it is typed, and
// why it cannot be run.

#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/frame/start/paint.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/fields.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::array kExampleSentences{"start.example.1"_t, "start.example.2"_t,
                                       "start.example.3"_t, "start.example.4"_t};
constexpr std::size_t kMostNamed = 4;  // words in pieces

// What was typed before the field had the keyboard is gone on with, not typed over.
int continue_at_end(ImGuiInputTextCallbackData* data) {
    auto& own = *static_cast<StartUi*>(data->UserData);
    if (!own.to_end) return 0;
    own.to_end = false;
    data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
    return 0;
}

void run_sentence(const StartPage& page) {
    StartUi& own = page.own();
    if (is_blank(own.sentence))
        own.problem = Said("refused.sentence.empty"_t);
    else if (page.scene.view.knows_words && !page.scene.view.refusal.empty())
        own.problem = page.scene.view.refusal;
    else
        page.ui.out.push("start.sentence", own.sentence);
}

bool enter_pressed() {
    return ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
           ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
}

void draw_text(const StartPage& page, const Rect& box) {
    const Ui& ui = page.ui;
    const Painter p(ui);
    StartUi& own = page.own();
    fill(p, box, ui.colors.inset, 4);
    const bool wrong = !own.problem.empty();
    outline(p, box,
            wrong              ? ui.colors.loss.ink
            : own.has_keyboard ? ui.colors.text
                               : ui.colors.edge,
            4);
    ImGui::SetCursorScreenPos({box.x, box.y});
    ImGui::SetNextItemWidth(box.w);
    if (std::exchange(own.takes_keyboard, false)) ImGui::SetKeyboardFocusHere();
    const std::string before = own.sentence;
    const bool had_keyboard = own.has_keyboard;
    {
        const InputStyle style(ui,
                               {.font = ui.fonts.regular,
                                .size = page.plan.field_size,
                                .padding = 16,
                                .hint = ui.colors.text2},
                               box.h);
        ImGui::InputTextWithHint(
            "###sentence", ui.text[kExampleSentences[own.rounds % kExampleSentences.size()]],
            &own.sentence, ImGuiInputTextFlags_CallbackAlways, continue_at_end, &own);
    }
    own.has_keyboard = ImGui::IsItemActive();
    if (own.has_keyboard) own.in_field = true;
    const bool left = had_keyboard && !own.has_keyboard;
    // Dear ImGui takes back what was typed when Esc leaves a field.
    if (left && ImGui::IsKeyPressed(ImGuiKey_Escape, false)) own.sentence = before;
    if (left) own.in_field = false;
    if (own.sentence != before) own.problem = {};
    const bool ringed = own.has_keyboard || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
    if (ringed) focus_ring(p, box, 4);
    if (had_keyboard && enter_pressed()) run_sentence(page);
}

// "hid (4), My (2) and 3 more", or nothing where the model knows every word.
Text words_in_pieces(const Ui& ui, const SentenceFacts& facts) {
    Text named;
    std::size_t n = 0;
    for (const WordPieces& word : facts.words) {
        if (word.n < 2 || ++n > kMostNamed) continue;
        if (!named.empty()) named.append(", ");
        named.append(
            fill(ui.text["start.piece"_t], {{"word", word.word}, {"count", with_commas(word.n)}}));
    }
    if (n == 0) return {};
    if (n <= kMostNamed) return fill(ui.text["start.in_pieces"_t], {{"words", named}});
    return fill(ui.text["start.in_pieces.more"_t],
                {{"words", named}, {"count", with_commas(n - kMostNamed)}});
}

Text count_words(const Ui& ui, const StartView& view) {
    const SentenceFacts& facts = view.sentence;
    const std::uint32_t size = std::max(1u, view.page);
    const std::uint32_t pages = (facts.n_tokens + size - 1) / size;
    const char* text = ui.text[facts.words.size() == 1 ? "start.count.word"_t
                               : pages == 1            ? "start.count.one"_t
                                                       : "start.count"_t];
    return fill(text, {{"words", with_commas(facts.words.size())},
                       {"tokens", with_commas(facts.n_tokens)},
                       {"pages", with_commas(pages)},
                       {"size", with_commas(size)}});
}

// Lists as many of the known words as one line has room for.
Text known_text(const StartPage& page) {
    const Ui& ui = page.ui;
    const StartView& view = page.scene.view;
    const TextStyle style = start_style(ui, StartText::Hint, 13);
    const float room = page.at(page.plan.hint).w;
    Text line;
    for (std::size_t n = view.known.size(); n > 0; --n) {
        Text list;
        for (std::size_t i = 0; i < n; ++i) {
            if (i > 0) list.append(", ");
            list.append(view.known[i]);
        }
        line = fill(ui.text["start.knows"_t], {{"words", list}});
        if (text_width(ui, style, line) <= room) break;
    }
    return line;
}

// Two lines: what it is, and what the model knows of it.
std::array<Text, 2> lines_of_sentence(const StartPage& page) {
    const Ui& ui = page.ui;
    const StartView& view = page.scene.view;
    if (is_blank(page.own().sentence)) return {hint_words(ui, view), known_text(page)};
    if (!view.knows_words) return {hint_words(ui, view), ui.text["start.no_model"_t]};
    const Text in_pieces = words_in_pieces(ui, view.sentence);
    return {count_words(ui, view), in_pieces.empty() ? Text(ui.text["start.whole"_t]) : in_pieces};
}

}  // namespace

void paint_field_words(const StartPage& page) {
    const Ui& ui = page.ui;
    const Painter p(ui);
    const Rect room = page.at(page.plan.hint);
    const float pitch = start_pitch(StartText::Hint, 13);
    const TextStyle quiet = start_style(ui, StartText::Hint, 13);
    // A refusal is known before Enter, and says so as soon as there is one.
    const Said& problem = page.own().problem.empty() && !is_blank(page.own().sentence)
                              ? page.scene.view.refusal
                              : page.own().problem;
    if (!problem.empty()) {
        wrapped_at(p, colored(quiet, ui.colors.loss.ink), pitch, room, problem.in(ui.text));
        return;
    }
    const std::array<Text, 2> lines = lines_of_sentence(page);
    const bool typed = !is_blank(page.own().sentence);
    const float first =
        wrapped_at(p, typed ? colored(quiet, ui.colors.text2) : quiet, pitch, room, lines[0]);
    const float line = ui.px(pitch);
    if (lines[1].empty() || first + line > room.h + 1) return;
    const TextStyle second = typed ? colored(quiet, ui.colors.text) : quiet;
    text_in(p, second, {room.x, room.y + first, room.w, line}, lines[1]);
}

void draw_field(const StartPage& page) {
    const Ui& ui = page.ui;
    draw_text(page, page.at(page.plan.field));
    const Rect run = page.at(page.plan.run);
    ImGui::SetCursorScreenPos({run.x, run.y});
    const Hit hit = hit_item("###run", {run.w, run.h});
    const Painter p(ui);
    const ControlPaint look = control_paint(ui.colors, hit, false, true);
    draw_control(p, hit, look);
    text_in(p, {ui.fonts.semibold, page.plan.field_size, look.ink, Align::Center}, run,
            ui.text["start.run"_t]);
    if (hit.pressed) run_sentence(page);
    paint_field_words(page);
}

}  // namespace kv
