#pragma once
// Where the picture goes: a window on the desktop, a picture in memory that needs no driver, a
// framebuffer of OpenGL without a display (EGL), or nowhere (for tests of what the program does
// rather than how it looks). Nothing outside app/shell can tell which. At most one surface with a
// renderer is alive in a thread at a time, since OpenGL has one current context; only windows that
// are opened beside a window share it, and each takes the context over when its frame begins.

#include <memory>
#include <string>
#include <vector>

#include "app/shell/picture/image.hpp"
#include "app/shell/theme.hpp"

namespace kv {

class Surface {
public:
    virtual ~Surface() = default;
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;

    // Gui calls these: the ImGui context exists now; it is about to go.
    virtual void attach() = 0;
    virtual void detach() = 0;

    virtual PixelSize size() const = 0;  // of the picture, in pixels; may be {0, 0}
    virtual float scale() const {
        return 1.0f;
    }  // of the display; times the text scale it is Ui::unit
    virtual void resize(PixelSize size) = 0;

    // Takes events in; with nothing to take, sleeps until there is something or until the time is
    // up (0: not at all; kNoLimit: no limit). True when something arrived.
    static constexpr double kNoLimit = -1.0;
    virtual bool wait_events(double) { return false; }
    virtual void wake() {}  // ends wait_events; the only function that another thread may call

    virtual void begin_frame() = 0;  // tells ImGui the size and the time; Gui::begin_frame calls it
    virtual void present(Color background) = 0;  // draws ImGui's draw data; Gui::end_frame calls it
    virtual Image read_pixels() = 0;  // what present() drew last; empty on the null surface
    // What present() would show now; a window does not show it.
    virtual Image picture(Color background) {
        present(background);
        return read_pixels();
    }

    virtual bool close_requested() const { return false; }
    // Takes the request back: somebody is asked first.
    virtual void keep_open() {}
    virtual bool focused() const { return true; }
    virtual bool visible() const { return true; }  // false while minimised
    virtual bool fullscreen() const { return false; }
    virtual void set_fullscreen(bool) {}
    // The context that drawing, and taking down what was drawn, needs; one surface never gives it
    // away.
    virtual void make_current() {}
    // Files that were dropped on the window since the last call.
    virtual std::vector<std::string> take_dropped() { return {}; }
    // What draws, for people: of OpenGL the driver's own words.
    virtual std::string renderer() = 0;

protected:
    Surface() = default;
};

std::string window_library();  // the version of GLFW that this program runs with, "3.3.8"

struct WindowRequest {
    std::string title = "KVarium";
    PixelSize size{1600, 900};  // logical: the display's scale multiplies it, the desktop bounds it
    bool fullscreen = false;
    // The window is opened beside another one that outlives it and alone waits for the display.
    bool beside = false;
};

// Each throws kv::Error (Missing) with what to use instead when the machine cannot do it.
std::unique_ptr<Surface> open_window(const WindowRequest& request);
// Without a display. Pictures are drawn by integers, the same on every machine; the other renderer
// is what the window uses, with pixels of the driver's own.
enum class Renderer { Integers, Gl };
std::unique_ptr<Surface> open_headless(PixelSize size, Renderer renderer = Renderer::Integers);
std::unique_ptr<Surface> open_egl(PixelSize size);
std::unique_ptr<Surface> open_null(PixelSize size);

}  // namespace kv
