#include "app/panels/token/bytes/layout.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/token/column_plan.hpp"

namespace kv {
namespace {

// Logical pixels.
constexpr float kControl = 26, kHexRow = 20, kLie = 30, kTableHead = 18, kElementRow = 15,
                kMostElementRow = 22, kPreviewFoot = 19;

class BytesPlanner : ColumnPlan {
public:
    BytesPlanner(Vec2 room, float unit, const BytesNeeds& needs)
        : ColumnPlan(room, unit), needs_(needs) {}

    BytesPlan make() {
        head();
        if (needs_.sentence_height > 0) {
            plan_.sentence = {0, y_ + px(12), width_, needs_.sentence_height};
            y_ = plan_.sentence.bottom() + px(12);
            field(take(0, kLie));
        } else {
            hex();
            field(take(4, kLie));
            table();
        }
        plan_.height = y_;
        return std::move(plan_);
    }

private:
    // The switches go under the title where both do not fit beside each other.
    void head() {
        plan_.title = take(0, kControl);
        const float w = std::min(needs_.switches_w, width_);
        if (needs_.title_w + px(10) + w <= width_) {
            plan_.switches = {width_ - w, 0, w, plan_.title.h};
            plan_.title.w = plan_.switches.x - px(10);
        } else {
            plan_.switches = take(4, kControl);
        }
    }

    // A row has 16, 8 or 4 elements, or as many as fit. It is never wider than twice its texts.
    void hex() {
        y_ += px(6);
        const float left = std::min(needs_.address_w + px(10), width_ / 2);
        const float room = width_ - left, gap = px(4);
        auto n = static_cast<std::uint32_t>(
            std::max(1.0f, std::floor((room + gap) / (needs_.element_w + gap))));
        for (const std::uint32_t even : {16u, 8u, 4u, 2u})
            if (n >= even) {
                n = even;
                break;
            }
        n = std::min(n, std::max(1u, needs_.dim));
        const float pitch =
            std::floor(std::min((room + gap) / static_cast<float>(n), needs_.element_w + px(16)));
        for (std::uint32_t i = 0; i < needs_.dim; ++i) {
            if (i % n == 0) plan_.addresses.push_back(take(0, kHexRow));
            const Rect& row = plan_.addresses.back();
            plan_.elements.push_back(
                {left + static_cast<float>(i % n) * pitch, row.y, needs_.element_w, row.h});
        }
        for (Rect& row : plan_.addresses) row.w = left;
    }

    void field(const Rect& row) {
        const float w = std::min(needs_.field_w, std::floor(width_ / 2));
        plan_.field = {width_ - w, row.y + std::floor((row.h - px(kControl)) / 2), w, px(kControl)};
        plan_.lie = {0, row.y, std::max(1.0f, width_ - w - px(10)), row.h};
    }

    void table() {
        y_ += px(6);
        plan_.divider = y_;
        plan_.preview = take(7, kControl);
        plan_.head = take(5, kTableHead);
        y_ += px(2);
        const float below = px(5) + px(3) + 2 * px(kPreviewFoot);
        const float spare = (height_ - y_ - below) / static_cast<float>(std::max(1u, needs_.dim));
        const float pitch = std::clamp(std::floor(spare), px(kElementRow), px(kMostElementRow));
        for (std::uint32_t i = 0; i < needs_.dim; ++i, y_ += pitch)
            plan_.rows.push_back({0, y_, width_, pitch});
        columns();
        y_ += px(5);
        plan_.foot_rule = y_;
        plan_.foot[0] = take(3, kPreviewFoot);
        plan_.foot[1] = take(0, kPreviewFoot);
    }

    // What the texts leave over goes between the columns, in equal parts.
    void columns() {
        float texts = 0;
        for (const float w : needs_.columns) texts += w;
        const float between = std::max(2.0f, (width_ - texts) / 5);
        float x = 0;
        for (std::size_t i = 0; i < plan_.rights.size(); ++i) {
            x += needs_.columns[i];
            plan_.rights[i] = std::min(std::floor(x), width_);
            x += between;
        }
        plan_.rights.back() = width_;
    }

    const BytesNeeds& needs_;
    BytesPlan plan_;
};

}  // namespace

BytesPlan layout_bytes(Vec2 room, float unit, const BytesNeeds& needs) {
    return BytesPlanner(room, unit, needs).make();
}

std::optional<std::uint64_t> read_address(std::string_view text, std::uint64_t end) {
    if (text.size() < 3 || text.size() > 18 || text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
        return std::nullopt;
    std::uint64_t address = 0;
    for (const char c : text.substr(2)) {
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : 16;
        if (digit == 16) return std::nullopt;
        address = address << 4 | static_cast<std::uint64_t>(digit);
    }
    if (address >= end) return std::nullopt;
    return address;
}

}  // namespace kv
