#pragma once
// Who is told what happens. Headers include this; what can happen stands in event.hpp, which only
// those need who write events or read them.

namespace kv {

struct Event;
struct EventBody;

// The cache and the engine write to one of these, through an EventWriter, and never read it. In a
// run it is the Recorder (core/engine/run/memory); a Trace is one as well.
class EventLog {
public:
    virtual ~EventLog() = default;
    virtual void append(const Event& event) = 0;
};

}  // namespace kv
