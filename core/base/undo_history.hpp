#pragma once
// Undo and redo of a value by keeping it as it was before each change: nothing is reversed, the
// value of before is put back. There are two: of the bill, UndoHistory<BillInputs>
// (app/frame/apply.cpp), and of a run, UndoHistory<Scene>: a scene has all that a run follows from,
// so it is opened anew and played up to the iteration at hand (`travel` in app/live/wishes.cpp).
// Which of the two Ctrl+Z means is said in app/frame/key_meaning.cpp.

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace kv {

template <class Value>
class UndoHistory {
public:
    static constexpr std::size_t kDepth = 200;

    // Called for a change that can be taken back, with the value before it. What was taken back
    // before it is gone for good.
    void remember(Value now) {
        undo_.push_back(std::move(now));
        if (undo_.size() > kDepth) undo_.erase(undo_.begin());
        redo_.clear();
    }

    // The value on that side; nothing where there is none. `now` is what the way back leads to.
    std::optional<Value> back(const Value& now) { return travel(undo_, redo_, now); }
    std::optional<Value> forward(const Value& now) { return travel(redo_, undo_, now); }

    bool can_undo() const { return !undo_.empty(); }
    bool can_redo() const { return !redo_.empty(); }
    std::size_t steps_back() const { return undo_.size(); }
    // The value before the last change; null where it was not changed.
    const Value* before() const { return undo_.empty() ? nullptr : &undo_.back(); }

private:
    using Side = std::vector<Value>;  // the nearest last

    static std::optional<Value> travel(Side& from, Side& to, const Value& now) {
        if (from.empty()) return std::nullopt;
        to.push_back(now);
        std::optional<Value> there = std::move(from.back());
        from.pop_back();
        return there;
    }

    Side undo_, redo_;
};

}  // namespace kv
