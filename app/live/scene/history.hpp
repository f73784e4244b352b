#pragma once
// The scenes before and after the one that plays: what undo goes back to, and redo forward to. A
// scene has all that a run follows from, so nothing is reversed: the scene of before is opened
// anew, and played up to the iteration at hand. `travel` in app/live/wishes.cpp does that for
// run.undo_set and run.redo_set; what changes a scene remembers it first (history_with_now there).
// The bill has undo of its own (bill_undo of AppState); app/frame/key_meaning.cpp says which of the
// two Ctrl+Z means.

#include <cstddef>
#include <optional>
#include <vector>

#include "core/lesson/scene/scene.hpp"

namespace kv {

class SceneHistory {
public:
    static constexpr std::size_t kDepth = 200;

    // Called for a change that can be taken back, with the scene before it. What was taken back
    // before it is gone for good.
    void remember(const Scene& now);
    // Another run was opened: no scene of before leads to it.
    void clear();

    // The scene on that side; nothing where there is none. `now` is what the way back leads to.
    std::optional<Scene> back(const Scene& now) { return travel(undo_, redo_, now); }
    std::optional<Scene> forward(const Scene& now) { return travel(redo_, undo_, now); }

    bool can_undo() const { return !undo_.empty(); }
    bool can_redo() const { return !redo_.empty(); }
    // The scene before the last change; null where it was not changed.
    const Scene* before() const { return undo_.empty() ? nullptr : &undo_.back(); }

private:
    using Side = std::vector<Scene>;  // the nearest last
    static std::optional<Scene> travel(Side& from, Side& to, const Scene& now);

    Side undo_, redo_;
};

}  // namespace kv
