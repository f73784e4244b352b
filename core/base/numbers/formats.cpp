#include "core/base/numbers/formats.hpp"

#include <array>

#include "core/base/error.hpp"

namespace kv {
namespace {

struct Entry {
    NumberFormat format;
    std::string_view name;
    FormatShape shape;
};
constexpr std::array<Entry, 5> kFormats = {{
    {NumberFormat::F32, "f32", {8, 23, 127, true}},
    {NumberFormat::Bf16, "bf16", {8, 7, 127, true}},
    {NumberFormat::Fp16, "fp16", {5, 10, 15, true}},
    {NumberFormat::Fp8E4m3, "fp8_e4m3", {4, 3, 7, false}},
    {NumberFormat::Fp8E5m2, "fp8_e5m2", {5, 2, 15, true}},
}};

const Entry& entry_of(NumberFormat format) {
    const auto index = static_cast<std::size_t>(format);
    KV_ASSERT(index < kFormats.size() && kFormats[index].format == format);
    return kFormats[index];
}

std::uint32_t low_bits(int count) {
    return (1u << count) - 1;
}

FormatFields::Kind kind_of(const FormatShape& shape, const FormatFields& f) {
    using Kind = FormatFields::Kind;
    if (f.exponent == 0) return f.fraction == 0 ? Kind::Zero : Kind::Subnormal;
    if (f.exponent < low_bits(shape.exponent_bits)) return Kind::Normal;
    if (shape.has_infinity) return f.fraction == 0 ? Kind::Infinity : Kind::NaN;
    return f.fraction == low_bits(shape.fraction_bits) ? Kind::NaN : Kind::Normal;
}

}  // namespace

FormatShape shape_of(NumberFormat format) {
    return entry_of(format).shape;
}

std::string_view name_of(NumberFormat format) {
    return entry_of(format).name;
}

std::optional<NumberFormat> number_format(std::string_view name) {
    for (const Entry& entry : kFormats) {
        if (entry.name == name) return entry.format;
    }
    return std::nullopt;
}

float largest_finite(NumberFormat format) {
    const FormatShape shape = shape_of(format);
    const std::uint32_t last = low_bits(shape.bits() - 1);
    // Infinity and its NaNs take the whole top exponent, a lone NaN only the last code.
    return decode(format, shape.has_infinity ? last - low_bits(shape.fraction_bits) - 1 : last - 1);
}

std::uint32_t encode(NumberFormat format, float value) {
    switch (format) {
        case NumberFormat::F32:
            return bits_of(value);
        case NumberFormat::Bf16:
            return bf16_from_float(value);
        case NumberFormat::Fp16:
            return fp16_from_float(value);
        case NumberFormat::Fp8E4m3:
            return fp8_e4m3_from_float(value);
        case NumberFormat::Fp8E5m2:
            return fp8_e5m2_from_float(value);
    }
    assert_failed("a known number format", __FILE__, __LINE__);
}

float decode(NumberFormat format, std::uint32_t code) {
    KV_ASSERT(shape_of(format).bits() == 32 || code >> shape_of(format).bits() == 0);
    switch (format) {
        case NumberFormat::F32:
            return float_of(code);
        case NumberFormat::Bf16:
            return Bf16Code::decode(code);
        case NumberFormat::Fp16:
            return Fp16Code::decode(code);
        case NumberFormat::Fp8E4m3:
            return Fp8E4m3Code::decode(code);
        case NumberFormat::Fp8E5m2:
            return Fp8E5m2Code::decode(code);
    }
    assert_failed("a known number format", __FILE__, __LINE__);
}

FormatFields fields_of(NumberFormat format, std::uint32_t code) {
    const FormatShape shape = shape_of(format);
    KV_ASSERT(shape.bits() == 32 || code >> shape.bits() == 0);
    FormatFields fields{};
    fields.sign = code >> (shape.bits() - 1);
    fields.exponent = code >> shape.fraction_bits & low_bits(shape.exponent_bits);
    fields.fraction = code & low_bits(shape.fraction_bits);
    fields.kind = kind_of(shape, fields);
    if (fields.kind == FormatFields::Kind::Infinity || fields.kind == FormatFields::Kind::NaN)
        return fields;
    // Zero and subnormals use the smallest normal's power, without the leading one.
    fields.power = (fields.exponent > 0 ? static_cast<int>(fields.exponent) : 1) - shape.bias;
    return fields;
}

}  // namespace kv
