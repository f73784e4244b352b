#pragma once
// What a production server publishes of its cache: batches of events, one batch a step. The same
// value whether it came as JSON in a file or as msgpack over a socket, from this year's server or
// from an older one. Events carry no block ids, no counts of references and no requests.

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace kv {

// A number of 64 bits, kept as its eight bytes, the largest first; or a digest of any length.
struct ServerHash {
    std::string bytes;
    bool number = true;

    bool operator==(const ServerHash&) const = default;
    bool operator<(const ServerHash& other) const {
        return std::tie(bytes, number) < std::tie(other.bytes, other.number);
    }
};

// Blocks of one run of tokens, each the child of the one before it, the first of `parent`.
struct ServerStored {
    std::vector<ServerHash> hashes = {};
    std::optional<ServerHash> parent = std::nullopt;
    std::vector<std::int64_t> tokens = {};  // may be fewer or more than hashes x block_size
    std::int64_t block_size = 0;            // 0: a placeholder, its tokens were not sent
    std::optional<std::int64_t> lora = std::nullopt;
    std::string medium = "GPU";
    std::int64_t group = 0;
    std::string layer_kind = {};  // as the server names it; empty when it does not
    std::optional<std::int64_t> window = std::nullopt;

    bool operator==(const ServerStored&) const = default;
};

struct ServerRemoved {
    std::vector<ServerHash> hashes = {};
    std::string medium = "GPU";
    std::int64_t group = 0;

    bool operator==(const ServerRemoved&) const = default;
};

struct ServerCleared {
    bool operator==(const ServerCleared&) const = default;
};

// An event of a kind or a form that we do not know: "BlockLost", "BlockStored.token_ids". It is
// counted, told once and passed over.
struct ServerUnknown {
    std::string kind;

    bool operator==(const ServerUnknown&) const = default;
};

using ServerEvent = std::variant<ServerStored, ServerRemoved, ServerCleared, ServerUnknown>;

struct ServerBatch {
    double time_s = 0;  // on the server's clock
    std::optional<std::int64_t> rank = std::nullopt;
    std::vector<ServerEvent> events = {};

    bool operator==(const ServerBatch&) const = default;
};

}  // namespace kv
