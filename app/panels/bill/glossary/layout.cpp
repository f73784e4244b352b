#include "app/panels/bill/glossary/layout.hpp"

#include <algorithm>

namespace kv {
namespace {

float total_width(std::span<const float> widths, float gap) {
    float sum = widths.empty() ? 0 : gap * static_cast<float>(widths.size() - 1);
    for (float width : widths) sum += width;
    return sum;
}

}  // namespace

float glossary_meaning_width(float row_width, const GlossaryMetrics& m) {
    return std::max(1.0f, row_width - 2 * m.pad_x);
}

GlossaryRowPlan layout_glossary_row(float name_width, std::span<const float> chip_widths,
                                    float meaning_height, float row_width,
                                    const GlossaryMetrics& m) {
    const float room = glossary_meaning_width(row_width, m), end = m.pad_x + room;
    const float chips_width = total_width(chip_widths, m.chip_gap);
    const bool beside = name_width + m.name_gap + chips_width <= room;

    GlossaryRowPlan plan;
    plan.name = {m.pad_x, m.pad_y, std::min(name_width, room), m.line_h};
    float x = beside ? end - chips_width : m.pad_x;
    float y = beside ? m.pad_y : m.pad_y + m.line_h;
    for (float width : chip_widths) {
        const float w = std::min(width, room);
        if (x > m.pad_x && x + w > end + 0.5f) {
            x = m.pad_x;
            y += m.line_h;
        }
        plan.chips.push_back({x, y + (m.line_h - m.chip_h) / 2, w, m.chip_h});
        x += w + m.chip_gap;
    }
    plan.meaning = {m.pad_x, y + m.line_h + m.meaning_gap, room, meaning_height};
    plan.height = plan.meaning.bottom() + m.pad_y;
    return plan;
}

}  // namespace kv
