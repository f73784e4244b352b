// The program that every start is compared with: EGL without a display, stock Dear ImGui with its
// default font, one window, one frame of 1280 x 720. It prints "first frame: RENDERER" when the
// frame is drawn.

#include <glad/egl.h>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <cstdio>

namespace {

constexpr int kWidth = 1280, kHeight = 720;

bool open_context() {
    if (gladLoaderLoadEGL(EGL_NO_DISPLAY) == 0 || eglGetPlatformDisplayEXT == nullptr) return false;
    EGLDisplay display =
        eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (eglInitialize(display, nullptr, nullptr) != EGL_TRUE) return false;
    if (gladLoaderLoadEGL(display) == 0 || eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return false;
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint n = 0;
    if (eglChooseConfig(display, wanted, &config, 1, &n) != EGL_TRUE || n < 1) return false;
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    return eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE &&
           gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress)) != 0;
}

void bind_framebuffer() {
    GLuint color = 0, framebuffer = 0;
    glGenRenderbuffers(1, &color);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, kWidth, kHeight);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    glViewport(0, 0, kWidth, kHeight);
}

void draw_frame() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    // With a size of its own the window is visible at once; to find one, Dear ImGui hides it for a
    // frame.
    ImGui::SetNextWindowSize({400, 300});
    ImGui::Begin("Bare");
    ImGui::TextUnformatted("One window, one line of text.");
    ImGui::End();
    ImGui::Render();
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glFinish();
}

}  // namespace

int main() {
    if (!open_context()) {
        std::fputs("bare window: no EGL renderer\n", stderr);
        return 4;
    }
    bind_framebuffer();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {kWidth, kHeight};
    io.DeltaTime = 1.0f / 60.0f;
    ImGui_ImplOpenGL3_Init("#version 330 core");
    draw_frame();
    if (ImGui::GetDrawData()->TotalVtxCount == 0) {
        std::fputs("bare window: the first frame is empty\n", stderr);
        return 1;
    }
    std::printf("first frame: %s, OpenGL %s\n",
                reinterpret_cast<const char*>(glGetString(GL_RENDERER)),
                reinterpret_cast<const char*>(glGetString(GL_VERSION)));
    std::fflush(stdout);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
    return 0;
}
