#pragma once
// Batches of a server as JSON, which is how recordings hold them: a line a batch. Taken are the
// maps and the tagged arrays that vLLM and SGLang have published, on both levels, and single events
// as lines of their own. What has another form is an unknown event and never a reason to give up.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace/server/batch.hpp"

namespace kv {

struct ServerLine {
    std::optional<std::uint64_t> sequence =
        std::nullopt;  // the number of the batch, where a recording keeps it
    std::optional<ServerBatch> batch = std::nullopt;  // none in a line of metrics
};

// A line of a recording; nothing when the value is neither a batch, an event nor metrics, and from
// a text also when that is no JSON.
std::optional<ServerLine> server_line(const nlohmann::json& json);
std::optional<ServerLine> parsed_server_line(std::string_view text);

enum class LineTokens { LeftOut, Written };
// The line that a recording has, without its line feed.
std::string server_line_text(const ServerBatch& batch, std::optional<std::uint64_t> sequence,
                             LineTokens tokens);

}  // namespace kv
