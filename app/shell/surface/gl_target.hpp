#pragma once
// The framebuffer that a picture by OpenGL is made in: RGBA, 8 bits a channel, no depth, no
// multisampling. Needs a current OpenGL context from construction to destruction.

#include <string>

#include "app/shell/picture/image.hpp"

namespace kv {

class GlTarget {
public:
    explicit GlTarget(PixelSize size);
    ~GlTarget();
    GlTarget(const GlTarget&) = delete;
    GlTarget& operator=(const GlTarget&) = delete;

    void draw(Color background);  // ImGui's current draw data
    Image read() const;

private:
    PixelSize size_;
    unsigned framebuffer_ = 0, color_ = 0;
};

// Clears the bound framebuffer and draws ImGui's current draw data into it.
void draw_gui(PixelSize size, Color background);
std::string gl_renderer();

}  // namespace kv
