#include "app/panels/bill/glossary/entries.hpp"

#include <array>

namespace kv {
namespace {

template <class... Symbols>
constexpr auto symbols(Symbols... s) {
    return std::array<std::string_view, sizeof...(Symbols)>{s...};
}

constexpr auto kSideSymbols = symbols("k", "v", "2");
constexpr auto kLayers = symbols("L", "N_L", "num_hidden_layers");
constexpr auto kKvHeads = symbols("H_kv", "G", "num_key_value_heads");
constexpr auto kHeadDim = symbols("d", "D_h", "d_head", "d_k");
constexpr auto kElementBytes = symbols("P", "dtype_bytes");
constexpr auto kKvLen = symbols("S", "T", "n", "seq_len");
constexpr auto kBatch = symbols("B", "batch_size");
constexpr auto kInBill = std::to_array<GlossaryEntry>({
    {"K, V", kSideSymbols, "glossary.sides"_t, BillFactor::Sides},
    {"n_layers", kLayers, "glossary.n_layers"_t, BillFactor::Layers},
    {"n_kv_heads", kKvHeads, "glossary.n_kv_heads"_t, BillFactor::KvHeads},
    {"head_dim", kHeadDim, "glossary.head_dim"_t, BillFactor::HeadDim},
    {"element_bytes", kElementBytes, "glossary.element_bytes"_t, BillFactor::ValueBytes},
    {"kv_len", kKvLen, "glossary.kv_len"_t, BillFactor::Tokens},
    {"batch", kBatch, "glossary.batch"_t, BillFactor::Requests},
});

constexpr auto kHeads = symbols("H", "H_q", "num_attention_heads");
constexpr auto kWidths = symbols("qk_head_dim", "v_head_dim");
constexpr auto kLatent = symbols("kv_lora_rank", "qk_rope_head_dim");
constexpr auto kBesideBill = std::to_array<GlossaryEntry>({
    {"n_heads", kHeads, "glossary.n_heads"_t},
    {"d_k, d_v", kWidths, "glossary.widths"_t},
    {"d_c, d_rope", kLatent, "glossary.latent"_t},
});

constexpr auto kPos = symbols("p", "t", "position_id");
constexpr auto kBlock = symbols("page", "KV block");
constexpr auto kBlockSize = symbols("page_size", "tokens_per_block");
constexpr auto kSlot = symbols("offset", "entry");
constexpr auto kBlockTable = symbols("page table", "block list");
constexpr auto kRefCount = symbols("ref_cnt");
constexpr auto kPlace = std::to_array<GlossaryEntry>({
    {"pos", kPos, "glossary.pos"_t},
    {"block", kBlock, "glossary.block"_t},
    {"block_size", kBlockSize, "glossary.block_size"_t},
    {"slot", kSlot, "glossary.slot"_t},
    {"block_table", kBlockTable, "glossary.block_table"_t},
    {"ref_count", kRefCount, "glossary.ref_count"_t},
});

constexpr auto kGroupSize = symbols("G", "H_q/H_kv");
constexpr auto kEffectiveBits = symbols("nominal bits");
constexpr auto kUnitSymbols = symbols("kB", "MB", "GB");
constexpr auto kCache = symbols("weights");
constexpr auto kPrefill = symbols("decode");
constexpr auto kConfused = std::to_array<GlossaryEntry>({
    {"group_size", kGroupSize, "glossary.group_size"_t},
    {"effective bits", kEffectiveBits, "glossary.effective_bits"_t},
    {"KiB, MiB, GiB", kUnitSymbols, "glossary.units"_t},
    {"KV cache", kCache, "glossary.kv_cache"_t},
    {"prefill", kPrefill, "glossary.prefill"_t},
});

constexpr auto kGroups = std::to_array<GlossaryGroup>({
    {"glossary.group.bill"_t, kInBill},
    {"glossary.group.heads"_t, kBesideBill},
    {"glossary.group.place"_t, kPlace},
    {"glossary.group.confused"_t, kConfused},
});

}  // namespace

std::span<const GlossaryGroup> glossary() {
    return kGroups;
}

}  // namespace kv
