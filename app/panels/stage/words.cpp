// What the Stage says of the words of a sentence: its first line, the brackets of words in pieces,
// the bracket that makes folded lines one row, and what to try next.

#include <algorithm>
#include <cmath>

#include "app/panels/stage/paint.hpp"
#include "app/widgets/controls.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kTryGap = 8, kTryHead = 12, kTryFoot = 20, kPieceGap = 4, kPieceTick = 5;

// A level bracket that opens upwards, its name in the middle.
void paint_piece(const StagePicture& s, const Painter& p, const PieceSpan& span) {
    const Ui& ui = s.ui;
    const Rect chips = s.on_screen(span.chips);
    const float y = chips.bottom() + ui.px(kPieceGap + kPieceTick), tick = ui.px(kPieceTick);
    const Color ink = ui.colors.text3;
    const float x0 = chips.x + ui.px(1), x1 = chips.right() - ui.px(1);
    vline(p, x0, y - tick, y, ink);
    vline(p, x1 - ui.line(), y - tick, y, ink);
    const WordPieces& word = s.own.words.words()[span.word];
    const Text name =
        fill(ui.text["stage.pieces"_t], {{"word", word.word}, {"n", with_commas(word.n)}});
    const TextStyle style = aligned(sized(type::caption(ui), 11), Align::Center);
    const float w = text_width(ui, style, name) + ui.px(8);
    if (!span.named || w > x1 - x0 - ui.px(4)) return hline(p, x0, x1, y, ink);
    const float middle = (x0 + x1) / 2, from = std::floor(middle - w / 2),
                to = std::ceil(middle + w / 2);
    hline(p, x0, from, y, ink);
    hline(p, to, x1, y, ink);
    const float h = ui.px(14);
    text_in(p, style, {from, std::round(y - h / 2), to - from, h}, name);
}

}  // namespace

void paint_pieces(const StagePicture& s) {
    if (!s.plan.pieces) return;
    const Painter p(s.ui);
    for (const PieceSpan& span : piece_spans(s.plan, s.lane(), s.own.words))
        paint_piece(s, p, span);
}

void paint_row_bracket(const StagePicture& s, const Painter& p, const StageRow& row, bool strong) {
    if (s.plan.lines() < 2) return;
    const Ui& ui = s.ui;
    const Rect whole = s.on_screen(s.plan.whole_row(row));
    const Color ink = strong ? ui.colors.focus : ui.colors.text3;
    const float x = whole.right() + ui.px(9), arm = ui.px(5), width = strong ? 2.0f : 1.0f;
    vline(p, x, whole.y, whole.bottom(), ink, width);
    hline(p, x - arm, x, whole.y, ink, width);
    hline(p, x - arm, x + ui.px(width), whole.bottom() - ui.px(width), ink, width);
}

void paint_headline(const StagePicture& s) {
    if (!s.plan.headline) return;
    const Ui& ui = s.ui;
    const TextStyle plain = sized(colored(type::body(ui), ui.colors.text), 17);
    List<Run> runs;
    const List<SentencePiece> said = s.draft != nullptr
                                         ? draft_sentence(s.now(), *s.draft, ui.text)
                                         : words_sentence(s.run, s.own.words, ui.text);
    for (const SentencePiece& piece : said)
        runs.push_back({piece.is_value ? with_font(plain, ui.fonts.bold) : plain, piece.text});
    const Rect line = s.on_screen(*s.plan.headline);
    const float wide = runs_width(ui, runs);
    // Smaller where it would be cut.
    if (wide > line.w)
        for (Run& run : runs)
            run.style.size = std::max(11.0f, std::floor(run.style.size * line.w / wide));
    runs_in(Painter(ui), runs, line);
}

float try_next_height(const Ui& ui) {
    return ui.px(kTryGap + kTryHead) + control_height(ui, false) + ui.px(kTryFoot + 6);
}

void draw_try_next(const Ui& ui, std::span<const TryStep> steps, const Rect& room) {
    const Painter p(ui);
    const float top = room.y + ui.px(kTryGap);
    hline(p, room.x, room.right(), top, ui.colors.line);
    const float y = top + ui.px(kTryHead), h = control_height(ui, false);
    const TextStyle head = type::section(ui);
    const std::string_view words = ui.text["stage.try"_t];
    text_in(p, head, {room.x, y, 0, h}, words);
    float x = room.x + text_width(ui, head, words) + ui.px(16);
    bool primary = true;
    for (const TryStep& step : steps) {
        ButtonLook look{.primary = primary, .enabled = step.enabled, .key = step.key};
        if (x + button_width(ui, step.label, look) > room.right()) look.key = {};
        if (x + button_width(ui, step.label, look) > room.right()) break;
        ImGui::SetCursorScreenPos({x, y});
        if (button(ui, step.id, step.label, look)) {
            if (step.argument.empty())
                ui.out.push(step.command);
            else
                ui.out.push(step.command, std::string(step.argument));
        }
        x += button_width(ui, step.label, look) + ui.px(8);
        primary = false;
    }
    text_in(p, type::caption(ui), {room.x, y + h + ui.px(4), room.w, ui.px(kTryFoot)},
            ui.text["stage.try.undo"_t]);
}

}  // namespace kv
