#pragma once
// What the parts of the panel share.

#include "app/panels/drafts/map.hpp"
#include "app/panels/drafts/plan.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {

struct DraftsPicture {
    const Ui& ui;
    const RunView& run;
    SeqId request;
    List<RunDraft> drafts;
    DraftSums sums;
    DraftTimes times;
    std::uint64_t k = 0, stored = 0;  // tokens of the request in the cache
    Hue hue;
    const BillInputs& bill;
};

// Logical pixels.
inline constexpr float kNumbersH = 286, kColumnsH = 190, kExpectedH = 310;

void paint_draft_numbers(const DraftsPicture& s, const Rect& room);
void paint_draft_columns(const DraftsPicture& s, const Rect& room);
void paint_expected(const DraftsPicture& s, const Rect& room);

// One cell, as in the columns and in their key.
void paint_draft_part(const DraftsPicture& s, const Painter& p, const Rect& cell, DraftPart part);

// "2.64"
Text two_decimals(double value);

}  // namespace kv
