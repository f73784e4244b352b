// What a scene's commands may name.

#include <algorithm>
#include <variant>

#include "core/base/shown.hpp"
#include "core/lesson/scene/scene.hpp"

namespace kv {
namespace {

// The request that a command needs, and the one that it brings.
struct Named {
    const std::string* needs = nullptr;
    const std::string* brings = nullptr;
};
Named named_by(const EngineCommand& command) {
    struct Names {
        Named operator()(const SetSetting&) const { return {}; }
        Named operator()(const ClearPrefixes&) const { return {}; }
        Named operator()(const AddRequest& c) const { return {.brings = &c.name}; }
        Named operator()(const ForkRequest& c) const {
            return {.needs = &c.parent, .brings = &c.name};
        }
        Named operator()(const StopRequest& c) const { return {.needs = &c.name}; }
        Named operator()(const PauseRequest& c) const { return {.needs = &c.name}; }
        Named operator()(const ResumeRequest& c) const { return {.needs = &c.name}; }
        Named operator()(const SetPriority& c) const { return {.needs = &c.name}; }
    };
    return std::visit(Names{}, command);
}

bool has_request(const Scene& scene, const std::string& name) {
    const auto is_it = [&](const SceneRequest& request) { return request.id == name; };
    const auto brings_it = [&](const SceneCommand& c) {
        const std::string* brings = named_by(c.command).brings;
        return brings != nullptr && *brings == name;
    };
    return std::any_of(scene.requests.begin(), scene.requests.end(), is_it) ||
           std::any_of(scene.commands.begin(), scene.commands.end(), brings_it);
}

}  // namespace

std::string command_refusal(const Scene& scene, const EngineCommand& command) {
    if (const auto* set = std::get_if<SetSetting>(&command))
        return setting_refusal(scene.settings, set->name, set->value);
    const std::string* needs = named_by(command).needs;
    if (needs == nullptr || has_request(scene, *needs)) return {};
    return "no request is called " + shown(*needs);
}

}  // namespace kv
