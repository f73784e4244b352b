#pragma once
// The families that a config.json is read of, and which of them the decoder runs. What is known of
// more families for their price alone stands in core/cost/family.

#include <span>
#include <string>
#include <string_view>

#include "core/model/config/config.hpp"

namespace kv {

struct DecoderFamily {
    Family family;
    std::string_view name;  // as model_type has it
    bool runs;              // else it is priced
};

std::span<const DecoderFamily> decoder_families();

// "llama, qwen2 or qwen3", with that word before the last.
std::string names_of_read_families(std::string_view before_last);
std::string names_of_run_families(std::string_view before_last);

}  // namespace kv
