#include "app/frame/bill_change.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/panels/bill/bill.hpp"

namespace kv {
namespace {

// The model and its codecs are those of one side; all else is of both.
template <BillSide kSide>
void change_model(BillInputs& in, const Command& c) {
    set_model(in, kSide, word_argument(c));
}
template <BillSide kSide>
void change_kv_heads(BillInputs& in, const Command& c) {
    set_kv_heads(in, kSide, whole_argument(c));
}
template <BillSide kBillSide, Side kSide>
void change_codec(BillInputs& in, const Command& c) {
    set_codec(in, kBillSide, kSide, word_argument(c));
}
void swap_sides(BillInputs& in, const Command&) {
    std::swap(in.left, in.right);
}

void change_tokens(BillInputs& in, const Command& c) {
    set_tokens(in, whole_argument(c));
}
void change_batch(BillInputs& in, const Command& c) {
    set_batch(in, whole_argument(c));
}
void change_block_size(BillInputs& in, const Command& c) {
    set_block_size(in, whole_argument(c));
}
void change_window(BillInputs& in, const Command& c) {
    set_window(in, whole_argument(c));
}
void change_device(BillInputs& in, const Command& c) {
    set_device(in, word_argument(c));
}
void change_cards(BillInputs& in, const Command& c) {
    set_cards(in, whole_argument(c));
}
void change_ranks(BillInputs& in, const Command& c) {
    set_ranks(in, whole_argument(c));
}
void change_chart(BillInputs& in, const Command&) {
    in.chart = in.chart == BillChart::Growth ? BillChart::Fit : BillChart::Growth;
}
void change_units(BillInputs& in, const Command&) {
    in.units = in.units == UnitSystem::Binary ? UnitSystem::Decimal : UnitSystem::Binary;
}

struct Row {
    CommandId id;
    BillChange change;
};
constexpr Row kRows[] = {
    {"bill.model", change_model<BillSide::Left>},
    {"bill.kv_heads", change_kv_heads<BillSide::Left>},
    {"bill.k_codec", change_codec<BillSide::Left, Side::K>},
    {"bill.v_codec", change_codec<BillSide::Left, Side::V>},
    {"other.model", change_model<BillSide::Right>},
    {"other.kv_heads", change_kv_heads<BillSide::Right>},
    {"other.k_codec", change_codec<BillSide::Right, Side::K>},
    {"other.v_codec", change_codec<BillSide::Right, Side::V>},
    {"compare.swap", swap_sides},

    {"bill.tokens", change_tokens},
    {"bill.batch", change_batch},
    {"bill.block_size", change_block_size},
    {"bill.window", change_window},
    {"bill.device", change_device},
    {"bill.cards", change_cards},
    {"bill.ranks", change_ranks},
    {"bill.units", change_units},
    {"bill.chart", change_chart},
};

}  // namespace

BillChange bill_change(CommandId id) {
    const auto* row =
        std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.id == id; });
    return row == std::end(kRows) ? nullptr : row->change;
}

}  // namespace kv
