#pragma once
// One stored element as what it is: its code in hex, its value, its bits by field. And texts for
// values that have to fit into a column. Pure.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/numbers/formats.hpp"
#include "core/cache/codec/vector_codec.hpp"

namespace kv {

// The number format of a codec whose codes are numbers by themselves; none for integers, which mean
// something beside their scale only.
std::optional<NumberFormat> number_format_of(const Codec& codec);
std::string format_label(const Codec& codec);  // "BF16", "FP8 E4M3", "INT4:G32"

struct Element {
    std::uint32_t code = 0;  // as it is stored
    float value = 0;         // what it stands for, its scale applied
};
// Bytes lie least significant first, codes of less than a byte from the lowest bit up. The value is
// that of the whole vector decoded, so that what is shown is what attention reads.
Element element_of(const Codec& codec, std::uint32_t dim, std::span<const unsigned char> vector,
                   std::size_t index, SharedScale shared = kNoScale);

// The scale of one element of an integer codec as it lies behind the codes, or beside the pool, and
// the zero beside it where there is one.
struct ElementScale {
    std::uint16_t scale_code = 0;  // fp16
    float scale = 0;
    std::optional<float> zero;
};
std::optional<ElementScale> scale_of(const Codec& codec, std::uint32_t dim,
                                     std::span<const unsigned char> vector, std::size_t index,
                                     SharedScale shared = kNoScale);

// The code as people write a number, most significant digit first: "3F57".
std::string hex_code(std::uint32_t code, std::uint32_t bits);
// An address with at least so many digits: "0x0B000". And how many all addresses of a pool need.
std::string hex_address(std::uint64_t address, int digits);
int address_digits(std::uint64_t pool_bytes);

// Fields as '0' and '1'; an integer is all fraction. BF16 3F57 is 0, 01111110, 1010111:
// 2^(126 - 127) * (1 + 87 / 128) = 0.83984375.
struct BitFields {
    std::string sign, exponent, fraction;
};
BitFields bits_by_field(const Codec& codec, std::uint32_t code);

// A value with as many decimals, at most `decimals`, as fit into `width` characters; "nan", "inf".
std::string value_text(double value, int decimals, std::size_t width);

}  // namespace kv
