#pragma once
// What every drawing function gets: how things look now, the words, and where commands go. A value
// that lives for one frame; nothing in it is owned.

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/shell/commands.hpp"
#include "app/shell/geometry.hpp"
#include "app/shell/texts/texts.hpp"
#include "app/shell/theme.hpp"

namespace kv {

class DrawnParts;  // drawn_parts.hpp

struct Fonts {
    ImFont* regular = nullptr;  // Inter
    ImFont* medium = nullptr;
    ImFont* semibold = nullptr;
    ImFont* bold = nullptr;
    ImFont* mono = nullptr;  // JetBrains Mono: every number that can change
    ImFont* mono_bold = nullptr;
};

// What was written where, for `kvarium shot --plan`: the picture as data.
struct WrittenText {
    Rect rect;
    std::string text, place;  // place: "explore/equation", the id of the window it stands in
};

struct Ui {
    const Palette& colors;
    const Fonts& fonts;
    const Texts& text;
    CommandSink& out;
    float unit = 1.0f;  // pixels per logical pixel: display scale x text scale; at 1.0 the design's
                        // numbers hold
    bool reduced_motion = false;
    std::vector<WrittenText>* written = nullptr;  // null: nobody asks
    DrawnParts* parts = nullptr;                  // the same

    // Logical pixels to pixels, whole, so that edges stay sharp. What is not nothing is at least
    // one pixel: a dash or a step of zero would never end.
    float px(float logical) const {
        const float pixels = std::floor(logical * unit + 0.5f);
        return logical > 0 ? std::max(1.0f, pixels) : pixels;
    }
    float line() const { return px(1.0f + colors.extra_line); }
};

inline ImU32 im(Color c) {
    return IM_COL32(c.r, c.g, c.b, c.a);
}
inline ImVec2 im(Vec2 v) {
    return {v.x, v.y};
}

}  // namespace kv
