#pragma once
// Batches of a server as msgpack, which is how they come over a socket: the arrays and the maps
// that vLLM and SGLang have published, on both levels. An event of another form is an unknown
// event. Bounded: no batch makes more values than one step of a server could.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "core/trace/server/batch.hpp"

namespace kv {

struct MsgpackBatch {
    ServerBatch batch = {};
    bool negative_hashes = false;  // a number had a sign: this server writes them so
};

struct ServerRefusal {
    std::uint64_t offset = 0;  // bytes from the start
    std::string rule;          // "is no batch of events"
};

std::variant<MsgpackBatch, ServerRefusal> read_batch_msgpack(std::string_view bytes);

// The batch as vLLM writes it since 0.24: an array of maps, the kind first and defaults left out.
std::string batch_msgpack(const ServerBatch& batch);

}  // namespace kv
