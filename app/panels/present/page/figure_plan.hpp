#pragma once
// The picture of a question: boxes with the numbers that it builds on, and dashed boxes with "?"
// for what answers it. Two forms: givens in a row, and the walk of a token through a table. Pure;
// pixels.

#include "app/panels/lesson/view.hpp"
#include "app/shell/geometry.hpp"
#include "app/shell/texts/texts.hpp"
#include "core/base/reused.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

enum class FigureLook : std::uint8_t { Given, Token, Block, Entry, Unknown };
struct FigureBox {
    FigureLook look = FigureLook::Given;
    Rect box;
    Text label;  // over it
    Text value;  // "?" while it is unknown
    bool dashed = false, marked = false;
    std::uint32_t slots = 0;  // of a block
};
struct FigureSign {
    Rect at;
    Text words;  // "÷", "=", "rest", "0"
    bool small = false, is_word = false;
};
struct FigureLine {
    List<Vec2> points;
    bool dashed = false, strong = false;
};
struct FigurePlan {
    float unit = 1;  // pixels per pixel of the design, of its letters too
    List<FigureBox> boxes;
    List<FigureSign> signs;
    List<FigureLine> lines;
    Rect brackets;  // around a table; of no width: none
};

// How many boxes wait for the answer.
constexpr std::size_t kWalkUnknowns = 3;

// `filled`: so many of the unknown ones show what they hold.
FigurePlan plan_walk(const Rect& room, float words, const ShownWalk& walk, std::size_t filled,
                     const Texts& text);
FigurePlan plan_givens(const Rect& room, float words, const ShownPrediction& asked,
                       std::size_t filled, const Texts& text);

}  // namespace kv
