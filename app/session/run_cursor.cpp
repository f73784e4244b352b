#include "app/session/run_cursor.hpp"

#include <variant>

#include "core/base/error.hpp"
#include "core/trace/event/event.hpp"

namespace kv {

// A short way forward is walked event by event; any other way begins at a keyframe.
void RunCursor::go(std::uint64_t moment) {
    // Events. Between two keyframes lie 4,096 and more (Trace), so this is mostly the shorter way.
    constexpr std::uint64_t kShort = 512;
    if (moment >= moment_ && moment - moment_ <= kShort)
        trace_.each(moment_, moment,
                    [&](std::uint64_t, const Event& event) { apply(now_, event); });
    else
        now_ = trace_.at(moment);
    moment_ = moment;
    cursor_moved();
}

// Whether a finished step is the last of the trace. If not, its last events, such as that a command
// was told, belong to the step that comes next.
bool RunCursor::trace_ends_a_step() const {
    return trace_.size() > 0 &&
           std::holds_alternative<IterationFinished>(trace_.event(trace_.size() - 1).what);
}

Moved RunCursor::try_forward(Granularity step) {
    const auto next = trace_.next(moment_, step);
    const bool may_be_cut = !next || (*next == trace_.size() && !trace_ends_a_step());
    if (may_be_cut && may_grow()) return Moved::NeedsMore;
    if (!next) return Moved::NoFurther;
    go(*next);
    return Moved::Yes;
}

Moved RunCursor::try_to_iteration(std::uint32_t iteration) {
    if (may_grow_to(iteration)) return Moved::NeedsMore;
    // Nothing: the run ended before it.
    go(trace_.end_of_iteration(iteration).value_or(trace_.size()));
    return Moved::Yes;
}

Moved RunCursor::try_to_end() {
    if (may_grow()) return Moved::NeedsMore;
    go(trace_.size());
    return Moved::Yes;
}

Moved RunCursor::try_to_next(const Trace::Wanted& wanted, std::uint64_t& from) {
    if (const auto found = trace_.find(from, wanted)) {
        go(*found + 1);
        return Moved::Yes;
    }
    from = trace_.size();
    return may_grow() ? Moved::NeedsMore : Moved::NoFurther;
}

bool RunCursor::back(Granularity step) {
    const auto previous = trace_.previous(moment_, step);
    if (!previous) return false;
    go(*previous);
    return true;
}

void RunCursor::to_moment(std::uint64_t moment) {
    KV_ASSERT(moment <= trace_.size());
    go(moment);
}

bool RunCursor::to_previous(const Trace::Wanted& wanted) {
    if (moment_ == 0) return false;
    const auto found = trace_.find_back(moment_ - 1, wanted);
    if (!found) return false;
    go(*found + 1);
    return true;
}

}  // namespace kv
