#pragma once
// How one scene differs from another, change by change, and which changes a task allows:
//
//   set pool     that setting, from the first step on or by a command
//   model        another model
//   add, fork, stop, pause, resume, priority, clear: such a command to the run
//
// What only concerns the window (where it looks, how it is laid out) is no change. Pure.

#include <optional>
#include <string>
#include <vector>

#include "core/lesson/scene/scene.hpp"

namespace kv {

// "set pool" or "add"; nothing for a text that names no change.
std::optional<std::string> change_named(std::string_view text);

struct SceneDifference {
    std::string kind;   // as above; empty: nothing that a task can allow
    std::string words;  // "changes the setting pool", "adds the request D"
};
std::vector<SceneDifference> differences_of(const Scene& start, const Scene& now);

// "changes the setting pool, and this task allows only: set share, fork"; empty when all of it is
// allowed.
std::string forbidden_change(const Scene& start, const Scene& now,
                             const std::vector<std::string>& allowed);

}  // namespace kv
