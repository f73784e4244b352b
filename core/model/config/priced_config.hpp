#pragma once
// A config.json of any decoder that is known to the table of families (core/cost/family), read for
// its price alone: no weights of it can be run for that. Wrapped language models of multi-modal
// files are found; what such a file keeps beside them is named, not priced.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/model/config/config.hpp"

namespace kv {

struct PricedConfig {
    ModelShape shape;
    std::string family;              // "gemma3_text"
    std::vector<std::string> notes;  // what is left out of the price, a sentence each
};

// The bytes of the file. Never throws for what they say.
std::variant<PricedConfig, ConfigRefusal> parse_priced_config(std::string_view json,
                                                              const std::string& name);

// Whether the file is of a family that this program can also run, unwrapped: such a one is read by
// `read_model_config`, whose rules are stricter. A file that cannot be read is one, so that its
// refusal is said there.
bool is_runnable_config(const std::string& path);

// Reads the file; throws kv::Error (World) with a sentence that names path, field and value.
PricedConfig read_priced_config(const std::string& path);

}  // namespace kv
