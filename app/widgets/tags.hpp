#pragma once
// The small signs: who (request tags), which side (comparison), what happened (event marks), and
// badges. Shape and letter say the same as the hue, so the signs survive greyscale. All are lines
// and areas.

#include <optional>
#include <string>
#include <string_view>

#include "app/widgets/hit.hpp"

namespace kv {

enum class TagShape : std::uint8_t { Square, Circle, Diamond };
struct RequestTag {
    // Which of the names below: by the name of the request, else by its order of arrival (tag_index
    // in app/panels/view/facts.cpp).
    std::size_t index = 0;
    bool finished = false;  // hollow and grey
    bool waiting = false;   // dashed and grey
};
// A B C squares, D E F circles, G H I diamonds; the tenth request is "A2".
std::string request_name(std::size_t index);
std::optional<std::size_t> request_index(std::string_view name);  // the inverse
TagShape request_shape(std::size_t index);
const Hue& request_hue(const Palette& colors, std::size_t index);
void draw_request_tag(const Painter& p, Vec2 center, float size, const RequestTag& tag);

// A letter on a fill, radius 2: "K" and "V".
void draw_letter_tag(const Painter& p, Vec2 center, float size, std::string_view text,
                     const Hue& hue);

enum class CompareSide : std::uint8_t { Left, Right };
void draw_side_mark(const Painter& p, Vec2 center, float size, CompareSide side, Color color);

enum class EventMark : std::uint8_t {
    Admit,
    Allocate,
    Free,
    Share,
    CopyOnWrite,
    Fork,
    Evict,
    Offload,
    BringBack,
    Finish,
    Draft
};
inline constexpr std::size_t kEventMarks = 11;
// In text colour, evict in vermillion; or in a given colour.
void draw_event_mark(const Painter& p, Vec2 center, float size, EventMark mark);
void draw_event_mark(const Painter& p, Vec2 center, float size, EventMark mark, Color color);

// "Proved | max |logit difference| = 0": a filled head and an outlined body. True when pressed.
struct BadgeLook {
    bool loss = false;   // vermillion
    bool quiet = false;  // outlined head: not checked
};
bool badge(const Ui& ui, const char* id, std::string_view head, std::span<const Run> text,
           const BadgeLook& look = {});
float badge_width(const Ui& ui, std::string_view head, std::span<const Run> text);

}  // namespace kv
