#include <algorithm>
#include <limits>
#include <variant>

#include "core/base/error.hpp"
#include "core/base/files/bounded_file.hpp"
#include "core/base/files/json.hpp"
#include "core/base/files/strict_json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/scene/fields.hpp"
#include "core/lesson/scene/scene.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxSceneDepth = 8, kVersion = 1;
constexpr std::uint64_t kMostIterations = 1'000'000'000, kMostNew = 1'000'000;
constexpr std::uint64_t kMostTopK = 1u << 20;
constexpr std::int64_t kMostPriority = 1'000'000;  // on either side of 0
constexpr double kMostTemperature = 100, kMostReal = 1e12;
constexpr double kLeastSpeed = 0.1, kMostSpeed = 1'000;
constexpr std::size_t kMostListed = 65'536, kMostName = 64;

// A scene may come from anybody, and where ".." leads depends on where the program was started.
bool climbs(const std::string& model) {
    return ("/" + model + "/").find("/../") != std::string::npos;
}

void read_model(const Json* object, const std::string& file, Scene& scene) {
    if (object == nullptr) return;
    SceneFields fields(*object, file, "model");
    scene.model = fields.text("name").value_or(scene.model);
    scene.sha256 = fields.text("sha256");
    const bool hex =
        !scene.sha256 || (scene.sha256->size() == 64 &&
                          scene.sha256->find_first_not_of("0123456789abcdef") == std::string::npos);
    if (climbs(scene.model))
        fields.refuse("name", "is \"" + shown(scene.model) + "\", which leads out by \"..\"",
                      "name a shipped model, a folder below, or the whole path");
    if (scene.model.empty()) fields.refuse("name", "is empty", "name a shipped model or a folder");
    if (!hex) fields.refuse("sha256", "is no SHA-256", "write 64 hex digits or leave it out");
    fields.refuse_unknown();
}

// The value as the text that the settings table reads. The field is there, so no answer is empty.
std::string setting_value(SceneFields& fields, const SettingRow& row, const Json& value) {
    switch (row.kind) {
        case SettingKind::Word:
            return *fields.text(row.name);
        case SettingKind::Whole:
            return std::to_string(
                *fields.whole(row.name, 0, std::numeric_limits<std::uint32_t>::max()));
        case SettingKind::Real:
            return round_trip(*fields.number(row.name, 0, kMostReal));
        case SettingKind::List: {
            std::string out;
            if (value.is_array() && value.empty()) return out;
            for (const std::uint32_t id : fields.tokens(row.name))
                out += (out.empty() ? "" : ",") + std::to_string(id);
            return out;
        }
        case SettingKind::Switch:
            if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
            return *fields.text(row.name);
    }
    KV_ASSERT(false && "a setting of no known kind");
    return {};
}

EngineSettings read_settings(const Json* object, const std::string& file) {
    EngineSettings settings;
    if (object == nullptr) return settings;
    SceneFields fields(*object, file, "settings");
    for (const SettingRow& row : engine_setting_rows()) {
        const Json* value = fields.any(row.name);
        if (value == nullptr) continue;
        const std::string text = setting_value(fields, row, *value);
        if (const std::string why = row.read(settings, text); !why.empty())
            fields.refuse(row.name, "\"" + shown(text) + "\" " + why,
                          "write " + std::string(row.values));
    }
    fields.refuse_unknown();
    return settings;
}

void refuse_both(const SceneFields& fields, bool first, bool second, const char* name,
                 const char* other) {
    if (first && second)
        fields.refuse(name, "stands beside " + std::string(other), "leave one of them out");
}

SceneRequest read_request(const Json& object, const std::string& file, std::size_t i) {
    SceneFields fields(object, file, "requests[" + std::to_string(i) + "]");
    SceneRequest r;
    const auto id = fields.text("id");
    const bool named = id && !id->empty() && id->size() <= kMostName &&
                       id->find(' ') == std::string::npos && shown(*id) == *id;
    if (!named) fields.refuse("id", "is missing or no name", "give a short name without spaces");
    r.id = *id;
    r.arrive = static_cast<std::uint32_t>(fields.whole("arrive", 0, kMostIterations).value_or(0));
    r.prompt = fields.text("prompt");
    r.tokens = fields.tokens("tokens");
    r.max_new =
        static_cast<std::uint32_t>(fields.whole("max_new", 1, kMostNew).value_or(r.max_new));
    r.temperature = fields.number("temperature", 0, kMostTemperature).value_or(0);
    if (const auto k = fields.whole("top_k", 1, kMostTopK))
        r.top_k = static_cast<std::uint32_t>(*k);
    r.top_p = fields.number("top_p", 0, 1);
    if (r.top_p && *r.top_p == 0) fields.refuse("top_p", "is 0", "write more, at most 1");
    r.stop = fields.texts("stop");
    r.force = fields.text("force").value_or("");
    r.force_tokens = fields.tokens("force_tokens");
    // The one field that may be null: a request that is no fork.
    if (const Json* parent = fields.any("fork_of"); parent != nullptr && !parent->is_null())
        r.fork_of = fields.text("fork_of");
    r.salt = fields.text("salt").value_or("");
    r.priority =
        static_cast<std::int32_t>(fields.whole_signed("priority", kMostPriority).value_or(0));
    refuse_both(fields, r.prompt.has_value(), !r.tokens.empty(), "tokens", "prompt");
    refuse_both(fields, !r.force.empty(), !r.force_tokens.empty(), "force_tokens", "force");
    if (!r.fork_of && !r.prompt && r.tokens.empty())
        fields.refuse("prompt", "is missing", "give a prompt, tokens or fork_of");
    fields.refuse_unknown();
    return r;
}

// The first of the first n requests that has this id, or null.
const SceneRequest* earlier_request(const std::vector<SceneRequest>& requests, std::size_t n,
                                    const std::string& id) {
    const auto end = requests.begin() + static_cast<std::ptrdiff_t>(n);
    const auto found = std::find_if(requests.begin(), end,
                                    [&](const SceneRequest& request) { return request.id == id; });
    return found == end ? nullptr : &*found;
}

// Ids are unique, and a fork comes after what it goes on from.
void check_requests(const std::vector<SceneRequest>& requests, const SceneFields& scene) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const SceneRequest& request = requests[i];
        const std::string place = "requests[" + std::to_string(i) + "]";
        if (earlier_request(requests, i, request.id) != nullptr)
            scene.refuse(place + ".id", "is \"" + request.id + "\", the name of an earlier request",
                         "choose another");
        if (!request.fork_of) continue;
        const SceneRequest* parent = earlier_request(requests, i, *request.fork_of);
        if (parent == nullptr)
            scene.refuse(place + ".fork_of", "names no earlier request", "name one above it");
        if (parent->arrive > request.arrive)
            scene.refuse(place + ".arrive", "is before the request that it forks",
                         "let it arrive later");
    }
}

SceneCommand read_command(const Json& object, const std::string& file, std::size_t i) {
    SceneFields fields(object, file, "commands[" + std::to_string(i) + "]");
    const auto at = fields.whole("at", 0, kMostIterations);
    const auto text = fields.text("command");
    if (!at) fields.refuse("at", "is missing", "say after which iteration");
    if (!text) fields.refuse("command", "is missing", "write one, such as \"set preempt swap\"");
    std::string why;
    const auto command = parse_engine_command(*text, why);
    if (!command) fields.refuse("command", "\"" + shown(*text) + "\" " + why, "correct it");
    fields.refuse_unknown();
    return {static_cast<std::uint32_t>(*at), *command};
}

void check_commands(const Scene& scene, const SceneFields& fields) {
    for (const SceneCommand& c : scene.commands)
        if (const std::string why = command_refusal(scene, c.command); !why.empty())
            fields.refuse("commands",
                          "has \"" + shown(print(c.command)) + "\" after iteration " +
                              std::to_string(c.at) + ", and " + why,
                          "correct it or leave it out");
}

template <class Each>
void each_entry(const Json* list, const SceneFields& fields, const char* name, Each&& each) {
    if (list == nullptr) return;
    if (list->size() > kMostListed)
        fields.refuse(name, "has " + with_commas(list->size()) + " entries",
                      "write at most " + with_commas(kMostListed));
    for (std::size_t i = 0; i < list->size(); ++i) each((*list)[i], i);
}

// How the window shows the scene; the run does not depend on it.
void read_look(SceneFields& fields, Scene& scene) {
    if (const auto step = fields.whole("step", 0, kMostIterations))
        scene.step = static_cast<std::uint32_t>(*step);
    scene.speed = fields.number("speed", kLeastSpeed, kMostSpeed).value_or(1);
    scene.layout = fields.text("layout");
    if (scene.layout &&
        std::find(kLayoutWords.begin(), kLayoutWords.end(), *scene.layout) == kLayoutWords.end())
        fields.refuse("layout", "is \"" + shown(*scene.layout) + "\"",
                      "write learn, explore, present or compare");
    if (const Json* view = fields.any("view")) {
        if (!view->is_object()) fields.refuse("view", "is no object", "write {} or leave it out");
        scene.view = view->dump();
    }
}

Scene scene_of(const Json& json, const std::string& file) {
    SceneFields fields(json, file, "");
    const auto version = fields.whole("version", 0, std::numeric_limits<std::uint64_t>::max());
    if (!version) fields.refuse("version", "is missing", "write \"version\": 1");
    if (*version != kVersion)
        fields.refuse("version", "is " + with_commas(*version) + " and this program reads 1",
                      "use a program that is newer, or write the scene for version 1");
    Scene scene;
    scene.name = fields.text("name").value_or("");
    scene.seed = fields.whole("seed", 0, std::numeric_limits<std::uint64_t>::max()).value_or(0);
    read_model(fields.any("model"), file, scene);
    scene.settings = read_settings(fields.any("settings"), file);
    each_entry(fields.list("requests"), fields, "requests", [&](const Json& entry, std::size_t i) {
        scene.requests.push_back(read_request(entry, file, i));
    });
    check_requests(scene.requests, fields);
    each_entry(fields.list("commands"), fields, "commands", [&](const Json& entry, std::size_t i) {
        scene.commands.push_back(read_command(entry, file, i));
    });
    check_commands(scene, fields);
    std::stable_sort(scene.commands.begin(), scene.commands.end(),
                     [](const SceneCommand& a, const SceneCommand& b) { return a.at < b.at; });
    read_look(fields, scene);
    fields.refuse_unknown();
    return scene;
}

}  // namespace

Scene parse_scene(std::string_view text, const std::string& place) {
    auto parsed = parse_strict_json(text, kMaxSceneDepth);
    if (const auto* refusal = std::get_if<JsonRefusal>(&parsed))
        throw Error(ErrorCode::World, shown(place) + ": at byte " + with_commas(refusal->offset) +
                                          " the scene " + refusal->rule +
                                          "; correct it, a scene is one JSON object.");
    return scene_of(std::get<Json>(parsed), place);
}

Scene read_scene(const std::string& path) {
    auto text = read_bounded_file(path, kMostSceneBytes);
    if (const auto* refusal = std::get_if<FileRefusal>(&text))
        throw Error(ErrorCode::World,
                    shown(path) + " " + refusal->rule + "; " + refusal->advice + ".");
    return parse_scene(std::get<std::string>(text), path);
}

Scene::Scene() = default;
Scene::Scene(const Scene&) = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(const Scene&) = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::~Scene() = default;

}  // namespace kv
