#pragma once
// The samples of a run as curves: one value per iteration in the unit that is drawn, read on from
// where it stopped, and thinned to the pixels there are. Pure.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "app/panels/charts/extremes.hpp"
#include "app/panels/view/history.hpp"
#include "app/panels/view/run.hpp"
#include "core/base/reused.hpp"

namespace kv {

enum class RunCurve : std::uint8_t {
    Live,  // bytes, or token slots where nobody knows the bytes
    Allocated,
    WithCached,
    Utilisation,  // shares
    HitRate,
    Computed,  // tokens of the iteration
    Evicted,   // tokens that a policy dropped in it, counted in every table
    Read,      // bytes of the iteration: as counted by the engine, and by the formula
    Formula,
    Offloaded,  // blocks in the host tier
    Running,    // requests
    Waiting,
    Time,  // microseconds of the iteration, by the backend's clock
    AttendTime,
    ModelTime,  // milliseconds of the iteration, by the time model
    PerToken,   // bytes read, those of a draft model too, for each new token
};
inline constexpr std::size_t kRunCurves = 16;
using CurveValues = std::array<double, kRunCurves>;

inline std::size_t index_of(RunCurve curve) {
    return static_cast<std::size_t>(curve);
}

// What the queries of a finished step look at, each for itself, by the formula.
struct StepRead {
    std::uint64_t tokens = 0, slot = 0;  // so many, and the bytes of each

    std::uint64_t bytes() const { return tokens * slot; }
};
StepRead read_in(const Sample& finished, const RunView& run, const RunHistory& history);

CurveValues curve_values(const Sample& sample, const RunView& run, const StepRead& read = {},
                         const StepTimes& times = {});

// The state at the cursor in the form of a sample, so that it stands on the curves: what an
// iteration does as a whole is that of the last one that was finished.
Sample sample_at_cursor(const RunView& run);
// That one; null: none was.
const Sample* last_finished(const RunView& run);

class RunSeries {
public:
    void catch_up(const RunView& run, const RunHistory& history);

    std::size_t size() const { return iterations_.size(); }
    std::uint32_t iteration(std::size_t i) const { return iterations_[i]; }
    std::size_t first_at(double iteration) const;  // not before that iteration; size(): none
    const Extremes& of(RunCurve curve) const { return curves_[index_of(curve)]; }
    std::uint64_t computed_until(std::size_t i) const { return computed_[i]; }  // that one included

private:
    std::uint64_t run_ = 0;
    std::vector<std::uint32_t> iterations_;
    std::vector<std::uint64_t> computed_;
    std::array<Extremes, kRunCurves> curves_;
};

struct CurvePoints {
    List<double> xs, ys;
    void reserve(std::size_t n) { xs.reserve(n), ys.reserve(n); }
    void add(double x, double y) { xs.push_back(x), ys.push_back(y); }
};
// Samples [first, last) on `columns` pixel columns: each where they fit, else the least and the
// greatest of every column.
CurvePoints line_points(const RunSeries& series, RunCurve curve, std::size_t first,
                        std::size_t last, std::size_t columns);
// The greatest of every column alone, for areas that stand on each other.
CurvePoints top_points(const RunSeries& series, RunCurve curve, std::size_t first, std::size_t last,
                       std::size_t columns);
// Every value held since the point before: what an iteration left is seen up to its end.
CurvePoints held_back(const CurvePoints& points);
// A bar for each value: half a step before it and half a step after.
CurvePoints as_bars(const CurvePoints& points);

}  // namespace kv
