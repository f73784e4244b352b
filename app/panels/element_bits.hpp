#pragma once
// One stored element as what it is: its code in hex, its value, its bits by field. And texts for
// values that have to fit into a column. Pure.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/formats.hpp"
#include "core/cache/kv_format.hpp"

namespace kv {

NumberFormat number_format_of(KvFormat format);
std::string_view format_label(KvFormat format);  // "BF16"

struct Element {
    std::uint32_t code = 0;
    float value = 0;
};
// Bytes lie least significant first.
Element element_of(KvFormat format, std::span<const unsigned char> vector, std::size_t index);

// The code as people write a number, most significant digit first: "3F57".
std::string hex_code(std::uint32_t code, std::uint32_t bits);
// An address with at least so many digits: "0x0B000". And how many all addresses of a pool need.
std::string hex_address(std::uint64_t address, int digits);
int address_digits(std::uint64_t pool_bytes);

struct BitFields {
    std::string sign, exponent, fraction;  // of '0' and '1'
};
BitFields bits_by_field(NumberFormat format, std::uint32_t code);

// With as many decimals, at most `decimals`, as fit into `width` characters; "nan", "inf".
std::string value_text(double value, int decimals, std::size_t width);

}  // namespace kv
