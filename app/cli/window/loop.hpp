#pragma once
// The window's loop, one turn at a time: events in, what they change, a frame out where one is due.
// A desktop turns it until it ends; a page is turned by its browser.

#include <memory>
#include <optional>

#include "app/cli/screen/screen.hpp"
#include "app/cli/window/exports.hpp"
#include "app/cli/window/kept_settings.hpp"
#include "app/cli/window/notes.hpp"
#include "app/shell/surface/idle_gate.hpp"
#include "core/base/background/later.hpp"
#include "cuda/device/device.hpp"

namespace kv {

class WindowLoop {
public:
    explicit WindowLoop(Screen& screen) : screen_(screen), kept_(screen) {}

    // How long nothing is due, in seconds, as things stand: the surface may sleep so long.
    double pause() const;
    // Waits for events at most so long. True when a frame was drawn.
    bool turn(double longest_wait);
    void finish();  // writes down what is remembered

private:
    FrameState frame_state() const;
    bool is_shown() const;
    double until_note_leaves() const;
    void take_what_arrived();
    void ask_for_gpu();
    void take_gpu();

    Screen& screen_;
    IdleGate gate_;
    Later<DeviceQuery> gpu_;
    WindowExports exports_;
    NotesWindow notes_;
    KeptSettings kept_;
    std::optional<double> note_leaves_at_;  // by seconds_now()
    bool first_ = true;
};

}  // namespace kv
