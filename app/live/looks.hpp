#pragma once
// Second looks at a run: what is not stored in the trace is computed once more from the weights, in
// a pool of its own, so that the run itself is not touched. Pure functions of their arguments; safe
// on any thread.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/panels/run_view.hpp"
#include "app/session/loaded_model.hpp"
#include "app/session/run_session.hpp"

namespace kv {

struct LookSpec {
    std::string backend;
    PoolSpec pool;  // its block size, order and formats; the blocks are counted anew
    std::vector<SharedScale> shared_scales = {};  // (layers, 2): of ':tensor' codecs
};

// The weights with which the last of these tokens looks at all of them.
AttentionPicture look_at_attention(const LoadedModel& model, const LookSpec& spec, SeqId request,
                                   std::span<const std::uint32_t> tokens);

// The rows of one step against a computation without a cache.
ProofView prove_rows(const LoadedModel& model, const LookSpec& spec,
                     std::span<const JudgedRow> rows);

}  // namespace kv
