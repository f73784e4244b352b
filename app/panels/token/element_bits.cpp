#include "app/panels/token/element_bits.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/letters.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cache/codec/int_codes.hpp"

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

std::optional<NumberFormat> number_format_of(const Codec& codec) {
    if (is_integer(codec.code)) return std::nullopt;
    return number_format(codec_name(codec));
}

std::string format_label(const Codec& codec) {
    std::string label = upper_case(codec_name(codec));
    std::replace(label.begin(), label.end(), '_', ' ');
    return label;
}

Element element_of(const Codec& codec, std::uint32_t dim, std::span<const unsigned char> vector,
                   std::size_t index, SharedScale shared) {
    KV_ASSERT(index < dim && vector.size() >= vector_of(codec, dim).bytes);
    const auto* bytes = reinterpret_cast<const std::byte*>(vector.data());
    std::vector<float> values(dim);
    decode_vector(codec, bytes, dim, values.data(), shared);
    const std::uint32_t bits = codec.bits();
    if (bits < 8) return {get_code(bytes, bits, index), values[index]};
    std::uint32_t code = 0;
    for (std::size_t n = bits / 8, i = n; i-- > 0;) code = code << 8 | vector[index * n + i];
    return {code, values[index]};
}

std::optional<ElementScale> scale_of(const Codec& codec, std::uint32_t dim,
                                     std::span<const unsigned char> vector, std::size_t index,
                                     SharedScale shared) {
    if (codec.scale == ScaleMode::Tensor)
        return ElementScale{shared, fp16_to_float(shared), std::nullopt};
    const auto* scales = reinterpret_cast<const std::byte*>(vector.data()) +
                         (std::size_t{codec.bits()} * dim + 7) / 8;
    const auto number = [](const std::byte* at) { return fp16_to_float(get_fp16(at)); };
    if (codec.scale == ScaleMode::PerVector)
        return ElementScale{get_fp16(scales), number(scales), std::nullopt};
    if (codec.scale != ScaleMode::Groups) return std::nullopt;
    scales += index / codec.group * 4;
    return ElementScale{get_fp16(scales), number(scales), number(scales + 2)};
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

BitFields bits_by_field(const Codec& codec, std::uint32_t code) {
    const std::optional<NumberFormat> number = number_format_of(codec);
    if (!number) return {"", "", binary(code, static_cast<int>(codec.bits()))};
    const FormatShape shape = shape_of(*number);
    const FormatFields fields = fields_of(*number, code);
    return {binary(fields.sign, 1), binary(fields.exponent, shape.exponent_bits),
            binary(fields.fraction, shape.fraction_bits)};
}

// NOLINTNEXTLINE(bugprone-easily-swappable-parameters): its callers write both as numbers
std::string value_text(double value, int decimals, std::size_t width) {
    for (int n = decimals; n > 0; --n)
        if (std::string text = fixed(value, n); text.size() <= width) return text;
    return std::abs(value) < 1e6 || !std::isfinite(value) ? fixed(value, 0) : round_trip(value);
}

}  // namespace kv
