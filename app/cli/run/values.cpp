#include "app/cli/run/values.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/cli/terminal/values.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

std::uint32_t token_of(std::string_view name, std::string_view list, std::string_view word,
                       u64 vocab_size) {
    std::string why;
    const auto token = parse_whole(word, 0, vocab_size - 1, why);
    if (!token)
        refuse_value(
            name, list, "has the entry \"" + shown(word) + "\", which " + why,
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

Keep keep_option(const GivenOptions& given) {
    const bool no_cache = given.has("--no-cache");
    const auto text = given.text("--keep");
    if (!text) return no_cache ? Keep::Nothing : Keep::KeysAndValues;
    const auto keep = std::find_if(kKeeps.begin(), kKeeps.end(),
                                   [&](Keep each) { return *text == name_of(each); });
    if (keep == kKeeps.end())
        refuse_value("--keep", *text, "is nothing that can be kept", "write nothing, x or kv");
    if (no_cache && *keep != Keep::Nothing)
        throw Error(ErrorCode::Usage,
                    "--no-cache keeps nothing, so it cannot stand beside --keep " + *text +
                        "; leave one of them out.");
    return *keep;
}

}  // namespace kv
