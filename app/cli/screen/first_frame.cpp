#include "app/cli/screen/first_frame.hpp"

#include <memory>
#include <utility>

#include "app/cli/screen/screen.hpp"
#include "app/cli/terminal/output.hpp"

namespace kv {

int run_first_frames(int frames, const std::optional<std::string>& out) {
    // First of all the driver, which takes longest and loads beside everything else.
    std::unique_ptr<Surface> surface = open_headless({1280, 720}, Renderer::Gl);
    const Texts texts = texts_for("");
    Screen screen(std::move(surface), AppState{}, texts);
    for (int i = 0; i < frames; ++i) screen.draw(false);
    screen.frame().state().about = about_lines(texts, screen.surface().renderer());
    write_output(out, "first frame: " + screen.surface().renderer() + "\n");
    return 0;
}

}  // namespace kv
