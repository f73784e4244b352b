#include "app/cli/run_values.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "app/cli/values.hpp"
#include "core/base/text.hpp"

namespace kv {
namespace {

constexpr u64 kMostBlocks = std::numeric_limits<std::uint32_t>::max();

std::uint32_t token_of(std::string_view name, std::string_view list, std::string_view word,
                       u64 vocab_size) {
    std::string why;
    const auto token = parse_whole(word, 0, vocab_size - 1, why);
    if (!token)
        refuse_value(
            name, list, "has the entry \"" + std::string(word) + "\", which " + why,
            "give ids from 0 to " + with_commas(vocab_size - 1) + " with commas between them");
    return static_cast<std::uint32_t>(*token);
}

}  // namespace

std::optional<double> real_option(const GivenOptions& given, std::string_view name, double min,
                                  double max) {
    const auto text = given.text(name);
    if (!text) return std::nullopt;
    std::string why;
    const auto value = parse_decimal(*text, why);
    if (!value || !(*value >= min && *value <= max))
        refuse_value(name, *text, value ? "is out of range" : why,
                     "give a number from " + round_trip(min) + " to " + round_trip(max));
    return value;
}

std::optional<std::vector<std::uint32_t>> token_list_option(const GivenOptions& given,
                                                            std::string_view name, u64 vocab_size) {
    const auto text = given.text(name);
    if (!text) return std::nullopt;
    std::vector<std::uint32_t> tokens;
    std::string_view rest = *text;
    for (bool more = true; more;) {
        const std::size_t comma = rest.find(',');
        tokens.push_back(token_of(name, *text, rest.substr(0, comma), vocab_size));
        more = comma != std::string_view::npos;
        rest.remove_prefix(more ? comma + 1 : rest.size());
    }
    return tokens;
}

KvFormat kv_format_option(const GivenOptions& given, std::string_view name) {
    const auto text = given.text(name);
    if (!text) return KvFormat::Bf16;
    for (const KvFormat format : {KvFormat::F32, KvFormat::Bf16, KvFormat::Fp16})
        if (*text == name_of(format)) return format;
    refuse_value(name, *text, "is not a codec that can be run",
                 "write f32, bf16 or fp16 (kvarium calc prices the others)");
}

KvOrder order_option(const GivenOptions& given) {
    const auto text = given.text("--order");
    if (!text || *text == "token_major") return KvOrder::TokenMajor;
    if (*text == "head_major") return KvOrder::HeadMajor;
    refuse_value("--order", *text, "is no order of a block", "write token_major or head_major");
}

std::optional<u64> pool_option(const GivenOptions& given, u64 bytes_per_block) {
    const auto text = given.text("--pool");
    if (!text) return std::nullopt;
    constexpr std::string_view kBlocks = "blocks";
    if (!text->ends_with(kBlocks)) {
        const u64 blocks = size_option(given, "--pool")->bytes / bytes_per_block;
        if (blocks == 0 || blocks > kMostBlocks)
            refuse_value("--pool", *text, "holds no usable number of blocks",
                         "a block of this model takes " + with_commas(bytes_per_block) + " bytes");
        return blocks;
    }
    std::string why;
    const std::string_view number(text->data(), text->size() - kBlocks.size());
    const auto blocks = parse_whole(number, 1, kMostBlocks, why);
    if (!blocks) refuse_value("--pool", *text, why, "write a size or 48blocks");
    return blocks;
}

}  // namespace kv
