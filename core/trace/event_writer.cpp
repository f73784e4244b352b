#include "core/trace/event_writer.hpp"

#include <utility>

#include "core/trace/event/event.hpp"

namespace kv {

void EventWriter::tell(std::optional<SeqId> id, const Reason& reason, EventBody what) {
    if (log_ != nullptr) log_->append({iteration_, id, reason, std::move(what)});
}
void EventWriter::tell(const Reason& reason, EventBody what) {
    tell({}, reason, std::move(what));
}

}  // namespace kv
