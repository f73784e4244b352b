// The question, the answer as one sentence, and under it what is recorded, replayed and modelled.

#include <array>

#include "app/panels/whatif/choice_words.hpp"
#include "app/panels/whatif/paint.hpp"
#include "app/widgets/controls.hpp"

namespace kv {
namespace {

// What is said of the view that is shown.
Text shown_answer(const WhatIfFrame& frame) {
    const Texts& text = frame.ui.text;
    if (frame.shows_pools()) return answer_words(text, frame.weighed);
    if (frame.choices() == nullptr) return Text(text["whatif.choice.awaited"_t]);
    return choice_answer(text, frame.weighed, frame.own.view, *frame.choices());
}

// The numbers of a sentence, their percent signs among them, are bold.
std::vector<Run> with_bold_numbers(const Ui& ui, const TextStyle& style,
                                   std::string_view sentence) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    std::vector<Run> runs;
    bool was_bold = false;
    for (std::size_t at = 0; at < sentence.size();) {
        const std::size_t end = std::min(sentence.find(' ', at), sentence.size() - 1) + 1;
        const std::string_view word = sentence.substr(at, end - at);
        const bool is_bold = is_digit(word[0]) || (was_bold && word[0] == '%');
        const TextStyle look =
            is_bold ? with_font(colored(style, ui.colors.text), ui.fonts.semibold) : style;
        runs.push_back({look, word});
        was_bold = is_bold;
        at = end;
    }
    return runs;
}

constexpr float kAnswerInset = 18;

TextStyle answer_style(const WhatIfFrame& frame) {
    return sized(type::prose(frame.ui), frame.plan.title_size < 26 ? 14 : 18);
}

// The words of each line, none wider than the room.
std::vector<std::vector<Run>> answer_lines(const WhatIfFrame& frame, std::string_view sentence) {
    const float room = frame.ui.px(frame.plan.answer.w - 2 * kAnswerInset);
    std::vector<std::vector<Run>> lines(1);
    float width = 0;
    for (const Run& run : with_bold_numbers(frame.ui, answer_style(frame), sentence)) {
        const float w = text_width(frame.ui, run.style, run.text);
        if (width > 0 && width + w > room) lines.emplace_back(), width = 0;
        width += w;
        lines.back().push_back(run);
    }
    return lines;
}

float draw_buttons(const WhatIfFrame& frame, const Rect& room, float down) {
    const Ui& ui = frame.ui;
    const std::string_view other = ui.text["whatif.other"_t], copy = ui.text["whatif.copy"_t];
    const float gap = ui.px(12), w_copy = button_width(ui, copy), w_other = button_width(ui, other);
    const float x = room.right() - w_copy - gap - w_other;
    ImGui::SetCursorScreenPos({x, room.y + down});
    if (button(ui, "other", other)) ui.out.push("whatif.file");
    ImGui::SetCursorScreenPos({x + w_other + gap, room.y + down});
    if (button(ui, "copy", copy)) {
        const std::string words(shown_answer(frame));
        ImGui::SetClipboardText(words.c_str());
    }
    return x;
}

void draw_marks(const WhatIfFrame& frame, const Rect& line) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const TextStyle style = type::body(ui);
    const std::array words{recorded_words(ui.text, frame.weighed),
                           replayed_words(ui.text, frame.weighed, frame.own.view),
                           Text(ui.text["whatif.modelled"_t])};
    constexpr std::array kMarks{WhatIfMark::Exact, WhatIfMark::Replayed, WhatIfMark::Modelled};
    float x = line.x;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const float room = line.right() - x - ui.px(16);
        if (room < ui.px(100)) return;
        known_mark(p, kMarks[i], {x + ui.px(5), line.center().y}, ui.colors.text);
        x += ui.px(16);
        const float w = std::min(text_width(ui, style, words[i]) + 1, room);
        text_in(p, style, {x, line.y, w, line.h}, words[i]);
        x += w + ui.px(20);
    }
}

}  // namespace

std::size_t whatif_answer_lines(const WhatIfFrame& frame) {
    return answer_lines(frame, shown_answer(frame)).size();
}

void draw_whatif_answer(const WhatIfFrame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Rect room = frame.px(frame.plan.answer);
    fill(p, room, ui.colors.panel);
    outline(p, room, ui.colors.line);
    const float inset = ui.px(kAnswerInset), left = room.x + inset;
    const bool is_low = frame.plan.title_size < 26;
    const float buttons =
        draw_buttons(frame, {room.x, room.y, room.w - inset, room.h}, ui.px(is_low ? 5 : 12));
    const TextStyle title = sized(type::lesson_title(ui), frame.plan.title_size);
    text_in(p, title, {left, room.y + ui.px(is_low ? 8 : 12), buttons - left - inset, ui.px(28)},
            question_words(ui.text, frame.own.view));
    float y = room.y + ui.px(is_low ? 38 : 48);
    const Text sentence = shown_answer(frame);
    for (const std::vector<Run>& line : answer_lines(frame, sentence)) {
        runs_in(p, line, {left, y, room.w - 2 * inset, ui.px(24)});
        y += ui.px(frame.plan.answer_line);
    }
    y += ui.px(is_low ? 4 : 6);
    draw_marks(frame, {left, y, room.w - 2 * inset, ui.px(20)});
    y += ui.px(22);
    text_in(p, type::caption(ui), {left, y, room.w - 2 * inset, ui.px(18)},
            not_asked_words(ui.text, frame.weighed, frame.own.view));
}

}  // namespace kv
