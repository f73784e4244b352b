#include "core/cache/codec/kivi.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/numbers/formats.hpp"
#include "core/cache/codec/int_codes.hpp"
#include "core/cache/codec/kivi_group.hpp"
#include "core/cost/cache/vector_bytes.hpp"

namespace kv {
namespace {

constexpr std::uint32_t kRecordBytes = KeyGroupShape::kRecordBytes;
constexpr std::uint32_t kZeroAt = 2;  // in the record of a channel, behind its scale

KeyGroupShape shape(const Codec& codec, std::uint32_t dim) {
    KV_ASSERT(codec.scale == ScaleMode::Kivi && dim % 8 == 0);
    static_assert(KeyGroupShape::kTokens == kKiviGroup);
    return {codec.bits(), dim};
}

template <class Slots>
auto& byte_of(const Slots& slots, const GroupByte& at) {
    return slots[at.token][at.byte];
}

void put_fp16_at(const KeyGroupShape& s, const GroupSlots& slots, std::uint32_t at,
                 std::uint16_t code) {
    byte_of(slots, s.record(at)) = static_cast<std::byte>(code & 0xFF);
    byte_of(slots, s.record(at + 1)) = static_cast<std::byte>(code >> 8);
}

float fp16_at(const KeyGroupShape& s, const ConstGroupSlots& slots, std::uint32_t at) {
    return fp16_to_float(static_cast<std::uint16_t>(
        std::to_integer<unsigned>(byte_of(slots, s.record(at))) |
        std::to_integer<unsigned>(byte_of(slots, s.record(at + 1))) << 8));
}

}  // namespace

// A key waits until its run of 128 tokens is full, a value until 128 newer ones have come
// (kivi_coded_tokens).
std::uint32_t coded_tokens(Side side, std::uint32_t n, std::uint32_t base) {
    return std::max(base, static_cast<std::uint32_t>(kivi_coded_tokens(side, n)));
}

std::uint32_t final_tokens(std::uint32_t n) {
    const std::uint32_t both = std::min(coded_tokens(Side::K, n, 0), coded_tokens(Side::V, n, 0));
    return both / kKiviGroup * kKiviGroup;
}

std::uint64_t bytes_of_row_set(const KvLayout& layout) {
    return std::uint64_t{layout.n_layers} * layout.n_kv_heads * kKiviResidualRows *
           (layout.k.residual_bytes + layout.v.residual_bytes);
}

std::uint64_t residual_offset(const KvLayout& layout, LayerId layer, Side side, HeadId head,
                              std::uint32_t slot) {
    const std::uint64_t rows = std::uint64_t{layout.n_kv_heads} * kKiviResidualRows;
    const std::uint64_t k = layout.k.residual_bytes, v = layout.v.residual_bytes;
    const std::uint64_t row =
        std::uint64_t{head.value} * kKiviResidualRows + slot % kKiviResidualRows;
    return layer.value * rows * (k + v) + (side == Side::K ? row * k : rows * k + row * v);
}

// For each channel: the least and the greatest of the 32 tokens, scale and zero from them as fp16,
// then 32 codes by the scale as it is stored.
void encode_key_group(const Codec& codec, const float* values, std::uint32_t dim,
                      const GroupSlots& slots) {
    const KeyGroupShape s = shape(codec, dim);
    // Codes share bytes, so they are or-ed into zeros.
    for (std::byte* slot : slots) std::fill_n(slot, s.codes() + s.record_bytes(), std::byte{0});
    for (std::uint32_t c = 0; c < dim; ++c) {
        float low = values[c], high = low;
        for (std::uint32_t t = 1; t < kKiviGroup; ++t) {
            const float value = values[std::size_t{t} * dim + c];
            // A NaN stays, so that the zero is one too, and the whole channel shows it.
            low = is_nan(value) ? value : std::min(low, value);
            high = std::max(high, value);
        }
        const ScaleAndZero both = asymmetric_scale(low, high, s.bits);
        const float scale = fp16_to_float(both.scale), zero = fp16_to_float(both.zero);
        put_fp16_at(s, slots, c * kRecordBytes, both.scale);
        put_fp16_at(s, slots, c * kRecordBytes + kZeroAt, both.zero);
        for (std::uint32_t t = 0; t < kKiviGroup; ++t)
            byte_of(slots, s.code(t, c)) |= static_cast<std::byte>(
                asymmetric_code(values[std::size_t{t} * dim + c], scale, zero, s.bits)
                << s.shift(t));
    }
}

std::uint32_t key_code(const Codec& codec, const ConstGroupSlots& slots, std::uint32_t token,
                       std::uint32_t dim, std::uint32_t channel) {
    const KeyGroupShape s = shape(codec, dim);
    return std::to_integer<std::uint32_t>(byte_of(slots, s.code(token, channel))) >>
               s.shift(token) &
           ((1u << s.bits) - 1);
}

void decode_key(const Codec& codec, const ConstGroupSlots& slots, std::uint32_t token,
                std::uint32_t dim, float* out) {
    const KeyGroupShape s = shape(codec, dim);
    for (std::uint32_t c = 0; c < dim; ++c)
        out[c] = static_cast<float>(key_code(codec, slots, token, dim, c)) *
                     fp16_at(s, slots, c * kRecordBytes) +
                 fp16_at(s, slots, c * kRecordBytes + kZeroAt);
}

Codec value_codec(const Codec& codec, std::uint32_t dim) {
    return {.code = codec.code, .scale = ScaleMode::Groups, .group = std::min(kKiviGroup, dim)};
}

}  // namespace kv
