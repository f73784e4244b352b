#pragma once
// What Present says and shows, computed from the bill: the title line, the boxes of the equation,
// one large sentence and two that explain it, and the memory of the card over the tokens. Pure: no
// imgui.h.

#include <array>
#include <optional>
#include <string_view>

#include "app/panels/bill/view.hpp"
#include "app/panels/view/byte_axis.hpp"
#include "app/panels/view/sentence.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct PresentBox {
    Text value, label;
};
// One row of boxes whose product is the cache, or what it is without scales. A shape that has no
// single product in its factors is shown by what a token or a request costs.
struct PresentEquation {
    List<PresentBox> boxes;
    Text result, result_label;
};
PresentEquation present_equation(const BillView& view, const Texts& text);

struct PresentWords {
    Text model;                 // "Llama 3 8B, GQA 8, BF16"
    List<SentencePiece> shown;  // "16 requests of 8,192 tokens"
    Text caption;               // "131,072 tokens need 16 GiB."
    std::array<Text, 2> prose;
};
PresentWords present_words(const BillView& view, const Texts& text);

// The models before and after this one in the list of known models, and its own place, from one.
struct PresentNeighbours {
    std::optional<std::string_view> previous, next;
    std::optional<std::size_t> place;
    std::size_t count = 0;
};
PresentNeighbours present_neighbours(std::string_view model);

// The memory of the card: weights and reserve below, the cache on top of it, growing with the
// tokens.
struct PresentMemory {
    List<double> tokens;  // resident in all requests; twice as many as now at the right edge
    List<double> used;    // bytes, the cache included; bends where it reaches the capacity
    u64 base = 0;         // bytes without the cache
    u64 capacity = 0;
    bool shows_capacity = true;  // false when it lies far above the picture
    u64 now_tokens = 0, now_cache = 0, now_used = 0;
    ByteAxis axis;
};
// The memory of both runs; nothing when the numbers of the longer one do not fit 64 bits.
std::optional<PresentMemory> present_memory(const BillView& view);

}  // namespace kv
