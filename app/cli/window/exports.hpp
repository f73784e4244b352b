#pragma once
// What the window is asked to write: pictures, drawings, panels, tables and films. Nothing that is
// there already is written over; what went wrong becomes a notice with the place.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/screen/screen.hpp"
#include "app/cli/window/film.hpp"

namespace kv {

class WindowExports {
public:
    // Called between two frames: writes what was asked for in the last one, and takes the next
    // picture of a film.
    void carry_out(Screen& screen);
    bool busy() const { return film_ != nullptr; }

private:
    void carry_out_one(Screen& screen, const Command& command);
    void stop_film(Screen& screen);
    void show(Screen& screen, const std::string& named) const;

    std::filesystem::path last_;  // what was written last
    std::unique_ptr<WindowFilm> film_;
};

}  // namespace kv
