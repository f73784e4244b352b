// The question, the answer as one sentence, and under it what is recorded, replayed and modelled.

#include <array>

#include "app/panels/whatif/paint.hpp"
#include "app/widgets/controls.hpp"

namespace kv {
namespace {

float draw_buttons(const WhatIfFrame& frame, const Rect& room, float down) {
    const Ui& ui = frame.ui;
    const std::string_view other = ui.text["whatif.other"_t], copy = ui.text["whatif.copy"_t];
    const float gap = ui.px(12), w_copy = button_width(ui, copy), w_other = button_width(ui, other);
    const float x = room.right() - w_copy - gap - w_other;
    ImGui::SetCursorScreenPos({x, room.y + down});
    if (button(ui, "other", other)) ui.out.push("whatif.file");
    ImGui::SetCursorScreenPos({x + w_other + gap, room.y + down});
    if (button(ui, "copy", copy)) {
        const std::string words(answer_words(ui.text, frame.weighed));
        ImGui::SetClipboardText(words.c_str());
    }
    return x;
}

void draw_marks(const WhatIfFrame& frame, const Rect& line) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const TextStyle style = type::body(ui);
    const std::array words{
        recorded_words(ui.text, frame.weighed),
        fill(ui.text["whatif.replayed"_t], {{"size", std::to_string(frame.weighed.block_size)}}),
        Text(ui.text["whatif.modelled"_t])};
    constexpr std::array kMarks{WhatIfMark::Exact, WhatIfMark::Replayed, WhatIfMark::Modelled};
    float x = line.x;
    for (std::size_t i = 0; i < words.size(); ++i) {
        known_mark(p, kMarks[i], {x + ui.px(5), line.center().y}, ui.colors.text);
        x += ui.px(16);
        const float room = line.right() - x;
        if (room < ui.px(40)) return;
        const float w = std::min(text_width(ui, style, words[i]) + 1, room);
        text_in(p, style, {x, line.y, w, line.h}, words[i]);
        x += w + ui.px(20);
    }
}

}  // namespace

void draw_whatif_answer(const WhatIfFrame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Rect room = frame.px(frame.plan.answer);
    fill(p, room, ui.colors.panel);
    outline(p, room, ui.colors.line);
    const float inset = ui.px(18), left = room.x + inset;
    const bool is_low = frame.plan.title_size < 26;
    const float buttons =
        draw_buttons(frame, {room.x, room.y, room.w - inset, room.h}, ui.px(is_low ? 5 : 12));
    const TextStyle title = sized(type::lesson_title(ui), frame.plan.title_size);
    text_in(p, title, {left, room.y + ui.px(is_low ? 8 : 12), buttons - left - inset, ui.px(28)},
            ui.text["whatif.title"_t]);
    const TextStyle sentence = sized(type::prose(ui), is_low ? 14 : 18);
    float y = room.y + ui.px(is_low ? 38 : 48);
    text_in(p, sentence, {left, y, room.w - 2 * inset, ui.px(24)},
            answer_words(ui.text, frame.weighed));
    y += ui.px(is_low ? 24 : 32);
    draw_marks(frame, {left, y, room.w - 2 * inset, ui.px(20)});
    y += ui.px(22);
    text_in(p, type::caption(ui), {left, y, room.w - 2 * inset, ui.px(18)},
            ui.text["whatif.not_asked"_t]);
}

}  // namespace kv
