#pragma once
// Where the parts of a page stand: the picture above, then the words, the choices and the foot,
// which stand on the lower edge. Where words need more, the picture yields, at last altogether;
// only then the words become smaller. A figure has its words beside it instead, in a column as high
// as itself, so that both keep letters that a room can read. Designed at 1920 x 1080. Pure; pixels.

#include <functional>
#include <optional>

#include "app/shell/geometry.hpp"
#include "core/base/reused.hpp"

namespace kv {

// Sizes of the design.
struct PageType {
    static constexpr float kHeadline = 60, kHeadlinePitch = 74, kProse = 33, kProsePitch = 46,
                           kLabel = 24, kSmall = 22;
    // Prose beside a figure is never smaller: 18 pixels at 1280 x 720.
    static constexpr float kLeastProse = 27;
};

// What the words need; `words` is pixels per pixel of the design for all that is written.
struct PageNeeds {
    std::function<float(float words, float width)> headline, prose;  // heights
    // The lines that the longest choice takes at that size in a box of that width.
    std::function<int(float size, float words, float width)> choice_lines;
    std::size_t n_choices = 0;
    bool is_written = false;  // a box to type into
    bool asks = false;        // its foot is the larger one
    bool has_picture = true;
    bool prose_fills = false;  // in a column its room is all that the rest leaves
};

struct PagePlan {
    float unit = 1;          // pixels per pixel of the design
    float words = 1;         // and of what is written
    float buttons = 1;       // and of what stands in the foot
    Rect picture;            // of no height: it yielded
    bool in_column = false;  // the words stand at the left of the picture
    float rule = 0;          // between both: its y, or its x where words stand in a column
    Rect headline, prose, foot;
    List<Rect> choices;
    float choice_size = 56;
    bool has_picture() const { return picture.h > 0; }
};
// `bar`: what the bar at the top edge covers, in pixels.
PagePlan plan_page(const Rect& room, float text_scale, float bar, const PageNeeds& needs);
// Words in the narrowest column that holds them; nothing where they are too large for any.
std::optional<PagePlan> plan_page_in_columns(const Rect& room, float text_scale, float bar,
                                             const PageNeeds& needs);

// How many dashed boxes are filled, so long after the reveal: one after the other.
constexpr double kFillSeconds = 0.25;
std::size_t boxes_filled(double seconds, std::size_t n, bool at_once);

}  // namespace kv
