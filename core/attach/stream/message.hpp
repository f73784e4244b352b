#pragma once
// What stands in a message. Of a publisher: topic, number, payload. Of its replay: an empty frame,
// then the same (without the topic before vLLM 0.24), and at the end a number of all ones.

#include <cstdint>
#include <optional>
#include <string>

#include "core/attach/wire/frames.hpp"

namespace kv {

struct NumberedPayload {
    std::uint64_t sequence = 0;
    std::string payload;
};

inline constexpr std::uint64_t kEndOfReplay = ~std::uint64_t{0};

// What a message says; nothing for a message of another shape.
std::optional<NumberedPayload> published_batch(WireMessage message);
std::optional<NumberedPayload> replayed_batch(WireMessage message);
std::optional<std::uint64_t> replay_question(const WireMessage& message);

WireMessage published_message(const std::string& topic, std::uint64_t sequence,
                              const std::string& payload);
WireMessage replayed_message(const std::string& topic, std::uint64_t sequence,
                             const std::string& payload);
WireMessage replay_question_message(std::uint64_t from);

}  // namespace kv
