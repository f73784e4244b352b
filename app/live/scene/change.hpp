#pragma once
// One change of a scene, in the words of a person: "model mqa", "full" for the full cache, or a
// setting such as "block_size 4" from its first step on, or a command such as "set share off" from
// an iteration on. Pure.

#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/view/run.hpp"
#include "core/lesson/scene/scene.hpp"

namespace kv {

struct SceneChange {
    std::string words;
    std::optional<std::uint32_t> from = {};  // none: from the first step on, and no command
    // Instead of words: another scene altogether. A scene file cannot say that.
    std::optional<Scene> whole = {};
};

// All throw kv::Error (Usage) when the words mean nothing.
EngineCommand engine_command(const std::string& words);
Scene with_setting(const Scene& scene, const std::string& words);
// Refused too: what the scene is already.
Scene with_change(const Scene& scene, const SceneChange& change);

// The scene as it was told up to that iteration, whatever it was told after it.
Scene past_of(const Scene& scene, std::uint32_t iteration);

// How one of the two scenes differs from the other. `changed`: the one with the change.
RunChange change_shown(const Scene& scene, const SceneChange& change, bool changed);
// What leads from the changed scene back to `scene`; nothing when it is a command.
std::optional<SceneChange> way_back(const Scene& scene, const SceneChange& change);

}  // namespace kv
