#pragma once
// The bytes of ZMTP 3.0 (rfc.zeromq.org/spec/23): a greeting of 64 bytes, then frames. A frame is a
// byte of flags, a length, and a body; a message is one or several frames. Bounded: a length above
// what a server can mean is refused before a byte of the body is kept.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

using WireMessage = std::vector<std::string>;  // its frames

inline constexpr std::size_t kGreetingBytes = 64;
inline constexpr std::uint64_t kMostMessageBytes = 16U << 20U;  // of all its frames
inline constexpr std::size_t kMostFrames = 8;                   // of a message

std::string wire_greeting();
// What is wrong with the other side's greeting, or nothing.
std::optional<std::string> refuse_greeting(std::string_view greeting);

struct WireFrame {
    bool more = false, command = false;
    std::string_view body;
    std::size_t size = 0;  // of all, its head included
};
struct FrameAnswer {
    std::optional<WireFrame> frame;  // none while bytes are missing
    std::string refusal = {};        // empty while nothing is wrong
};
// The frame at the beginning of `bytes`.
FrameAnswer read_frame(std::string_view bytes);

enum class FrameKind : std::uint8_t { Last = 0, More = 1, Command = 4 };
void write_frame(std::string& out, FrameKind kind, std::string_view body);

// A command is a name and what belongs to it; READY holds properties.
std::string ready_command(std::string_view socket_type);
struct WireCommand {
    std::string_view name, rest;
};
std::optional<WireCommand> read_wire_command(std::string_view body);
// The value of a property of READY, in any case of letters.
std::optional<std::string_view> property(std::string_view ready, std::string_view name);

}  // namespace kv
