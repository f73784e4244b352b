#pragma once
// Hashes of servers as texts and as numbers. Servers write 64 bits as a number, with or without a
// sign, or a longer digest as bytes: in hexadecimal, or in base64 as their own encoder of JSON
// does.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace/server/batch.hpp"

namespace kv {

ServerHash server_hash(std::uint64_t number);
// Hexadecimal where all letters are such digits, else base64; nothing for another text. A base64
// text of a digest that has another length than a multiple of three ends in "=", so it is not taken
// for the other.
std::optional<ServerHash> server_hash_of_text(std::string_view text);

// The number, or of a digest its last 64 bits, which is what vLLM does when it is told to publish
// whole numbers.
std::uint64_t low_bits(const ServerHash& hash);
std::string hash_text(const ServerHash& hash);  // decimal without a sign, or hexadecimal digits

}  // namespace kv
