// Charts, Equation and Roofline of a run as tables.

#include <array>
#include <cmath>

#include "app/panels/charts/equation_plan.hpp"
#include "app/panels/charts/roofline_plan.hpp"
#include "app/panels/charts/series.hpp"
#include "app/panels/tables/tables.hpp"
#include "app/panels/view/facts.hpp"

namespace kv {
namespace {

struct CurveName {
    RunCurve curve;
    const char *name, *unit;
    bool is_real = false, is_held = false;
};
constexpr std::array<CurveName, kRunCurves - 2> kCurves{{
    // no measured times: exports hold none
    {RunCurve::Live, "live", "B", false, true},
    {RunCurve::Allocated, "allocated", "B", false, true},
    {RunCurve::WithCached, "allocated and cached", "B", false, true},
    {RunCurve::Utilisation, "utilisation", "", true},
    {RunCurve::HitRate, "prefix hit rate", "", true},
    {RunCurve::Computed, "computed tokens", ""},
    {RunCurve::Evicted, "evicted tokens", ""},
    {RunCurve::Read, "KV read", "B"},
    {RunCurve::Formula, "KV read by the formula", "B"},
    {RunCurve::Offloaded, "blocks in host memory", ""},
    {RunCurve::Running, "running requests", ""},
    {RunCurve::Waiting, "waiting requests", ""},
    {RunCurve::ModelTime, "modelled time", "ms", true},
    {RunCurve::PerToken, "KV read for each new token", "B", true},
}};

// Counts are whole; shares are fractions from 0 to 1, times have parts.
TableCell cell_of(const CurveName& curve, const CurveValues& values) {
    const double value = values[index_of(curve.curve)];
    if (std::isnan(value) && !curve.is_real) return {};
    if (curve.is_real) return value;
    return static_cast<std::uint64_t>(value);
}

// A record of a run counts slots where bytes would stand.
std::string unit_of(const CurveName& curve, const RunView& run) {
    return curve.is_held && !knows_bytes(run.layout) ? "slots" : curve.unit;
}

DataTable samples_of(const RunView& run, const RunHistory& history) {
    DataTable table{"samples", "At the end of each step", {{"step"}, {"after the cursor"}}, {}};
    for (const CurveName& curve : kCurves)
        table.columns.push_back({curve.name, unit_of(curve, run)});
    for (const Sample& sample : run.samples) {
        const CurveValues values = curve_values(sample, run, read_in(sample, run, history));
        table.add(std::uint64_t{sample.iteration}, sample.moment > run.moment);
        for (const CurveName& curve : kCurves) table.rows.back().push_back(cell_of(curve, values));
    }
    return table;
}

DataTable at_cursor(const RunView& run, const RunHistory& history) {
    DataTable table{"now", "At the cursor", {{"what"}, {"value"}, {"unit"}}, {}};
    const Sample* const finished = last_finished(run);
    const CurveValues values =
        curve_values(sample_at_cursor(run), run,
                     finished == nullptr ? StepRead{} : read_in(*finished, run, history));
    for (const CurveName& curve : kCurves)
        table.add(std::string(curve.name), cell_of(curve, values), unit_of(curve, run));
    return table;
}

void add_point(DataTable& table, const std::string& name, const RoofPoint& point) {
    table.add(name, point.intensity, point.flops > 0 ? TableCell(point.flops) : TableCell());
}

}  // namespace

DataTables charts_tables(const RunView& run, const RunHistory& history) {
    return {at_cursor(run, history), samples_of(run, history)};
}

DataTables run_equation_tables(const RunView& run, const Texts& text) {
    const RunEquation equation = plan_run_equation(run, text);
    DataTable factors{
        "factors", "Factors", {{"term"}, {"side"}, {"factor"}, {"value"}, {"meaning"}}, {}};
    DataTable terms{"terms", "Terms", {{"term"}, {"side"}, {"bytes", "B"}}, {}};
    std::uint64_t n = 0;
    for (const EquationTerm& term : equation.plan.terms) {
        const std::string side = !term.side ? "" : *term.side == Side::K ? "K" : "V";
        for (const EquationFactor& factor : term.factors)
            factors.add(n, side, factor.label, factor.amount, factor.meaning);
        terms.add(n++, side, std::uint64_t{term.bytes});
    }
    const RunBytes& b = equation.bytes;
    DataTable bytes{"bytes", "Formula and measurement", {{"what"}, {"count"}, {"bytes", "B"}}, {}};
    bytes.add(std::string("live, by the formula"), b.tokens, b.formula);
    bytes.add(std::string("live, measured in the pool"), TableCell(), b.measured);
    bytes.add(std::string("empty slots of used blocks"), b.empty_slots, b.empty);
    bytes.add(std::string("allocated"), b.blocks, b.allocated);
    DataTable heads{"heads",
                    "The same tokens with other KV heads",
                    {{"attention"}, {"bytes", "B"}, {"this run"}},
                    {}};
    for (const HeadsBar& bar : equation.bars) heads.add(bar.label, bar.bytes, bar.current);
    return {bytes, terms, factors, heads};
}

DataTables run_roofline_tables(const RunView& run, const RunHistory& history, const Texts& text) {
    const AttentionNow now = attention_now(run, history);
    const RunRoofline plan = plan_run_roofline(run, now, text);
    DataTable points{
        "points", "Points", {{"point"}, {"intensity", "FLOP/B"}, {"rate", "FLOP/s"}}, {}};
    for (const RoofPoint& ring : plan.rings) add_point(points, ring.label + " at most", ring);
    if (plan.decode) add_point(points, "decode", *plan.decode);
    if (plan.prefill) add_point(points, "prefill", *plan.prefill);
    DataTable roofs{"roofs", "Roofs", {{"roof"}, {"value"}, {"unit"}}, {}};
    if (plan.bandwidth > 0) roofs.add(plan.memory, plan.bandwidth, std::string("B/s"));
    if (plan.peak > 0) roofs.add(plan.compute, plan.peak, std::string("FLOP/s"));
    if (plan.ridge > 0) roofs.add(std::string("ridge"), plan.ridge, std::string("FLOP/B"));
    if (roofs.rows.empty()) return {points};
    return {points, roofs};
}

}  // namespace kv
