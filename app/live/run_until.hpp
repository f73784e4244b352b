#pragma once
// The words of a break point, such as "copy", "request B" or "block 7", as a test of events.

#include <string>
#include <string_view>
#include <vector>

#include "app/live/cursor_driver.hpp"
#include "core/trace/trace.hpp"

namespace kv {

// Events that move a block from hand to hand: what "next event" goes to.
bool changes_a_block(const Event& event);

// Throws kv::Error (Usage) when the words name no kind of event, request or block. `known`: the
// requests that have arrived; `to_come`: the names of those that will.
Trace::Wanted wanted_by(std::string_view words, const Snapshot& known,
                        const std::vector<std::string>& to_come);

// A goal just behind the next event that the words name.
CursorDriver::Goal goal_until(const std::string& words, const RunCursor& run,
                              const std::vector<std::string>& to_come);

}  // namespace kv
