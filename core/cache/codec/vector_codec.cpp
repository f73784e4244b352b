#include "core/cache/codec/vector_codec.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/numbers/formats.hpp"
#include "core/cache/codec/int_codes.hpp"
#include "core/cost/cache/vector_bytes.hpp"

namespace kv {
namespace {

template <class Code, class Convert>
void encode_each(std::uint32_t dim, std::byte* out, Convert convert) {
    for (std::uint32_t i = 0; i < dim; ++i) {
        const Code code = convert(i);
        std::memcpy(out + i * sizeof(Code), &code, sizeof(Code));
    }
}

template <class Code, class Real, class Convert>
void decode_each(const std::byte* bytes, std::uint32_t dim, Real* out, Convert convert) {
    for (std::uint32_t i = 0; i < dim; ++i) {
        Code code;
        std::memcpy(&code, bytes + i * sizeof(Code), sizeof(Code));
        out[i] = static_cast<Real>(convert(code));
    }
}

float saturated(float value, NumberFormat format) {
    const float most = largest_finite(format);
    return std::isnan(value) ? value : std::clamp(value, -most, most);
}

std::size_t code_bytes(std::uint32_t bits, std::uint32_t dim) {
    return (std::size_t{bits} * dim + 7) / 8;
}

// NaN if one of them is: then the scale is NaN, and with it everything that is read back.
template <class Real>
float largest_of(const Real* values, std::size_t n) {
    float most = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const float size = std::abs(static_cast<float>(values[i]));
        if (std::isnan(size)) return size;
        most = std::max(most, size);
    }
    return most;
}

template <class Real>
void encode_symmetric(std::uint32_t bits, const Real* values, std::uint32_t dim,
                      std::uint16_t scale_code, std::byte* out) {
    const float scale = fp16_to_float(scale_code);
    std::memset(out, 0, code_bytes(bits, dim));
    for (std::uint32_t i = 0; i < dim; ++i)
        put_code(out, bits, i,
                 stored_code(symmetric_code(static_cast<float>(values[i]), scale, bits), bits));
}

template <class Real>
void decode_symmetric(std::uint32_t bits, const std::byte* bytes, std::uint32_t dim,
                      std::uint16_t scale_code, Real* out) {
    const float scale = fp16_to_float(scale_code);
    for (std::uint32_t i = 0; i < dim; ++i)
        out[i] = scale * static_cast<float>(meant_code(get_code(bytes, bits, i), bits));
}

// Behind the codes lies a record for each group: its scale and, from kGroupZeroAt on, its zero, two
// fp16 numbers.
constexpr std::size_t kGroupRecordBytes = 4, kGroupZeroAt = 2;

template <class Real>
void encode_groups(const Codec& codec, const Real* values, std::uint32_t dim, std::byte* out) {
    const std::uint32_t bits = codec.bits();
    std::byte* record = out + code_bytes(bits, dim);
    std::memset(out, 0, code_bytes(bits, dim));
    for (std::uint32_t first = 0; first < dim; first += codec.group, record += kGroupRecordBytes) {
        float low = static_cast<float>(values[first]), high = low;
        for (std::uint32_t i = first; i < first + codec.group; ++i) {
            const auto value = static_cast<float>(values[i]);
            // A NaN becomes `low` and stays it, since std::min gives its first argument where it
            // cannot compare. Then scale and zero are NaN, and so is all that is read back.
            low = std::isnan(value) ? value : std::min(low, value);
            high = std::max(high, value);
        }
        const ScaleAndZero both = asymmetric_scale(low, high, bits);
        const float scale = fp16_to_float(both.scale), zero = fp16_to_float(both.zero);
        for (std::uint32_t i = first; i < first + codec.group; ++i)
            put_code(out, bits, i,
                     asymmetric_code(static_cast<float>(values[i]), scale, zero, bits));
        put_fp16(record, both.scale);
        put_fp16(record + kGroupZeroAt, both.zero);
    }
}

template <class Real>
void decode_groups(const Codec& codec, const std::byte* bytes, std::uint32_t dim, Real* out) {
    const std::uint32_t bits = codec.bits();
    const std::byte* record = bytes + code_bytes(bits, dim);
    for (std::uint32_t first = 0; first < dim; first += codec.group, record += kGroupRecordBytes) {
        const float scale = fp16_to_float(get_fp16(record));
        const float zero = fp16_to_float(get_fp16(record + kGroupZeroAt));
        for (std::uint32_t i = first; i < first + codec.group; ++i)
            out[i] = static_cast<float>(get_code(bytes, bits, i)) * scale + zero;
    }
}

template <class Real>
void encode_integers(const Codec& codec, const Real* values, std::uint32_t dim, std::byte* out,
                     SharedScale shared) {
    const std::uint32_t bits = codec.bits();
    if (codec.scale == ScaleMode::Groups) return encode_groups(codec, values, dim, out);
    if (codec.scale == ScaleMode::Tensor) return encode_symmetric(bits, values, dim, shared, out);
    KV_ASSERT(codec.scale == ScaleMode::PerVector);
    const std::uint16_t scale = symmetric_scale(largest_of(values, dim), bits);
    encode_symmetric(bits, values, dim, scale, out);
    put_fp16(out + code_bytes(bits, dim), scale);
}

template <class Real>
void decode_integers(const Codec& codec, const std::byte* bytes, std::uint32_t dim, Real* out,
                     SharedScale shared) {
    const std::uint32_t bits = codec.bits();
    if (codec.scale == ScaleMode::Groups) return decode_groups(codec, bytes, dim, out);
    if (codec.scale == ScaleMode::Tensor) return decode_symmetric(bits, bytes, dim, shared, out);
    KV_ASSERT(codec.scale == ScaleMode::PerVector);
    decode_symmetric(bits, bytes, dim, get_fp16(bytes + code_bytes(bits, dim)), out);
}

}  // namespace

KvVector vector_of(const Codec& codec, std::uint32_t dim, Side side) {
    KV_ASSERT(codec.scale_bytes == sizeof(SharedScale));
    const auto bytes = vector_bytes(codec, side, dim).total();
    return {.dim = dim,
            .element_bits = codec.bits(),
            .bytes = static_cast<std::uint32_t>(bytes),
            .residual_bytes = codec.has_residual() ? dim * bits_of(ElementCode::Fp16) / 8 : 0};
}

template <class Real>
SharedScale scale_for(const Codec& codec, const Real* values, std::size_t n) {
    return symmetric_scale(largest_of(values, n), codec.bits());
}

template <class Real>
void encode_vector(const Codec& codec, const Real* values, std::uint32_t dim, std::byte* out,
                   SharedScale shared) {
    const auto as_float = [values](std::uint32_t i) { return static_cast<float>(values[i]); };
    switch (codec.code) {
        case ElementCode::F32:
            return encode_each<float>(dim, out, as_float);
        case ElementCode::Bf16:
            return encode_each<std::uint16_t>(
                dim, out, [&](std::uint32_t i) { return bf16_from_float(as_float(i)); });
        case ElementCode::Fp16:
            return encode_each<std::uint16_t>(
                dim, out, [&](std::uint32_t i) { return fp16_from_float(as_float(i)); });
        case ElementCode::Fp8E4m3:
            return encode_each<std::uint8_t>(
                dim, out, [&](std::uint32_t i) { return fp8_e4m3_from_float(as_float(i)); });
        case ElementCode::Fp8E5m2:
            // Its own conversion goes to infinity; that of e4m3, which has none, stops by itself.
            return encode_each<std::uint8_t>(dim, out, [&](std::uint32_t i) {
                return fp8_e5m2_from_float(saturated(as_float(i), NumberFormat::Fp8E5m2));
            });
        case ElementCode::F64:
            return encode_each<double>(
                dim, out, [&](std::uint32_t i) { return static_cast<double>(values[i]); });
        default:
            return encode_integers(codec, values, dim, out, shared);
    }
}

template <class Real>
void decode_vector(const Codec& codec, const std::byte* bytes, std::uint32_t dim, Real* out,
                   SharedScale shared) {
    switch (codec.code) {
        case ElementCode::F32:
            return decode_each<float>(bytes, dim, out, [](float value) { return value; });
        case ElementCode::Bf16:
            return decode_each<std::uint16_t>(bytes, dim, out, bf16_to_float);
        case ElementCode::Fp16:
            return decode_each<std::uint16_t>(bytes, dim, out, fp16_to_float);
        case ElementCode::Fp8E4m3:
            return decode_each<std::uint8_t>(bytes, dim, out, fp8_e4m3_to_float);
        case ElementCode::Fp8E5m2:
            return decode_each<std::uint8_t>(bytes, dim, out, fp8_e5m2_to_float);
        case ElementCode::F64:
            return decode_each<double>(bytes, dim, out, [](double value) { return value; });
        default:
            return decode_integers(codec, bytes, dim, out, shared);
    }
}

template SharedScale scale_for(const Codec&, const float*, std::size_t);
template SharedScale scale_for(const Codec&, const double*, std::size_t);
template void encode_vector(const Codec&, const float*, std::uint32_t, std::byte*, SharedScale);
template void encode_vector(const Codec&, const double*, std::uint32_t, std::byte*, SharedScale);
template void decode_vector(const Codec&, const std::byte*, std::uint32_t, float*, SharedScale);
template void decode_vector(const Codec&, const std::byte*, std::uint32_t, double*, SharedScale);

}  // namespace kv
