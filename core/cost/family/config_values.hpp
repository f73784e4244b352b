#pragma once
// The fields of a model's config as plain values, whoever read them: a config.json, or a row of the
// presets. Numbers and flags are numbers; a nested object's fields have dotted names. A field that
// is there and null is not the same as one that is missing: the defaults of a family stand in for
// the missing one only.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kv {

using ConfigScalar = std::variant<double, std::string>;

struct ConfigNull {
    bool operator==(const ConfigNull&) const = default;
};
using ConfigValue = std::variant<ConfigNull, double, std::string, std::vector<ConfigScalar>>;
using ConfigValues = std::map<std::string, ConfigValue, std::less<>>;

// "hidden_size=4096 tie_word_embeddings=1 layer_types=a,a,b sliding_window=null": fields separated
// by spaces, lists by commas; "a*3" is a list entry three times. For tables in the program, so a
// text that is none is a bug.
ConfigValues config_values(std::string_view text);

}  // namespace kv
