#pragma once
// What a pass cost, counted while it ran. The tests hold these numbers against the closed forms of
// core/cost, and the charts draw them.

#include <cstdint>

#include "core/cost/time/flops.hpp"

namespace kv {

struct Work {
    std::uint64_t positions_projected = 0;  // token positions that went through W_K and W_V
    std::uint64_t positions_forwarded = 0;  // and through all of the layers: fewer when K and V are
                                            // computed once more from kept inputs
    std::uint64_t score_pairs = 0;          // (query, visible key), once for all layers and heads:
                                            // of the layer that sees most
    std::uint64_t weight_bytes = 0;         // read: each matrix once per pass, embedding rows
    std::uint64_t k_bytes_read = 0, v_bytes_read = 0;  // once per query and KV head
    // Bounds of blocks that Quest chooses by, once per query and KV head.
    std::uint64_t box_bytes_read = 0;
    std::uint64_t k_bytes_written = 0, v_bytes_written = 0;
    std::uint64_t input_bytes_read = 0, input_bytes_written = 0;  // where layer inputs are kept
    FlopParts flops;
    std::uint64_t kv_projection_flops = 0;  // the share of flops.qkv that is not the queries'

    Work& operator+=(const Work& other);
    friend bool operator==(const Work&, const Work&) = default;
};

}  // namespace kv
