#pragma once
// Entries of a tank in few words.

#include <cstdint>
#include <string>
#include <vector>

#include "core/attach/tank/tank.hpp"
#include "core/trace/server/hash.hpp"

namespace kv::test {

inline std::vector<ServerHash> hashes(const std::vector<std::uint64_t>& numbers) {
    std::vector<ServerHash> out;
    out.reserve(numbers.size());
    for (const std::uint64_t number : numbers) out.push_back(server_hash(number));
    return out;
}

// Blocks of 16 tokens, each with tokens of its own.
inline ServerStored stored(const std::vector<std::uint64_t>& numbers,
                           std::optional<std::uint64_t> parent = std::nullopt) {
    ServerStored out{.hashes = hashes(numbers), .block_size = 16};
    if (parent) out.parent = server_hash(*parent);
    for (const std::uint64_t number : numbers)
        for (int i = 0; i < 16; ++i) out.tokens.push_back(static_cast<std::int64_t>(number % 1000));
    return out;
}

inline ServerRemoved removed(const std::vector<std::uint64_t>& numbers) {
    return {.hashes = hashes(numbers)};
}

inline BatchEntry batch(double time_s, std::vector<ServerEvent> events, std::int64_t rank = 0,
                        std::uint64_t sequence = 0) {
    return {.rank = rank,
            .sequence = sequence,
            .batch = {.time_s = time_s, .rank = rank, .events = std::move(events)}};
}

inline std::vector<std::uint64_t> numbers(const std::vector<ServerHash>& list) {
    std::vector<std::uint64_t> out;
    out.reserve(list.size());
    for (const ServerHash& hash : list) out.push_back(low_bits(hash));
    return out;
}

}  // namespace kv::test
