#pragma once
// What the panels of the bill say, derived from the inputs by each panel in each frame. core/cost
// has done all the arithmetic; what is left here is choosing words, units and order. Pure: no
// imgui.h.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/bill/bill.hpp"
#include "app/panels/view/factor.hpp"
#include "app/shell/texts/texts.hpp"
#include "core/cost/growth.hpp"
#include "core/cost/occupancy.hpp"

namespace kv {

// One choice of the attention switch, and what it would cost. An MLA model has one choice, its own;
// its others say what the heads would cost if their keys and values were kept.
enum class AttentionKind : std::uint8_t { Mha, Gqa, Mqa, Latent };
struct AttentionOption {
    AttentionKind kind = AttentionKind::Gqa;
    u64 kv_heads = 0;  // without meaning for a latent vector
    u64 per_token = 0, kv_bytes = 0;
    CacheShape cache;
    bool current = false;
};
// The numbers of KV heads that are compared with a model's own, most first.
List<u64> offered_kv_heads(u64 n_heads, u64 own);
Text attention_label(const AttentionOption& option, const Texts& text);  // "GQA 8"

struct BillView {
    BillInputs in;
    ModelShape own;    // the model as it is
    ModelShape shape;  // as priced: with the "what if" KV heads and the window
    CodecPair codecs;
    std::vector<Derived> results;   // those of `kvarium calc`, and what the window adds to them
    std::optional<Occupancy> held;  // nothing when a codec keeps tokens beside the blocks
    BudgetRequest budget;
    Split split;
    CacheShape card;  // what the fullest card keeps; everything, where the cards share nothing
    DeviceUse device;
    std::vector<AttentionOption> attention;

    const Derived& at(std::string_view name) const;  // a bug when there is none
    const AttentionOption& current_attention() const;
    Operand block_of_card() const;
    const Derived* find(std::string_view name) const { return find_result(results, name); }
    u64 whole(std::string_view name) const { return at(name).whole(); }
    std::string bytes(u64 count) const { return bytes_in(in.units, count); }
    std::string bytes(std::string_view name) const { return bytes(whole(name)); }
};

// Whether the model has KV heads, the same in all layers, that a "what if" could change.
bool can_choose_attention(const BillView& view);

// The bill, or nothing and the sentence why, when the numbers are too large to be counted in 64
// bits.
std::optional<BillView> view_bill(const BillInputs& in, BillSide side, std::string& why);

// The codecs that the K and V switches offer, of a bill and of a run, and which of them is set
// (none for others).
struct CodecOption {
    std::string_view label, name;
};
inline constexpr CodecOption kCodecOptions[]{
    {"BF16", "bf16"}, {"FP8", "fp8_e4m3"}, {"INT8", "int8"}, {"INT4", "int4"}};
std::optional<std::size_t> chosen_codec(const Codec& codec);
std::string codec_label(const Codec& codec);  // "BF16", "INT4:G32"

// One line of the bill: what, of how much, how many bytes. `result` names what it unfolds into;
// empty: nothing.
struct BillRow {
    std::string_view result;
    std::string label, detail, value;
    bool strong = false;
    bool loss = false;
};
std::vector<BillRow> bill_rows(const BillView& view, const Texts& text);   // those of the bill
std::vector<BillRow> extra_rows(const BillView& view, const Texts& text);  // where there is room

// A value with its unit as text, in the way of its unit: "131,072 B", "3.35 TB/s", "4,096 tokens".
std::string value_text(const Value& value, std::string_view unit);
// "2 × 32 × 8": the expression with typographic signs, and with numbers for names.
std::string pretty_expression(const Derived& result);
std::string pretty_numbers(const Derived& result);

}  // namespace kv
