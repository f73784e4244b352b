// What a scene marks, in a comparison: how much of it a side still holds.

#include <cmath>

#include "app/panels/compare_runs/side/paint.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {

MarkedBadge draw_marked_badge(const Ui& ui, const RunView& run, const RunFocus& focus,
                              SeqId request, const Rect& r) {
    const auto& marked = focus.marked;
    if (!marked || name_of_request(run.now, request) != marked->request) return {};
    if (entries_held(run.lane().table(request)).empty()) return {};  // it has ended: none is held
    const MarkedKept count = count_marked(run.lane(), request, *marked);
    if (run.now.requests[request.index()].stored <= marked->last) return {};  // not read yet
    const bool lost = count.kept == 0;
    const std::string words =
        fill(ui.text[lost ? "policy.marked.lost"_t : "policy.marked.kept"_t],
             {{"n", with_commas(count.kept)}, {"all", with_commas(count.all)}});
    const Painter p(ui);
    const Color color = lost ? ui.colors.loss.ink : ui.colors.text;
    const TextStyle style = colored(type::strong(ui), color);
    const float mark = ui.px(14), pad = ui.px(8);
    const float w = std::ceil(text_width(ui, style, words)) + mark + 3 * pad;
    const Rect box{r.right() - w, r.y + ui.px(2), w, r.h - ui.px(4)};
    ImGui::SetCursorScreenPos({box.x, box.y});
    const Hit hit = hit_item("marked", {box.w, box.h});
    if (hit.hovered) fill(p, box, ui.colors.hover_wash(), 3);
    if (hit.focused) focus_ring(p, box);
    outline(p, box, color, 3, 1.5f);
    const Vec2 at{box.x + pad + mark / 2, std::floor(box.center().y)};
    if (lost)
        cross_mark(p, at, 9, color);
    else
        tick_mark(p, at, 10, color);
    text_in(p, style, {box.x + 2 * pad + mark, box.y, w, box.h}, words);
    if (hit.hovered && ImGui::BeginTooltip()) {
        ImGui::PushTextWrapPos(ui.px(360));
        ImGui::TextUnformatted(
            fill(ui.text["policy.marked.tip"_t], {{"whole", with_commas(count.whole_tables)},
                                                  {"tables", with_commas(count.tables)}})
                .c_str());
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
    return {w + ui.px(12), hit.pressed};
}

}  // namespace kv
