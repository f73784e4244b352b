#pragma once
// The words of the panels that measure a run: Charts, Mini charts, Equation and Roofline of a run.

#include "app/shell/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishCharts = std::to_array<EnglishText>({
    {"charts.computed", "Computed tokens"},
    {"charts.computed.unit", "per step"},
    {"charts.requests", "Requests"},
    {"charts.requests.unit", "running, waiting"},
    {"charts.rings", "{unit}, rings: formula"},
    {"charts.per_step", "{unit} per step"},
    {"charts.with_cached", "with cached"},
    {"charts.alloc", "alloc"},
    {"charts.allocated", "allocated"},
    {"charts.live", "live"},
    {"charts.fraction", "{part} / {of}"},
    {"charts.in_all", "{n} in all"},
    {"charts.product", "{n} × {bytes} B"},
    {"charts.product_is", "{n} × {bytes} = {sum} B"},
    {"charts.not_formula", "formula: {n}"},
    {"charts.of", "of {n}"},
    {"charts.running", "running"},
    {"charts.waiting", "waiting"},
    {"charts.waste", "waste: allocated, not written"},
    {"charts.measured", "measured"},
    {"charts.formula", "formula"},
    {"charts.begin", "Curves begin with the second step. So far only the axes are drawn."},
    {"charts.caption", "shared step axis, drag to zoom"},
    {"charts.zoomed", "steps {first} to {last}, double click for all"},

    // Equation of a run
    {"run_equation.title", "Bytes held by live tokens"},
    {"run_equation.tokens.why", "Stored tokens of all requests, those in shared slots once."},
    {"run_equation.live", "= live"},
    {"run_equation.measured", "measured in the pool"},
    {"run_equation.more", "more than the formula"},
    {"run_equation.less", "less than the formula"},
    {"run_equation.empty_none", "+ no empty slot"},
    {"run_equation.empty_one", "+ 1 empty slot"},
    {"run_equation.empty", "+ {n} empty slots"},
    {"run_equation.dead", "+ {n} dropped slots"},
    {"run_equation.tokens.tables", "Kept tokens, counted in every table: each layer or KV head has its own."},

    // Roofline of a run
    {"run_roofline.unit", "GFLOP/s"},
    {"run_roofline.now", "now"},
    {"run_roofline.decode", "decode"},
    {"run_roofline.prefill", "prefill"},
    {"run_roofline.at", "{name} {rate}"},
    {"run_roofline.none", "No step is finished yet, so no attention was computed."},
    {"run_roofline.counted", "Step {step}: {flop} FLOP over {bytes} of keys and values, {n} FLOP per byte."},
    {"run_roofline.did", "Step {step}: {flop} FLOP over {bytes} of keys and values, {n} FLOP per byte, in {us} µs."},
    {"run_roofline.not_asked", "Times and roofs are not measured in pictures, so that each comes out the same."},
    {"run_roofline.measuring", "The roofs of this machine are being measured."},
    {"run_roofline.no_times", "The backend reports no times, so only the roofs of this machine ({n} threads) are measured."},
    {"run_roofline.measured", "Measured on this machine with {n} threads; every key counts once for a request and step."},
});
// clang-format on

}  // namespace kv
