#include "core/attach/stream/message.hpp"

#include <utility>

namespace kv {
namespace {

constexpr std::size_t kNumberBytes = 8;

std::optional<std::uint64_t> number_in(const std::string& frame) {
    if (frame.size() != kNumberBytes) return std::nullopt;
    std::uint64_t number = 0;
    for (const char byte : frame) number = number << 8U | static_cast<unsigned char>(byte);
    return number;
}

std::string number_frame(std::uint64_t number) {
    std::string frame;
    for (std::size_t i = kNumberBytes; i > 0; --i)
        frame.push_back(static_cast<char>(number >> (i - 1) * 8 & 0xFFU));
    return frame;
}

// The last two frames, in a message of so many.
std::optional<NumberedPayload> last_two(WireMessage& message, std::size_t fewest,
                                        std::size_t most) {
    if (message.size() < fewest || message.size() > most) return std::nullopt;
    const auto number = number_in(message[message.size() - 2]);
    if (!number) return std::nullopt;
    return NumberedPayload{*number, std::move(message.back())};
}

}  // namespace

std::optional<NumberedPayload> published_batch(WireMessage message) {
    return last_two(message, 2, 3);
}

std::optional<NumberedPayload> replayed_batch(WireMessage message) {
    if (message.empty() || !message.front().empty()) return std::nullopt;
    return last_two(message, 3, 4);
}

std::optional<std::uint64_t> replay_question(const WireMessage& message) {
    if (message.size() != 2 || !message.front().empty()) return std::nullopt;
    return number_in(message.back());
}

WireMessage published_message(const std::string& topic, std::uint64_t sequence,
                              const std::string& payload) {
    return {topic, number_frame(sequence), payload};
}

WireMessage replayed_message(const std::string& topic, std::uint64_t sequence,
                             const std::string& payload) {
    return {"", topic, number_frame(sequence), payload};
}

WireMessage replay_question_message(std::uint64_t from) {
    return {"", number_frame(from)};
}

}  // namespace kv
