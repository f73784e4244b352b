#include "app/panels/present/page/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/present/layout.hpp"

namespace kv {
namespace {

constexpr float kTop = 60, kLeastPicture = 220, kAboveRule = 10, kBelowRule = 30;
constexpr float kBetween = 14, kAboveChoices = 34, kChoice = 124, kChoiceRow = 84,
                kPageChoiceGap = 24;
constexpr float kFootOfQuestion = 72, kPageFoot = 56, kBelowFoot = 22, kAboveFoot = 12;
constexpr float kFootRoom = 44;  // more room around the foot of a question, where there is room
// Beside a figure: shares of the page, and sizes of the words, as they are tried.
constexpr std::array kColumnShares{0.36f, 0.42f, 0.48f, 0.56f};
constexpr std::array kColumnSizes{1.0f, 0.91f, PageType::kLeastProse / PageType::kProse};
constexpr float kColumnGap = 48, kColumnChoice = 72, kVerdictRow = 60, kLineOfChoice = 1.25f;

// How choices stand: so many side by side, at that size.
struct ChoiceGrid {
    std::size_t columns = 1;
    float size = 56, height = kChoice;
};

// Side by side in the largest size that fits, else in rows.
ChoiceGrid choice_grid(const PageNeeds& needs, float words, float inner) {
    struct Try {
        std::size_t columns;
        float size, height;
        int lines;
    };
    const std::size_t n = std::max<std::size_t>(1, needs.n_choices), half = (n + 1) / 2;
    const std::array tries{Try{n, 56, kChoice, 1},       Try{n, 48, kChoice, 1},
                           Try{n, 40, kChoice, 2},       Try{n, 33, kChoice, 2},
                           Try{half, 40, kChoiceRow, 1}, Try{half, 33, kChoiceRow, 1},
                           Try{1, 40, kChoiceRow, 1},    Try{1, 33, kChoiceRow, 1},
                           Try{1, 28, kChoiceRow, 2},    Try{1, 22, kChoice, 3}};
    for (const Try& one : tries) {
        const auto columns = static_cast<float>(one.columns);
        const float each = (inner - kPageChoiceGap * words * (columns - 1)) / columns;
        if (needs.choice_lines(one.size, words, each) <= one.lines)
            return {one.columns, one.size, one.height};
    }
    return {1, 22, kChoice};
}

// Puts the choices of a column one under the other, with as many lines as the longest one takes.
ChoiceGrid choices_in_column(const PageNeeds& needs, float words, float inner) {
    if (needs.choice_lines(40, words, inner) == 1) return {1, 40, kChoiceRow};
    const int lines = needs.choice_lines(PageType::kProse, words, inner);
    return {1, PageType::kProse,
            kColumnChoice + kLineOfChoice * PageType::kProse * static_cast<float>(lines - 1)};
}

struct Heights {
    float headline, prose, choices, foot;
    ChoiceGrid grid;
    std::size_t rows;
    float all(float words) const { return headline + prose + kBetween * words + choices; }
};

Heights heights_of(const PageNeeds& needs, float words, float inner) {
    Heights h{needs.headline(words, inner),
              needs.prose(words, inner),
              0,
              (needs.asks ? kFootOfQuestion : kPageFoot) * words,
              {},
              0};
    if (needs.n_choices > 0) {
        h.grid = choice_grid(needs, words, inner);
        h.rows = (needs.n_choices + h.grid.columns - 1) / h.grid.columns;
    } else if (needs.is_written) {
        h.rows = 1, h.grid = {1, 56, kChoice};
    }
    const auto rows = static_cast<float>(h.rows);
    if (h.rows > 0)
        h.choices =
            (h.grid.height * rows + kPageChoiceGap / 2 * (rows - 1) + kAboveChoices) * words;
    return h;
}

Heights heights_in_column(const PageNeeds& needs, float words, float width) {
    Heights h{needs.headline(words, width), needs.prose(words, width), 0, 0, {}, 0};
    if (needs.n_choices > 0)
        h.rows = needs.n_choices, h.grid = choices_in_column(needs, words, width);
    else if (needs.is_written)
        h.rows = 1, h.grid = {1, 40, kChoiceRow};
    const auto rows = static_cast<float>(h.rows);
    if (h.rows > 0)
        h.choices = (h.grid.height * rows + kPageChoiceGap / 2 * (rows - 1) + kAboveChoices +
                     (needs.n_choices > 0 ? 0 : kVerdictRow)) *
                    words;
    return h;
}

void place_choices(PagePlan& plan, const PageNeeds& needs, const Heights& h, const Rect& band) {
    const std::size_t n = needs.n_choices > 0 ? needs.n_choices : h.rows;
    const float k = plan.words, gap = std::round(kPageChoiceGap * k);
    const auto columns = static_cast<float>(h.grid.columns);
    // An answer that is typed needs no whole line.
    const float each = needs.n_choices > 0 ? (band.w - gap * (columns - 1)) / columns
                                           : std::min(band.w, std::round(720 * k));
    for (std::size_t i = 0; i < n; ++i) {
        const auto column = static_cast<float>(i % h.grid.columns),
                   row = static_cast<float>(i / h.grid.columns);
        const float x = std::round(band.x + column * (each + gap));
        const float y = std::round(band.y + row * (h.grid.height + kPageChoiceGap / 2) * k);
        plan.choices.push_back({x, y, std::round(each), std::round(h.grid.height * k)});
    }
    plan.choice_size = h.grid.size;
}

}  // namespace

PagePlan plan_page(const Rect& room, float text_scale, float bar, const PageNeeds& needs) {
    PagePlan plan;
    plan.unit = std::max(0.01f, std::min(room.w / kPresentWidth, room.h / kPresentHeight));
    const float u = plan.unit, margin = std::round(kPresentMargin * u);
    const float left = room.x + margin, inner = std::max(1.0f, room.w - 2 * margin);
    const float top = room.y + std::max(kTop * u, bar + 12 * u);
    // The words as large as a person asks for, or as they fit without any picture.
    constexpr float kLeastShare = 0.2f, kStep = 0.95f;
    Heights h{};
    float needed = 0, share = 1;
    for (;; share *= kStep) {
        plan.words = u * text_scale * share;
        h = heights_of(needs, plan.words, inner);
        needed = h.all(plan.words) + h.foot + (kBelowFoot + kAboveFoot) * u;
        if (top + needed <= room.bottom() || share < kLeastShare) break;
    }
    const float spare = room.bottom() - top - needed;
    // A question has more room around its foot, as far as the picture can do without.
    const float roomy = 2 * kFootRoom * u + (kLeastPicture + kAboveRule + kBelowRule) * u;
    const bool is_roomy = needs.asks || h.rows > 0;
    const float around = is_roomy && spare > roomy ? kFootRoom * u : 0;
    const float foot_y = std::round(room.bottom() - kBelowFoot * u - around - h.foot);
    plan.foot = {left, foot_y, inner, h.foot};
    plan.buttons = plan.words;
    float y = foot_y - (kAboveFoot * u + around);
    if (h.rows > 0) {
        y -= h.choices - kAboveChoices * plan.words;
        place_choices(plan, needs, h, {left, y, inner, 0});
        y -= kAboveChoices * plan.words;
    }
    float words_top = std::round(y - h.prose - kBetween * plan.words - h.headline);
    plan.rule = std::round(words_top - kBelowRule * u);
    const float picture = plan.rule - kAboveRule * u - top;
    if (needs.has_picture && picture >= kLeastPicture * u)
        plan.picture = {left, std::round(top), inner, std::floor(picture)};
    else
        words_top = std::round(top + std::min(kBelowRule * u, std::max(0.0f, words_top - top)));
    plan.headline = {left, words_top, inner, h.headline};
    plan.prose = {left, std::round(plan.headline.bottom() + kBetween * plan.words), inner, h.prose};
    return plan;
}

std::optional<PagePlan> plan_page_in_columns(const Rect& room, float text_scale, float bar,
                                             const PageNeeds& needs) {
    PagePlan plan;
    plan.in_column = true;
    plan.unit = std::max(0.01f, std::min(room.w / kPresentWidth, room.h / kPresentHeight));
    const float u = plan.unit, margin = std::round(kPresentMargin * u);
    const float left = room.x + margin, inner = std::max(1.0f, room.w - 2 * margin);
    const float top = std::round(room.y + std::max(kTop * u, bar + 12 * u));
    plan.buttons = u * text_scale;
    const float foot = (needs.asks ? kFootOfQuestion : kPageFoot) * plan.buttons;
    plan.foot = {left, std::round(room.bottom() - kBelowFoot * u - foot), inner, foot};
    const float bottom = plan.foot.y - kAboveFoot * u;
    for (const float share : kColumnShares)
        for (const float size : kColumnSizes) {
            plan.words = u * text_scale * size;
            const float width = std::round(inner * share);
            const Heights h = heights_in_column(needs, plan.words, width);
            if (top + h.all(plan.words) > bottom) continue;
            plan.headline = {left, top, width, h.headline};
            const float spare = bottom - top - h.all(plan.words);
            plan.prose = {
                left, std::round(plan.headline.bottom() + kBetween * plan.words), width,
                h.prose + (needs.prose_fills ? std::max(0.0f, std::floor(spare) - 1) : 0)};
            const float y = plan.prose.bottom() + kAboveChoices * plan.words;
            if (h.rows > 0) place_choices(plan, needs, h, {left, y, width, 0});
            const float gap = std::round(kColumnGap * u);
            plan.picture = {left + width + gap, top, inner - width - gap, std::floor(bottom - top)};
            plan.rule = std::round(plan.picture.x - gap / 2);
            return plan;
        }
    return std::nullopt;
}

std::size_t boxes_filled(double seconds, std::size_t n, bool at_once) {
    if (at_once) return n;
    const double filled = 1 + std::floor(std::max(0.0, seconds) / kFillSeconds);
    return std::min(n, static_cast<std::size_t>(filled));
}

}  // namespace kv
