#pragma once
// A small valid config as text, with fields replaced or removed, for tests that break one thing at
// a time.

#include <map>
#include <optional>
#include <string>
#include <variant>

#include "core/model/config/config.hpp"

namespace kv::test {

// Field name to JSON text; an empty text removes the field.
using Changes = std::map<std::string, std::string>;

// Llama: 2 layers, 8 heads, 2 KV heads, hidden 64, vocabulary 512.
inline std::string config_text(const Changes& changes) {
    std::map<std::string, std::string> fields{
        {"model_type", "\"llama\""},  {"num_hidden_layers", "2"},
        {"num_attention_heads", "8"}, {"num_key_value_heads", "2"},
        {"hidden_size", "64"},        {"intermediate_size", "160"},
        {"vocab_size", "512"},        {"max_position_embeddings", "1024"},
        {"rms_norm_eps", "1e-5"}};
    for (const auto& [name, text] : changes) fields[name] = text;
    std::string out = "{";
    for (const auto& [name, text] : fields) {
        if (text.empty()) continue;
        out += out.size() > 1 ? ",\"" : "\"";
        out += name;
        out += "\":";
        out += text;
    }
    return out + "}";
}

inline std::variant<ModelConfig, ConfigRefusal> parse(const Changes& changes) {
    return parse_model_config(config_text(changes), "small");
}

// What the refusal says, or "" when the config was taken.
inline std::string refusal(const Changes& changes) {
    const auto result = parse(changes);
    const auto* no = std::get_if<ConfigRefusal>(&result);
    return no ? no->rule + "; " + no->advice : "";
}

}  // namespace kv::test
