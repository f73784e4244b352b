
#include "core/base/error.hpp"
#include "core/base/files/json.hpp"
#include "core/base/files/utf8.hpp"
#include "core/lesson/scene/scene.hpp"

namespace kv {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson setting_json(const SettingRow& row, const EngineSettings& settings) {
    const std::string text = row.write(settings);
    switch (row.kind) {
        case SettingKind::Whole:
        case SettingKind::Real:
            return parsed_ordered_json(text);
        case SettingKind::List:
            return parsed_ordered_json("[" + text + "]");
        case SettingKind::Switch:
            return text == "on";
        case SettingKind::Word:
            break;
    }
    return text;
}

OrderedJson request_json(const SceneRequest& r) {
    OrderedJson json{{"id", r.id}, {"arrive", r.arrive}};
    if (r.prompt) json["prompt"] = *r.prompt;
    if (!r.tokens.empty()) json["tokens"] = r.tokens;
    json["max_new"] = r.max_new;
    json["temperature"] = r.temperature;
    if (r.top_k) json["top_k"] = *r.top_k;
    if (r.top_p) json["top_p"] = *r.top_p;
    json["stop"] = r.stop;
    if (!r.force.empty()) json["force"] = r.force;
    if (!r.force_tokens.empty()) json["force_tokens"] = r.force_tokens;
    if (r.fork_of) json["fork_of"] = *r.fork_of;
    json["salt"] = r.salt;
    json["priority"] = r.priority;
    return json;
}

// The place of the first text that JSON cannot hold: "requests[0].prompt"; empty when there is
// none.
std::string place_of_other_bytes(const OrderedJson& json, const std::string& place) {
    if (json.is_string()) {
        const auto& text = json.get_ref<const std::string&>();
        return valid_utf8_prefix(text) == text.size() ? "" : place;
    }
    if (!json.is_structured()) return {};  // items() of a number is that number again
    std::size_t i = 0;
    for (const auto& [name, value] : json.items()) {
        const std::string inner = json.is_array() ? place + "[" + std::to_string(i++) + "]"
                                  : place.empty() ? name
                                                  : place + "." + name;
        if (std::string found = place_of_other_bytes(value, inner); !found.empty()) return found;
    }
    return {};
}

}  // namespace

OrderedJson scene_settings(const EngineSettings& settings) {
    OrderedJson json = OrderedJson::object();
    for (const SettingRow& row : engine_setting_rows())
        json[std::string(row.name)] = setting_json(row, settings);
    return json;
}

std::string scene_text(const Scene& scene) {
    OrderedJson json{{"version", 1}, {"name", scene.name}, {"seed", scene.seed}};
    json["model"] = {{"name", scene.model}};
    if (scene.sha256) json["model"]["sha256"] = *scene.sha256;
    json["settings"] = scene_settings(scene.settings);
    json["requests"] = OrderedJson::array();
    for (const SceneRequest& request : scene.requests)
        json["requests"].push_back(request_json(request));
    json["commands"] = OrderedJson::array();
    for (const SceneCommand& command : scene.commands)
        json["commands"].push_back({{"at", command.at}, {"command", print(command.command)}});
    if (scene.step) json["step"] = *scene.step;
    json["speed"] = scene.speed;
    if (scene.layout) json["layout"] = *scene.layout;
    json["view"] = parsed_ordered_json(scene.view);
    if (const std::string place = place_of_other_bytes(json, ""); !place.empty())
        throw Error(ErrorCode::World, "The scene cannot be written: its " + place +
                                          " has bytes that are no UTF-8, which no scene file "
                                          "holds. Give it as UTF-8, or rename the folder.");
    return json.dump(1) + "\n";
}

}  // namespace kv
