#pragma once
// The bytes of a run at the cursor: by the formula from the model and the stored tokens, and as
// counted from the blocks of the pool. Both ways are independent, so that a difference shows. Pure:
// no imgui.h.

#include <cstdint>

#include "app/panels/bill/equation/plan.hpp"
#include "app/panels/view/run.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct RunBytes {
    std::uint64_t tokens = 0;    // stored by all requests, those in shared slots once
    std::uint64_t formula = 0;   // of these tokens, from the shape of the model and the formats
    std::uint64_t measured = 0;  // of the slots that the used blocks say are filled
    std::uint64_t empty_slots = 0, empty = 0;
    // The tokens that the step at hand computes; their slots count as empty until its end.
    std::uint64_t in_step = 0, layers_in_step = 0;
    std::uint64_t dead_slots = 0, dead = 0;  // dropped by a policy
    std::uint64_t blocks = 0, block_bytes = 0, allocated = 0;
};
// Counted from the tables of the requests.
std::uint64_t distinct_tokens(const Snapshot& now);
RunBytes bytes_of_run(const RunView& run);

// The bytes of the same tokens with another number of KV heads.
struct HeadsBar {
    Text label;
    std::uint64_t bytes = 0;
    bool current = false;
};

// The counts of KV heads to hold a run against: for the models that come along those of all three,
// so that the bars of MHA tell what the button GQA beside them will give.
List<std::uint64_t> compared_kv_heads(const RunView& run);

struct RunEquation {
    RunBytes bytes;
    EquationPlan plan;  // its terms, rows and the head of the comparison
    List<HeadsBar> bars;
};
RunEquation plan_run_equation(const RunView& run, const Texts& text);

}  // namespace kv
