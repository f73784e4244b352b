#include "app/live/scene/history.hpp"

#include <utility>

namespace kv {

void SceneHistory::remember(const Scene& now) {
    undo_.push_back(now);
    if (undo_.size() > kDepth) undo_.erase(undo_.begin());
    redo_.clear();
}

void SceneHistory::clear() {
    undo_.clear(), redo_.clear();
}

std::optional<Scene> SceneHistory::travel(Side& from, Side& to, const Scene& now) {
    if (from.empty()) return std::nullopt;
    to.push_back(now);
    Scene scene = std::move(from.back());
    from.pop_back();
    return scene;
}

}  // namespace kv
