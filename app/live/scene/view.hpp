#pragma once
// The part of a scene file that the window reads: what is in focus, how large a step is, how the
// panels are looked at, what it is compared with, whether its step is to be proved, and somebody's
// notes. A field that is missing keeps its default; one that does not fit is left out, because a
// scene may come from a run with other requests.

#include <string>

#include "app/frame/state/app_state.hpp"
#include "app/live/scene/change.hpp"
#include "core/trace/snapshot.hpp"

namespace kv {

void apply_view(AppState& state, const Snapshot& now, const std::string& text);
// `moment`: where the cursor stands inside an iteration; none at the end of one. `proved`: whether
// its logits have been recomputed, so that they are again when the scene is opened.
std::string view_text(const AppState& state, const Snapshot& now,
                      const std::optional<SceneChange>& change,
                      std::optional<std::uint64_t> moment = {}, bool proved = false);
// The name of the request in focus; empty where it says none.
std::string focus_in_view(const std::string& text);
std::optional<std::uint64_t> moment_in_view(const std::string& text);
bool proved_in_view(const std::string& text);
// The view at another step, of which nothing was proved.
std::string without_proof(const std::string& text);

// What the scene is to be compared with: {"compare": "model mqa"}, or {"branch": "set share off",
// "branch_at": 12}, without a number from this moment on.
std::optional<SceneChange> change_in_view(const std::string& text, const Snapshot& now);

}  // namespace kv
