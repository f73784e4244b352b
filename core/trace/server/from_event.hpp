#pragma once
// An event of our own engine as a server would publish it.

#include <optional>

#include "core/trace/event/log.hpp"
#include "core/trace/server/batch.hpp"

namespace kv {

// The event as a server publishes it; nothing where servers publish none. A pool that is made anew
// forgets what the old one held.
std::optional<ServerEvent> server_event_of(const EventBody& what);

}  // namespace kv
