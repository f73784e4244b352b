#pragma once
// What Compare says about two bills: one sentence, the costs of a side beside those of the other,
// and both caches over the tokens. Pure: no imgui.h.

#include <optional>

#include "app/panels/bill/view.hpp"
#include "app/panels/view/sentence.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct CompareView {
    BillView left, right;
    const BillView& of(BillSide side) const { return side == BillSide::Left ? left : right; }
    const BillView& beside(BillSide side) const { return side == BillSide::Left ? right : left; }
};
// Both sides, or nothing and the sentence why, when a side cannot be counted in 64 bits.
std::optional<CompareView> view_compare(const BillInputs& in, std::string& why);

// "8,192 tokens × 16 requests." and "Left 16 GiB, right 64 GiB: 4.0 times as much."
List<SentencePiece> load_sentence(const BillInputs& in, const Texts& text);
List<SentencePiece> verdict_sentence(const CompareView& view, const Texts& text);
// "4.0", or with more digits where one would say "1.0".
Text ratio_text(u64 larger, u64 smaller);

// A cost of one side, as a bar that the larger side fills.
struct CostRow {
    BillRow row;
    double share = 0;                   // of the larger of the two
    std::optional<double> other_share;  // none: the other side has no such cost
};
List<CostRow> cost_rows(const CompareView& view, BillSide side, const Texts& text);

// How the query heads share what is stored, in a few words: "4 query heads share one".
Text sharing_text(const ModelShape& model, const AttentionOption& option, const Texts& text);
// The heading of the picture of heads: "32 query heads read 8 KV heads".
Text heads_text(const ModelShape& shape, const Texts& text);

}  // namespace kv
