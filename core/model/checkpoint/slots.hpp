#pragma once
// Which tensors a config asks for: their names as Hugging Face files have them, their shapes, and
// where each goes. This one list is what a checkpoint is checked against, what its memory is
// counted from and what loading fills.

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/model/checkpoint/weights.hpp"
#include "core/model/config/config.hpp"

namespace kv {

struct WeightSlot {
    std::string name;        // "model.layers.0.self_attn.q_proj.weight"
    std::vector<u64> shape;  // two dimensions of a matrix, one of a vector
    std::variant<Matrix*, std::vector<float>*> into;

    u64 numbers() const;
};

// Makes the layers of `weights`, which may not move while the slots are in use. A config without
// running_objection.
std::vector<WeightSlot> weight_slots(const ModelConfig& config, Weights& weights);

// Published files carry two kinds of tensors that nothing is lost without.
bool is_harmless_surplus(const ModelConfig& config, std::string_view name);

// Why a model can be priced but not run, as the part of a sentence after its path ("has experts,
// ..."); nothing when it can be run.
std::optional<std::string> running_objection(const ModelConfig& config);

// What the weights take in memory, to the byte.
u64 loaded_bytes(const ModelConfig& config, WeightStorage storage);

}  // namespace kv
