#pragma once
// The Explore layout as the window builds it, frame by frame.

#include <memory>

#include "app/frame/frame.hpp"
#include "app/shell/gui.hpp"
#include "app/shell/surface.hpp"

namespace kv::bench {

class ExploreWindow {
public:
    explicit ExploreWindow(std::unique_ptr<Surface> surface);
    void build(const RunView& run);
    // What any window costs: one that is filled with the colour of a panel.
    void build_empty();
    void end();

private:
    std::unique_ptr<Surface> surface_;
    Gui gui_;
    Frame frame_;
};

}  // namespace kv::bench
