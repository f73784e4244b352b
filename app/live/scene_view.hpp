#pragma once
// The part of a scene file that the window reads: what is in focus, and how large a step is. A
// field that is missing keeps its default; one that does not fit is left out, because a scene may
// come from a run with other requests.

#include <string>

#include "app/frame/app_state.hpp"
#include "core/trace/snapshot.hpp"

namespace kv {

void apply_view(AppState& state, const Snapshot& now, const std::string& view);
std::string view_text(const AppState& state, const Snapshot& now);

}  // namespace kv
