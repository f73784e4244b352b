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
    // Between two frames: what was asked for in the last one, and the next picture of a film.
    void carry_out(Screen& screen);
    bool busy() const { return film_ != nullptr; }

private:
    void one(Screen& screen, const Command& command);
    void stop_film(Screen& screen);

    std::unique_ptr<WindowFilm> film_;
};

// Where it goes: the path that was typed, or the next free name in the folder of exports, made from
// the scene, the step and what it is. Throws kv::Error (World) when something is there already.
std::filesystem::path export_path(const std::string& typed, const Screen& screen,
                                  const std::string& what, const std::string& ending);
// "explore-step-112": of a scene's name, letters, digits and hyphens alone.
std::string file_words(const std::string& name);

}  // namespace kv
