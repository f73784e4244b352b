#pragma once
// JSON as we read it: one value, UTF-8, no comments, no duplicate keys, bounded depth, at most a
// million values besides what a tap takes. A refusal is a value with the byte at which it happened.
// Internal to the parsers; the library's other headers do not show nlohmann's types.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/files/json_tap.hpp"
#include "core/base/numbers/checked.hpp"

namespace kv {

struct JsonRefusal {
    u64 offset;        // bytes from the start of the text
    std::string rule;  // "names the key \"a\" twice"
};

// `tap` may be null. What it says is wrong is refused here; duplicate keys are its own to find.
std::variant<nlohmann::json, JsonRefusal> parse_strict_json(std::string_view text, u64 max_depth,
                                                            JsonTap* tap = nullptr);

}  // namespace kv
