#include "core/cost/cache/vector_bytes.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr u64 kScaleAndZero = 4;   // two fp16 numbers, as KIVI has them
constexpr u64 kFullPrecision = 2;  // bytes per element of kivi's residual

u64 packed_bytes(const Codec& codec, u64 elements) {
    return ceil_div(product_or_throw("the payload of a vector", {codec.bits(), elements}), 8);
}

u64 kivi_value_group(u64 elements) {
    return std::min<u64>(kKiviGroup, elements);
}

}  // namespace

VectorBytes vector_bytes(const Codec& codec, Side side, u64 elements) {
    KV_ASSERT(!codec_objection(codec, side, elements));
    const u64 payload = packed_bytes(codec, elements);
    switch (codec.scale) {
        case ScaleMode::None:
        case ScaleMode::Tensor:
            return {payload, 0};
        case ScaleMode::PerVector:
            return {payload, codec.scale_bytes};
        case ScaleMode::Groups:
            return {payload, elements / codec.group * 2 * codec.scale_bytes};
        case ScaleMode::Kivi:
            if (side == Side::K) return {payload, elements * kScaleAndZero / kKiviGroup};
            return {payload, elements / kivi_value_group(elements) * kScaleAndZero};
    }
    KV_ASSERT(false);
    return {};
}

u64 kivi_coded_tokens(Side side, u64 tokens) {
    // Keys leave the residual 128 at a time, values one by one.
    if (side == Side::K) return tokens / kKiviResidual * kKiviResidual;
    return tokens > kKiviResidual ? tokens - kKiviResidual : 0;
}

u64 head_bytes(const Codec& codec, Side side, u64 elements, u64 tokens) {
    const u64 vector = vector_bytes(codec, side, elements).total();
    if (codec.scale != ScaleMode::Kivi) {
        return product_or_throw("the cache of one head", {vector, tokens});
    }
    const u64 coded = kivi_coded_tokens(side, tokens);
    return sum_or_throw(
        "the cache of one head",
        {product_or_throw("coded tokens", {vector, coded}),
         product_or_throw("full tokens", {tokens - coded, elements, kFullPrecision})});
}

double effective_bits(const Codec& codec, Side side, u64 elements) {
    const u64 bytes = vector_bytes(codec, side, elements).total();
    return 8.0 * static_cast<double>(bytes) / static_cast<double>(elements);
}

Derived derive_vector_bytes(const Codec& codec, Side side, u64 elements,
                            const std::string& result_name, const std::string& elements_name) {
    Derived result{.name = result_name,
                   .expression = "",  // below, by the kind of scale
                   .value = vector_bytes(codec, side, elements).total(),
                   .unit = "B",
                   .meaning = side == Side::K
                                  ? "bytes of one token's key in one KV head and layer"
                                  : "bytes of one token's value in one KV head and layer",
                   .operands = {}};
    result.operands.push_back(
        whole_operand(elements_name, elements, "", "elements of one cached vector"));
    if (codec.scale == ScaleMode::None) {
        result.expression = elements_name + " * element_bytes";
        result.operands.push_back(
            whole_operand("element_bytes", codec.bits() / 8, "B", codec_name(codec)));
        return result;
    }
    result.operands.push_back(whole_operand("bits", codec.bits(), "", "bits of one code"));
    const std::string payload = "ceil(bits * " + elements_name + " / 8)";
    if (codec.scale == ScaleMode::Tensor) {
        result.expression = payload;
        return result;
    }
    if (codec.scale == ScaleMode::PerVector) {
        result.expression = payload + " + scale_bytes";
        result.operands.push_back(whole_operand("scale_bytes", codec.scale_bytes, "B",
                                                "one scale per token and KV head"));
        return result;
    }
    const bool per_channel = codec.scale == ScaleMode::Kivi && side == Side::K;
    const u64 group = codec.scale == ScaleMode::Groups ? codec.group
                      : per_channel                    ? kKiviGroup
                                                       : kivi_value_group(elements);
    result.expression = payload + " + " + elements_name + " / group * scale_and_zero_bytes";
    result.operands.push_back(whole_operand("group", group, "",
                                            per_channel
                                                ? "tokens that share a scale and a zero per channel"
                                                : "channels that share a scale and a zero"));
    const u64 both = codec.scale == ScaleMode::Groups ? u64{2} * codec.scale_bytes : kScaleAndZero;
    result.operands.push_back(
        whole_operand("scale_and_zero_bytes", both, "B",
                      "a scale and a zero of " + std::to_string(8 * both / 2) + " bits each"));
    return result;
}

Derived derive_kivi_head_bytes(const Codec& codec, Side side, u64 elements, u64 tokens,
                               const std::string& result_name) {
    KV_ASSERT(codec.scale == ScaleMode::Kivi);
    Derived result{.name = result_name,
                   .expression =
                       "coded_tokens * coded_vector_bytes + (tokens - coded_tokens) * "
                       "elements * full_element_bytes",
                   .value = head_bytes(codec, side, elements, tokens),
                   .unit = "B",
                   .meaning = "bytes of one KV head in one layer, residual included",
                   .operands = {}};
    result.operands = {
        whole_operand("coded_tokens", kivi_coded_tokens(side, tokens), "tokens",
                      side == Side::K ? "whole runs of 128 tokens" : "all but the newest 128"),
        whole_operand("coded_vector_bytes", vector_bytes(codec, side, elements).total(), "B",
                      "a coded vector, its share of scales included"),
        whole_operand("tokens", tokens, "tokens", "tokens kept in this layer"),
        whole_operand("elements", elements, "", "elements of one cached vector"),
        whole_operand("full_element_bytes", kFullPrecision, "B", "the residual stays in 16 bits")};
    return result;
}

}  // namespace kv
