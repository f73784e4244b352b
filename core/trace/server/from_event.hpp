#pragma once
// An event of our own engine as a server would publish it.

#include <optional>

#include "core/trace/event/event.hpp"
#include "core/trace/server/batch.hpp"

namespace kv {

// Nothing for what servers do not publish. A pool that is made anew forgets what the old one held.
std::optional<ServerEvent> server_event_of(const EventBody& what);

}  // namespace kv
