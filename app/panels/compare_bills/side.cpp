// One side of Compare: its model and formats, how its heads share the cache, the equation, and what
// it all costs beside the other side.

#include "app/panels/compare_bills/side.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/bill/calculator/unfold.hpp"
#include "app/panels/bill/equation/plan.hpp"
#include "app/panels/bill/equation/terms.hpp"
#include "app/panels/bill/panels.hpp"
#include "app/panels/compare_bills/heads.hpp"
#include "app/panels/compare_bills/paint.hpp"
#include "app/widgets/chart/bars.hpp"
#include "app/widgets/chart/factors.hpp"

namespace kv {
namespace {

void head_line(const Painter& p, const Rect& r, std::string_view title, std::string_view caption) {
    const std::array runs{Run{type::section(p.ui), title}, Run{type::caption(p.ui), caption, 10}};
    runs_in(p, runs, {r.x, r.y, r.w, p.ui.px(22)});
}

// ---- the heads -------------------------------------------------------------------------------

void draw_heads(const SidePanel& panel, const SidePlan& plan, Vec2 origin) {
    const Ui& ui = panel.ui;
    const Rect room = placed(*plan.heads, origin);
    const ModelShape& shape = panel.view().shape;
    head_line(Painter(ui), {room.x, room.y, room.w, plan.head_height},
              attention_label(panel.view().current_attention(), ui.text),
              heads_text(shape, ui.text));
    const Rect picture{room.x, room.y + plan.head_height, room.w, room.h - plan.head_height};
    ImGui::SetCursorScreenPos(im(picture.min()));
    const Hit hit = hit_item("heads", {picture.w, picture.h});
    if (hit.hovered || hit.focused) panel.focus.next_factor = BillFactor::KvHeads;
    paint_heads(Painter(ui), shape, picture, panel.focus.factor == BillFactor::KvHeads);
    if (hit.focused) focus_ring(Painter(ui), picture, 2);
}

// ---- the equation ----------------------------------------------------------------------------

// What the boxes multiply to, after the last of them. Terms that share no factor have no one
// product.
void draw_result(const SidePanel& panel, const EquationPlan& equation, bool large, float end) {
    if (equation.terms.size() > 1 && !factored(equation.terms)) return;
    const Ui& ui = panel.ui;
    const BillView& view = panel.view();
    const std::string result =
        "= " + view.bytes(view.held ? view.held->payload : view.whole("kv_bytes"));
    const TextStyle style{ui.fonts.mono_bold, large ? 18.0f : 14.0f, ui.colors.text};
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float x = std::floor(high.x) + ui.px(large ? 26 : 14),
                width = text_width(ui, style, result);
    if (x + width > end) return;
    text_in(Painter(ui), style, {x, low.y, 0, factor_metrics(ui, large).box_h}, result);
}

void draw_equation(const SidePanel& panel, const EquationPlan& equation, const SidePlan& plan,
                   Vec2 origin) {
    const Ui& ui = panel.ui;
    const Rect room = placed(plan.equation, origin);
    const bool large = !plan.small_equation;
    const u64 scales = panel.view().held ? panel.view().held->scales : 0;
    const Text beside =
        scales == 0 ? Text()
                    : fill(ui.text["compare.scales"_t], {{"bytes", panel.view().bytes(scales)}});
    head_line(Painter(ui), {room.x, room.y, room.w, plan.head_height},
              ui.text["compare.equation"_t], beside);
    ImGui::SetCursorScreenPos({room.x, room.y + plan.head_height});
    draw_terms(ui, equation, large, panel.focus);
    draw_result(panel, equation, large, room.right());
}

// ---- the costs -------------------------------------------------------------------------------

void explain(const SidePanel& panel, const CostRow& cost) {
    if (!ImGui::BeginTooltip()) return;
    ImGui::TextUnformatted(cost.row.label.c_str());
    const Derived& derived = panel.view().at(cost.row.result);
    ImGui::PushFont(panel.ui.fonts.mono, panel.ui.px(12));
    ImGui::TextUnformatted(pretty_expression(derived).c_str());
    ImGui::TextUnformatted(pretty_numbers(derived).c_str());
    ImGui::TextUnformatted(bytes_all_ways(derived.whole()).c_str());
    ImGui::PopFont();
    ImGui::EndTooltip();
}

float widest_label(const Ui& ui, std::span<const Bar> bars) {
    float width = 0;
    for (const Bar& bar : bars)
        width = std::max(width, text_width(ui, sized(type::strong(ui), 12), bar.label));
    return width;
}

// Under each bar, where there is room: of how much it is the cost.
void draw_details(const Painter& p, const std::vector<CostRow>& costs, const Rect& at,
                  float pitch) {
    if (pitch < p.ui.px(40)) return;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const float y = at.y + pitch * (static_cast<float>(i) + 0.5f) + p.ui.px(11);
        text_in(p, type::caption(p.ui), {at.x, std::round(y), 0, p.ui.px(16)}, costs[i].row.detail);
    }
}

void draw_costs(const SidePanel& panel, const std::vector<CostRow>& costs, const SidePlan& plan,
                Vec2 origin) {
    const Ui& ui = panel.ui;
    const Rect room = placed(plan.costs, origin);
    head_line(Painter(ui), {room.x, room.y, room.w, plan.head_height}, ui.text["compare.costs"_t],
              ui.text["compare.costs.key"_t]);
    std::vector<Bar> bars;
    // Paler than the tick of the other side, which has to be seen on it.
    const Color strong = mix(ui.colors.panel, ui.colors.text, 0.65);
    for (const CostRow& cost : costs)
        bars.push_back({.label = cost.row.label,
                        .value = cost.row.value,
                        .amount = cost.share,
                        .emphasised = cost.row.strong,
                        .color = cost.row.strong ? std::optional(strong) : std::nullopt,
                        .tick = cost.other_share});
    const float pitch = plan.cost_pitch / ui.unit, top = room.y + plan.head_height;
    const float label_w = std::ceil(widest_label(ui, bars));
    draw_details(Painter(ui), costs, {room.x + label_w + ui.px(12), top, room.w, 0},
                 plan.cost_pitch);
    ImGui::SetCursorScreenPos({room.x, top});
    const auto hovered = draw_bars(ui, "costs", bars,
                                   {.full = 1,
                                    .pitch = pitch,
                                    .thickness = std::clamp(pitch * 0.36f, 9.0f, 16.0f),
                                    .label_width = label_w});
    if (hovered) explain(panel, costs[*hovered]);
}

}  // namespace

void draw_side(const Ui& ui, const BillInputs& bill, BillSide side, BillFocus& focus) {
    std::string why;
    const auto both = view_compare(bill, why);
    if (!both) return draw_not_priced(ui, why);
    const SidePanel panel{ui, *both, side, focus};
    const BillView& view = panel.view();
    const EquationPlan equation = plan_equation(view, ui.text);
    const std::vector<CostRow> costs = cost_rows(*both, side, ui.text);

    const ImVec2 cursor = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const Vec2 origin{cursor.x, cursor.y};
    const SidePlan plan = layout_side({room.x, room.y}, ui.unit,
                                      {.codecs_width = side_formats_width(ui, view.codecs),
                                       .equation_height = terms_height(ui, equation, true),
                                       .small_equation_height = terms_height(ui, equation, false),
                                       .cost_rows = costs.size()});
    draw_side_head(panel, plan, origin);
    if (plan.heads) draw_heads(panel, plan, origin);

    draw_equation(panel, equation, plan, origin);
    draw_costs(panel, costs, plan, origin);
    ImGui::SetCursorScreenPos(cursor);
    ImGui::Dummy({room.x, plan.height});
}

}  // namespace kv
