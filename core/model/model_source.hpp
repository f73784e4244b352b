#pragma once
// What a person calls a model: a folder, or a shipped name, and how many KV heads its own are
// folded to, if they are: "mha+kv2".

#include <cstdint>
#include <optional>
#include <string>

namespace kv {

struct ModelSource {
    std::string name;  // without what stands behind the plus sign
    std::optional<std::uint64_t> kv_heads;

    std::string written() const;
};
// Whatever does not end in "+kv" and a number is a name as a whole.
ModelSource parse_model_source(const std::string& text);

}  // namespace kv
