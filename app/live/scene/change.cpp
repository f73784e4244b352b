#include "app/live/scene/change.hpp"

#include <algorithm>

#include "app/live/scene/full_cache.hpp"
#include "app/shell/texts/said.hpp"
#include "core/lesson/scene/branch.hpp"

namespace kv {
namespace {

constexpr std::string_view kModel = "model ";

bool names_a_model(const SceneChange& change) {
    return !change.from && change.words.compare(0, kModel.size(), kModel) == 0;
}

bool is_full_cache(const SceneChange& change) {
    return !change.from && change.words == kFullCache;
}

// "block_size 4" as the command that changes it.
std::optional<SetSetting> setting_of(const SceneChange& change) {
    const EngineCommand command =
        engine_command(change.from ? change.words : "set " + change.words);
    if (const auto* set = std::get_if<SetSetting>(&command)) return *set;
    return std::nullopt;
}

void refuse_the_same(const std::string& words) {
    throw Refused("refused.change.same"_t, {{"words", words}});
}

}  // namespace

EngineCommand engine_command(const std::string& words) {
    std::string why;
    auto command = parse_engine_command(words, why);
    if (!command) throw Refused("refused.change"_t, {{"words", words}, {"why", why}});
    return *std::move(command);
}

Scene with_setting(const Scene& scene, const std::string& words) {
    const EngineCommand command = engine_command("set " + words);
    const auto& [name, value] = std::get<SetSetting>(command);
    const SettingRow* row = find_setting(name);
    if (row == nullptr) throw Refused("refused.change.unknown"_t, {{"word", name}});
    Scene changed = scene;
    if (const std::string why = row->read(changed.settings, value); !why.empty())
        throw Refused("refused.change.value"_t,
                      {{"name", name}, {"value", value}, {"why", why}, {"values", row->values}});
    return changed;
}

Scene with_change(const Scene& scene, const SceneChange& change) {
    if (change.whole) return *change.whole;
    if (change.from) {
        const EngineCommand command = engine_command(change.words);
        if (const std::string why = command_refusal(scene, command); !why.empty())
            throw Refused("refused.change.never"_t, {{"words", change.words}, {"why", why}});
        return branch_of(scene, *change.from, {command});
    }
    if (names_a_model(change)) {
        Scene changed = scene;
        changed.model = change.words.substr(kModel.size());
        changed.sha256.reset();
        if (changed.model == scene.model) refuse_the_same(change.words);
        return changed;
    }
    if (is_full_cache(change)) {
        if (keeps_everything(scene.settings)) refuse_the_same(change.words);
        return with_full_cache(scene);
    }
    Scene changed = with_setting(scene, change.words);
    const SettingRow& row = *find_setting(setting_of(change)->name);
    if (row.write(changed.settings) == row.write(scene.settings)) refuse_the_same(change.words);
    return changed;
}

namespace {

// What a side takes away that stands beside the full cache: tokens before numbers.
RunChange full_cache_shown(const Scene& scene) {
    RunChange shown;
    shown.name = "evict", shown.value = scene.settings.evict;
    shown.is_full = keeps_everything(scene.settings);
    if (shown.is_full || scene.settings.evict != "none") return shown;
    const SettingRow &k = *find_setting("k_codec"), &v = *find_setting("v_codec");
    const std::string keys = k.write(scene.settings), values = v.write(scene.settings);
    shown.name = "codecs";
    shown.value = keys == values ? keys : keys + " + " + values;
    return shown;
}

}  // namespace

RunChange change_shown(const Scene& scene, const SceneChange& change, bool changed) {
    RunChange shown;
    if (change.whole) {
        shown.value = scene.name;
        return shown;
    }
    if (is_full_cache(change)) return full_cache_shown(scene);
    shown.from = change.from;
    if (names_a_model(change)) {
        shown.name = "model";
        shown.value = scene.model;
        return shown;
    }
    const auto set = setting_of(change);
    if (!set) {
        if (changed) shown.value = change.words;
        return shown;
    }
    const SettingRow& row = *find_setting(set->name);
    shown.name = set->name;
    shown.value = changed && change.from ? set->value : row.write(scene.settings);
    shown.meaning = row.help;
    shown.is_full = set->name == "evict" && !change.from && keeps_everything(scene.settings);
    return shown;
}

namespace {

// Words wherever one setting is all that the full cache takes away: a scene file can say those.
SceneChange way_back_from_full(const Scene& scene) {
    const Scene full = with_full_cache(scene);
    const auto back = change_back(full, scene);
    if (back && scene_text(with_change(full, *back)) == scene_text(scene)) return *back;
    return {.words = {}, .whole = scene};
}

}  // namespace

std::optional<SceneChange> way_back(const Scene& scene, const SceneChange& change) {
    if (change.from) return std::nullopt;
    if (change.whole) return SceneChange{.words = {}, .whole = scene};
    if (names_a_model(change)) return SceneChange{"model " + scene.model, {}};
    if (is_full_cache(change)) return way_back_from_full(scene);
    const auto set = setting_of(change);
    return SceneChange{set->name + " " + find_setting(set->name)->write(scene.settings), {}};
}

Scene past_of(const Scene& scene, std::uint32_t iteration) {
    Scene past = scene;
    std::erase_if(past.commands,
                  [&](const SceneCommand& command) { return command.at > iteration; });
    return past;
}

}  // namespace kv
