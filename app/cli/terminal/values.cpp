#include "app/cli/terminal/values.hpp"

#include <limits>
#include <string>

#include "app/cli/terminal/suggest.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {

void refuse_value(std::string_view name, std::string_view text, std::string_view why,
                  std::string_view advice) {
    std::string sentence = std::string(name) + " \"" + shown(text) + "\" " + std::string(why);
    // Some rules say themselves what to write instead.
    if (why.find(';') == std::string_view::npos) sentence += "; " + std::string(advice);
    throw Error{ErrorCode::Usage, sentence + "."};
}

void refuse_both(const GivenOptions& given, std::string_view one, std::string_view other) {
    if (given.has(one) && given.has(other)) {
        throw Error{ErrorCode::Usage, std::string(one) + " and " + std::string(other) +
                                          " exclude each other; keep one of them."};
    }
}

std::optional<u64> whole_option(const GivenOptions& given, std::string_view name, u64 min,
                                u64 max) {
    const auto text = given.text(name);
    if (!text) return std::nullopt;
    std::string why;
    const auto value = parse_whole(*text, min, max, why);
    if (!value) {
        const std::string limit =
            max == std::numeric_limits<u64>::max() ? " upwards" : " to " + with_commas(max);
        refuse_value(name, *text, why, "give a whole number from " + with_commas(min) + limit);
    }
    return value;
}

std::optional<ByteSize> size_option(const GivenOptions& given, std::string_view name) {
    const auto text = given.text(name);
    if (!text) return std::nullopt;
    std::string why;
    const auto size = parse_bytes(*text, why);
    constexpr const char* kAdvice = "give a size with its unit, such as 24GiB or 80GB";
    if (!size) refuse_value(name, *text, why, kAdvice);
    if (size->bytes == 0) refuse_value(name, *text, "is no size", kAdvice);
    return size;
}

std::optional<double> bandwidth_option(const GivenOptions& given, std::string_view name) {
    const auto text = given.text(name);
    if (!text) return std::nullopt;
    std::string why;
    const auto rate = parse_bandwidth(*text, why);
    if (!rate) refuse_value(name, *text, why, "give bytes per second, such as 2TB/s");
    return rate;
}

std::optional<double> flops_option(const GivenOptions& given, std::string_view name) {
    const auto text = given.text(name);
    if (!text) return std::nullopt;
    std::string why;
    const auto rate = parse_flops(*text, why);
    if (!rate) refuse_value(name, *text, why, "give operations per second, such as 989TFLOP/s");
    return rate;
}

std::optional<Codec> codec_option(const GivenOptions& given, std::string_view name) {
    const auto text = given.text(name);
    if (!text) return std::nullopt;
    std::string why;
    const auto codec = parse_codec(*text, why);
    if (!codec) {
        const auto near = nearest(*text, codec_examples());
        refuse_value(name, *text, why,
                     near ? "did you mean " + *near + "? See --help" : "see --help");
    }
    return codec;
}

}  // namespace kv
