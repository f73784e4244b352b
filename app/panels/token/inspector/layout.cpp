#include "app/panels/token/inspector/layout.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/token/column_plan.hpp"

namespace kv {
namespace {

// Logical pixels.
constexpr float kTitle = 26, kSwitch = 26, kFactsHead = 20, kBox = 30, kFieldNames = 20, kTerm = 22,
                kSum = 28, kMapNames = 17, kMap = 132, kMostMap = 420, kCell = 48, kCellGap = 3,
                kBits = 20, kSectors = 20;
constexpr std::uint32_t kRowsBeforeBits = 4;  // more rows of elements would push the bits away

class InspectorPlanner : ColumnPlan {
public:
    InspectorPlanner(Vec2 room, float unit, const InspectorNeeds& needs)
        : ColumnPlan(room, unit), needs_(needs) {}

    // `bytes_first`: those of the token stand above the map of its block.
    InspectorPlan make(bool bytes_first) {
        head();
        switch (needs_.above) {
            case InspectorAbove::Address:
                address();
                break;
            case InspectorAbove::Facts:
                facts();
                break;
            case InspectorAbove::Sentence:
                plan_.sentence = take(0, needs_.sentence_height / unit_);
                break;
        }
        if (needs_.has_vector && bytes_first) vector();
        if (needs_.has_map) map();
        if (needs_.has_vector && !bytes_first) vector();
        plan_.height = y_;
        if (needs_.has_map && !bytes_first) grow_map();
        return std::move(plan_);
    }

private:
    void head() {
        plan_.title = take(0, kTitle);
        float x = 0;
        y_ += px(8);
        for (const float w : needs_.switch_widths) {
            if (x > 0 && x + w > width_) {
                x = 0;
                y_ += px(kSwitch) + px(6);
            }
            plan_.switches.push_back({x, y_, std::min(w, width_), px(kSwitch)});
            x += w + px(16);
        }
        y_ += px(kSwitch);
    }

    void address() {
        plan_.above_head = take(7, kFactsHead);
        plan_.division = take(8, kBox);
        y_ += px(kFieldNames);
        plan_.lookup = take(6, kBox);
        y_ += px(8);
        for (int i = 0; i < 4; ++i) plan_.terms.push_back(take(0, kTerm));
        y_ += px(3);
        plan_.sum_rule = y_;
        plan_.sum = take(3, kSum);
    }

    void facts() {
        plan_.above_head = take(7, kFactsHead);
        y_ += px(4);
        for (std::uint32_t i = 0; i < needs_.n_facts; ++i) plan_.terms.push_back(take(0, kTerm));
    }

    void map() {
        y_ += px(13);
        plan_.map_divider = y_;
        plan_.map_head = take(9, kFactsHead);
        plan_.map_names = take(5, kMapNames);
        plan_.map = take(0, kMap);
    }

    void vector() {
        plan_.vector_head = take(7, kFactsHead);
        y_ += px(5);
        const std::uint32_t n_columns = columns();
        const std::uint32_t n_rows = (needs_.dim + n_columns - 1) / n_columns;
        const bool bits_first = n_rows > kRowsBeforeBits;
        if (bits_first) bits();
        cells(n_columns);
        if (!bits_first) bits();
        y_ += px(6);
        plan_.sector_divider = y_;
        plan_.sectors = take(6, kSectors);
    }

    // As many columns as fit, or as many as leave no row ragged if that costs less than half of
    // them.
    std::uint32_t columns() const {
        const float gap = px(kCellGap);
        const auto most = static_cast<std::uint32_t>(
            std::clamp((width_ + gap) / (needs_.cell_w + gap), 1.0f, 16.0f));
        for (std::uint32_t n = std::min(most, needs_.dim); 2 * n > most; --n)
            if (needs_.dim % n == 0) return n;
        return most;
    }

    void cells(std::uint32_t n_columns) {
        const float gap = px(kCellGap), h = px(kCell);
        const auto edge = [&](std::uint32_t i) {
            return std::floor(static_cast<float>(i) * (width_ + gap) /
                              static_cast<float>(n_columns));
        };
        for (std::uint32_t i = 0; i < needs_.dim; ++i) {
            const std::uint32_t column = i % n_columns;
            if (column == 0 && i > 0) y_ += h + gap;
            plan_.cells.push_back(
                {edge(column), y_, std::max(1.0f, edge(column + 1) - edge(column) - gap), h});
        }
        y_ += h;
    }

    void bits() {
        plan_.bits = take(plan_.cells.empty() ? 2 : 11, kBits);
        y_ += px(kFieldNames);
        if (plan_.cells.empty()) y_ += px(6);
    }

    // What is left of a high panel goes to the map.
    void grow_map() {
        const float spare = std::min(std::floor(height_ - plan_.height), px(kMostMap) - px(kMap));
        if (spare <= 0) return;
        plan_.map.h += spare;
        for (Rect* r : {&plan_.vector_head, &plan_.bits, &plan_.sectors}) r->y += spare;
        for (Rect& cell : plan_.cells) cell.y += spare;
        plan_.sector_divider += spare;
        plan_.height += spare;
    }

    const InspectorNeeds& needs_;
    InspectorPlan plan_;
};

}  // namespace

InspectorPlan layout_inspector(Vec2 room, float unit, const InspectorNeeds& needs) {
    InspectorPlan plan = InspectorPlanner(room, unit, needs).make(false);
    const bool is_cut = plan.height > room.y && needs.above == InspectorAbove::Address;
    return is_cut ? InspectorPlanner(room, unit, needs).make(true) : plan;
}

List<Rect> layout_boxes(const Rect& row, std::span<const BoxNeeds> boxes) {
    List<Rect> rects;
    float x = row.x;
    for (const BoxNeeds& box : boxes) {
        x += box.gap_before;
        rects.push_back({std::floor(x), row.y, std::ceil(box.width), row.h});
        x = rects.back().right();
    }
    return rects;
}

List<Rect> layout_bits(const Rect& room, float unit, std::span<const std::uint32_t> fields) {
    std::uint32_t n = 0;
    for (const std::uint32_t field : fields) n += field;
    const float apart = std::max(2.0f, std::round(6 * unit));
    const float left = room.w - apart * static_cast<float>(fields.size() - 1);
    const float pitch = std::clamp(std::floor(left / static_cast<float>(std::max(1u, n))), 2.0f,
                                   std::round(15.0f * unit));
    List<Rect> rects;
    float x = room.x;
    for (const std::uint32_t field : fields) {
        for (std::uint32_t i = 0; i < field; ++i, x += pitch)
            rects.push_back({x, room.y, pitch - 1, room.h});
        x += apart;
    }
    return rects;
}

}  // namespace kv
