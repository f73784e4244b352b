#include "core/trace/event_writer.hpp"

#include <tuple>
#include <utility>
#include <variant>

#include "core/trace/event/event.hpp"

namespace kv {

template <class Kind>
void EventWriter::append(std::optional<SeqId> id, const Reason& reason, Kind&& what) {
    log_->append({iteration_, id, reason, std::move(what)});
}

// Whose instantiation needs the address of each `append`, and so compiles it. Some who tell hold
// any kind, as an EventBody.
template <class... Kinds>
struct EventWriter::ForEveryKind<std::variant<Kinds...>> {
    static constexpr std::tuple all{&EventWriter::append<EventBody>,
                                    &EventWriter::append<Kinds>...};
};
template struct EventWriter::ForEveryKind<AnyEvent>;

}  // namespace kv
