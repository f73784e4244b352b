#pragma once
// A batch as the kernels want it: flat arrays of numbers, one entry for each new token, sequence or
// list. Made on the host, copied once a pass. What a wrong table would make a kernel do is refused
// here, before anything is launched.
//
// A sequence of the plan is one of the batch, or one token of a draft that is checked: a token that
// attends one by one sees all before it as they are stored, as if the pass were its own, so it is a
// sequence of one new token behind the same tables. No kernel knows of drafts.

#include <array>
#include <vector>

#include "core/engine/pool/backend.hpp"
#include "cuda/grid/view.hpp"

namespace kv::gpu {

enum class PlanArray : u32 {
    Tokens,         // (n_rows)
    Positions,      // (n_rows)
    Rotated,        // (n_rows): whether keys are rotated when they are stored
    SequenceOf,     // (n_rows)
    Slots,          // (n_rows): where a token stands in its sequence
    FirstRow,       // (n_sequences)
    FirstSlot,      // (n_sequences): of its first new token
    NewTokens,      // (n_sequences)
    SlotMapping,    // (lanes, n_rows): the slot of the pool that a token goes to
    Tables,         // all block tables
    TableStarts,    // (n_sequences, lanes)
    LogitRows,      // rows whose logits are wanted
    DecodeRows,     // rows of sequences with one new token, but for those in turn
    PrefillRows,    // the first row of each other sequence
    ListedRows,     // rows whose keys are listed
    ListBegins,     // (listed rows, lists of a row) + 1
    ListSlots,      // slots of the pool; kOwn + row: a token of the pass
    ListPositions,  // to rotate to; empty where nobody rotates
    ListQueries,    // one for each list: where the query stands
    AllRows,        // (n_rows): 0, 1, 2, ...
    RowSets,        // (n_sequences), from here on with a codec that has a residual
    CodedK,         // (n_rows): the slots that are coded when a row attends
    CodedV,
    DueK,  // (n_rows, 2): slots [begin, end) that are coded once a row has attended
    DueV,
    KeptSequence,  // as many as KeptPositions
    KeptSlots,
    KeptDueK,
    KeptDueV,
    KeptPositions,  // of the tokens that are computed once more, sequence by sequence
    KeptRotated,    // as many ones
    KeptMapping,    // (lanes, n) for each such sequence
    Count
};
inline constexpr u32 kPlanArrays = static_cast<u32>(PlanArray::Count);

struct KeptRows {              // of a sequence whose K and V come from its inputs
    u32 work, n;               // the sequence of the batch, and how many rows
    u64 first, first_mapping;  // into KeptPositions and KeptMapping
};

struct BatchPlan {
    BatchPlan(const ModelConfig& config, const KvLayout& layout, const PoolSpec& spec,
              const Batch& batch);

    std::vector<u32>& operator[](PlanArray which) { return arrays[static_cast<u32>(which)]; }
    const std::vector<u32>& operator[](PlanArray which) const {
        return arrays[static_cast<u32>(which)];
    }

    std::array<std::vector<u32>, kPlanArrays> arrays;
    std::vector<KeptRows> kept;
    std::vector<u32> first_rows;  // of each sequence of the batch
    // Rows of a codec with a residual that attend and are coded one after the other, since what one
    // of them stores changes what the next one sees.
    std::vector<u32> in_turn;
    u32 n_rows = 0, n_sequences = 0, n_lanes = 1;
    bool lists_by_query_head = false;  // in each layer, instead of a list for each lane
    u32 longest_chunk = 0;             // new tokens of a sequence
    u32 longest_keys = 0;              // that a row sees, where nothing was dropped
};

}  // namespace kv::gpu
