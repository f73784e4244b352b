#include "core/lesson/tasks/changes.hpp"

#include <algorithm>
#include <array>

#include "core/base/letters.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr std::string_view kSet = "set ";
constexpr std::array<std::string_view, 8> kKinds{"model", "add",    "fork",     "stop",
                                                 "pause", "resume", "priority", "clear"};

// The first word of a command; with the name, of a setting.
std::string kind_of_command(const EngineCommand& command) {
    if (const auto* set = std::get_if<SetSetting>(&command)) return std::string(kSet) + set->name;
    const std::string text = print(command);
    return text.substr(0, text.find(' '));
}

bool is_part_of(const std::vector<std::uint32_t>& part, const std::vector<std::uint32_t>& whole) {
    std::size_t at = 0;
    for (const std::uint32_t id : whole)
        if (at < part.size() && part[at] == id) ++at;
    return at == part.size();
}

bool same_request(const SceneRequest& a, const SceneRequest& b) {
    return a.id == b.id && a.arrive == b.arrive && a.prompt == b.prompt && a.tokens == b.tokens &&
           a.max_new == b.max_new && a.temperature == b.temperature && a.top_k == b.top_k &&
           a.top_p == b.top_p && a.stop == b.stop && a.force == b.force &&
           a.force_tokens == b.force_tokens && a.fork_of == b.fork_of && a.salt == b.salt &&
           a.priority == b.priority;
}

// A smaller pool has no use for the ids of more blocks, so they go with it.
bool same_setting(const SettingRow& row, const Scene& start, const Scene& now) {
    if (row.name == "free_list")
        return is_part_of(now.settings.free_list, start.settings.free_list);
    return row.write(start.settings) == row.write(now.settings);
}

void compare_commands(const Scene& start, const Scene& now, std::vector<SceneDifference>& out) {
    const auto is = [](const SceneCommand& a) {
        return [&a](const SceneCommand& b) { return a.at == b.at && a.command == b.command; };
    };
    std::vector<SceneCommand> rest = now.commands;
    for (const SceneCommand& was : start.commands) {
        const auto still = std::find_if(rest.begin(), rest.end(), is(was));
        if (still != rest.end())
            rest.erase(still);
        else
            out.push_back(
                {kind_of_command(was.command), "takes out \"" + shown(print(was.command)) +
                                                   "\" after iteration " + std::to_string(was.at)});
    }
    for (const SceneCommand& is_new : rest)
        out.push_back({kind_of_command(is_new.command), "says \"" + shown(print(is_new.command)) +
                                                            "\" after iteration " +
                                                            std::to_string(is_new.at)});
}

}  // namespace

std::optional<std::string> change_named(std::string_view text) {
    text = trimmed(text);
    if (std::find(kKinds.begin(), kKinds.end(), text) != kKinds.end()) return std::string(text);
    if (!text.starts_with(kSet)) return std::nullopt;
    const SettingRow* row = find_setting(trimmed(text.substr(kSet.size())));
    if (row == nullptr) return std::nullopt;
    return std::string(kSet).append(row->name);
}

std::vector<SceneDifference> differences_of(const Scene& start, const Scene& now) {
    std::vector<SceneDifference> out;
    if (start.model != now.model) out.push_back({"model", "plays the model " + shown(now.model)});
    if (start.seed != now.seed) out.push_back({"", "has another seed"});
    for (const SettingRow& row : engine_setting_rows())
        if (!same_setting(row, start, now))
            out.push_back({std::string(kSet).append(row.name),
                           "changes the setting " + std::string(row.name)});
    const bool same_requests = std::equal(start.requests.begin(), start.requests.end(),
                                          now.requests.begin(), now.requests.end(), same_request);
    if (!same_requests) out.push_back({"", "has other requests from the start"});
    compare_commands(start, now, out);
    return out;
}

std::string forbidden_change(const Scene& start, const Scene& now,
                             const std::vector<std::string>& allowed) {
    for (const SceneDifference& difference : differences_of(start, now)) {
        if (std::find(allowed.begin(), allowed.end(), difference.kind) != allowed.end()) continue;
        std::string list;
        for (const std::string& one : allowed) list += (list.empty() ? "" : ", ") + one;
        return difference.words + ", and this task allows only: " + list;
    }
    return {};
}

}  // namespace kv
