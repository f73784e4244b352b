// The window on the desktop: GLFW for the window and its events, OpenGL 3.3 for the picture.

#include <glad/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/shell/picture/raster.hpp"
#include "app/shell/surface/gl_target.hpp"
#include "app/shell/surface/surface.hpp"
#include "core/base/error.hpp"
#include "core/base/sanitizers.hpp"

namespace kv {
namespace {

constexpr PixelSize kSmallest{640, 360};

// What unloading the display driver leaves behind looks like leaks to a sanitizer, so there it
// stays.
constexpr bool kKeepDriverLoaded =
#if defined(KV_ADDRESS_SANITIZER) || defined(KV_THREAD_SANITIZER)
    true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

[[noreturn]] void no_window(const char* what) {
    const char* detail = nullptr;
    glfwGetError(&detail);
    throw Error(ErrorCode::Missing,
                std::string("No window: ") + what +
                    (detail == nullptr ? std::string() : std::string(" (") + detail + ")") +
                    ". Use kvarium shot --out FILE.png for a picture or kvarium calc for numbers; "
                    "both work without a display.");
}

class GlfwLibrary {
public:
    GlfwLibrary() {
        if (glfwInit() != GLFW_TRUE) no_window("no display was found");
    }
    GlfwLibrary(const GlfwLibrary&) = delete;
    GlfwLibrary& operator=(const GlfwLibrary&) = delete;
    ~GlfwLibrary() {
        if (!kKeepDriverLoaded) glfwTerminate();
    }
};

struct Place {
    int x = 0, y = 0;
    PixelSize size;
};

Place work_area(GLFWmonitor* monitor) {
    Place area;
    if (monitor != nullptr)
        glfwGetMonitorWorkarea(monitor, &area.x, &area.y, &area.size.w, &area.size.h);
    return area;
}

float sane_scale(float scale) {
    return std::isfinite(scale) ? std::clamp(scale, 0.5f, 4.0f) : 1.0f;
}

// The wanted size in pixels of this display, no larger than what the desktop leaves free.
PixelSize fitting(PixelSize wanted) {
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    float scale_x = 1.0f, scale_y = 1.0f;
    if (monitor != nullptr) glfwGetMonitorContentScale(monitor, &scale_x, &scale_y);
    const auto side = [](int logical, float scale, int smallest, int room) {
        const int pixels =
            static_cast<int>(std::lround(static_cast<float>(logical) * sane_scale(scale)));
        return std::max(smallest, room > 0 ? std::min(pixels, room) : pixels);
    };
    const PixelSize room = work_area(monitor).size;
    return {side(wanted.w, scale_x, kSmallest.w, room.w),
            side(wanted.h, scale_y, kSmallest.h, room.h)};
}

GLFWwindow* create_window(const WindowRequest& request) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // shown with its first picture, never empty
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "kvarium");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "kvarium");
    const PixelSize size = fitting(request.size);
    GLFWwindow* window = glfwCreateWindow(size.w, size.h, request.title.c_str(), nullptr, nullptr);
    if (window == nullptr) no_window("the display offers no OpenGL 3.3");
    return window;
}

// The screen that the window's middle lies on.
GLFWmonitor* monitor_of(const Place& window) {
    const int x = window.x + window.size.w / 2, y = window.y + window.size.h / 2;
    int n = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&n);
    for (int i = 0; i < n; ++i) {
        int left = 0, top = 0;
        glfwGetMonitorPos(monitors[i], &left, &top);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        if (mode != nullptr && x >= left && y >= top && x < left + mode->width &&
            y < top + mode->height)
            return monitors[i];
    }
    return glfwGetPrimaryMonitor();
}

class GlfwSurface final : public Surface {
public:
    explicit GlfwSurface(const WindowRequest& request) {
        if (!request.beside) library_.emplace();
        window_ = create_window(request);
        glfwMakeContextCurrent(window_);
        if (gladLoadGL(glfwGetProcAddress) == 0) {
            glfwDestroyWindow(window_);
            no_window("the display offers no OpenGL 3.3");
        }
        glfwSwapInterval(request.beside ? 0 : 1);
        glfwSetWindowSizeLimits(window_, kSmallest.w, kSmallest.h, GLFW_DONT_CARE, GLFW_DONT_CARE);
        listen();
        if (request.fullscreen) set_fullscreen(true);
    }
    ~GlfwSurface() override { glfwDestroyWindow(window_); }

    // ImGui's own callbacks go on top of ours and call them in turn.
    void attach() override {
        ImGui_ImplGlfw_InitForOpenGL(window_, true);
        ImGui_ImplOpenGL3_Init("#version 330 core");
    }
    void detach() override {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
    }

    PixelSize size() const override {
        PixelSize size;
        glfwGetFramebufferSize(window_, &size.w, &size.h);
        return size;
    }
    // Where the desktop counts in points of several pixels, ImGui works in points and draws them
    // sharp; only what is left of the scale is ours to apply.
    float scale() const override {
        float x = 1.0f, y = 1.0f;
        glfwGetWindowContentScale(window_, &x, &y);
        PixelSize points;
        glfwGetWindowSize(window_, &points.w, &points.h);
        const PixelSize pixels = size();
        if (points.w <= 0 || pixels.w <= 0) return sane_scale(x);
        return sane_scale(x * static_cast<float>(points.w) / static_cast<float>(pixels.w));
    }
    void resize(PixelSize size) override { glfwSetWindowSize(window_, size.w, size.h); }

    bool wait_events(double seconds) override {
        if (seconds < 0)
            glfwWaitEvents();
        else if (seconds > 0)
            glfwWaitEventsTimeout(seconds);
        else
            glfwPollEvents();
        return arrived_.exchange(false);
    }
    std::vector<std::string> take_dropped() override { return std::exchange(dropped_, {}); }
    void wake() override {
        arrived_ = true;
        glfwPostEmptyEvent();
    }

    void make_current() override { glfwMakeContextCurrent(window_); }
    void begin_frame() override {
        make_current();
        ImGui_ImplOpenGL3_NewFrame();
        ImGui_ImplGlfw_NewFrame();
    }
    void present(Color background) override {
        background_ = background;
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        draw_gui(size(), background);
        glfwSwapBuffers(window_);
        if (!shown_) glfwShowWindow(window_);
        shown_ = true;
    }
    // Drawn once more as pictures are, so that one of the window has the same bytes as one made
    // without a display.
    Image read_pixels() override { return draw_picture(ImGui::GetDrawData(), size(), background_); }

    Image picture(Color background) override {
        background_ = background;
        return read_pixels();
    }

    bool close_requested() const override { return glfwWindowShouldClose(window_) == GLFW_TRUE; }
    void keep_open() override { glfwSetWindowShouldClose(window_, GLFW_FALSE); }
    bool focused() const override {
        return glfwGetWindowAttrib(window_, GLFW_FOCUSED) == GLFW_TRUE;
    }
    bool visible() const override {
        return glfwGetWindowAttrib(window_, GLFW_ICONIFIED) != GLFW_TRUE;
    }
    bool fullscreen() const override { return glfwGetWindowMonitor(window_) != nullptr; }
    void set_fullscreen(bool on) override {
        if (on == fullscreen()) return;
        if (!on) {
            glfwSetWindowMonitor(window_, nullptr, windowed_.x, windowed_.y, windowed_.size.w,
                                 windowed_.size.h, GLFW_DONT_CARE);
            return;
        }
        glfwGetWindowPos(window_, &windowed_.x, &windowed_.y);
        glfwGetWindowSize(window_, &windowed_.size.w, &windowed_.size.h);
        GLFWmonitor* monitor = monitor_of(windowed_);
        const GLFWvidmode* mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
        if (mode == nullptr) return;
        glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    }
    std::string renderer() override { return gl_renderer(); }

private:
    static void arrived(GLFWwindow* window) {
        static_cast<GlfwSurface*>(glfwGetWindowUserPointer(window))->arrived_ = true;
    }

    // Every kind of event that can change the picture; without these a waiting window would not
    // know whether it woke for one of its own events.
    void listen() {
        glfwSetWindowUserPointer(window_, this);
        glfwSetKeyCallback(window_, [](GLFWwindow* w, int, int, int, int) { arrived(w); });
        glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned) { arrived(w); });
        glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int, int, int) { arrived(w); });
        glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double, double) { arrived(w); });
        glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int) { arrived(w); });
        glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double) { arrived(w); });
        glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int) { arrived(w); });
        glfwSetWindowIconifyCallback(window_, [](GLFWwindow* w, int) { arrived(w); });
        glfwSetWindowCloseCallback(window_, arrived);
        glfwSetWindowRefreshCallback(window_, arrived);
        glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { arrived(w); });
        glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
            auto& self = *static_cast<GlfwSurface*>(glfwGetWindowUserPointer(w));
            self.dropped_.insert(self.dropped_.end(), paths, paths + count);
            arrived(w);
        });
        glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { arrived(w); });
    }

    std::optional<GlfwLibrary> library_;  // of the first window, which all others stand beside
    GLFWwindow* window_ = nullptr;
    std::vector<std::string> dropped_;
    std::atomic<bool> arrived_ = false;
    Color background_ = rgb(0);
    bool shown_ = false;
    Place windowed_;  // where to go back to from the full screen
};

}  // namespace

std::unique_ptr<Surface> open_window(const WindowRequest& request) {
    return std::make_unique<GlfwSurface>(request);
}

std::string window_library() {
    int major = 0, minor = 0, revision = 0;
    glfwGetVersion(&major, &minor, &revision);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(revision);
}

}  // namespace kv
