#include "core/attach/wire/frames.hpp"

#include <algorithm>

#include "core/base/letters.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr std::size_t kSignatureBytes = 10, kMechanismAt = 12, kMechanismBytes = 20;
constexpr unsigned kMore = 1, kLong = 2, kCommand = 4;

unsigned byte_at(std::string_view bytes, std::size_t at) {
    return static_cast<unsigned char>(bytes[at]);
}

void append_big_endian(std::string& out, std::uint64_t number, unsigned n_bytes) {
    for (unsigned i = n_bytes; i > 0; --i)
        out.push_back(static_cast<char>(number >> (i - 1) * 8 & 0xFFU));
}

std::uint64_t big_endian_at(std::string_view bytes, std::size_t at, std::size_t n_bytes) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < n_bytes; ++i) number = number << 8U | byte_at(bytes, at + i);
    return number;
}

}  // namespace

// Signature, version 3.0, the mechanism NULL, and the flag as-server 0, which NULL does not look
// at.
std::string wire_greeting() {
    std::string out(kGreetingBytes, '\0');
    out[0] = static_cast<char>(0xFF);
    out[kSignatureBytes - 1] = 0x7F;
    out[kSignatureBytes] = 3;
    out.replace(kMechanismAt, 4, "NULL");
    return out;
}

std::optional<std::string> refuse_greeting(std::string_view greeting) {
    if (byte_at(greeting, 0) != 0xFF || byte_at(greeting, kSignatureBytes - 1) != 0x7F)
        return "does not begin as ZeroMQ does";
    if (byte_at(greeting, kSignatureBytes) < 3) return "speaks a ZeroMQ protocol before version 3";
    const std::string_view field = greeting.substr(kMechanismAt, kMechanismBytes);
    const std::string_view mechanism = field.substr(0, field.find('\0'));
    if (mechanism != "NULL")
        return "asks for the security mechanism " + shown(mechanism) + ", and only NULL is spoken";
    return std::nullopt;
}

FrameAnswer read_frame(std::string_view bytes) {
    if (bytes.empty()) return {};
    const unsigned flags = byte_at(bytes, 0);
    const bool command = (flags & kCommand) != 0, more = (flags & kMore) != 0;
    if (flags > (kMore | kLong | kCommand) || (command && more))
        return {.frame = {}, .refusal = "sends a frame with unknown flags"};
    const std::size_t length_bytes = (flags & kLong) != 0 ? 8 : 1, head = 1 + length_bytes;
    if (bytes.size() < head) return {};
    const std::uint64_t length = big_endian_at(bytes, 1, length_bytes);
    if (length > kMostMessageBytes)
        return {.frame = {},
                .refusal = "announces a frame of " + with_commas(length) +
                           " bytes, and the limit is " + with_commas(kMostMessageBytes)};
    if (bytes.size() - head < length) return {};
    const auto body_bytes = static_cast<std::size_t>(length);
    return {.frame = WireFrame{more, command, bytes.substr(head, body_bytes), head + body_bytes}};
}

void write_frame(std::string& out, FrameKind kind, std::string_view body) {
    const bool is_long = body.size() > 0xFF;
    append_big_endian(out, static_cast<unsigned>(kind) | (is_long ? kLong : 0U), 1);
    append_big_endian(out, body.size(), is_long ? 8 : 1);
    out += body;
}

std::string ready_command(std::string_view socket_type) {
    std::string out = "\x05READY";
    const auto add = [&](std::string_view name, std::string_view value) {
        append_big_endian(out, name.size(), 1);
        out += name;
        append_big_endian(out, value.size(), 4);
        out += value;
    };
    add("Socket-Type", socket_type);
    if (socket_type == "DEALER") add("Identity", "");
    return out;
}

std::optional<WireCommand> read_wire_command(std::string_view body) {
    if (body.empty()) return std::nullopt;
    const std::size_t n = byte_at(body, 0);
    if (body.size() - 1 < n) return std::nullopt;
    return WireCommand{body.substr(1, n), body.substr(1 + n)};
}

std::optional<std::string_view> property(std::string_view ready, std::string_view name) {
    while (!ready.empty()) {
        const std::size_t n = byte_at(ready, 0);
        if (ready.size() < 1 + n + 4) return std::nullopt;
        const std::string_view key = ready.substr(1, n);
        const std::uint64_t length = big_endian_at(ready, 1 + n, 4);
        ready.remove_prefix(1 + n + 4);
        if (length > ready.size()) return std::nullopt;
        const std::string_view value = ready.substr(0, static_cast<std::size_t>(length));
        if (lower_case(key) == lower_case(name)) return value;
        ready.remove_prefix(value.size());
    }
    return std::nullopt;
}

}  // namespace kv
