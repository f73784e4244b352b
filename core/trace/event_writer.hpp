#pragma once
// Writes events to a log, each with its reason and the iteration at hand.

#include <cstdint>
#include <optional>

#include "core/base/ids.hpp"
#include "core/trace/event/log.hpp"
#include "core/trace/event/reason.hpp"

namespace kv {

class EventWriter {
public:
    explicit EventWriter(EventLog* log) : log_(log) {}  // null: nobody is told

    void begin_iteration(std::uint32_t iteration) { iteration_ = iteration; }

    void tell(std::optional<SeqId> id, const Reason& reason, EventBody what);
    void tell(const Reason& reason, EventBody what);

private:
    EventLog* log_;
    std::uint32_t iteration_ = 0;
};

}  // namespace kv
