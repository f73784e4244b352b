// Lessons 3 and 8: from a token to its byte, and back.

#include "core/lesson/code/rows.hpp"

namespace kv {
namespace {

constexpr std::string_view kOffsetIdea = R"(def offset(layer, side, head, block, slot):
    base = layer * layer_bytes  # planes: K, then V
    if side == V:
        base += k_plane_bytes
    outer = block * block_bytes + slot * slot_stride
    inner = head * head_stride
    return base + outer + inner  # then the element
)";
constexpr CodeExcerpt kOffsetOurs[] = {
    {"core/cache/layout/kv_layout.hpp", "KV_HD std::uint64_t slot_stride("},
    {"core/cache/layout/kv_layout.hpp", "KV_HD std::uint64_t head_stride("},
    {"core/cache/layout/kv_layout.hpp", "KV_HD std::uint64_t plane_offset("},
    {"core/cache/layout/kv_layout.hpp", "KV_HD std::uint64_t vector_offset("},
};
constexpr CodeMark kOffsetMarks[] = {
    {"base", "base = layer * layer_bytes", "return layer.value * layer_bytes()"},
    {"outer", "outer = block * block_bytes", "slot.value * slot_stride(side)"},
    {"inner", "inner = head * head_stride", "head.value * head_stride(side)"},
    {"sum", "return base + outer + inner", "return offset;"},
};

constexpr std::string_view kPlaceIdea = R"(def place_of(offset):  # the way back
    layer, rest = divmod(offset, layer_bytes)
    side = K if rest < k_plane_bytes else V
    block, rest = divmod(rest, block_bytes)
    vector, byte = divmod(rest, vector_bytes)
    if order == token_major:
        slot, head = divmod(vector, n_kv_heads)
    else:
        head, slot = divmod(vector, block_size)
    return layer, side, block, slot, head, byte
)";
constexpr CodeExcerpt kPlaceOurs[] = {
    {"core/cache/layout/kv_layout.hpp", "KV_HD inline KvPlace place_of("},
};
constexpr CodeMark kPlaceMarks[] = {
    {"layer", "layer, rest = divmod(", "offset % layout.layer_bytes()"},
    {"side", "side = K if", "const Side side ="},
    {"block", "block, rest = divmod(", "in_plane % layout.block_bytes(side)"},
    {"vector", "vector, byte = divmod(", "in_block / layout.vector(side).bytes"},
    {"by_token", "slot, head = divmod(vector", "by_token ? vector / inner : vector % inner"},
    {"by_head", "head, slot = divmod(vector", "by_token ? vector % inner : vector / inner"},
};

constexpr std::string_view kTranslateIdea = R"(def translate(table, position):
    entry = position // block_size  # row of the table
    slot = position % block_size  # slot of its block
    block = table[entry]  # any block of the pool
    return block, slot
)";
constexpr CodeExcerpt kTranslateOurs[] = {
    {"core/cache/layout/place_in.hpp", "inline SlotPlace place_in("},
};
constexpr CodeMark kTranslateMarks[] = {
    {"entry", "entry = position // block_size", "const std::uint32_t entry = slot /"},
    {"slot", "slot = position % block_size", "return {table[entry], Slot(slot %"},
    {"block", "block = table[entry]", "return {table[entry], Slot(slot %"},
};

constexpr std::string_view kLoadIdea = R"(def load_k(table, layer, head, position):
    if position % block_size == 0:  # a block begins
        block = table[position // block_size]
        start = offset(layer, K, head, block, 0)
    at = start + position % block_size * slot_stride
    return pool[at : at + vector_bytes]
)";
constexpr CodeExcerpt kLoadOurs[] = {
    {"core/engine/cpu/cache_pages.hpp", "std::size_t j = 0;", "values.row[j] ="},
    {"core/engine/cpu/cache_pages.hpp", "void enter(std::uint32_t slot)"},
};
constexpr CodeMark kLoadMarks[] = {
    {"begins", "if position % block_size == 0", "if (slot >= block_end_) enter(slot);"},
    {"block", "block = table[position //", "const std::uint32_t entry = slot == block_end_"},
    {"start", "start = offset(", "k_ = first_k_ + table_[entry].value"},
    {"at", "at = start +", "for (; slot < stop; ++slot"},
    {"load", "return pool[at", "keys.row[j] = k_ + at * k_stride"},
};

}  // namespace

namespace code_rows {
const CodeSample kOffset{"offset", "Where a vector begins", kOffsetIdea, kOffsetOurs, kOffsetMarks};
const CodeSample kPlaceOf{"place_of", "Whose byte is that?", kPlaceIdea, kPlaceOurs, kPlaceMarks};
const CodeSample kTranslate{"translate", "From a position to its slot", kTranslateIdea,
                            kTranslateOurs, kTranslateMarks};
const CodeSample kLoadK{"load_k", "Read a key through the table", kLoadIdea, kLoadOurs, kLoadMarks};
}  // namespace code_rows

}  // namespace kv
