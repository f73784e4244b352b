#include "core/cache/kv_format.hpp"

#include <array>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/formats.hpp"

namespace kv {
namespace {

struct FormatRow {
    std::string_view name;
    std::uint32_t bits;
};
constexpr std::array<FormatRow, 4> kRows{{{"f32", 32}, {"bf16", 16}, {"fp16", 16}, {"f64", 64}}};

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

}  // namespace

std::string_view name_of(KvFormat format) {
    return kRows[static_cast<std::size_t>(format)].name;
}

KvVector vector_of(KvFormat format, std::uint32_t dim) {
    const std::uint32_t bits = kRows[static_cast<std::size_t>(format)].bits;
    return {dim, bits, dim * bits / 8};
}

template <class Real>
void encode_vector(KvFormat format, const Real* values, std::uint32_t dim, std::byte* out) {
    const auto rounded = [values](std::uint32_t i) { return static_cast<float>(values[i]); };
    switch (format) {
        case KvFormat::F32:
            return encode_each<float>(dim, out, rounded);
        case KvFormat::Bf16:
            return encode_each<std::uint16_t>(
                dim, out, [&](std::uint32_t i) { return bf16_from_float(rounded(i)); });
        case KvFormat::Fp16:
            return encode_each<std::uint16_t>(
                dim, out, [&](std::uint32_t i) { return fp16_from_float(rounded(i)); });
        case KvFormat::F64:
            return encode_each<double>(
                dim, out, [&](std::uint32_t i) { return static_cast<double>(values[i]); });
    }
    KV_ASSERT(false);
}

template <class Real>
void decode_vector(KvFormat format, const std::byte* bytes, std::uint32_t dim, Real* out) {
    switch (format) {
        case KvFormat::F32:
            return decode_each<float>(bytes, dim, out, [](float value) { return value; });
        case KvFormat::Bf16:
            return decode_each<std::uint16_t>(bytes, dim, out, bf16_to_float);
        case KvFormat::Fp16:
            return decode_each<std::uint16_t>(bytes, dim, out, fp16_to_float);
        case KvFormat::F64:
            return decode_each<double>(bytes, dim, out, [](double value) { return value; });
    }
    KV_ASSERT(false);
}

template void encode_vector(KvFormat, const float*, std::uint32_t, std::byte*);
template void encode_vector(KvFormat, const double*, std::uint32_t, std::byte*);
template void decode_vector(KvFormat, const std::byte*, std::uint32_t, float*);
template void decode_vector(KvFormat, const std::byte*, std::uint32_t, double*);

}  // namespace kv
