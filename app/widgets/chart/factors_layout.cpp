#include "app/widgets/chart/factors_layout.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

float natural_width(const FactorSize& size, const FactorMetrics& m) {
    return std::ceil(std::max({m.min_w, size.value + 2 * m.pad, size.label - 4}));
}

struct Row {
    std::size_t first = 0, end = 0;
    float width = 0;  // of the boxes and the gaps between them
};

List<Row> break_rows(std::span<const FactorSize> sizes, float room, const FactorMetrics& m) {
    List<Row> rows;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const float w = natural_width(sizes[i], m);
        if (rows.empty() || rows.back().width + m.gap + w > room) {
            // A wrapped row keeps room for its own "×".
            rows.push_back({i, i + 1, (i == 0 ? 0 : m.gap) + w});
        } else {
            rows.back().end = i + 1;
            rows.back().width += m.gap + w;
        }
    }
    return rows;
}

bool inside(const Rect& r, Vec2 p) {
    return r.contains(p);
}

}  // namespace

std::optional<std::size_t> FactorPlan::at(Vec2 p) const {
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (inside(boxes[i].box, p) || inside(boxes[i].label, p)) return i;
    return std::nullopt;
}

FactorPlan layout_factors(std::span<const FactorSize> sizes, float room, const FactorMetrics& m) {
    FactorPlan plan;
    const float row_h = m.box_h + m.label_gap + m.label_h;
    float y = 0;
    for (const Row& row : break_rows(sizes, room, m)) {
        const float count = static_cast<float>(row.end - row.first);
        const float spare = std::max(0.0f, std::floor(room - row.width));
        const float grow = std::min(std::floor(spare / count), std::floor(m.stretch));
        // What is left of whole pixels goes to the last box, so that the row ends at the edge.
        const float rest = grow < std::floor(m.stretch) ? spare - grow * count : 0;
        float x = row.first == 0 ? 0 : m.gap;
        for (std::size_t i = row.first; i < row.end; ++i) {
            FactorBox out;
            const float w = natural_width(sizes[i], m) + grow + (i + 1 == row.end ? rest : 0);
            out.box = {x, y, w, m.box_h};
            // Labels may be a little wider than their box, never into the next label.
            out.label = {x - m.gap / 2 + 1, y + m.box_h + m.label_gap, w + m.gap - 2, m.label_h};
            if (i > 0) out.times = Vec2{x - m.gap / 2, y + m.box_h / 2};
            plan.boxes.push_back(out);
            x += w + m.gap;
            plan.size.x = std::max(plan.size.x, x - m.gap);
        }
        y += row_h + m.row_gap;
        ++plan.rows;
    }
    plan.size.y = plan.rows == 0 ? 0 : y - m.row_gap;
    return plan;
}

}  // namespace kv
