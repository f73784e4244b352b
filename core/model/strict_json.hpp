#pragma once
// JSON as we read it: one value, UTF-8, no comments, no duplicate keys, bounded depth. A refusal is
// a value with the byte at which it happened. Internal to the parsers; the library's other headers
// do not show nlohmann's types.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/checked.hpp"

namespace kv {

struct JsonRefusal {
    u64 offset;        // bytes from the start of the text
    std::string rule;  // "names the key \"a\" twice"
};

std::variant<nlohmann::json, JsonRefusal> parse_strict_json(std::string_view text, u64 max_depth);

}  // namespace kv
