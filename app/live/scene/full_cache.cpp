#include "app/live/scene/full_cache.hpp"

#include <algorithm>

namespace kv {
namespace {

bool takes_something_away(const EngineCommand& command) {
    const auto* set = std::get_if<SetSetting>(&command);
    return set != nullptr &&
           (set->name == "evict" || set->name == "k_codec" || set->name == "v_codec");
}

}  // namespace

bool keeps_everything(const EngineSettings& settings) {
    return settings.evict == "none" && settings.k_codec.is_plain() && settings.v_codec.is_plain();
}

Scene with_full_cache(const Scene& scene) {
    Scene full = scene;
    EngineSettings& settings = full.settings;
    settings.evict = "none", settings.positions.reset();
    if (!settings.k_codec.is_plain()) settings.k_codec = Codec::Bf16;
    if (!settings.v_codec.is_plain()) settings.v_codec = Codec::Bf16;
    settings.rotation = Rotation::None, settings.prefill = Prefill::Exact;
    auto& commands = full.commands;
    commands.erase(
        std::remove_if(commands.begin(), commands.end(),
                       [](const SceneCommand& c) { return takes_something_away(c.command); }),
        commands.end());
    return full;
}

std::optional<SceneChange> change_back(const Scene& now, const Scene& before) {
    if (now.model != before.model) return SceneChange{"model " + before.model};
    std::optional<SceneChange> found;
    for (const SettingRow& row : engine_setting_rows()) {
        const std::string was = row.write(before.settings);
        if (was == row.write(now.settings) || was.empty()) continue;
        if (found) return std::nullopt;
        found = SceneChange{std::string(row.name) + " " + was};
    }
    return found;
}

std::optional<SceneChange> usual_change(const Scene& now, const Scene* before) {
    if (before != nullptr)
        if (auto back = change_back(now, *before)) return back;
    if (keeps_everything(now.settings)) return std::nullopt;
    return SceneChange{std::string(kFullCache)};
}

}  // namespace kv
