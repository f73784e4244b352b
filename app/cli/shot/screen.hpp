#pragma once
// The screen that a picture without a display is drawn on, with its scene at its step.

#include <memory>

#include "app/cli/screen/screen.hpp"
#include "app/cli/shot/shot.hpp"
#include "app/live/scene/picture_note.hpp"

namespace kv {

PixelSize picture_size(const ShotOptions& options);

struct ShotScreen {
    ShotScreen(const ShotOptions& options, std::unique_ptr<Surface> surface);
    void settle(int frames = kSettleFrames);

    Screen screen;
    PictureNote note;  // what it was made of
    float scale = 1;
};

}  // namespace kv
