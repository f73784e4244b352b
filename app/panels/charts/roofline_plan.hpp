#pragma once
// Where the attention of a run stands under the roofs of the machine: what the last steps computed
// and read, and what other numbers of KV heads could reach. Pure: no imgui.h.

#include <cstdint>
#include <optional>

#include "app/panels/bill/calculator/roofline_plan.hpp"
#include "app/panels/view/history.hpp"
#include "app/panels/view/run.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

// All attention of one iteration. `bytes`: every key and value counted once for each request, since
// the queries of a prefill share what they read.
struct AttentionDone {
    std::uint32_t iteration = 0;
    double flops = 0, bytes = 0, us = 0;
    bool prefill = false;
    // The draft in the step: how many proposals, and the keys that the query before them sees.
    std::uint64_t k = 0, first_keys = 0;
    double intensity() const { return bytes > 0 ? flops / bytes : 0; }
    double rate() const { return us > 0 ? flops / us * 1e6 : 0; }  // 0: nobody measured
};
// The last finished iteration before the cursor in which every request computes one token, and the
// last one in which some request computes several (RunHistory::has_prefill).
struct AttentionNow {
    std::optional<AttentionDone> decode, prefill;
    const AttentionDone* last() const;
};
AttentionNow attention_now(const RunView& run, const RunHistory& history);

struct RunRoofline {
    List<RoofPoint> rings;  // least intensity first; flops 0 while no roof is known
    std::optional<RoofPoint> decode, prefill;
    double ridge = 0, peak = 0, bandwidth = 0;  // 0 while unknown
    double min_x = 0.5, max_x = 256, min_y = 1e9, max_y = 1e12;
    List<AxisMark> x_marks, y_marks;
    Text unit;
    Text memory, compute;  // the names of the roofs
    Text sentence, state;  // what was done; what is not known
};
// Queries that are checked together read the same keys: how many times as much is computed for each
// byte, where the first of k + 1 of them sees `first_keys`.
double queries_share(std::uint64_t first_keys, std::uint64_t k);

RunRoofline plan_run_roofline(const RunView& run, const AttentionNow& now, const Texts& text);

}  // namespace kv
