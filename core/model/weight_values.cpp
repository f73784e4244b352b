#include "core/model/weight_values.hpp"

#include <cmath>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/formats.hpp"

namespace kv {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file's numbers are little-endian");

template <class Code>
Code code_at(const std::byte* in, std::size_t i) {
    Code code;
    std::memcpy(&code, in + i * sizeof code, sizeof code);
    return code;
}

float same(float value) {
    return value;
}

BadValue describe(std::size_t index, float in_file) {
    return {index, std::isnan(in_file)   ? "is not a number"
                   : std::isinf(in_file) ? "is infinite"
                                         : "becomes infinite in bf16"};
}

// The loop only notes whether something was wrong; where, is looked for when it was.
template <class Code, class Out, class Decode, class Encode, class Value>
std::optional<BadValue> convert(const std::byte* in, std::size_t n, Out* out, Decode decode,
                                Encode encode, Value value_of) {
    bool all_finite = true;
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = encode(decode(code_at<Code>(in, i)));
        all_finite = all_finite & std::isfinite(value_of(out[i]));
    }
    if (all_finite) return std::nullopt;
    std::size_t bad = 0;
    while (std::isfinite(value_of(out[bad]))) ++bad;
    return describe(bad, decode(code_at<Code>(in, bad)));
}

template <class Out, class Encode, class Value>
std::optional<BadValue> convert_from(TensorType from, const std::byte* in, std::size_t n, Out* out,
                                     Encode encode, Value value_of) {
    switch (from) {
        case TensorType::F32:
            return convert<float>(in, n, out, same, encode, value_of);
        case TensorType::F16:
            return convert<std::uint16_t>(in, n, out, fp16_to_float, encode, value_of);
        case TensorType::Bf16:
            return convert<std::uint16_t>(in, n, out, bf16_to_float, encode, value_of);
    }
    KV_ASSERT(false);
    return std::nullopt;
}

}  // namespace

std::optional<BadValue> convert_values(TensorType from, const std::byte* in, std::size_t n,
                                       float* out) {
    return convert_from(from, in, n, out, same, same);
}

std::optional<BadValue> convert_values(TensorType from, const std::byte* in, std::size_t n,
                                       std::uint16_t* bf16_out) {
    return convert_from(from, in, n, bf16_out, bf16_from_float, bf16_to_float);
}

}  // namespace kv
