#include "core/model/config/priced_config.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/files/bounded_file.hpp"
#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/cost/family/family.hpp"
#include "core/model/config/config_object.hpp"
#include "core/model/config/decoder_families.hpp"
#include "core/model/config/fields.hpp"
#include "core/model/config/refused_file.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestList = 4096;

// What the language model inside a multi-modal file is called, where the file does not say.
struct WrappedFamily {
    std::string_view outer, inner;
};
constexpr std::array<WrappedFamily, 7> kWrapped{{{"gemma3", "gemma3_text"},
                                                 {"gemma3n", "gemma3n_text"},
                                                 {"gemma4", "gemma4_text"},
                                                 {"qwen3_5", "qwen3_5_text"},
                                                 {"qwen3_5_moe", "qwen3_5_moe_text"},
                                                 {"llama4", "llama4_text"},
                                                 {"mistral3", "mistral"}}};

std::optional<ConfigScalar> scalar_of_json(const Json& value) {
    if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) return value.get<std::string>();
    return std::nullopt;
}

// What is neither number nor text in a list is named for what it is, so that no entry gets lost.
ConfigScalar entry_of_json(const Json& entry) {
    if (const auto scalar = scalar_of_json(entry)) return *scalar;
    return std::string(entry.is_array() ? "a list" : entry.is_object() ? "an object" : "null");
}

std::optional<ConfigValue> value_of_json(const Json& value) {
    if (value.is_null()) return ConfigNull{};
    if (value.is_array()) {
        std::vector<ConfigScalar> list;
        for (const Json& entry : value) {
            if (list.size() == kLongestList) return std::nullopt;
            list.push_back(entry_of_json(entry));
        }
        return list;
    }
    const auto scalar = scalar_of_json(value);
    if (!scalar) return std::nullopt;
    return std::visit([](const auto& each) { return ConfigValue(each); }, *scalar);
}

// Fields of nested objects have dotted names.
void flatten(const Json& object, const std::string& before, ConfigValues& values) {
    for (const auto& [name, value] : object.items()) {
        if (value.is_object()) {
            flatten(value, before + name + ".", values);
        } else if (const auto flat = value_of_json(value)) {
            values[before + name] = *flat;
        }
    }
}

ConfigValues flattened(const Json& object) {
    ConfigValues values;
    flatten(object, "", values);
    // Rules ask whether the object is there, even if it is empty.
    const auto layers = object.find("per_layer_config");
    if (layers != object.end() && layers->is_object()) values["per_layer_config"] = 1.0;
    return values;
}

std::string known_families() {
    std::string names;
    for (const FamilyRow& row : family_rows()) {
        if (is_known_family(row.name)) names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    return names;
}

std::string text_of(const Json& object, const char* field) {
    const auto found = object.find(field);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// What the file describes beside the decoder. The decoder's own price does not depend on it.
void note_the_rest(const Json& root, std::vector<std::string>& notes) {
    for (const auto& [field, what] :
         {std::pair{"vision_config", "a vision tower"}, {"audio_config", "an audio tower"}}) {
        if (root.find(field) == root.end() || !root[field].is_object()) continue;
        notes.push_back(std::string("The file describes ") + what + " (" + field +
                        "); its weights and what it keeps are not priced, only the language model "
                        "is.");
    }
}

void note_what_is_left_out(const Json& config, std::vector<std::string>& notes) {
    const auto quantized = config.find("quantization_config");
    if (quantized != config.end() && quantized->is_object()) {
        const std::string method = text_of(*quantized, "quant_method");
        notes.push_back("The file has a quantization_config (" +
                        (method.empty() ? "a method without a name" : shown(method)) +
                        "); weights are counted in the dtype that it names beside it.");
    }
    for (const char* field : {"num_nextn_predict_layers", "num_mtp_layers"}) {
        const auto extra = config.find(field);
        if (extra == config.end() || !extra->is_number_unsigned() || extra->get<u64>() == 0)
            continue;
        notes.push_back(std::string(field) + " is " + shown_json(*extra) +
                        ": layers that only draft further tokens are left out.");
        return;
    }
}

// The object that describes the decoder: the file itself, or one that it wraps.
const Json* decoder_object(const Json& root) {
    for (const char* wrapped : {"text_config", "llm_config", "language_config"}) {
        const auto inner = root.find(wrapped);
        if (inner != root.end() && inner->is_object()) return &*inner;
    }
    return nullptr;
}

ConfigRefusal unknown_family(const std::string& type) {
    return {
        "model_type is " + shown_json(type) + ", which is not a family that this program prices",
        "known are " + known_families()};
}

std::variant<std::string, ConfigRefusal> family_of(const Json& root, const Json* inner) {
    const std::string outer = text_of(root, "model_type");
    const auto encoder = root.find("is_encoder_decoder");
    if (encoder != root.end() && *encoder == true) {
        return ConfigRefusal{
            "is_encoder_decoder is true: " + (outer.empty() ? "such a model" : shown_json(outer)) +
                " also keeps keys and values of its encoder for each request",
            "price a decoder alone"};
    }
    const auto wrapped = std::find_if(kWrapped.begin(), kWrapped.end(),
                                      [&](const WrappedFamily& w) { return w.outer == outer; });
    if (!inner && wrapped != kWrapped.end()) {
        return ConfigRefusal{"text_config is missing, and model_type " + outer +
                                 " describes its language model there",
                             kAsPublished};
    }
    std::string type = inner ? text_of(*inner, "model_type") : outer;
    if (type.empty() && inner) {
        type = wrapped == kWrapped.end() ? outer : std::string(wrapped->inner);
    }
    if (type.empty()) {
        return ConfigRefusal{"model_type is missing",
                             "use the config.json of a Hugging Face model folder"};
    }
    if (!is_known_family(type)) return unknown_family(type);
    constexpr std::array<const char*, 7> kCounts{
        "num_hidden_layers",       "n_layer",   "n_layers", "layer_types", "layers_block_type",
        "hybrid_override_pattern", "num_layers"};
    const Json& decoder = inner ? *inner : root;
    const bool counts = std::any_of(kCounts.begin(), kCounts.end(), [&](const char* field) {
        return decoder.find(field) != decoder.end();
    });
    if (!counts) {
        return ConfigRefusal{"model_type is " + shown_json(type) +
                                 ", and no field says how many layers the model has",
                             kAsPublished};
    }
    return type;
}

}  // namespace

std::variant<PricedConfig, ConfigRefusal> parse_priced_config(std::string_view json,
                                                              const std::string& name) {
    const auto opened = config_object(json);
    if (const auto* no = std::get_if<ConfigRefusal>(&opened)) return *no;
    const Json& root = std::get<Json>(opened);
    const Json* inner = decoder_object(root);
    auto family = family_of(root, inner);
    if (const auto* no = std::get_if<ConfigRefusal>(&family)) return *no;

    PricedConfig priced;
    priced.family = std::get<std::string>(family);
    ConfigValues values = flattened(inner ? *inner : root);
    values["model_type"] = priced.family;
    for (const char* field : {"dtype", "torch_dtype"}) {
        // An older wrapped file names the type of its weights once, outside.
        if (inner && values.count("dtype") + values.count("torch_dtype") == 0 &&
            !text_of(root, field).empty()) {
            values[field] = text_of(root, field);
        }
    }
    auto model = model_of_family(values, name);
    if (const auto* no = std::get_if<FamilyRefusal>(&model)) {
        return ConfigRefusal{no->rule, no->advice};
    }
    auto& found = std::get<FamilyModel>(model);
    priced.shape = std::move(found.shape);
    if (!found.note.empty()) priced.notes.push_back(found.note);
    note_the_rest(root, priced.notes);
    note_what_is_left_out(inner ? *inner : root, priced.notes);
    return priced;
}

bool is_runnable_config(const std::string& path) {
    const auto data = read_bounded_file(path, kMaxConfigBytes);
    if (std::holds_alternative<FileRefusal>(data)) return true;
    const auto opened = config_object(std::get<std::string>(data));
    const Json* root = std::get_if<Json>(&opened);
    if (!root) return true;
    if (decoder_object(*root)) return false;
    const std::string type = text_of(*root, "model_type");
    const auto families = decoder_families();
    return type.empty() || std::any_of(families.begin(), families.end(), [&](const auto& row) {
               return row.runs && row.name == type;
           });
}

PricedConfig read_priced_config(const std::string& path) {
    auto parsed = parse_priced_config(config_text(path), folder_name(path));
    if (const auto* no = std::get_if<ConfigRefusal>(&parsed)) {
        refuse_file(shown(path) + ": ", no->rule, no->advice);
    }
    return std::get<PricedConfig>(std::move(parsed));
}

}  // namespace kv
