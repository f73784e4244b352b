#pragma once
// What lesson figures show, as plain values: made from the run, the layout and the cost model of a
// step, drawn by app/panels/figure. The order of the types is that of the two tables of figures.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/cache/layout/kv_layout.hpp"
#include "core/cost/model/shape.hpp"

namespace kv {

// When a figure shows something: at once, with the reveal, or not at all.
enum class FigureWhen : std::uint8_t { Now, Revealed, Never };

// The steps of a request twice: computed anew from nothing each time, and with a cache.
struct WithoutCacheFacts {
    std::vector<std::string> words;            // by position
    std::uint32_t prompt = 0;                  // so many of them are given
    std::vector<std::uint32_t> without, with;  // positions that each step computes
    std::uint32_t steps = 0;                   // drawn before the reveal
    std::uint32_t asked = 0;                   // drawn behind it; the same or more
    FigureWhen cache = FigureWhen::Now;        // when the steps with a cache are drawn
};

// The bytes of one layer that holds a few tokens, in both orders, and the way to one element.
struct ByteMapFacts {
    KvLayout token_major, head_major;
    std::uint32_t token = 0, head = 0, dim = 0;
    FigureWhen address = FigureWhen::Now;   // when the way to it is drawn, and all addresses
    FigureWhen places = FigureWhen::Never;  // when the places of the last token's key are
};

// Query heads over the KV heads that they read, for several models, and one of real size.
struct WiringModel {
    std::string title;
    std::uint64_t n_heads = 0, n_kv_heads = 0, n_layers = 0, head_dim = 0, element_bytes = 0;
    std::uint64_t bytes_per_token = 0;
};
struct WiringFacts {
    std::vector<WiringModel> models;
    std::string element;  // the codec by its name
    std::optional<WiringModel> real;
    FigureWhen real_when = FigureWhen::Now;
    std::optional<std::uint32_t> head;  // a query head of it that is asked about
};

// Which keys of a text become others when the text does, layer by layer.
struct ChangedFacts {
    std::vector<std::string> words, old_words;  // by position; those of before may be one fewer
    std::uint32_t position = 0;                 // of the token that is another, or new
    bool is_new = false;
    bool is_causal = true;                    // else every token reads every other
    std::vector<std::vector<double>> change;  // by layer and token: relative length
    std::uint32_t n_layers() const { return static_cast<std::uint32_t>(change.size()); }
};

// Two products that share all factors but one.
struct SumFactor {
    std::string name;
    std::uint64_t value = 0;
    bool is_bytes = false;
};
struct TwoSumsFacts {
    std::string model;
    std::uint64_t tokens = 0;
    std::vector<SumFactor> factors;  // in order; `parted` stands for the right one
    std::size_t parted = 0;
    SumFactor wrong;
    std::string right_line, wrong_line;  // of the model's config
    std::uint64_t right_bytes = 0, wrong_bytes = 0, room_bytes = 0;
    std::uint64_t right_fit() const { return room_bytes / right_bytes; }
    std::uint64_t wrong_fit() const { return room_bytes / wrong_bytes; }
    FigureWhen parting = FigureWhen::Now;  // when the name of the wrong factor is said
};

using FigureFacts =
    std::variant<WithoutCacheFacts, ByteMapFacts, WiringFacts, ChangedFacts, TwoSumsFacts>;

}  // namespace kv
