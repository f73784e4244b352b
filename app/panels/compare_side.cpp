// One side of Compare: its model and formats, how its heads share the cache, the equation, and what it
// all costs beside the other side.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/calculator_unfold.hpp"
#include "app/panels/compare_heads.hpp"
#include "app/panels/compare_layout.hpp"
#include "app/panels/compare_paint.hpp"
#include "app/panels/compare_view.hpp"
#include "app/panels/equation_plan.hpp"
#include "app/panels/panels.hpp"
#include "app/widgets/bars.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/factors.hpp"
#include "core/cost/presets.hpp"

namespace kv {
namespace {

constexpr float kTag = 18, kTagGap = 6, kSwitchGap = 16, kTermGap = 10;

// One side while it is drawn.
struct SidePanel {
    const Ui& ui;
    const CompareView& both;
    BillSide side;
    BillFocus& focus;

    const BillView& view() const { return both.of(side); }
    const char* command(const char* left, const char* right) const {
        return side == BillSide::Left ? left : right;
    }
};

Rect at(const Rect& r, ImVec2 origin) {
    return snap({r.x + origin.x, r.y + origin.y, r.w, r.h});
}

void head_line(const Painter& p, const Rect& r, std::string_view title, std::string_view caption) {
    const std::array runs{Run{type::section(p.ui), title}, Run{type::caption(p.ui), caption, 10}};
    runs_in(p, runs, r);
}

// ---- formats ---------------------------------------------------------------------------------

struct FormatSwitch {
    std::vector<std::string> labels;
    std::vector<std::string_view> names;  // empty for a format that the switch does not offer
    std::size_t selected = 0;

    std::vector<std::string_view> views() const { return {labels.begin(), labels.end()}; }
};
FormatSwitch format_switch(const Codec& codec) {
    FormatSwitch out;
    for (const CodecOption& option : codec_options()) {
        out.labels.emplace_back(option.label);
        out.names.push_back(option.name);
    }
    const auto chosen = chosen_codec(codec);
    if (!chosen) {
        out.labels.push_back(codec_label(codec));
        out.names.emplace_back();
    }
    out.selected = chosen.value_or(out.labels.size() - 1);
    return out;
}

float formats_width(const Ui& ui, const CodecPair& codecs) {
    const float tag = ui.px(kTag) + ui.px(kTagGap);
    return 2 * tag + ui.px(kSwitchGap) + segmented_width(ui, format_switch(codecs.k).views()) +
           segmented_width(ui, format_switch(codecs.v).views());
}

float draw_format(const SidePanel& panel, Side kv, Vec2 corner) {
    const Ui& ui = panel.ui;
    const bool is_k = kv == Side::K;
    const FormatSwitch formats = format_switch(is_k ? panel.view().codecs.k : panel.view().codecs.v);
    const float height = control_height(ui, true), tag = ui.px(kTag);
    draw_letter_tag(Painter(ui), {corner.x + tag / 2, corner.y + height / 2}, kTag,
                    ui.text[is_k ? "compare.k"_t : "compare.v"_t],
                    is_k ? ui.colors.k : ui.colors.v);
    const float x = corner.x + tag + ui.px(kTagGap);
    ImGui::SetCursorScreenPos({x, corner.y});
    const auto views = formats.views();
    const auto chosen = segmented(ui, is_k ? "k" : "v", views, formats.selected);
    if (chosen && !formats.names[*chosen].empty())
        ui.out.push(is_k ? panel.command("bill.k_codec", "other.k_codec")
                         : panel.command("bill.v_codec", "other.v_codec"),
                    std::string(formats.names[*chosen]));
    return x + segmented_width(ui, views);
}

// ---- the first row ---------------------------------------------------------------------------

void draw_model(const SidePanel& panel, const Rect& place) {
    std::vector<std::string> titles;
    std::vector<std::string_view> views;
    const auto& names = preset_names();
    for (const std::string_view name : names) titles.push_back(preset(name)->title);
    const auto own = std::find(names.begin(), names.end(), panel.view().own.name);
    const auto selected = static_cast<std::size_t>(own - names.begin());
    if (own == names.end()) titles.push_back(panel.view().own.title);
    views.assign(titles.begin(), titles.end());
    ImGui::SetCursorScreenPos(im(place.min()));
    const auto chosen =
        dropdown(panel.ui, "model", views, selected, {.dense = false, .width = place.w});
    if (chosen && *chosen < names.size())
        panel.ui.out.push(panel.command("bill.model", "other.model"), std::string(names[*chosen]));
}

void draw_head(const SidePanel& panel, const SidePlan& plan, ImVec2 origin) {
    const Ui& ui = panel.ui;
    const Painter p(ui);
    const BillView& view = panel.view();
    draw_side_mark(p, at(plan.mark, origin).center(), plan.mark.w / ui.unit, mark_of(panel.side),
                   ui.colors.text);
    draw_model(panel, at(plan.model, origin));
    const AttentionOption& attention = view.current_attention();
    const std::string form = fill(ui.text["compare.form"_t],
                                  {{"attention", attention_label(attention, ui.text)},
                                   {"sharing", sharing_text(view.own, attention, ui.text)}});
    if (plan.form.w >= ui.px(80)) text_in(p, type::body(ui), at(plan.form, origin), form);
    const Rect codecs = at(plan.codecs, origin);
    const float end = draw_format(panel, Side::K, codecs.min());
    draw_format(panel, Side::V, {end + ui.px(kSwitchGap), codecs.y});
}

// ---- the heads -------------------------------------------------------------------------------

void draw_heads(const SidePanel& panel, const SidePlan& plan, ImVec2 origin) {
    const Ui& ui = panel.ui;
    const Rect room = at(*plan.heads, origin);
    const ModelShape& shape = panel.view().shape;
    head_line(Painter(ui), {room.x, room.y, room.w, plan.head_height}, ui.text["compare.heads"_t],
              heads_text(shape, ui.text));
    const Rect picture{room.x, room.y + plan.head_height, room.w, room.h - plan.head_height};
    ImGui::SetCursorScreenPos(im(picture.min()));
    const Hit hit = hit_item("heads", {picture.w, picture.h});
    if (hit.hovered || hit.focused) panel.focus.next_factor = BillFactor::KvHeads;
    paint_heads(Painter(ui), shape, picture, panel.focus.factor == BillFactor::KvHeads);
    if (hit.focused) focus_ring(Painter(ui), picture, 2);
}

// ---- the equation ----------------------------------------------------------------------------

std::vector<Factor> factors_of(const EquationTerm& term) {
    std::vector<Factor> factors;
    for (const EquationFactor& factor : term.factors)
        factors.push_back({factor.value, factor.label});
    return factors;
}

float equation_height(const Ui& ui, const EquationPlan& equation, float width) {
    float height = 0;
    for (const EquationTerm& term : equation.terms)
        height += measure_factors(ui, factors_of(term), width).size.y + ui.px(kTermGap);
    return height - ui.px(kTermGap);
}

std::optional<std::size_t> linked_factor(const EquationTerm& term, const BillFocus& focus) {
    for (std::size_t i = 0; i < term.factors.size(); ++i)
        if (focus.factor == term.factors[i].factor) return i;
    return std::nullopt;
}

void draw_equation_rows(const SidePanel& panel, const EquationPlan& equation, const Rect& room) {
    const Ui& ui = panel.ui;
    float y = room.y;
    for (std::size_t i = 0; i < equation.terms.size(); ++i) {
        const EquationTerm& term = equation.terms[i];
        const std::vector<Factor> factors = factors_of(term);
        const FactorPlan plan = measure_factors(ui, factors, room.w);
        ImGui::SetCursorScreenPos({room.x, y});
        const std::string id = "term" + std::to_string(i);
        const FactorsHit hit =
            draw_factors(ui, id.c_str(), factors, {.linked = linked_factor(term, panel.focus)});
        if (hit.hovered) panel.focus.next_factor = term.factors[*hit.hovered].factor;

        const std::string result = "= " + panel.view().bytes(term.bytes);
        const TextStyle style{ui.fonts.mono_bold, 18, ui.colors.text};
        const float x = room.x + plan.size.x + ui.px(14), width = text_width(ui, style, result);
        if (plan.rows == 1 && x + width <= room.right())
            text_in(Painter(ui), style, {x, y, width, plan.boxes.front().box.h}, result);
        y += plan.size.y + ui.px(kTermGap);
    }
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

void draw_costs(const SidePanel& panel, const std::vector<CostRow>& costs, const SidePlan& plan,
                ImVec2 origin) {
    const Ui& ui = panel.ui;
    const Rect room = at(plan.costs, origin);
    head_line(Painter(ui), {room.x, room.y, room.w, plan.head_height}, ui.text["compare.costs"_t],
              ui.text["compare.costs.key"_t]);
    std::vector<Bar> bars;
    for (const CostRow& cost : costs)
        bars.push_back({.label = cost.row.label,
                        .value = cost.row.value,
                        .amount = cost.share,
                        .emphasised = cost.row.strong,
                        .tick = cost.other_share});
    ImGui::SetCursorScreenPos({room.x, room.y + plan.head_height});
    const float pitch = plan.cost_pitch / ui.unit;
    const auto hovered =
        draw_bars(ui, "costs", bars,
                  {.full = 1, .pitch = pitch, .thickness = std::clamp(pitch * 0.4f, 9.0f, 16.0f)});
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

    const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const SidePlan plan =
        layout_side({room.x, room.y}, ui.unit,
                    {.codecs_width = formats_width(ui, view.codecs),
                     .equation_height = equation_height(ui, equation, room.x),
                     .cost_rows = costs.size()});
    draw_head(panel, plan, origin);
    if (plan.heads) draw_heads(panel, plan, origin);

    const Rect boxes = at(plan.equation, origin);
    const u64 scales = view.held ? view.held->scales : 0;
    head_line(Painter(ui), {boxes.x, boxes.y, boxes.w, plan.head_height},
              ui.text["compare.equation"_t],
              scales == 0 ? std::string() : fill(ui.text["compare.scales"_t], {{"bytes", view.bytes(scales)}}));
    draw_equation_rows(panel, equation,
                       {boxes.x, boxes.y + plan.head_height, boxes.w, boxes.h - plan.head_height});
    draw_costs(panel, costs, plan, origin);
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy({room.x, plan.height});
}

}  // namespace kv
