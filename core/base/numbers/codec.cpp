#include "core/base/numbers/codec.hpp"

#include <iterator>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

struct CodeRow {
    std::string_view name;
    std::uint32_t bits;
};
// In the order of ElementCode.
constexpr CodeRow kRows[]{{"f32", 32}, {"bf16", 16}, {"fp16", 16}, {"fp8_e4m3", 8}, {"fp8_e5m2", 8},
                          {"int8", 8}, {"int4", 4},  {"int3", 3},  {"int2", 2},     {"f64", 64}};
constexpr std::size_t kAskedFor = static_cast<std::size_t>(ElementCode::F64);  // the rows before it
static_assert(std::size(kRows) == kAskedFor + 1, "each ElementCode has a row in kRows");

const CodeRow& row_of(ElementCode code) {
    return kRows[static_cast<std::size_t>(code)];
}

std::optional<ElementCode> code_named(std::string_view name) {
    for (std::size_t i = 0; i < kAskedFor; ++i)
        if (kRows[i].name == name) return static_cast<ElementCode>(i);
    return std::nullopt;
}

constexpr std::uint64_t kLargestGroup = 65536;  // far above any head; keeps the arithmetic small

std::optional<Codec> with_suffix(Codec codec, std::string_view suffix, std::string& why) {
    if (suffix == "tensor") {
        codec.scale = ScaleMode::Tensor;
        return codec;
    }
    if (suffix == "kivi") {
        if (codec.code != ElementCode::Int4 && codec.code != ElementCode::Int2) {
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
        codec.group = static_cast<std::uint32_t>(*group);
        return codec;
    }
    why = "has an unknown suffix (known are :g32 and other group sizes, :tensor, :kivi)";
    return std::nullopt;
}

}  // namespace

std::uint32_t bits_of(ElementCode code) {
    return row_of(code).bits;
}

std::optional<Codec> parse_codec(std::string_view name, std::string& why) {
    const std::size_t colon = name.find(':');
    const auto code = code_named(name.substr(0, colon));
    if (!code) {
        why = "is not a codec (" + plain_codec_names(" ") + ")";
        return std::nullopt;
    }
    Codec codec{*code};
    if (is_integer(*code)) codec.scale = ScaleMode::PerVector;
    if (colon == std::string_view::npos) return codec;
    if (!is_integer(*code)) {
        why = "has a suffix, which only the int codecs take";
        return std::nullopt;
    }
    return with_suffix(codec, name.substr(colon + 1), why);
}

std::string codec_name(const Codec& codec) {
    std::string stem{row_of(codec.code).name};
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

std::string plain_codec_names(std::string_view between) {
    std::string names;
    for (std::size_t i = 0; i < kAskedFor; ++i) {
        if (i > 0) names += between;
        names += kRows[i].name;
    }
    return names;
}

const std::vector<std::string>& codec_examples() {
    static const std::vector<std::string> names{
        "f32",  "bf16",     "fp16",        "fp8_e4m3",  "fp8_e5m2", "int8",     "int4",
        "int3", "int4:g32", "int8:tensor", "int4:kivi", "int2",     "int2:kivi"};
    return names;
}

std::optional<std::string> codec_objection(const Codec& codec, Side side, std::uint64_t elements) {
    if (codec.scale == ScaleMode::Groups && elements % codec.group != 0) {
        return codec_name(codec) + " needs groups that divide the vector, but " +
               std::to_string(codec.group) + " does not divide " + std::to_string(elements);
    }
    if (codec.scale == ScaleMode::Kivi) {
        if (elements % 8 != 0) {
            return codec_name(codec) + " needs vectors of a multiple of 8 elements, not " +
                   std::to_string(elements);
        }
        if (side == Side::V && elements > kKiviGroup && elements % kKiviGroup != 0) {
            return codec_name(codec) +
                   " puts values into groups of 32 channels, which do not divide " +
                   std::to_string(elements);
        }
    }
    return std::nullopt;
}

}  // namespace kv
