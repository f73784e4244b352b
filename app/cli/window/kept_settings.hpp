#pragma once
// What the window remembers between two starts: settings and moved panels, in the person's own
// folders. Both are written soon after they change, so that a power cut costs nothing.

#include <string>

#include "app/cli/screen/screen.hpp"

namespace kv {

// The state as it was left; a settings file that cannot be used is told of in the window.
AppState remembered_state();
// Called before the first frame. Moved panels are a convenience: a file that cannot be read is no
// reason to stop.
void recall_moved_panels(Screen& screen);

class KeptSettings {
public:
    explicit KeptSettings(const Screen& screen);
    // Called once in a while: writes what has been as it is for half a second. A file that cannot
    // be written becomes a notice, once.
    void follow(Screen& screen);
    // Called at the end; throws kv::Error (World).
    void finish(Screen& screen);

private:
    void write(Screen& screen);

    Settings written_, seen_;
    double seen_since_ = 0;
    bool failed_ = false;
};

}  // namespace kv
