// The sentence above the Stage: what happens now, or what a draft did; right of it, where there is
// room, what the request in focus reused.

#include <string_view>

#include "app/panels/stage/paint.hpp"

namespace kv {
namespace {

List<Run> runs_of_sentence(const StagePicture& s, std::span<const SentencePiece> pieces,
                           std::optional<SeqId> request) {
    const Ui& ui = s.ui;
    const TextStyle words = sized(colored(type::body(ui), ui.colors.text), 14);
    List<Run> runs;
    for (const SentencePiece& piece : pieces) {
        TextStyle style = words;
        if (piece.is_value) style = with_font(style, ui.fonts.bold);
        const bool is_name =
            piece.is_value && request && piece.text == s.now().requests[request->index()].name;
        if (is_name)
            style = colored(style, s.hue(*request).ink);
        else if (piece.is_value &&
                 piece.text.view().find_first_not_of("0123456789,") == std::string_view::npos)
            style = sized(with_font(style, ui.fonts.mono_bold), 13.5f);
        runs.push_back({style, piece.text});
    }
    return runs;
}

}  // namespace

void paint_sentences(const StagePicture& s) {
    if (!s.plan.sentence) return;
    const Ui& ui = s.ui;
    const Painter p(ui);
    const Rect line = s.on_screen(*s.plan.sentence);
    NowSentence now = now_sentence(s.run, s.focus, ui.text);
    if (s.draft != nullptr && !now.is_under_way && now.request == s.draft->request)
        now.pieces = draft_sentence(s.now(), *s.draft, ui.text);
    List<Run> runs;
    if (now.is_under_way)
        runs.push_back(
            {sized(colored(type::body(ui), ui.colors.text3), 14), ui.text["stage.now"_t]});
    for (const Run& run : runs_of_sentence(s, now.pieces, now.request)) runs.push_back(run);
    if (now.is_under_way && runs.size() > 1) runs[1].gap = 9;

    const List<SentencePiece> reused = reused_sentence(s.now(), s.focus.request, ui.text);
    const List<Run> right = runs_of_sentence(s, reused, std::nullopt);
    const float end = s.origin.x + s.plan.chips.right(), w = runs_width(ui, right);
    // The others of the pass are named where that leaves room for what was reused.
    List<Run> longer = runs;
    if (!now.with.empty()) longer.push_back({type::caption(ui), now.with, 10});
    const bool all = line.x + runs_width(ui, longer) + (w > 0 ? w + ui.px(20) : 0) <= end;
    runs_in(p, all ? longer : runs, line);
    if (right.empty() || line.x + runs_width(ui, runs) + ui.px(20) > end - w) return;
    runs_in(p, right, {line.x, line.y, end - line.x, line.h}, Align::Right);
}

}  // namespace kv
