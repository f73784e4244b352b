#pragma once
// One line of a trace file, already read as JSON, back to the event that it tells. Strict: every
// field of the event and of the head, no other, each of its type and range. Two may be missing:
// what was measured (is_measured), and in the first line version and model. Whether the event can
// have happened is asked elsewhere (applicable.hpp). Internal to the import.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>

#include "core/trace/applicable.hpp"
#include "core/trace/event/event.hpp"

namespace kv {

// Requests by name, in the order of their arrival.
class RequestIds {
public:
    std::optional<SeqId> find(const std::string& name) const;
    SeqId next() const { return SeqId(static_cast<std::uint32_t>(ids_.size())); }
    void add(const std::string& name) { ids_.emplace(name, next().value); }

private:
    std::unordered_map<std::string, std::uint32_t> ids_;
};

struct EventLine {
    std::uint64_t n = 0;
    Event event;
    std::optional<std::uint64_t> version;  // said in the first line alone
    std::optional<std::string> model;
};

std::variant<EventLine, EventRefusal> read_event(const nlohmann::json& json, const RequestIds& ids);

}  // namespace kv
