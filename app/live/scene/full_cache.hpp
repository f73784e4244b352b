#pragma once
// The full cache beside a scene: the same scene with every key and value kept as the model made it.
// And what a run is held against when nobody has said: what its last change took away, or the full
// cache. Pure.

#include <optional>

#include "app/live/scene/change.hpp"

namespace kv {

inline constexpr std::string_view kFullCache = "full";  // as a change of a scene

// No token is dropped or left unread, and no number is rounded to less than the model's own type.
bool keeps_everything(const EngineSettings& settings);
Scene with_full_cache(const Scene& scene);

// The model, or the one setting, in which they differ, as it was; nothing where they differ in none
// of them or in several.
std::optional<SceneChange> change_back(const Scene& now, const Scene& before);

// `before`: the scene before its last change; null: it was not changed. Nothing where the run keeps
// everything already.
std::optional<SceneChange> usual_change(const Scene& now, const Scene* before);

}  // namespace kv
