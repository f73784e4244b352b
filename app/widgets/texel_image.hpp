#pragma once
// A picture of single pixels that is kept on the graphics card: what changed is written here, and
// its rows go over once a frame. One texel is one pixel of the screen, so nothing is filtered. It
// lives no longer than what it was first shown by.

#include <memory>
#include <vector>

#include "app/widgets/paint/paint.hpp"

namespace kv {

class TexelImage {
public:
    TexelImage();
    ~TexelImage();
    TexelImage(TexelImage&&) noexcept;
    TexelImage& operator=(TexelImage&&) noexcept;

    // True when it is another size now, and empty.
    bool resize(int width, int height);
    void clear();  // transparent
    // Clipped to the picture.
    void put(int x, int y, int width, int height, Color color);
    void show(const Painter& p, Vec2 at);

private:
    struct Owned;
    void drop_retired();

    std::unique_ptr<Owned> texture_;
    std::vector<std::unique_ptr<Owned>> retired_;  // until the card has let go of them
    int dirty_begin_ = 0, dirty_end_ = 0;          // rows
};

}  // namespace kv
