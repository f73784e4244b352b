#pragma once
// The run as it happened: events, only ever added, and now and then a keyframe, a whole snapshot.
// Any moment is the keyframe before it and the events since. A moment is named by the number of
// events that lie before it: 0 is the start, size() the end.
//
// A run in the window has two: the engine adds to its own while it computes (Recorder), and
// RunSession::publish() adds the same events to the one that is drawn, between two frames.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/trace/event/pack.hpp"
#include "core/trace/snapshot.hpp"

namespace kv {

// How far one step of the cursor goes.
enum class Granularity : std::uint8_t { Operation, Layer, Token, Iteration };
std::string_view name_of(Granularity granularity);

class Trace : public EventLog {
public:
    Trace();

    void append(const Event& event) override;
    std::uint64_t size() const { return size_; }
    Event event(std::uint64_t n) const;

    const Snapshot& end() const { return end_; }
    Snapshot at(std::uint64_t moment) const;

    // The nearest moment after `moment`, or before it, at which a step of this size ends; where
    // there is none, the end of the trace, or its start. None at that edge itself.
    std::optional<std::uint64_t> next(std::uint64_t moment, Granularity step) const;
    std::optional<std::uint64_t> previous(std::uint64_t moment, Granularity step) const;
    // The moment after the last event of that iteration; iteration 0 ends before the first starts.
    std::optional<std::uint64_t> end_of_iteration(std::uint32_t iteration) const;

    // The first event from number n on, or the last one before n, that `wanted` accepts.
    using Wanted = std::function<bool(const Event&)>;
    std::optional<std::uint64_t> find(std::uint64_t n, const Wanted& wanted) const;
    std::optional<std::uint64_t> find_back(std::uint64_t n, const Wanted& wanted) const;

    // Events first to last, without the last. Faster than asking one by one.
    void each(std::uint64_t first, std::uint64_t last,
              const std::function<void(std::uint64_t n, const Event&)>& visit) const;

    std::uint64_t memory_bytes() const;  // packed events and what leads to them; no keyframes

private:
    struct Keyframe {
        std::uint64_t moment;
        Snapshot state;
    };
    std::size_t offset_of(std::uint64_t n) const;

    std::uint64_t size_ = 0;
    PackedBytes bytes_;
    std::vector<std::size_t> offsets_;  // of every kStride-th event
    std::vector<Keyframe> keyframes_;
    Snapshot end_;
};

}  // namespace kv
