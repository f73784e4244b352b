#include "app/panels/bill/equation/terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/widgets/chart/factors.hpp"
#include "app/widgets/rows.hpp"
#include "app/widgets/tags.hpp"

namespace kv {
namespace {

constexpr float kSideTag = 18, kTermGap = 14, kRowGap = 2;
constexpr float kLargeFrom = 400;  // logical width from which there may be large boxes

constexpr EquationPitch kAiry{.title = 24, .row = 22, .rule = 10, .head = 24, .bar = 22};
constexpr EquationPitch kNormal{.title = 24, .row = 20, .rule = 7, .head = 20, .bar = 17};
constexpr EquationPitch kDense{.title = 22, .row = 19, .rule = 4, .head = 18, .bar = 16};
constexpr EquationPitch kDensest{.title = 0, .row = 19, .rule = 4, .head = 18, .bar = 16};

using Factors = std::span<const EquationFactor>;

// How the boxes look, and what pointing at one of them tells.
struct Boxes {
    const Ui& ui;
    bool large;
    BillFocus& focus;
};

List<Factor> faces_of(Factors factors) {
    List<Factor> faces;
    for (const EquationFactor& f : factors) faces.push_back({f.value, f.label});
    return faces;
}

float width_of(const Ui& ui, Factors factors, bool large) {
    return measure_factors(ui, faces_of(factors), 1e6f, large).size.x -
           factor_metrics(ui, large).stretch * static_cast<float>(factors.size());
}

void tip(const Ui& ui, const EquationFactor& factor) {
    ImGui::SetNextWindowSizeConstraints({ui.px(270), 0}, {ui.px(270), ui.px(400)});
    if (!ImGui::BeginTooltip()) return;
    value_row(ui, factor.label, factor.value, {.strong = true});
    paragraph(ui, type::body(ui), 18, factor.meaning);
    ImGui::EndTooltip();
}

void draw_sign(const Ui& ui, Vec2 at, bool plus) {
    at = {std::floor(at.x) + 0.5f, std::floor(at.y) + 0.5f};
    if (plus) {
        plus_mark(Painter(ui), at, 9, ui.colors.text2, false);
    } else {
        cross_mark(Painter(ui), at, 5, ui.colors.text3, 1.2f);
    }
}

void draw_boxes(const Boxes& b, const char* id, Factors factors) {
    std::optional<std::size_t> linked;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (b.focus.factor == factors[i].factor) linked = i;
    }
    const FactorsHit hit =
        draw_factors(b.ui, id, faces_of(factors), {.linked = linked, .large = b.large});
    if (!hit.hovered) return;
    const EquationFactor& pointed = factors[*hit.hovered];
    b.focus.next_factor = pointed.factor;
    tip(b.ui, pointed);
}

bool fits_one_row(const Ui& ui, Factors factors, bool large, float room) {
    return width_of(ui, factors, large) <= room;
}

float row_height(const Ui& ui, bool large) {
    const FactorMetrics m = factor_metrics(ui, large);
    return m.box_h + m.label_gap + m.label_h;
}

// A row that does not fit is broken once, in the middle; the second part begins with its "×".
void draw_wrapped(const Boxes& b, const char* id, Factors factors) {
    ImGui::PushID(id);
    const bool fits = fits_one_row(b.ui, factors, b.large, room_width());
    List<float> widths;
    for (const EquationFactor& f : factors) widths.push_back(width_of(b.ui, {&f, 1}, b.large));
    const std::size_t cut = fits ? factors.size() : balanced_break(widths, b.ui.px(kTermGap));
    draw_boxes(b, "first", factors.first(cut));
    if (cut < factors.size()) {
        space(b.ui, kRowGap);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float half = factor_metrics(b.ui, b.large).box_h / 2;
        draw_sign(b.ui, {at.x + b.ui.px(kTermGap / 2), at.y + half}, false);
        ImGui::Indent(b.ui.px(kTermGap));
        draw_boxes(b, "second", factors.subspan(cut));
        ImGui::Unindent(b.ui.px(kTermGap));
    }
    ImGui::PopID();
}

void draw_tag(const Boxes& b, Vec2 left, Side side) {
    const float half = factor_metrics(b.ui, b.large).box_h / 2;
    const Hue& hue = side == Side::K ? b.ui.colors.k : b.ui.colors.v;
    draw_letter_tag(Painter(b.ui), {left.x + b.ui.px(kSideTag / 2), left.y + half}, kSideTag,
                    side == Side::K ? "K" : "V", hue);
}

// A term of its own: its side's letter, then its boxes.
void draw_term(const Boxes& b, const EquationTerm& term, std::size_t index) {
    ImGui::PushID(static_cast<int>(index));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float indent = term.side ? b.ui.px(kSideTag + 8) : 0;
    if (term.side) draw_tag(b, {std::floor(at.x), std::floor(at.y)}, *term.side);
    if (indent > 0) ImGui::Indent(indent);
    draw_wrapped(b, "boxes", term.factors);
    if (indent > 0) ImGui::Unindent(indent);
    ImGui::PopID();
}

// "× ( K … + V … )" in one row, or K and V beneath each other where that is too wide.
struct ApartPlan {
    float lead = 0, tag = 0, gap = 0, bracket = 0;  // pixels
    bool one_row = true;
};
ApartPlan plan_apart(const Ui& ui, const FactoredTerms& terms, bool large, float room) {
    ApartPlan plan{.lead = ui.px(kTermGap),
                   .tag = ui.px(kSideTag + 6),
                   .gap = ui.px(kTermGap + 8),
                   .bracket = ui.px(16)};
    float width = plan.lead + plan.gap + 2 * plan.tag + 2 * plan.bracket;
    for (const EquationTerm& term : terms.apart) width += width_of(ui, term.factors, large);
    plan.one_row = width <= room;
    return plan;
}

void draw_bracket(const Ui& ui, const Rect& room, std::string_view bracket) {
    const TextStyle style{ui.fonts.mono, 22, ui.colors.text2, Align::Center};
    text_in(Painter(ui), style, room, bracket);
}

void draw_apart(const Boxes& b, const FactoredTerms& terms) {
    const Ui& ui = b.ui;
    const ApartPlan plan = plan_apart(ui, terms, b.large, room_width());
    const float box_h = factor_metrics(ui, b.large).box_h, half = box_h / 2;
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    Vec2 at{std::floor(cursor.x) + plan.lead, std::floor(cursor.y)};
    draw_sign(ui, {at.x - plan.lead / 2, at.y + half}, false);
    draw_bracket(ui, {at.x, at.y, plan.bracket, box_h}, "(");
    at.x += plan.bracket;
    for (std::size_t i = 0; i < terms.apart.size(); ++i) {
        if (i > 0) draw_sign(ui, {at.x - plan.gap / 2, at.y + half}, true);
        draw_tag(b, at, *terms.apart[i].side);
        ImGui::SetCursorScreenPos({at.x + plan.tag, at.y});
        draw_boxes(b, i == 0 ? "k" : "v", terms.apart[i].factors);
        const float end = ImGui::GetItemRectMax().x;
        const bool last = i + 1 == terms.apart.size();
        if (last) draw_bracket(ui, {end, at.y, plan.bracket, box_h}, ")");
        if (plan.one_row) {
            at.x = end + plan.gap;
        } else {
            at.y += row_height(ui, b.large) + ui.px(kRowGap);
        }
    }
}

float wrapped_rows(const Ui& ui, Factors factors, bool large, float room) {
    return fits_one_row(ui, factors, large, room) ? 1 : 2;
}

}  // namespace

EquationPitch pitch_for(const Ui& ui, const EquationLines& lines, float terms, float room) {
    for (const EquationPitch& pitch : {kAiry, kNormal, kDense}) {
        const float height = pitch.title + pitch.row * static_cast<float>(lines.rows) +
                             2 * pitch.rule + 1 + pitch.head +
                             pitch.bar * static_cast<float>(lines.bars) + 4 +
                             (lines.note ? 32.0f : 0.0f);
        if (terms + ui.px(height) <= room) return pitch;
    }
    return kDensest;
}

std::size_t balanced_break(const List<float>& widths, float gap) {
    float all = 0;
    for (const float w : widths) all += w + gap;
    std::size_t best = widths.size();
    float best_length = all, before = 0;
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
        before += widths[i] + gap;
        const float longer = std::max(before - gap, all - before);
        if (longer < best_length) {
            best_length = longer;
            best = i + 1;
        }
    }
    return best;
}

bool prefer_large(const Ui& ui, const EquationPlan& plan) {
    const float room = room_width();
    const auto one_row = [&](bool large) {
        return plan.terms.size() == 1 && fits_one_row(ui, plan.terms[0].factors, large, room);
    };
    return room >= ui.px(kLargeFrom) && (one_row(true) || !one_row(false));
}

float terms_height(const Ui& ui, const EquationPlan& plan, bool large) {
    const float room = room_width();
    float rows = 0;
    if (const auto terms = factored(plan.terms)) {
        rows = wrapped_rows(ui, terms->common, large, room) +
               (plan_apart(ui, *terms, large, room).one_row ? 1 : 2);
    } else {
        for (const EquationTerm& term : plan.terms) {
            const float inset = term.side ? ui.px(kSideTag + 8) : 0;
            rows += wrapped_rows(ui, term.factors, large, room - inset);
        }
    }
    return rows * row_height(ui, large) + (rows - 1) * ui.px(kRowGap);
}

void draw_terms(const Ui& ui, const EquationPlan& plan, bool large, BillFocus& focus) {
    const Boxes boxes{ui, large, focus};
    if (const auto terms = factored(plan.terms)) {
        draw_wrapped(boxes, "common", terms->common);
        space(ui, kRowGap);
        draw_apart(boxes, *terms);
        return;
    }
    for (std::size_t i = 0; i < plan.terms.size(); ++i) {
        if (i > 0) space(ui, kRowGap);
        draw_term(boxes, plan.terms[i], i);
    }
}

}  // namespace kv
