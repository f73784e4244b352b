#pragma once
// Writes events to a log, each with its reason and the iteration at hand.

#include <cstdint>
#include <optional>
#include <utility>

#include "core/base/ids.hpp"
#include "core/trace/event/log.hpp"
#include "core/trace/event/reason.hpp"

namespace kv {

class EventWriter {
public:
    explicit EventWriter(EventLog* log) : log_(log) {}  // null: nobody is told

    void begin_iteration(std::uint32_t iteration) { iteration_ = iteration; }

    // `what` is one of the kinds in event/event.hpp. It becomes an EventBody only where somebody is
    // told: the ways of the books are walked all day, mostly without a log.
    template <class What>
    void tell(std::optional<SeqId> id, const Reason& reason, What&& what) {
        if (log_ != nullptr) append(id, reason, std::forward<What>(what));
    }
    template <class What>
    void tell(const Reason& reason, What&& what) {
        tell(std::nullopt, reason, std::forward<What>(what));
    }

private:
    void append(std::optional<SeqId> id, const Reason& reason, EventBody what);

    EventLog* log_;
    std::uint32_t iteration_ = 0;
};

}  // namespace kv
