#pragma once
// What every reader of a public trace makes of a line, or why it refuses it. Internal to the
// readers; reader.hpp is their front.

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/sim/workload.hpp"

namespace kv {

constexpr u64 kLongestRequest = 1'000'000'000;              // tokens of a prompt or an answer
constexpr const char* kCopyAgain = "copy the trace again";  // advice of a refusal

enum class TraceFormat { Azure, BurstGpt, Vidur, Mooncake, QwenBailian };
std::string_view name_of(TraceFormat format);
std::optional<u64> tokens_per_hash(TraceFormat format);  // nothing where rows carry no hashes

struct TraceRow {
    u64 arrival_ns = 0;
    u64 prompt = 0, output = 0;  // 0 in rows of requests that failed
    std::vector<u64> hash_ids;   // of the prompt's blocks, where the format has them
};

struct FieldRefusal {
    std::string field;   // "ContextTokens"; empty when it is about the whole line
    std::string rule;    // "\"1.5\" is not a whole number"
    std::string advice;  // what to do, without a full stop
};

// Lengths and times as text; a refusal says why in `why`.
std::optional<u64> parse_length(std::string_view text, std::string& why);
std::optional<u64> parse_seconds_ns(std::string_view text, std::string& why);  // "61.114", "1e-05"
// "2023-11-16 18:15:46.6805900", "2024-05-10 00:00:00.009930+00:00": from the year 2000 on.
std::optional<u64> parse_date_ns(std::string_view text, std::string& why);
// Seconds times 1e9, rounded; nothing for what is negative, not finite or longer than 300 years.
std::optional<u64> seconds_to_ns(double seconds);

}  // namespace kv
