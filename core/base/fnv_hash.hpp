#pragma once
// FNV-1a with 64 bits, for saying that two states or two blocks are the same. Not for anything that
// an adversary may choose.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kv {

class FnvHash {
public:
    void add(std::span<const std::byte> bytes) {
        for (const std::byte b : bytes) add_byte(std::to_integer<std::uint64_t>(b));
    }
    void add(std::uint64_t number) {
        for (int shift = 0; shift < 64; shift += 8) add_byte(number >> shift & 0xFF);
    }
    std::uint64_t value() const { return value_; }
    std::string text() const {  // 16 hex digits
        constexpr char kDigits[] = "0123456789abcdef";
        std::string out;
        for (int shift = 60; shift >= 0; shift -= 4) out += kDigits[value_ >> shift & 0xF];
        return out;
    }

private:
    void add_byte(std::uint64_t byte) {
        value_ ^= byte;
        value_ *= 0x100000001B3u;
    }
    std::uint64_t value_ = 0xCBF29CE484222325u;
};

}  // namespace kv
