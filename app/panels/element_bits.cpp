#include "app/panels/element_bits.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace kv {
namespace {

std::string binary(std::uint32_t value, int n_bits) {
    std::string text;
    for (int i = n_bits - 1; i >= 0; --i) text += value >> i & 1 ? '1' : '0';
    return text;
}

std::string hex(std::uint64_t value, int digits) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string text;
    for (int i = digits - 1; i >= 0; --i) text += kDigits[value >> (4 * i) & 15];
    return text;
}

}  // namespace

NumberFormat number_format_of(KvFormat format) {
    switch (format) {
        case KvFormat::F32:
            return NumberFormat::F32;
        case KvFormat::Bf16:
            return NumberFormat::Bf16;
        case KvFormat::Fp16:
            return NumberFormat::Fp16;
        case KvFormat::F64:
            break;
    }
    KV_ASSERT(false);
}

std::string_view format_label(KvFormat format) {
    switch (number_format_of(format)) {
        case NumberFormat::F32:
            return "F32";
        case NumberFormat::Fp16:
            return "FP16";
        default:
            return "BF16";
    }
}

Element element_of(KvFormat format, std::span<const unsigned char> vector, std::size_t index) {
    const NumberFormat number = number_format_of(format);
    const auto n_bytes = static_cast<std::size_t>(shape_of(number).bits()) / 8;
    KV_ASSERT((index + 1) * n_bytes <= vector.size());
    std::uint32_t code = 0;
    for (std::size_t i = n_bytes; i-- > 0;) code = code << 8 | vector[index * n_bytes + i];
    return {code, decode(number, code)};
}

std::string hex_code(std::uint32_t code, std::uint32_t bits) {
    return hex(code, static_cast<int>(bits + 3) / 4);
}

std::string hex_address(std::uint64_t address, int digits) {
    return "0x" + hex(address, std::max(digits, address_digits(address + 1)));
}

int address_digits(std::uint64_t pool_bytes) {
    int digits = 1;
    for (std::uint64_t last = (pool_bytes == 0 ? 0 : pool_bytes - 1) >> 4; last > 0; last >>= 4)
        ++digits;
    return digits;
}

BitFields bits_by_field(NumberFormat format, std::uint32_t code) {
    const FormatShape shape = shape_of(format);
    const Fields fields = fields_of(format, code);
    return {binary(fields.sign, 1), binary(fields.exponent, shape.exponent_bits),
            binary(fields.fraction, shape.fraction_bits)};
}

std::string value_text(double value, int decimals, std::size_t width) {
    for (int n = decimals; n > 0; --n)
        if (std::string text = fixed(value, n); text.size() <= width) return text;
    return std::abs(value) < 1e6 || !std::isfinite(value) ? fixed(value, 0) : round_trip(value);
}

}  // namespace kv
