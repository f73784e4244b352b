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

struct Heights {
    float headline, prose, choices, foot;
    ChoiceGrid grid;
    std::size_t rows;
};

Heights heights_of(const PageNeeds& needs, float words, float inner) {
    Heights h{needs.headline(words),
              needs.prose(words),
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
    // The words as large as they are wished for, or as they fit without any picture.
    constexpr float kLeastShare = 0.2f, kStep = 0.95f;
    Heights h{};
    float needed = 0, share = 1;
    for (;; share *= kStep) {
        plan.words = u * text_scale * share;
        h = heights_of(needs, plan.words, inner);
        needed = h.headline + h.prose + kBetween * plan.words + h.choices + h.foot +
                 (kBelowFoot + kAboveFoot) * u;
        if (top + needed <= room.bottom() || share < kLeastShare) break;
    }
    const float spare = room.bottom() - top - needed;
    // A question has more room around its foot, as far as the picture can do without.
    const float wish = 2 * kFootRoom * u + (kLeastPicture + kAboveRule + kBelowRule) * u;
    const bool is_roomy = needs.asks || h.rows > 0;
    const float around = is_roomy && spare > wish ? kFootRoom * u : 0;
    const float foot_y = std::round(room.bottom() - kBelowFoot * u - around - h.foot);
    plan.foot = {left, foot_y, inner, h.foot};
    float y = foot_y - (kAboveFoot * u + around);
    if (h.rows > 0) {
        y -= h.choices - kAboveChoices * plan.words;
        place_choices(plan, needs, h, {left, y, inner, 0});
        y -= kAboveChoices * plan.words;
    }
    float words_top = std::round(y - h.prose - kBetween * plan.words - h.headline);
    plan.rule_y = std::round(words_top - kBelowRule * u);
    const float picture = plan.rule_y - kAboveRule * u - top;
    if (needs.has_picture && picture >= kLeastPicture * u)
        plan.picture = {left, std::round(top), inner, std::floor(picture)};
    else
        words_top = std::round(top + std::min(kBelowRule * u, std::max(0.0f, words_top - top)));
    plan.headline = {left, words_top, inner, h.headline};
    plan.prose = {left, std::round(plan.headline.bottom() + kBetween * plan.words), inner, h.prose};
    return plan;
}

std::size_t boxes_filled(double seconds, std::size_t n, bool at_once) {
    if (at_once) return n;
    const double filled = 1 + std::floor(std::max(0.0, seconds) / kFillSeconds);
    return std::min(n, static_cast<std::size_t>(filled));
}

}  // namespace kv
