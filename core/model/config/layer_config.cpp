#include "core/model/config/layer_config.hpp"

#include <algorithm>
#include <string>

#include "core/base/files/json.hpp"
#include "core/model/config/refused_file.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

constexpr u64 kLargestWindow = u64{1} << 31U;

// One entry per layer, "full_attention" or "sliding_attention".
std::optional<std::vector<bool>> read_layer_types(Fields& fields, u64 n_layers) {
    const Json* types = fields.maybe_array("layer_types");
    if (!types) return std::nullopt;
    if (types->size() != n_layers) {
        fields.refuse("layer_types has " + std::to_string(types->size()) +
                          " entries for num_hidden_layers " + std::to_string(n_layers),
                      kAsPublished);
        return std::nullopt;
    }
    std::vector<bool> sliding;
    for (const Json& type : *types) {
        if (type != "full_attention" && type != "sliding_attention") {
            fields.refuse("layer_types names " + shown_json(type) +
                              ", which is a kind of layer that this program does not know",
                          "known are full_attention and sliding_attention");
            return std::nullopt;
        }
        sliding.push_back(type == "sliding_attention");
    }
    return sliding;
}

bool may_slide(Fields& fields, Family family) {
    // A Mistral file with a window slides; Qwen files name a window and mostly switch it off.
    return fields.flag("use_sliding_window", family == Family::Mistral);
}

// Qwen: the first max_window_layers layers see everything. A file that does not say how many means
// 28, as Hugging Face's configuration of Qwen has it.
u64 first_sliding_layer(Fields& fields, const ModelConfig& config) {
    if (config.family == Family::Mistral) return 0;
    const u64 full = fields.maybe_whole("max_window_layers", 0, u64{1} << 20U).value_or(28);
    return std::min(full, config.n_layers);
}

}  // namespace

void read_windows(Fields& fields, ModelConfig& config) {
    config.sliding_layers.assign(config.n_layers, false);
    const bool family_slides = config.family == Family::Mistral || config.family == Family::Qwen2 ||
                               config.family == Family::Qwen3;
    if (!family_slides) return;
    const auto window = fields.maybe_whole("sliding_window", 1, kLargestWindow);
    const bool on = may_slide(fields, config.family);
    const u64 first = first_sliding_layer(fields, config);
    const auto types = read_layer_types(fields, config.n_layers);
    if (!fields.ok() || !on) return;
    if (types) {
        config.sliding_layers = *types;
    } else if (window) {
        std::fill(config.sliding_layers.begin() + static_cast<std::ptrdiff_t>(first),
                  config.sliding_layers.end(), true);
    }
    const bool any = std::find(config.sliding_layers.begin(), config.sliding_layers.end(), true) !=
                     config.sliding_layers.end();
    if (any && !window) {
        fields.refuse("layer_types names sliding_attention, but sliding_window is missing",
                      kAsPublished);
    }
    if (any) config.sliding_window = window;
}

}  // namespace kv
