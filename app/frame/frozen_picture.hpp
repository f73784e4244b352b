#pragma once
// What the audience saw when Present was frozen: the moment of the run, the page with its words and
// choices, the other side. It stays whatever goes on behind it, another run too.

#include <memory>
#include <optional>
#include <vector>

#include "app/panels/lesson/view.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"

namespace kv {

struct PresentedRun {
    const RunView* run = nullptr;
    const RunView* other = nullptr;
    const LessonView* lesson = nullptr;
    RunFocus* focus = nullptr;
};

class FrozenPicture {
public:
    // What is to be shown: what is given, or what was kept. Valid as long as both are.
    PresentedRun shown(const PresentedRun& live, bool frozen);

private:
    struct KeptRun {
        explicit KeptRun(const RunView& run);
        Snapshot now;
        std::vector<Sample> samples;
        std::optional<RunChange> change;
        std::optional<RunView> view;
    };
    struct Kept {
        std::unique_ptr<KeptRun> run, other;
        std::optional<LessonView> lesson;
        RunFocus focus;
    };
    std::optional<Kept> kept_;
};

}  // namespace kv
