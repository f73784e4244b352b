#pragma once
// What a vector would become in a smaller format: codes, what they decode to, and the error. Only
// computed to be shown; nothing of it is stored.
//
//   fp8    e4m3, scale 1 for the whole tensor; rounds to nearest even and saturates at 448
//   int8   one FP16 scale per vector, max / 127; codes -127 to 127
//   int4   one FP16 scale per vector, max / 7; codes -7 to 7, two to a byte
//
// Codes are rounded with the scale as it would be stored, so an error of int8 or int4 is at most
// half a scale.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kv {

enum class PreviewCodec : std::uint8_t { Fp8, Int8, Int4 };
inline constexpr std::array<std::string_view, 3> kPreviewNames{"FP8", "INT8", "INT4"};

struct PreviewElement {
    std::int32_t code = 0;       // of fp8: its bits
    double back = 0, error = 0;  // error = back - value
};
struct ValuePreview {
    std::vector<PreviewElement> elements;
    double scale = 1, largest = 0, rms_error = 0;
    std::uint16_t scale_code = 0;  // FP16; unused by fp8
    std::uint64_t code_bytes = 0, scale_bytes = 0;
};
ValuePreview preview_values(std::span<const float> values, PreviewCodec codec);

}  // namespace kv
