#pragma once
// Second looks at a run: what is not stored in the trace is computed once more from the weights, in
// a pool of its own, so that the run itself is not touched. Pure functions of their arguments; safe
// on any thread.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/panels/view/run.hpp"
#include "app/session/loaded_model.hpp"
#include "app/session/run_session.hpp"
#include "core/engine/measure/prover.hpp"

namespace kv {

struct LookSpec {
    std::string backend;
    PoolSpec pool;  // its block size, order and formats; the blocks are counted anew
    std::vector<SharedScale> shared_scales = {};  // (layers, 2): of ':tensor' codecs
    // Where a policy hides or drops tokens: what each token of each request saw.
    std::map<SeqId, SeenInPool> seen = {};

    std::optional<SightMask> mask(SeqId request) const;
};

// As the step at the cursor, or the last one, was computed.
LookSpec look_spec_of(const RunSession& session);

// The weights with which the last of these tokens looks at all of them; 0 where it does not see.
AttentionPicture look_at_attention(const LoadedModel& model, const LookSpec& spec, SeqId request,
                                   std::span<const std::uint32_t> tokens);

// The same with nothing hidden, and what the model would say next.
FullLook look_at_everything(const LoadedModel& model, const LookSpec& spec, SeqId request,
                            std::span<const std::uint32_t> tokens);

// What each token of the request saw; nothing where no policy hid or dropped any.
std::optional<SeenInPool> sight_of(const RunSession& run, const std::string& request);

// The queries at `rows` of a text, in float32 and with everything kept. `sides`: what each token
// saw there; of a side with another model nothing is known, for its layers are others.
FullText look_at_text(const LoadedModel& model, const LookSpec& spec, FullText text,
                      const std::array<std::optional<SeenInPool>, 2>& sides, bool same_model);

// The rows of one step against a computation without a cache. Where a policy dropped tokens, twice:
// against one that drops nothing, and against one that hides the same from the same queries.
ProofView prove_rows(const LoadedModel& model, const LookSpec& spec,
                     std::span<const JudgedRow> rows);

}  // namespace kv
