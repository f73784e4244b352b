#pragma once
// Families of decoders beyond what ModelShape's own fields can say: windows, chunks, experts,
// latents, states. A family is one row of a table: the name that `model_type` has, the row that it
// starts from, the defaults of its class, and rules. From a config and its row come the cache of
// each layer and the parameters, each with its derivation.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/cost/family/config_values.hpp"
#include "core/cost/family/reading.hpp"
#include "core/cost/model/shape.hpp"

namespace kv {

struct FamilyRow {
    std::string_view name;      // as model_type has it
    std::string_view like;      // the row that this one starts from; "" for the first
    std::string_view defaults;  // "hidden_size=4096 ...": where the config has no such field
    std::string_view rules;     // one a line, "name = expression"
};

const std::vector<FamilyRow>& family_rows();
bool is_known_family(std::string_view model_type);

struct FamilyModel {
    ModelShape shape;
    std::string note;  // what a reader should know of the price, a sentence; mostly empty
};

// The model_type of the given config must be a known one. `name` is what the model is called.
std::variant<FamilyModel, FamilyRefusal> model_of_family(const ConfigValues& given,
                                                         const std::string& name);

}  // namespace kv
