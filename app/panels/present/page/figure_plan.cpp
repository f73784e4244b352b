#include "app/panels/present/page/figure_plan.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

// A room of the design, laid into the middle of another one.
struct Frame {
    Rect room;
    float unit;
    float left, top;
    Frame(const Rect& r, float most, float w, float h)
        : room(r),
          unit(std::min({most, r.w / w, r.h / h})),
          left(r.x + (r.w - w * unit) / 2),
          top(r.y + (r.h - h * unit) / 2) {}
    Rect at(float x, float y, float w, float h) const {
        const float x0 = std::round(left + x * unit), y0 = std::round(top + y * unit);
        return {x0, y0, std::round(left + (x + w) * unit) - x0,
                std::round(top + (y + h) * unit) - y0};
    }
    Vec2 point(float x, float y) const {
        return {std::round(left + x * unit), std::round(top + y * unit)};
    }
};

FigureBox unknown(const Rect& box, const char* label, std::uint32_t value, bool is_filled) {
    FigureBox b{
        FigureLook::Unknown, box,       label, is_filled ? Text(with_commas(value)) : Text("?"),
        !is_filled,          is_filled, 0};
    return b;
}

constexpr float kWalkWidth = 1824, kWalkHeight = 440;
constexpr float kFirst = 147, kBoxHeight = 150;  // boxes of the division
constexpr float kEntryX = 1236, kEntryWidth = 264, kTableTop = 70, kTableHeight = 320;
constexpr float kGivenHeight = 190, kGivenWidth = 400, kGivenGap = 48;

}  // namespace

FigurePlan plan_walk(const Rect& room, float words, const ShownWalk& walk, std::size_t filled,
                     const Texts& text) {
    const Frame f(room, words, kWalkWidth, kWalkHeight);
    FigurePlan plan;
    plan.unit = f.unit;
    const bool has_logical = filled > 0, has_offset = filled > 1, has_block = filled > 2;
    plan.boxes.push_back({FigureLook::Token, f.at(0, kFirst, 180, kBoxHeight),
                          text["lesson.page.token"_t], with_commas(walk.position), false, false,
                          0});
    plan.signs.push_back({f.at(180, kFirst, 80, kBoxHeight), "÷", false});
    plan.boxes.push_back({FigureLook::Block, f.at(260, kFirst, 260, kBoxHeight),
                          fill(text["lesson.page.block"_t], {{"n", with_commas(walk.block_size)}}),
                          with_commas(walk.block_size), false, false, walk.block_size});
    plan.signs.push_back({f.at(520, kFirst, 90, kBoxHeight), "=", false});
    plan.boxes.push_back(unknown(f.at(610, kFirst, 150, kBoxHeight), text["lesson.page.logical"_t],
                                 walk.logical(), has_logical));
    plan.signs.push_back(
        {f.at(760, kFirst, 80, kBoxHeight), text["lesson.page.rest"_t], true, true});
    plan.boxes.push_back(unknown(f.at(840, kFirst, 150, kBoxHeight), text["lesson.page.offset"_t],
                                 walk.offset(), has_offset));
    const auto n = static_cast<float>(walk.table.size());
    const float pitch = std::min(78.0f, kTableHeight / std::max(1.0f, n)), h = pitch * 0.84f;
    const float begins = kTableTop + (kTableHeight - pitch * n) / 2;
    const auto row = [&](std::size_t i) { return begins + pitch * static_cast<float>(i); };
    for (std::size_t i = 0; i < walk.table.size(); ++i) {
        const float y = row(i);
        plan.signs.push_back({f.at(1118, y, 40, h), with_commas(i), true});
        plan.lines.push_back(
            {{f.point(1164, y + h / 2), f.point(kEntryX - 14, y + h / 2)}, false, false});
        const bool is_found = has_block && i == walk.logical();
        plan.boxes.push_back({FigureLook::Entry, f.at(kEntryX, y, kEntryWidth, h),
                              i == 0 ? Text(text["lesson.page.table"_t]) : Text(),
                              with_commas(walk.table[i]), false, is_found, 0});
    }
    plan.brackets = f.at(1098, begins - 8, 424, pitch * n + 8);
    const float middle = begins + pitch * n / 2;
    plan.boxes.push_back(unknown(f.at(1620, middle - 105, 204, 210), text["lesson.page.physical"_t],
                                 walk.physical(), has_block));
    plan.boxes.back().slots = walk.block_size;
    const float low = std::max(kFirst + kBoxHeight + 60, begins + pitch * n - 10);
    const float enters = has_logical ? row(walk.logical()) + h / 2 : middle;
    plan.lines.push_back({{f.point(685, kFirst + kBoxHeight), f.point(685, low), f.point(1060, low),
                           f.point(1060, enters), f.point(1096, enters)},
                          !has_logical,
                          true});
    const float leaves = has_block ? row(walk.logical()) + h / 2 : middle;
    List<Vec2> last{f.point(1524, leaves)};
    if (leaves != middle)
        last.push_back(f.point(1572, leaves)), last.push_back(f.point(1572, middle));
    last.push_back(f.point(1618, middle));
    plan.lines.push_back({std::move(last), !has_block, true});
    return plan;
}

FigurePlan plan_givens(const Rect& room, float words, const ShownPrediction& asked,
                       std::size_t filled, const Texts& text) {
    const auto n = static_cast<float>(asked.givens.size() + 1);
    const float width = n * kGivenWidth + (n - 1) * kGivenGap + kGivenGap;
    const Frame f(room, words, width, kGivenHeight);
    FigurePlan plan;
    plan.unit = f.unit;
    float x = 0;
    for (const ShownGiven& given : asked.givens) {
        plan.boxes.push_back({FigureLook::Given, f.at(x, 40, kGivenWidth, kGivenHeight - 40),
                              given.label, given.value, false, false, 0});
        x += kGivenWidth + kGivenGap;
    }
    // An arrow leads to what is asked.
    const float y = 40 + (kGivenHeight - 40) / 2;
    plan.lines.push_back(
        {{f.point(x - kGivenGap + 12, y), f.point(x + kGivenGap - 12, y)}, filled == 0, true});
    x += kGivenGap;
    const Text label = asked.unit.empty() ? Text(text["lesson.page.answer"_t]) : Text(asked.unit);
    plan.boxes.push_back({FigureLook::Unknown, f.at(x, 40, kGivenWidth, kGivenHeight - 40), label,
                          filled > 0 ? Text(asked.answer) : Text("?"), filled == 0, filled > 0, 0});
    return plan;
}

}  // namespace kv
