#include "app/panels/charts/series.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/view/facts.hpp"
#include "app/panels/view/real.hpp"

namespace kv {
namespace {

double share(std::uint64_t part, std::uint64_t of) {
    return of == 0 ? kNothing : real(part) / real(of);
}

// Calls each(x, first, last) for every column that holds samples.
template <class Each>
void each_column(const RunSeries& series, std::size_t first, std::size_t last, std::size_t columns,
                 Each each) {
    const std::size_t n = last - first;
    for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t from = first + n * column / columns;
        const std::size_t to = first + n * (column + 1) / columns;
        if (from < to) each(real(series.iteration(from)), from, to);
    }
}

}  // namespace

StepRead read_in(const Sample& finished, const RunView& run, const RunHistory& history) {
    const std::uint64_t slot =
        knows_bytes(run.layout) ? measure_at(run, finished.moment).slot : std::uint64_t{0};
    return {history.keys_by_query(finished.iteration), slot};
}

CurveValues curve_values(const Sample& sample, const RunView& run, const StepRead& read,
                         const StepTimes& times) {
    const std::uint64_t token = measure_at(run, sample.moment).slot,
                        block = measure_of_block(run, sample);
    CurveValues v{};
    const auto set = [&v](RunCurve curve, double value) { v[index_of(curve)] = value; };
    set(RunCurve::Live, real(sample.live_tokens * token));
    set(RunCurve::Allocated, real(sample.used_blocks * block));
    set(RunCurve::WithCached, real((sample.used_blocks + sample.cached_blocks) * block));
    set(RunCurve::Utilisation, share(sample.live_tokens, sample.allocated_slots));
    set(RunCurve::HitRate, share(sample.totals.prefix_hits, sample.totals.prefix_queries));
    set(RunCurve::Computed, real(sample.tokens));
    set(RunCurve::Evicted, real(sample.step.tokens_dropped));
    set(RunCurve::Read, real(sample.kv_bytes_read));
    set(RunCurve::Formula, knows_bytes(run.layout) ? real(read.bytes()) : kNothing);
    set(RunCurve::Offloaded, real(sample.host_blocks));
    set(RunCurve::Running, sample.running);
    set(RunCurve::Waiting, sample.waiting);
    set(RunCurve::Time, times.us);
    set(RunCurve::AttendTime, times.attention_us);
    set(RunCurve::ModelTime, sample.model_us / 1000);
    set(RunCurve::PerToken, share(sample.kv_bytes_read, sample.step.new_tokens));
    return v;
}

const Sample* last_finished(const RunView& run) {
    const auto after =
        std::upper_bound(run.samples.begin(), run.samples.end(), run.moment,
                         [](std::uint64_t moment, const Sample& s) { return moment < s.moment; });
    return after == run.samples.begin() ? nullptr : &*(after - 1);
}

Sample sample_at_cursor(const RunView& run) {
    const Sample* const finished = last_finished(run);
    Sample sample = finished == nullptr ? Sample{} : *finished;
    const PoolCounts pool = count_pool(run.now);
    sample.iteration = run.now.iteration;
    sample.moment = run.moment;
    sample.used_blocks = pool.used, sample.cached_blocks = pool.cached;
    sample.pool_blocks = pool.blocks, sample.pool_slots = pool.blocks * run.now.block_size;
    sample.live_tokens = pool.live_slots, sample.allocated_slots = pool.allocated_slots;
    sample.host_blocks = pool.host_held;
    sample.running = static_cast<std::uint32_t>(run.now.running.size());
    sample.waiting = static_cast<std::uint32_t>(run.now.waiting.size());
    sample.totals = run.now.counters;
    return sample;
}

void RunSeries::catch_up(const RunView& run, const RunHistory& history) {
    if (run_ != run.id || run.samples.size() < size()) *this = {};
    run_ = run.id;
    for (std::size_t i = size(); i < run.samples.size(); ++i) {
        const Sample& sample = run.samples[i];
        const CurveValues values = curve_values(sample, run, read_in(sample, run, history),
                                                history.times(sample.iteration));
        for (std::size_t c = 0; c < kRunCurves; ++c) curves_[c].push(values[c]);
        computed_.push_back(sample.tokens + (computed_.empty() ? 0 : computed_.back()));
        iterations_.push_back(sample.iteration);
    }
}

std::size_t RunSeries::first_at(double iteration) const {
    const auto at = std::lower_bound(iterations_.begin(), iterations_.end(), iteration);
    return static_cast<std::size_t>(at - iterations_.begin());
}

CurvePoints line_points(const RunSeries& series, RunCurve curve, std::size_t first,
                        std::size_t last, std::size_t columns) {
    const Extremes& values = series.of(curve);
    CurvePoints out;
    last = std::min(last, series.size());
    if (first >= last) return out;
    out.reserve(std::min(last - first, 2 * columns) + 1);  // and the cursor
    if (last - first <= 2 * columns) {
        for (std::size_t i = first; i < last; ++i) out.add(series.iteration(i), values[i]);
        return out;
    }
    each_column(series, first, last, columns, [&](double x, std::size_t from, std::size_t to) {
        Extent e = values.of(from, to);
        // The nearer end first, so that the line does not cross its column twice.
        const bool from_above = !out.ys.empty() && out.ys.back() > (e.low + e.high) / 2;
        out.add(x, from_above ? e.high : e.low);
        if (e.high > e.low) out.add(x, from_above ? e.low : e.high);
    });
    return out;
}

CurvePoints top_points(const RunSeries& series, RunCurve curve, std::size_t first, std::size_t last,
                       std::size_t columns) {
    CurvePoints out;
    last = std::min(last, series.size());
    if (first >= last) return out;
    out.reserve(std::min(std::max<std::size_t>(1, columns), last - first) + 1);
    each_column(series, first, last, std::min(std::max<std::size_t>(1, columns), last - first),
                [&](double x, std::size_t from, std::size_t to) {
                    out.add(x, series.of(curve).of(from, to).high);
                });
    return out;
}

CurvePoints held_back(const CurvePoints& points) {
    CurvePoints out;
    out.reserve(2 * points.xs.size());
    for (std::size_t i = 0; i < points.xs.size(); ++i) {
        if (i > 0) out.add(points.xs[i - 1], points.ys[i]);
        out.add(points.xs[i], points.ys[i]);
    }
    return out;
}

CurvePoints as_bars(const CurvePoints& points) {
    CurvePoints out;
    out.reserve(2 * points.xs.size());
    for (std::size_t i = 0; i < points.xs.size(); ++i)
        for (const double edge : {-0.5, 0.5}) out.add(points.xs[i] + edge, points.ys[i]);
    return out;
}

}  // namespace kv
