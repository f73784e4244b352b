#pragma once
// Up to 32 numbers that share a scale and a zero, as ':kivi' codes them: what they become, and what
// that is made of.

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.hpp"
#include "core/cache/codec/int_codes.hpp"

namespace kv::test {

inline constexpr std::uint32_t kCodedTogether = 32;

struct KiviCodes {
    std::uint16_t scale = 0, zero = 0;
    std::array<std::uint32_t, kCodedTogether> codes{};
    std::array<double, kCodedTogether> values{}, sizes{};  // sizes: of the parts of each value
};

inline KiviCodes kivi_codes(const std::array<double, kCodedTogether>& values, std::uint32_t n,
                            std::uint32_t bits) {
    const auto [least, most] = std::minmax_element(values.begin(), values.begin() + n);
    const ScaleAndZero both =
        asymmetric_scale(static_cast<float>(*least), static_cast<float>(*most), bits);
    const float scale = fp16_to_float(both.scale), zero = fp16_to_float(both.zero);
    KiviCodes out{both.scale, both.zero, {}, {}, {}};
    for (std::uint32_t i = 0; i < n; ++i) {
        out.codes[i] = asymmetric_code(static_cast<float>(values[i]), scale, zero, bits);
        const double part = double{scale} * out.codes[i];
        out.values[i] = part + zero;
        out.sizes[i] = part + std::abs(double{zero});
        // Half a step, and what fp16 takes from the scale of all steps and from the zero.
        const double reach = std::abs(*least) + std::abs(*most);
        KV_ASSERT(std::abs(out.values[i] - values[i]) <= 0.5 * scale + reach * 0x1p-10 + 0x1p-20);
    }
    return out;
}

}  // namespace kv::test
