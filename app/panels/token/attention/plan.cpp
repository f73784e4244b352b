#include "app/panels/token/attention/plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/kv_head.hpp"

namespace kv {
namespace {

// Logical pixels.
constexpr float kTitleLine = 26, kAfterTitle = 9, kMarkRow = 18, kAfterMarks = 3, kLegend = 20,
                kBeforeLegend = 9, kBeforeDivider = 9, kAfterDivider = 5, kHeadLine = 22,
                kWeightBar = 17, kWeightLabels = 54, kBracket = 20, kLeastRow = 3, kMostRow = 34,
                kLabelRow = 13, kGroupGap = 8;

class AttentionPlanner {
public:
    AttentionPlanner(Vec2 room, float unit, const AttentionNeeds& needs)
        : room_{std::floor(room.x), room.y}, unit_(unit), needs_(needs) {}

    AttentionPlan make() {
        head_line();
        columns();
        rows();
        foot();
        return std::move(plan_);
    }

private:
    float px(float logical) const { return std::max(1.0f, std::floor(logical * unit_ + 0.5f)); }

    // The switch goes under the title where both do not fit beside each other.
    void head_line() {
        const bool beside = needs_.title_w + px(16) + needs_.layer_w <= room_.x;
        const float h = px(kTitleLine);
        const float title_w = beside ? room_.x - needs_.layer_w - px(16) : room_.x;
        plan_.title = {0, 0, std::max(1.0f, title_w), h};
        const float w = std::min(needs_.layer_w, room_.x);
        plan_.layer = beside ? Rect{room_.x - w, 0, w, h} : Rect{0, h + px(4), w, h};
        y_ = plan_.layer.bottom() + px(kAfterTitle);
    }

    void columns() {
        const float x = std::min(px(kWeightLabels), std::floor(room_.x / 3));
        plan_.labels_right = x - px(8);
        plan_.bracket_x = std::min(px(kBracket), x);
        plan_.columns = pixel_axis({.count = needs_.n_keys,
                                    .group = needs_.block_size,
                                    .x = x,
                                    .w = room_.x - x,
                                    .group_gap = px(3),
                                    .cell_gap = px(1)});
        plan_.marks = {x, y_, room_.x - x, px(kMarkRow)};
        y_ = plan_.marks.bottom() + px(kAfterMarks);
        const std::uint32_t size = std::max(1u, needs_.block_size);
        for (std::uint32_t from = 0; from < needs_.n_keys; from += size) {
            const std::uint32_t last = std::min(from + size, needs_.n_keys) - 1;
            const PixelSpan& a = plan_.columns[*span_of(plan_.columns, from)];
            const PixelSpan& b = plan_.columns[*span_of(plan_.columns, last)];
            // Blocks narrower than a pixel share one mark.
            if (!plan_.blocks.empty() && plan_.blocks.back().x == a.x) continue;
            plan_.blocks.push_back({from / size, a.x, b.x + b.w - a.x});
        }
    }

    float fixed_below() const {
        const auto bars = static_cast<float>(needs_.n_bars);
        return px(kBeforeLegend) + px(kLegend) + px(kBeforeDivider) + px(kAfterDivider) +
               px(kHeadLine) + bars * px(kWeightBar);
    }

    void rows() {
        const auto n = static_cast<float>(needs_.n_heads);
        const auto n_gaps = static_cast<float>(needs_.n_kv_heads - 1);
        const float gap = needs_.n_kv_heads > 4 ? px(4) : px(kGroupGap);
        const float left = room_.y - y_ - fixed_below() - n_gaps * gap;
        const float pitch = std::clamp(std::floor(left / n), px(kLeastRow), px(kMostRow));
        const float between = pitch >= px(10) ? px(2) : pitch >= 4 ? 1.0f : 0.0f;
        const std::uint32_t group = group_size(needs_.n_heads, needs_.n_kv_heads);
        for (std::uint32_t head = 0; head < needs_.n_heads; ++head) {
            if (head % group == 0) {
                if (head > 0) y_ += gap;
                plan_.groups.push_back({y_, 0});
            }
            plan_.rows.push_back({y_, pitch - between, head, head + 1});
            y_ += pitch;
            plan_.groups.back().bottom = y_ - between;
        }
        plan_.every_row_has_label = pitch >= px(kLabelRow);
        const float x = plan_.marks.x, top = plan_.rows.front().x;
        const float right = plan_.columns.back().x + plan_.columns.back().w;
        plan_.heat = {x, top, right - x, y_ - between - top};
    }

    void foot() {
        y_ += px(kBeforeLegend);
        plan_.legend = {0, y_, room_.x, px(kLegend)};
        plan_.divider = plan_.legend.bottom() + px(kBeforeDivider);
        plan_.head = {0, plan_.divider + px(kAfterDivider), room_.x, px(kHeadLine)};
        y_ = plan_.head.bottom();
        for (std::size_t i = 0; i < needs_.n_bars; ++i, y_ += px(kWeightBar))
            plan_.bars.push_back({0, y_, room_.x, px(kWeightBar)});
        plan_.height = y_;
    }

    Vec2 room_;
    float unit_, y_ = 0;
    const AttentionNeeds& needs_;
    AttentionPlan plan_;
};

}  // namespace

AttentionPlan layout_attention(Vec2 room, float unit, const AttentionNeeds& needs) {
    // A window may be a few pixels wide for a moment; a column needs one.
    return AttentionPlanner({std::max(room.x, 8.0f), room.y}, unit, needs).make();
}

std::optional<AttentionCell> attention_cell_at(const AttentionPlan& plan, Vec2 at,
                                               std::span<const float> weights_of_all_heads) {
    const auto row = span_at(plan.rows, at.y), column = span_at(plan.columns, at.x);
    if (!row || !column) return std::nullopt;
    const PixelSpan& span = plan.columns[*column];
    const std::size_t n_keys = plan.columns.back().end;
    const auto weights = weights_of_all_heads.subspan(*row * n_keys, n_keys);
    const auto most = std::max_element(weights.begin() + span.first, weights.begin() + span.end);
    return AttentionCell{plan.rows[*row].first, static_cast<std::uint32_t>(most - weights.begin())};
}

TopWeights top_weights(std::span<const float> weights, std::size_t n) {
    List<std::uint32_t> order(weights.size());
    std::iota(order.begin(), order.end(), 0u);
    const std::size_t shown = std::min(n, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown),
                      order.end(), [&](std::uint32_t a, std::uint32_t b) {
                          return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
                      });
    TopWeights top;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double weight = weights[order[i]];
        top.sum += weight;
        if (i < shown)
            top.largest.push_back({order[i], weight});
        else
            top.others += weight;
    }
    top.n_others = static_cast<std::uint32_t>(order.size() - shown);
    return top;
}

double ramp_position(double weight) {
    return std::sqrt(std::clamp(weight, 0.0, 1.0));
}

}  // namespace kv
