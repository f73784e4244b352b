#include "core/cost/cache/codec.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

struct BaseRow {
    CodecBase base;
    std::string_view name;
    u64 bits;
};
constexpr std::array<BaseRow, 9> kBases{{{CodecBase::F32, "f32", 32},
                                         {CodecBase::Bf16, "bf16", 16},
                                         {CodecBase::Fp16, "fp16", 16},
                                         {CodecBase::Fp8E4m3, "fp8_e4m3", 8},
                                         {CodecBase::Fp8E5m2, "fp8_e5m2", 8},
                                         {CodecBase::Int8, "int8", 8},
                                         {CodecBase::Int4, "int4", 4},
                                         {CodecBase::Int3, "int3", 3},
                                         {CodecBase::Int2, "int2", 2}}};

const BaseRow& row_of(CodecBase base) {
    const auto row = std::find_if(kBases.begin(), kBases.end(),
                                  [base](const BaseRow& r) { return r.base == base; });
    KV_ASSERT(row != kBases.end());
    return *row;
}

bool is_integer(CodecBase base) {
    return base >= CodecBase::Int8;
}

constexpr u64 kScaleAndZero = 4;      // two fp16 numbers
constexpr u64 kFullPrecision = 2;     // bytes per element of kivi's residual
constexpr u64 kLargestGroup = 65536;  // far above any head; keeps the arithmetic small

u64 packed_bytes(const Codec& codec, u64 elements) {
    return ceil_div(product_or_throw("the payload of a vector", {codec.bits(), elements}), 8);
}

u64 kivi_value_group(u64 elements) {
    return std::min(kKiviGroup, elements);
}

std::optional<Codec> with_suffix(Codec codec, std::string_view suffix, std::string& why) {
    if (suffix == "tensor") {
        codec.scale = ScaleMode::Tensor;
        return codec;
    }
    if (suffix == "kivi") {
        if (codec.base != CodecBase::Int4 && codec.base != CodecBase::Int2) {
            why = "is not defined: kivi exists for int4 and int2";
            return std::nullopt;
        }
        codec.scale = ScaleMode::Kivi;
        return codec;
    }
    if (suffix.size() > 1 && suffix[0] == 'g') {
        const auto group = parse_whole(suffix.substr(1), 1, kLargestGroup, why);
        if (!group) {
            why = "has a group size that " + why;
            return std::nullopt;
        }
        codec.scale = ScaleMode::Groups;
        codec.group = *group;
        return codec;
    }
    why = "has an unknown suffix (known are :g32 and other group sizes, :tensor, :kivi)";
    return std::nullopt;
}

}  // namespace

u64 Codec::bits() const {
    return row_of(base).bits;
}

std::optional<Codec> parse_codec(std::string_view name, std::string& why) {
    const std::size_t colon = name.find(':');
    const std::string_view stem = name.substr(0, colon);
    const auto row = std::find_if(kBases.begin(), kBases.end(),
                                  [stem](const BaseRow& r) { return r.name == stem; });
    if (row == kBases.end()) {
        why = "is not a codec (f32 bf16 fp16 fp8_e4m3 fp8_e5m2 int8 int4 int3 int2)";
        return std::nullopt;
    }
    Codec codec;
    codec.base = row->base;
    if (is_integer(codec.base)) codec.scale = ScaleMode::PerVector;
    if (colon == std::string_view::npos) return codec;
    if (!is_integer(codec.base)) {
        why = "has a suffix, which only the int codecs take";
        return std::nullopt;
    }
    return with_suffix(codec, name.substr(colon + 1), why);
}

std::string codec_name(const Codec& codec) {
    const std::string stem{row_of(codec.base).name};
    switch (codec.scale) {
        case ScaleMode::None:
        case ScaleMode::PerVector:
            return stem;
        case ScaleMode::Groups:
            return stem + ":g" + std::to_string(codec.group);
        case ScaleMode::Tensor:
            return stem + ":tensor";
        case ScaleMode::Kivi:
            return stem + ":kivi";
    }
    KV_ASSERT(false);
    return stem;
}

const std::vector<std::string>& codec_examples() {
    static const std::vector<std::string> names{
        "f32",  "bf16",     "fp16",        "fp8_e4m3",  "fp8_e5m2", "int8",     "int4",
        "int3", "int4:g32", "int8:tensor", "int4:kivi", "int2",     "int2:kivi"};
    return names;
}

std::optional<std::string> codec_objection(const Codec& codec, Side side, u64 elements) {
    if (codec.scale == ScaleMode::Groups && elements % codec.group != 0) {
        return codec_name(codec) + " needs groups that divide the vector, but " +
               std::to_string(codec.group) + " does not divide " + std::to_string(elements);
    }
    if (codec.scale == ScaleMode::Kivi) {
        if (elements % 8 != 0) {
            return codec_name(codec) + " needs vectors of a multiple of 8 elements, not " +
                   std::to_string(elements);
        }
        if (side == Side::V && elements % kivi_value_group(elements) != 0) {
            return codec_name(codec) +
                   " puts values into groups of 32 channels, which do not divide " +
                   std::to_string(elements);
        }
    }
    return std::nullopt;
}

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
    Derived result{result_name,
                   "",
                   vector_bytes(codec, side, elements).total(),
                   "B",
                   side == Side::K ? "bytes of one token's key in one KV head and layer"
                                   : "bytes of one token's value in one KV head and layer",
                   {}};
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
    const u64 both = codec.scale == ScaleMode::Groups ? 2 * codec.scale_bytes : kScaleAndZero;
    result.operands.push_back(
        whole_operand("scale_and_zero_bytes", both, "B", "a scale and a zero of 16 bits each"));
    return result;
}

Derived derive_kivi_head_bytes(const Codec& codec, Side side, u64 elements, u64 tokens,
                               const std::string& result_name) {
    KV_ASSERT(codec.scale == ScaleMode::Kivi);
    Derived result{result_name,
                   "coded_tokens * coded_vector_bytes + (tokens - coded_tokens) * elements * "
                   "full_element_bytes",
                   head_bytes(codec, side, elements, tokens),
                   "B",
                   "bytes of one KV head in one layer, residual included",
                   {}};
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
