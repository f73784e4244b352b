#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/bill/equation/plan.hpp"
#include "app/panels/bill/equation/terms.hpp"
#include "app/panels/bill/panels.hpp"
#include "app/widgets/chart/bars.hpp"

namespace kv {
namespace {

constexpr float kLegendFrom = 460;  // logical height from which the factors are explained as well

void draw_row(const Ui& ui, const BillView& view, const EquationRow& row, float height,
              BillFocus& focus) {
    RowLook look;
    look.height = height;
    look.strong = row.strong;
    look.total = row.total;
    look.secondary = row.detail;
    look.label_color = ui.colors.text2;
    if (row.waste) look.value_color = ui.colors.loss.ink;
    const bool exact = room_width() >= ui.px(kExactFrom);
    if (!exact) look.secondary = {};
    const bool hovered =
        value_row(ui, row.label, exact ? row.value : Text(view.bytes(row.bytes)), look);
    if (!hovered || row.result.empty()) return;
    focus.next_result = std::string(row.result);
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort))
        draw_unfold_tip(ui, view, row.result, row.label);
}

void draw_comparison(const Ui& ui, const BillView& view, const EquationPlan& plan,
                     const EquationPitch& pitch, BillFocus& focus) {
    paragraph(ui, colored(type::body(ui), ui.colors.text3), pitch.head, plan.same_with);
    std::vector<std::string> labels, values;
    for (const AttentionOption& option : view.attention) {
        labels.push_back(attention_label(option, ui.text));
        values.push_back(view.bytes(option.kv_bytes));
    }
    std::vector<Bar> bars;
    for (std::size_t i = 0; i < view.attention.size(); ++i) {
        const AttentionOption& option = view.attention[i];
        bars.push_back({.label = labels[i],
                        .value = values[i],
                        .amount = static_cast<double>(option.kv_bytes),
                        .emphasised = option.current});
    }
    const auto hovered = draw_bars(ui, "same", bars, {.pitch = pitch.bar});
    if (!hovered) return;
    focus.next_factor = BillFactor::KvHeads;
    ImGui::SetTooltip("%s", bytes_all_ways(view.attention[*hovered].kv_bytes).c_str());
}

// Says each factor in words, where there is room. Pointing at a line lights its box.
void draw_legend(const Ui& ui, const EquationPlan& plan, BillFocus& focus) {
    rule(ui, RuleSpan::Window);
    section_head(ui, ui.text["equation.factors"_t]);
    for (const EquationTerm& term : plan.terms) {
        for (const EquationFactor& factor : term.factors) {
            const ImVec2 at = ImGui::GetCursorScreenPos();
            if (focus.factor == factor.factor) {
                const Rect row{std::floor(at.x) - ui.px(6), std::floor(at.y),
                               room_width() + ui.px(12), ui.px(40)};
                fill(Painter(ui), row, ui.colors.hover_wash(), 2);
            }
            if (two_line_row(ui, factor.label, factor.meaning, factor.value))
                focus.next_factor = factor.factor;
        }
    }
}

}  // namespace

void draw_equation(const Ui& ui, const BillInputs& bill, BillFocus& focus) {
    const TightSpacing tight;
    std::string why;
    const auto view = view_bill(bill, BillSide::Left, why);
    if (!view) {
        draw_too_large(ui, why);
        return;
    }
    const EquationPlan plan = plan_equation(*view, ui.text);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool large = prefer_large(ui, plan), roomy = room.y >= ui.px(kLegendFrom);
    const EquationPitch pitch =
        pitch_for(ui, {plan.rows.size(), view->attention.size(), !plan.note.empty()},
                  terms_height(ui, plan, large), roomy ? room.y / 2 : room.y);
    if (pitch.title > 0) {
        paragraph(ui, type::body(ui), 18, ui.text["equation.title"_t]);
        space(ui, pitch.title - 18);
    }
    draw_terms(ui, plan, large, focus);
    space(ui, 4);
    for (const EquationRow& row : plan.rows) draw_row(ui, *view, row, pitch.row, focus);
    if (!plan.note.empty()) paragraph(ui, type::caption(ui), 16, plan.note);
    rule(ui, RuleSpan::Window, pitch.rule, pitch.rule);
    draw_comparison(ui, *view, plan, pitch, focus);
    if (roomy) draw_legend(ui, plan, focus);
}

}  // namespace kv
