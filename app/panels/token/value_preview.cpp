#include "app/panels/token/value_preview.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/numbers/formats.hpp"

namespace kv {
namespace {

// Ties to even whatever the rounding mode of the machine.
double round_half_even(double x) {
    const double down = std::floor(x), rest = x - down;
    if (rest != 0.5) return std::round(x);
    return std::fmod(down, 2.0) == 0 ? down : down + 1;
}

std::int32_t integer_code(double value, double scale, std::int32_t qmax) {
    if (scale == 0 || std::isnan(value)) return 0;
    return static_cast<std::int32_t>(
        std::clamp<double>(round_half_even(value / scale), -qmax, qmax));
}

// A scale that FP16 cannot hold stays at its largest number instead of becoming infinite.
std::uint16_t stored_scale(double scale) {
    const auto largest = largest_finite(NumberFormat::Fp16);
    return fp16_from_float(std::min(static_cast<float>(scale), largest));
}

}  // namespace

ValuePreview preview_values(std::span<const float> values, PreviewCodec codec) {
    ValuePreview preview;
    for (const float value : values)
        if (std::isfinite(value))
            preview.largest = std::max<double>(preview.largest, std::abs(value));
    const bool is_fp8 = codec == PreviewCodec::Fp8;
    const std::int32_t qmax = codec == PreviewCodec::Int8 ? 127 : 7;
    if (!is_fp8) {
        preview.scale_code = stored_scale(preview.largest / qmax);
        preview.scale = fp16_to_float(preview.scale_code);
        preview.scale_bytes = 2;
    }
    preview.code_bytes = codec == PreviewCodec::Int4 ? (values.size() + 1) / 2 : values.size();
    double squares = 0;
    for (const float value : values) {
        PreviewElement element;
        if (is_fp8) {
            const std::uint8_t code = fp8_e4m3_from_float(value);
            element = {code, fp8_e4m3_to_float(code), 0};
        } else {
            element.code = integer_code(value, preview.scale, qmax);
            element.back = element.code * preview.scale;
        }
        element.error = element.back - value;
        squares += element.error * element.error;
        preview.elements.push_back(element);
    }
    if (!values.empty())
        preview.rms_error = std::sqrt(squares / static_cast<double>(values.size()));
    return preview;
}

}  // namespace kv
