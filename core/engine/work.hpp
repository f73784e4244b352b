#pragma once
// What a pass cost, counted while it ran. The tests hold these numbers against the closed forms of
// core/cost, and the charts draw them.

#include <cstdint>

#include "core/cost/flops.hpp"

namespace kv {

struct Work {
    std::uint64_t positions_projected = 0;  // token positions that went through the layers
    std::uint64_t score_pairs = 0;          // (query, visible key), once for all layers and heads:
                                            // of the layer that sees most
    std::uint64_t weight_bytes = 0;         // read: each matrix once per pass, embedding rows
    std::uint64_t k_bytes_read = 0, v_bytes_read = 0;  // once per query and KV head
    std::uint64_t k_bytes_written = 0, v_bytes_written = 0;
    FlopParts flops;

    Work& operator+=(const Work& other);
    friend bool operator==(const Work&, const Work&) = default;
};

}  // namespace kv
