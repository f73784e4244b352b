#pragma once
// The public traces that are JSON lines: Mooncake (times in milliseconds, 512 tokens to a hash) and
// Qwen-Bailian (seconds, 16 tokens to a hash). Internal to the readers.

#include "core/sim/traces/row.hpp"

namespace kv {

class JsonTrace {
public:
    static std::variant<JsonTrace, FieldRefusal> from_first_line(std::string_view line);

    TraceFormat format() const { return format_; }
    std::optional<FieldRefusal> read(std::string_view line, TraceRow& row) const;

private:
    explicit JsonTrace(TraceFormat format) : format_(format) {}

    TraceFormat format_;
};

}  // namespace kv
