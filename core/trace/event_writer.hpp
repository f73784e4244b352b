#pragma once
// Writes events to a log, each with its reason and the iteration at hand.

#include <cstdint>
#include <optional>
#include <type_traits>
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
        using Kind = std::decay_t<What>;
        if (log_ != nullptr) [[unlikely]]
            append<Kind>(id, reason, Kind(std::forward<What>(what)));
    }
    template <class What>
    void tell(const Reason& reason, What&& what) {
        tell(std::nullopt, reason, std::forward<What>(what));
    }

private:
    // Compiled once for every kind, in event_writer.cpp, so that the books, which tell of blocks,
    // need not know what else can happen.
    template <class Kind>
    void append(std::optional<SeqId> id, const Reason& reason, Kind&& what);
    template <class Any>
    struct ForEveryKind;

    EventLog* log_;
    std::uint32_t iteration_ = 0;
};

}  // namespace kv
