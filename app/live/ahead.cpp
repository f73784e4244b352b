#include "app/live/ahead.hpp"

#include <algorithm>

#include "app/live/loading/seconds_now.hpp"
#include "core/base/error.hpp"

namespace kv {

std::optional<Moved> pursue(CursorDriver& driver, const Computing& on, double until) {
    while (on.run && driver.has_goal()) {
        if (on.session && !on.session->settle(std::max(0.0, until - seconds_now())))
            return std::nullopt;
        const Moved moved = driver.advance(*on.run);
        if (moved != Moved::NeedsMore) return moved;
        KV_ASSERT(on.session != nullptr);  // RunCursor::may_grow() is false for a recorded run
        if (seconds_now() > until) {
            if (on.wake) on.wake();
            return std::nullopt;
        }
        if (on.session->can_run_ahead())
            on.session->start_ahead(on.wake);
        else if (!on.comparison.advance(until - seconds_now()))
            return std::nullopt;  // the goal waits for the other side
    }
    return std::nullopt;
}

void record_ahead(const Computing& on) {
    constexpr std::uint32_t kFarAhead = 4'096;
    const auto is_wanted = [&](const RunSession& run) {
        return runs_unasked(run) &&
               run.trace().end().iteration < on.session->now().iteration + kFarAhead;
    };
    for (RunSession* run : {on.session, on.comparison.session()})
        if (run != nullptr && run->settle(0) && run->can_run_ahead() && is_wanted(*run))
            run->start_ahead(on.wake);
}

}  // namespace kv
