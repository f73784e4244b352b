#include "core/trace/event_writer.hpp"

#include <utility>

#include "core/trace/event/event.hpp"

namespace kv {

void EventWriter::append(std::optional<SeqId> id, const Reason& reason, EventBody what) {
    log_->append({iteration_, id, reason, std::move(what)});
}

}  // namespace kv
