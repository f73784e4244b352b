#pragma once
// A trace as text, one JSON object a line. Each line has the head n, iteration, event and request,
// then the event's own fields, then the reason as a sentence and as `why`, from which it can be
// read back. The first line says besides which version of the format this is and which model ran.
// docs/trace-format.md describes it for those who read it with other tools.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace/trace.hpp"

namespace kv {

inline constexpr std::uint32_t kTraceVersion = 1;

// Fields that a clock measured: two runs of one scene differ in these alone.
constexpr bool is_measured(std::string_view field) {
    return field == "us";
}

struct TraceJson {
    bool with_times = true;                           // false leaves the measured fields out
    std::optional<std::string> model = std::nullopt;  // what identifies the checkpoint: its SHA-256
};

// The line of event number n, without its line feed. Requests stand in it by their names.
std::string event_json(std::uint64_t n, const Event& event, const NameOfRequest& name,
                       const TraceJson& how = {});

// All lines, in pieces of whole lines that are some tens of kilobytes large.
void export_trace(const Trace& trace, const TraceJson& how,
                  const std::function<void(std::string_view)>& write);
std::string trace_json(const Trace& trace, const TraceJson& how = {});

}  // namespace kv
