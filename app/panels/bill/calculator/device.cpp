// The budget bar: what lies on the cards, and the sentence that says whether it fits.

#include <array>
#include <cmath>

#include "app/panels/bill/calculator/budget.hpp"
#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/bill/calculator/results.hpp"
#include "app/widgets/chart/bars.hpp"

namespace kv {
namespace {

constexpr float kBudgetBar = 18, kVerdictLine = 20, kVerdictIndent = 20;

struct PartLook {
    SegmentFill fill;
    Color color;
};
PartLook look_of(const Ui& ui, BudgetKind kind) {
    const Palette& c = ui.colors;
    switch (kind) {
        case BudgetKind::Weights:
            return {SegmentFill::Solid, mix(c.panel, c.text, 0.55)};
        case BudgetKind::Activations:
            return {SegmentFill::Hatched, c.text3};
        case BudgetKind::Reserve:
            return {SegmentFill::Dashed, c.text3};
        case BudgetKind::Keys:
            return {SegmentFill::Solid, c.k.fill};
        case BudgetKind::Values:
            return {SegmentFill::Solid, c.v.fill};
        case BudgetKind::Latent:
            return {SegmentFill::Solid, c.shared};
        case BudgetKind::States:
            return {SegmentFill::Hatched, c.shared};
    }
    return {SegmentFill::Empty, c.line};
}

std::vector<Segment> segments_of(const Ui& ui, const BudgetPlan& plan) {
    std::vector<Segment> segments;
    for (const BudgetPart& part : plan.parts) {
        const PartLook look = look_of(ui, part.kind);
        segments.push_back({static_cast<double>(part.bytes), look.fill, look.color, part.label});
    }
    return segments;
}

std::vector<KeyEntry> key_of(const Ui& ui, const BudgetPlan& plan) {
    std::vector<KeyEntry> key;
    for (const BudgetPart& part : plan.parts) {
        const PartLook look = look_of(ui, part.kind);
        key.push_back({look.fill, look.color, part.label, part.value});
    }
    if (plan.fits()) {
        key.push_back({SegmentFill::Empty, ui.colors.line, ui.text["budget.free"_t], plan.rest});
    } else {
        key.push_back(
            {SegmentFill::Hatched, ui.colors.loss.fill, ui.text["budget.missing"_t], plan.rest});
    }
    return key;
}

std::string verdict_of(const BudgetPlan& plan) {
    return plan.advice.empty() ? plan.sentence : plan.sentence + " " + plan.advice;
}

// The number of rows in which draw_key puts the entries.
int rows_of(const Ui& ui, const std::vector<KeyEntry>& key, float width) {
    constexpr float kSwatch = 16, kBetween = 20;
    int rows = 1;
    float x = 0;
    for (const KeyEntry& entry : key) {
        const std::array runs{Run{sized(type::body(ui), 12), entry.label},
                              Run{type::number_small(ui), entry.value, 6}};
        const float w = ui.px(kSwatch) + std::ceil(runs_width(ui, runs));
        if (x > 0 && x + w > width) {
            ++rows;
            x = 0;
        }
        x += w + ui.px(kBetween);
    }
    return rows;
}

// Cross or tick before the sentence: colour is not the only signal.
void draw_verdict(const Ui& ui, const BudgetPlan& plan) {
    const Painter p(ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Color ink = plan.fits() ? ui.colors.text2 : ui.colors.loss.ink;
    const Vec2 center{std::floor(at.x) + ui.px(6), std::floor(at.y) + ui.px(kVerdictLine / 2)};
    if (plan.fits()) {
        tick_mark(p, center, 11, ink);
    } else {
        cross_mark(p, center, 10, ink);
    }
    ImGui::Indent(ui.px(kVerdictIndent));
    paragraph(ui, colored(type::body(ui), plan.fits() ? ui.colors.text : ink), kVerdictLine,
              verdict_of(plan));
    ImGui::Unindent(ui.px(kVerdictIndent));
}

}  // namespace

float device_budget_height(const Ui& ui, const BudgetPlan& plan, float width) {
    constexpr float kHead = 28, kBarRoom = kBudgetBar + 8, kCapacity = 18, kKey = 20;
    const float sentence = wrapped_height(ui, type::body(ui), kVerdictLine,
                                          width - ui.px(kVerdictIndent), verdict_of(plan));
    const float key_rows = static_cast<float>(rows_of(ui, key_of(ui, plan), width));
    return ui.px(kHead + kBarRoom) + (plan.fits() ? 0 : ui.px(kCapacity)) + key_rows * ui.px(kKey) +
           sentence + ui.px(4);
}

void draw_device_budget(const Ui& ui, const BillView& view, const BudgetPlan& plan) {
    const std::string capacity = view.bytes(plan.capacity);
    section_head(ui, ui.text["budget.title"_t], plan.cards);
    StackLook look;
    look.capacity = static_cast<double>(plan.capacity);
    look.height = kBudgetBar;
    if (!plan.fits()) look.capacity_label = capacity;
    draw_stack(ui, "budget", segments_of(ui, plan), look);
    space(ui, 2);
    draw_key(ui, key_of(ui, plan));
    draw_verdict(ui, plan);
}

}  // namespace kv
