#include "app/shell/surface/gl_target.hpp"

#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace kv {

GlTarget::GlTarget(PixelSize size) : size_(size) {
    glGenRenderbuffers(1, &color_);
    glBindRenderbuffer(GL_RENDERBUFFER, color_);
    // A minimised window is 0 x 0, which OpenGL does not take.
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, std::max(1, size.w), std::max(1, size.h));
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
    const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (complete) return;
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &color_);
    throw Error(ErrorCode::World, "The renderer cannot draw a picture of " +
                                      std::to_string(size.w) + "x" + std::to_string(size.h) +
                                      " pixels. Ask for a smaller one.");
}

GlTarget::~GlTarget() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &color_);
}

void GlTarget::draw(Color background) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    draw_gui(size_, background);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

Image GlTarget::read() const {
    Image upside_down = Image::filled(size_, rgb(0));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, size_.w, size_.h, GL_RGBA, GL_UNSIGNED_BYTE, upside_down.rgba.data());
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);

    Image image{size_, {}};
    image.rgba.reserve(upside_down.rgba.size());
    const auto row = static_cast<std::ptrdiff_t>(size_.w) * 4;
    for (std::ptrdiff_t y = size_.h - 1; y >= 0; --y) {
        const auto start = upside_down.rgba.begin() + y * row;
        image.rgba.insert(image.rgba.end(), start, start + row);
    }
    return image;
}

void draw_gui(PixelSize size, Color background) {
    glViewport(0, 0, size.w, size.h);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(static_cast<float>(background.r) / 255.0f,
                 static_cast<float>(background.g) / 255.0f,
                 static_cast<float>(background.b) / 255.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    if (ImDrawData* data = ImGui::GetDrawData()) ImGui_ImplOpenGL3_RenderDrawData(data);
}

std::string gl_renderer() {
    const auto text = [](GLenum name) {
        const GLubyte* s = glGetString(name);
        return s == nullptr ? std::string("unknown") : reinterpret_cast<const char*>(s);
    };
    return text(GL_RENDERER) + ", OpenGL " + text(GL_VERSION);
}

}  // namespace kv
