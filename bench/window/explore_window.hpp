#pragma once
// A layout as the window builds it, frame by frame: Explore, unless another one is asked for.

#include <memory>

#include "app/frame/frame.hpp"
#include "app/shell/surface/gui.hpp"
#include "app/shell/surface/surface.hpp"

namespace kv::bench {

class ExploreWindow {
public:
    explicit ExploreWindow(std::unique_ptr<Surface> surface,
                           LayoutName layout = LayoutName::Explore);
    // `other` stands beside it in Compare.
    void build(const RunView& run, const RunView* other = nullptr);
    void build();  // without a run
    AppState& state() { return frame_.state(); }
    // A run that plays is drawn as such.
    void play() { frame_.state().run.playback.playing = true; }
    // What any window costs: one that is filled with the colour of a panel.
    void build_empty();
    void end();

private:
    std::unique_ptr<Surface> surface_;
    Gui gui_;
    Frame frame_;
};

}  // namespace kv::bench
