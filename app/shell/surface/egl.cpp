// The surface without a display: an OpenGL context that EGL gives without any window, and a
// framebuffer.

#include <glad/egl.h>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <array>
#include <functional>
#include <future>
#include <latch>
#include <optional>
#include <utility>

#include "app/shell/surface/gl_target.hpp"
#include "app/shell/surface/surface.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr int kMostDevices = 16;

[[noreturn]] void no_egl(const std::string& why) {
    throw Error(ErrorCode::Missing,
                "No picture by OpenGL without a display: " + why +
                    " Install libegl1, libopengl0 and libgl1-mesa-dri, or leave --renderer gl "
                    "away: pictures need no driver.");
}

bool initialise(EGLDisplay display) {
    EGLint major = 0, minor = 0;
    return display != EGL_NO_DISPLAY && eglInitialize(display, &major, &minor) == EGL_TRUE;
}

EGLDisplay surfaceless_display() {
    return eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
}

EGLDisplay device_display() {
    if (eglQueryDevicesEXT == nullptr) return EGL_NO_DISPLAY;
    std::array<EGLDeviceEXT, kMostDevices> devices{};
    EGLint n = 0;
    if (eglQueryDevicesEXT(kMostDevices, devices.data(), &n) != EGL_TRUE) return EGL_NO_DISPLAY;
    for (int i = 0; i < n; ++i) {
        EGLDisplay display = eglGetPlatformDisplayEXT(
            EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr);
        if (initialise(display)) return display;
    }
    return EGL_NO_DISPLAY;
}

EGLDisplay open_display() {
    // Before a display exists the loader believes in EGL 1.0 and leaves eglGetPlatformDisplay null;
    // the extension's function is there, and the second load after eglInitialize finds the rest.
    if (gladLoaderLoadEGL(EGL_NO_DISPLAY) == 0) no_egl("EGL is not installed.");
    if (eglGetPlatformDisplayEXT == nullptr)
        no_egl("this EGL cannot open a display without a window (EGL_EXT_platform_base).");
    EGLDisplay display = surfaceless_display();
    if (!initialise(display)) display = device_display();
    if (display == EGL_NO_DISPLAY) no_egl("EGL found no renderer.");
    if (gladLoaderLoadEGL(display) == 0) no_egl("EGL found no renderer.");
    return display;
}

// A context that draws into framebuffer objects only. The display stays open: EGL shares it among
// all its users in the process, so closing it here would pull it from under another one.
class EglContext {
public:
    EglContext() : display_(open_display()) {
        if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) no_egl("the renderer has no desktop OpenGL.");
        const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                 EGL_NONE};
        EGLConfig config = nullptr;
        EGLint n = 0;
        if (eglChooseConfig(display_, wanted, &config, 1, &n) != EGL_TRUE || n < 1)
            no_egl("the renderer has no desktop OpenGL.");
        const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                                  3,
                                  EGL_CONTEXT_MINOR_VERSION,
                                  3,
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                  EGL_NONE};
        context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
        if (context_ == EGL_NO_CONTEXT) no_egl("the renderer is older than OpenGL 3.3.");
    }
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;
    ~EglContext() {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_, context_);
        eglReleaseThread();
    }

    void make_current() {
        if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE ||
            eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) != EGL_TRUE ||
            gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress)) == 0)
            no_egl("the renderer cannot draw without a window.");
    }

private:
    EGLDisplay display_;
    EGLContext context_ = EGL_NO_CONTEXT;
};

std::unique_ptr<EglContext> open_context(std::latch& begun) {
    begun.count_down();
    auto context = std::make_unique<EglContext>();
    eglReleaseThread();  // what EGL keeps for the thread that opened it; another one draws
    return context;
}

// Loading the driver is the longest part of a start, so it goes on beside the first layout: the
// surface waits for it when the first picture is presented. A machine without a renderer is refused
// there.
class EglSurface final : public Surface {
public:
    explicit EglSurface(PixelSize size)
        : size_(size), opening_(std::async(std::launch::async, open_context, std::ref(begun_))) {
        // A new thread waits behind the one that made it, often for a millisecond; so step aside.
        begun_.wait();
    }
    ~EglSurface() override {
        if (opening_.valid()) opening_.wait();
    }

    void attach() override {
        attached_ = true;
        if (context_) ImGui_ImplOpenGL3_Init(kShaders);
        // These hold until the renderer says so itself: textures may change, and meshes may be
        // large.
        ImGui::GetIO().BackendFlags |= kRendererFlags;
    }
    void detach() override {
        attached_ = false;
        if (context_) ImGui_ImplOpenGL3_Shutdown();
        ImGui::GetIO().BackendFlags &= ~kRendererFlags;
    }

    PixelSize size() const override { return size_; }
    void resize(PixelSize size) override {
        wait_for_driver();  // which knows the largest size
        target_.emplace(size);
        size_ = size;
    }

    void begin_frame() override {
        if (context_) ImGui_ImplOpenGL3_NewFrame();
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {static_cast<float>(size_.w), static_cast<float>(size_.h)};
        io.DeltaTime = 1.0f / 60.0f;
    }
    void present(Color background) override {
        if (wait_for_driver()) ImGui_ImplOpenGL3_NewFrame();
        target_->draw(background);
        glFinish();  // no display shows it later: presented means drawn
    }
    Image read_pixels() override {
        wait_for_driver();
        return target_->read();
    }
    std::string renderer() override {
        wait_for_driver();
        return gl_renderer();
    }

private:
    static constexpr const char* kShaders = "#version 330 core";
    static constexpr ImGuiBackendFlags kRendererFlags =
        ImGuiBackendFlags_RendererHasTextures | ImGuiBackendFlags_RendererHasVtxOffset;

    // True the first time.
    bool wait_for_driver() {
        if (context_) return false;
        if (!opening_.valid()) no_egl("the renderer could not be opened.");
        std::unique_ptr<EglContext> context = opening_.get();
        context->make_current();
        context_ = std::move(context);
        target_.emplace(size_);
        if (attached_) ImGui_ImplOpenGL3_Init(kShaders);
        return true;
    }

    PixelSize size_;
    bool attached_ = false;
    std::latch begun_{1};
    std::future<std::unique_ptr<EglContext>> opening_;
    std::unique_ptr<EglContext> context_;
    std::optional<GlTarget> target_;
};

}  // namespace

std::unique_ptr<Surface> open_egl(PixelSize size) {
    return std::make_unique<EglSurface>(size);
}

}  // namespace kv
