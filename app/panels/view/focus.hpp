#pragma once
// What all panels of a run share: what is selected, and what is pointed at. Commands change the
// selection, and so does the owner of the run when what was selected is not there any more.
// Pointing is written while drawing and read in the next frame, so that hovering a token lights its
// block, its bytes and its factor everywhere at once.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "app/panels/view/factor.hpp"
#include "core/base/ids.hpp"
#include "core/cache/layout/kv_layout.hpp"
#include "core/trace/trace.hpp"

namespace kv {

struct TokenAt {
    SeqId request{0};
    std::uint32_t position = 0;
    friend bool operator==(const TokenAt&, const TokenAt&) = default;
};

// Tokens of a request that a scene is about: Compare outlines them and counts how many are kept.
struct MarkedTokens {
    std::string request;
    std::uint32_t first = 0, last = 0;  // positions, both of them marked
    friend bool operator==(const MarkedTokens&, const MarkedTokens&) = default;
};

struct RunPointer {
    std::optional<TokenAt> token;
    std::optional<BlockId> block;
    std::optional<std::uint32_t> iteration;
    std::optional<BillFactor> factor;
    friend bool operator==(const RunPointer&, const RunPointer&) = default;
};

struct RunFocus {
    SeqId request{0};                    // in focus: its tokens are written out
    std::optional<std::uint32_t> token;  // position in that request; none: the query token
    std::optional<BlockId> block;        // selected by itself, whoever holds it
    std::uint32_t layer = 0, kv_head = 0, query_head = 0, dim = 0;
    Side side = Side::K;
    std::optional<MarkedTokens> marked;

    RunPointer pointed, next_pointed;
    void new_frame() { pointed = std::exchange(next_pointed, {}); }
};

struct Playback {
    bool playing = false;
    Granularity step = Granularity::Iteration;
    double speed = 1;  // 1: two steps of that size a second
};

}  // namespace kv
