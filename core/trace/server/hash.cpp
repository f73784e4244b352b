#include "core/trace/server/hash.hpp"

#include <algorithm>

namespace kv {
namespace {

constexpr unsigned kBitsOfByte = 8;
constexpr std::size_t kBytesOfNumber = 8;

std::optional<unsigned> hex_value(char letter) {
    if (letter >= '0' && letter <= '9') return letter - '0';
    if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
    if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
    return std::nullopt;
}

// Both alphabets: the older one, and the one that addresses and file names can hold.
std::optional<unsigned> base64_value(char letter) {
    if (letter >= 'A' && letter <= 'Z') return letter - 'A';
    if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9') return letter - '0' + 52;
    if (letter == '+' || letter == '-') return 62;
    if (letter == '/' || letter == '_') return 63;
    return std::nullopt;
}

std::optional<std::string> bytes_of_hex(std::string_view text) {
    std::string bytes;
    bool upper = text.size() % 2 == 0;  // with an odd number of digits the first byte has one
    if (!upper) bytes.push_back(0);
    for (const char letter : text) {
        const auto digit = hex_value(letter);
        if (!digit) return std::nullopt;
        if (upper)
            bytes.push_back(static_cast<char>(*digit << 4U));
        else
            bytes.back() = static_cast<char>(static_cast<unsigned char>(bytes.back()) | *digit);
        upper = !upper;
    }
    return bytes;
}

std::optional<std::string> bytes_of_base64(std::string_view text) {
    constexpr unsigned kBitsOfLetter = 6;
    for (int padding = 0; padding < 2 && !text.empty() && text.back() == '='; ++padding)
        text.remove_suffix(1);
    if (text.size() % 4 == 1) return std::nullopt;
    std::string bytes;
    unsigned held = 0, n_held = 0;  // bits that make no whole byte yet
    for (const char letter : text) {
        const auto value = base64_value(letter);
        if (!value) return std::nullopt;
        held = (held << kBitsOfLetter | *value) & 0xFFFU;
        n_held += kBitsOfLetter;
        if (n_held < kBitsOfByte) continue;
        n_held -= kBitsOfByte;
        bytes.push_back(static_cast<char>(held >> n_held & 0xFFU));
    }
    return bytes;
}

}  // namespace

ServerHash server_hash(std::uint64_t number) {
    ServerHash hash{.bytes = std::string(kBytesOfNumber, '\0'), .number = true};
    for (std::size_t at = kBytesOfNumber; at-- > 0; number >>= kBitsOfByte)
        hash.bytes[at] = static_cast<char>(number & 0xFFU);
    return hash;
}

std::optional<ServerHash> server_hash_of_text(std::string_view text) {
    const bool marked = text.substr(0, 2) == "0x";
    if (marked) text.remove_prefix(2);
    if (text.empty()) return std::nullopt;
    auto bytes = bytes_of_hex(text);
    if (!bytes && !marked) bytes = bytes_of_base64(text);
    if (!bytes) return std::nullopt;
    return ServerHash{.bytes = std::move(*bytes), .number = false};
}

std::uint64_t low_bits(const ServerHash& hash) {
    std::uint64_t bits = 0;
    const std::size_t n = std::min(hash.bytes.size(), kBytesOfNumber);
    for (const char byte : hash.bytes.substr(hash.bytes.size() - n))
        bits = bits << kBitsOfByte | static_cast<unsigned char>(byte);
    return bits;
}

std::string hash_text(const ServerHash& hash) {
    if (hash.number) return std::to_string(low_bits(hash));
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const char byte : hash.bytes) {
        const auto value = static_cast<unsigned char>(byte);
        text += kDigits[value >> 4U];
        text += kDigits[value & 0xFU];
    }
    return text;
}

}  // namespace kv
