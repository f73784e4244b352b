#pragma once
// What panels that put a result into a sentence draw with (Compare, Present, the vector of the
// Inspector): sentences in two types of letters, and the side marks.

#include <span>

#include "app/panels/bill/bill.hpp"
#include "app/panels/view/sentence.hpp"
#include "app/widgets/paint/paint.hpp"
#include "app/widgets/tags.hpp"
#include "core/base/reused.hpp"

namespace kv {

// Pieces as runs of one line. The runs point into `pieces`.
List<Run> runs_of(std::span<const SentencePiece> pieces, const TextStyle& words,
                  const TextStyle& values);

inline CompareSide mark_of(BillSide side) {
    return side == BillSide::Left ? CompareSide::Left : CompareSide::Right;
}

// The sentence of a side that cannot be counted, in the place of the panel.
void draw_not_priced(const Ui& ui, std::string_view why);

}  // namespace kv
