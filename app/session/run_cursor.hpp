#pragma once
// A trace and a cursor in it. Everything on the screen is a function of both, so going back is no
// different from going on. A run that is still being computed can grow at its end; then a try to
// move past it ends with NeedsMore. RunSession is such a run; a RecordedRun, read from a file,
// never grows, so no try on it ends that way.

#include <cstdint>

#include "core/trace/metrics.hpp"
#include "core/trace/trace.hpp"

namespace kv {

// How a try to move ended: NeedsMore when the engine has to run ahead first, NoFurther when nothing
// more lies that way.
enum class Moved : std::uint8_t { Yes, NeedsMore, NoFurther };

class RunCursor {
public:
    virtual ~RunCursor() = default;

    const Trace& trace() const { return trace_; }
    const MetricSeries& series() const { return series_; }

    // The cursor, and the state at it.
    std::uint64_t moment() const { return moment_; }
    const Snapshot& now() const { return now_; }
    bool at_start() const { return moment_ == 0; }

    // One step back. False at the start.
    bool back(Granularity step);
    void to_moment(std::uint64_t moment);  // of the trace as it is
    // Back to just after the last wanted event, not counting the one just before the cursor.
    bool to_previous(const Trace::Wanted& wanted);

    // Moves within what is recorded, without running ahead.
    Moved try_forward(Granularity step);
    Moved try_to_iteration(std::uint32_t iteration);
    Moved try_to_end();
    // `from`: where to search; moved on behind what has been searched.
    Moved try_to_next(const Trace::Wanted& wanted, std::uint64_t& from);

    // Whether more events may follow the last one.
    virtual bool may_grow() const { return false; }

protected:
    // Whether more events of that iteration, or of one before it, may follow the last one.
    virtual bool may_grow_to(std::uint32_t) const { return false; }
    virtual void cursor_moved() {}
    void go(std::uint64_t moment);

    Trace trace_;
    MetricSeries series_;

private:
    bool trace_ends_a_step() const;

    std::uint64_t moment_ = 0;
    Snapshot now_;
};

}  // namespace kv
