// One side of a comparison of two runs: what it is, its tokens as rows or as a strip, what it
// stores and what it predicts.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/compare_runs/side/paint.hpp"
#include "app/panels/compare_runs/words.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

// What the side keeps: where there is little room in smaller letters, then without its last clause.
void paint_caption(const Painter& p, const Rect& room, std::string_view words) {
    constexpr std::array kSizes{13.0f, 12.0f, 11.0f};
    const TextStyle style = type::body(p.ui);
    for (std::string_view part = words; !part.empty();) {
        for (const float size : kSizes)
            if (text_width(p.ui, sized(style, size), part) <= room.w)
                return static_cast<void>(text_in(p, sized(style, size), room, part));
        const std::size_t clause = part.rfind(", ");
        part = clause == std::string_view::npos ? std::string_view() : part.substr(0, clause);
    }
    text_in(p, sized(style, kSizes.back()), room, words);
}

void paint_title(const Ui& ui, const RunView& run, CompareSide side, const Rect& r) {
    const Painter p(ui);
    const SideTitle words = side_title(run, ui.text);
    const float mark = ui.px(14);
    draw_side_mark(p, {r.x + mark / 2, std::floor(r.center().y)}, 12, side, ui.colors.text);
    const TextStyle title = type::object_title(ui);
    const Rect line{r.x + mark + ui.px(10), r.y, r.w - mark - ui.px(10), r.h};
    const float w = std::min(line.w, text_width(ui, title, words.title));
    text_in(p, title, line, words.title);
    const float x = line.x + w + ui.px(12);
    const Text per_token =
        fill(ui.text["pair.per_token"_t],
             {{"bytes", measured(measure_of_token(run.layout), run.layout, ui.text)}});
    const TextStyle mono = type::number_small(ui);
    const float right = text_width(ui, mono, per_token);
    // What the side is says more than what all sides have.
    const bool both =
        line.right() - x >= text_width(ui, type::body(ui), words.caption) + ui.px(12) + right;
    if (both) text_in(p, aligned(mono, Align::Right), line, per_token);
    const float end = line.right() - (both ? right + ui.px(12) : 0);
    if (end - x > ui.px(40)) paint_caption(p, {x, r.y, end - x, r.h}, words.caption);
}

// What both sides need, so that their parts stand at one height.
PairSideNeeds needs_of(const PairView& pair, std::string_view name, float unit) {
    PairSideNeeds needs{.unit = unit, .has_note = pair.own.difference.parting_of(name) != nullptr};
    needs.block_size = 1;
    for (const CompareSide side : {CompareSide::Left, CompareSide::Right}) {
        const RunView& run = pair.of(side);
        const RequestView* end = request_view_named(run.trace.end(), name);
        const auto request = request_named(run.now, name);
        if (end != nullptr)
            needs.n_tokens =
                std::max(needs.n_tokens, static_cast<std::uint32_t>(end->tokens.size()));
        if (request)
            needs.n_blocks = std::max(
                needs.n_blocks,
                static_cast<std::uint32_t>(entries_held(run.lane().table(*request)).size()));
        needs.block_size = std::max(needs.block_size, run.now.block_size);
    }
    return needs;
}

// What of the strip is written out below it.
std::optional<Unfolded> unfolded_of(const PairView& pair, std::string_view name,
                                    const PairSideNeeds& needs, const RunFocus& focus) {
    UnfoldAsk ask{.n_tokens = needs.n_tokens};
    if (const auto& marked = focus.marked; marked && marked->request == name)
        ask.marked = WordRange{marked->first, marked->last};
    if (pair.unfold != nullptr) ask.chosen = pair.unfold->at;
    ask.dropped = first_dropped(pair, name);
    if (const TokenParting* parting = pair.own.difference.parting_of(name))
        ask.parting = parting->index;
    if (const auto request = request_named(pair.left.now, name))
        ask.known =
            static_cast<std::uint32_t>(pair.left.now.requests[request->index()].tokens.size());
    return unfolded(ask);
}

PairStripPlan strip_of(const SidePicture& s, Vec2 room, const PairSideNeeds& needs) {
    List<float> widths;
    PairStripNeeds strip{
        .unit = needs.unit, .n_tokens = needs.n_tokens, .block_size = needs.block_size};
    if (s.unfolded) {
        // The wider word of both, so that both sides have the same boxes.
        const auto words = [&](const RunView& run) -> const SharedArray<std::uint32_t>& {
            const RequestView* end = request_view_named(run.trace.end(), s.now.name);
            return end == nullptr ? s.tokens : end->tokens;
        };
        const auto &left = words(s.pair.left), &right = words(s.pair.right);
        const TextStyle style = sized(type::strong(s.ui), 15);
        strip.unfolded = s.unfolded->range;
        for (std::uint32_t i = strip.unfolded.first; i <= strip.unfolded.last; ++i) {
            float w = 0;
            if (i < left.size()) w = text_width(s.ui, style, bare_word(s.pair.left.word(left[i])));
            if (i < right.size())
                w = std::max(w, text_width(s.ui, style, bare_word(s.pair.right.word(right[i]))));
            widths.push_back(w + s.ui.px(20));
        }
    }
    strip.widths = widths;
    return plan_pair_strip(room, strip);
}

void follow_request(PairUnfold& unfold, const RunView& left, SeqId request) {
    if (unfold.run != left.id || unfold.request != request)
        unfold = {.at = {}, .run = left.id, .request = request};
}

}  // namespace

void draw_pair_side(const Ui& ui, const PairView& pair, CompareSide side, RunFocus& focus) {
    const RunView& run = pair.of(side);
    const ImVec2 cursor = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    PairUnfold still;
    PairUnfold& unfold = pair.unfold != nullptr ? *pair.unfold : still;
    follow_request(unfold, pair.left, focus.request);
    const Text name = name_of_request(pair.left.now, focus.request);
    const auto request = request_named(run.now, name);
    if (!request) {
        paint_title(ui, run, side, {cursor.x, cursor.y, room.x, ui.px(30)});
        text_in(Painter(ui), type::body(ui), {cursor.x, cursor.y + ui.px(40), room.x, ui.px(24)},
                fill(ui.text["pair.no_request"_t], {{"name", name}}));
        return;
    }
    const RequestView& now = run.now.requests[request->index()];
    const RequestView* end = request_view_named(run.trace.end(), name);
    SidePicture s{ui,
                  pair,
                  side,
                  focus,
                  *request,
                  now,
                  end == nullptr ? now.tokens : end->tokens,
                  pair.own.difference.parting_of(name),
                  entries_held(run.lane().table(*request)),
                  {cursor.x, cursor.y}};
    const PairSideNeeds needs = needs_of(pair, name, ui.unit);
    s.rows = plan_pair_side({room.x, room.y}, needs);
    if (!s.rows) {
        s.unfolded = unfolded_of(pair, name, needs, focus);
        s.strip = strip_of(s, {room.x, room.y}, needs);
    }
    Rect title = s.on_screen(s.parts().title);
    const MarkedBadge badge = draw_marked_badge(ui, run, focus, *request, title);
    if (badge.pressed) unfold.at.reset();
    title.w -= badge.width;
    paint_title(ui, run, side, title);
    if (s.rows) {
        take_rows_input(s);
        paint_pair_rows(s);
    } else {
        take_strip_input(s, unfold);
        paint_pair_strip(s);
        draw_pair_answer(s);
    }
    paint_pair_stored(s);
    draw_pair_predictions(s);
    ImGui::SetCursorScreenPos(cursor);
    ImGui::Dummy({room.x, std::max(1.0f, s.parts().height)});
}

}  // namespace kv
