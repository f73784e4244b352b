#pragma once
// The screen that a picture without a display is drawn on, with its scene at its step.

#include <memory>

#include "app/cli/screen/screen.hpp"
#include "app/cli/shot/shot.hpp"
#include "app/live/scene/picture_note.hpp"

namespace kv {

// Of the picture in its own pixels: 1,920 x 1,080 at a scale of 2 are 3,840 x 2,160. A picture that
// is drawn again keeps the pixels that it had.
PixelSize picture_size(const ShotOptions& options);

struct ShotScreen {
    ShotScreen(const ShotOptions& options, std::unique_ptr<Surface> surface);
    void settle(int frames = kSettleFrames);

    Screen screen;
    PictureNote note;  // what it was made of
    float scale = 1;
};

}  // namespace kv
