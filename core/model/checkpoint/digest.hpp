#pragma once
// Names the weights that a result was made by: one SHA-256 for a checkpoint, the same wherever its
// folder lies. For one file it is what `sha256sum model.safetensors` prints; for shards it is the
// sum of what `sha256sum` prints for them in order of their names, so that anybody can check it.
// For a checkpoint folded to two KV heads it is the sum of that sum with "+kv2" behind it.

#include <string>
#include <variant>

#include "core/model/checkpoint/load_weights.hpp"

namespace kv {

// 64 digits in lower case. Throws kv::Error (World) when a file cannot be read.
std::variant<std::string, LoadCancelled> weights_sha256(const Checkpoint& checkpoint,
                                                        const LoadProgress& progress = {});

}  // namespace kv
