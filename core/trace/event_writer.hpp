#pragma once
// Writes events to a log, each with its reason and the iteration at hand.

#include <cstdint>
#include <optional>
#include <utility>

#include "core/trace/event/event.hpp"

namespace kv {

class EventWriter {
public:
    explicit EventWriter(EventLog* log) : log_(log) {}  // null: nobody is told

    void begin_iteration(std::uint32_t iteration) { iteration_ = iteration; }

    void tell(std::optional<SeqId> id, const Reason& reason, EventBody what) {
        if (log_ != nullptr) log_->append({iteration_, id, reason, std::move(what)});
    }
    void tell(const Reason& reason, EventBody what) { tell({}, reason, std::move(what)); }

private:
    EventLog* log_;
    std::uint32_t iteration_ = 0;
};

}  // namespace kv
