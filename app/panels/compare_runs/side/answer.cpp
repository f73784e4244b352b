// The answer of one side, with the words before it: at the first token at which the sides part, or
// at its first new one.

#include <algorithm>
#include <cmath>

#include "app/panels/compare_runs/side/paint.hpp"
#include "app/panels/compare_runs/words.hpp"
#include "app/widgets/hit.hpp"

namespace kv {
namespace {

constexpr float kAnswerBefore = 13, kAnswerWord = 16, kAnswerArrow = 36;
constexpr float kAnswerShare = 0.44f;  // of the line

std::uint32_t first_answer(const SidePicture& s) {
    if (s.parting != nullptr) return s.parting->index;
    const RequestView* end = request_view_named(s.run().trace.end(), s.now.name);
    return end == nullptr ? s.n_tokens() : end->n_prompt + end->n_forced;
}

// Paints as many of the words before the answer as fit; returns where they end.
float paint_words_before(const SidePicture& s, const Painter& p, std::uint32_t answer,
                         const Rect& line) {
    const float gap = s.ui.px(4), room = std::floor(line.w * kAnswerShare);
    const auto width = [&](std::uint32_t i) {
        return std::ceil(text_width(s.ui, sized(type::strong(s.ui), kAnswerBefore), s.word(i))) +
               s.ui.px(18);
    };
    std::uint32_t first = std::min(answer, s.n_tokens());
    const std::uint32_t end = first;
    float wanted = 0;
    while (first > 0 && wanted + width(first - 1) <= room) wanted += width(--first) + gap;
    float x = line.x;
    for (std::uint32_t i = first; i < end; ++i) {
        const float w = width(i);
        paint_pair_token(s, p, i, {x, line.y, w, line.h}, kAnswerBefore);
        x += w + gap;
    }
    return x;
}

}  // namespace

void draw_pair_answer(const SidePicture& s) {
    const Ui& ui = s.ui;
    const Painter p(ui);
    const Rect line = s.on_screen(s.strip.answer);
    const std::uint32_t answer = first_answer(s);
    float x = paint_words_before(s, p, answer, line);
    const float y = std::floor(line.center().y);
    arrow(p, {x + ui.px(4), y}, {x + ui.px(kAnswerArrow - 8), y}, ui.colors.text2);
    x += ui.px(kAnswerArrow);
    const TextStyle style = sized(type::strong(ui), kAnswerWord);
    const bool is_recorded = answer < s.n_tokens();
    const std::string_view word = is_recorded ? s.word(answer) : std::string_view("?");
    const Rect pill{x, line.y, std::ceil(text_width(ui, style, word)) + ui.px(32), line.h};
    if (is_recorded) {
        paint_pair_token(s, p, answer, pill, kAnswerWord);
    } else {
        dashed_pill(p, pill, ui.colors.text3);
        text_in(p, aligned(style, Align::Center), pill, word);
    }
    x = pill.right() + ui.px(12);
    Rect rest{x, line.y, std::max(1.0f, line.right() - x), line.h};
    const bool is_lost = s.parting != nullptr && !says_as_full(s);
    const Color ink = is_lost ? ui.colors.loss.ink : ui.colors.text2;
    List<Run> runs;
    const auto words = answer_words(s.pair, s.side, s.parting, answer, ui.text);
    for (const SentencePiece& piece : words)
        runs.push_back({piece.is_value ? colored(type::strong(ui), ui.colors.text)
                                       : colored(type::body(ui), ink),
                        piece.text});
    const float said = runs_width(ui, runs);
    if (s.parting != nullptr && s.side == CompareSide::Left && said + ui.px(150) <= rest.w)
        rest.w -= draw_event_link(s, rest);
    ImGui::PushClipRect(im(rest.min()), im(rest.max()), true);
    runs_in(p, runs, rest);
    ImGui::PopClipRect();
}

}  // namespace kv
