#pragma once
// The moment of a run at which Present was frozen: the picture keeps it while the cursor goes on.
// Another run thaws it, because the frozen moment belongs to the old one.

#include <optional>

#include "app/panels/view/run.hpp"

namespace kv {

class FrozenRun {
public:
    // What is to be shown: the run itself, or the moment kept. Valid as long as `run` is.
    const RunView& shown(const RunView& run, bool frozen);

private:
    struct Kept {
        std::uint64_t id = 0, moment = 0;
        Snapshot now;
        LaneId lane{0};  // in focus
    };
    std::optional<Kept> kept_;
    std::optional<RunView> view_;
};

}  // namespace kv
