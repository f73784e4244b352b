#pragma once
// One line whose places each look their own way: "Token {n} {word} of request {tag}". Words and
// their order come from the text table, looks from the caller.

#include <optional>
#include <span>
#include <string_view>

#include "app/widgets/paint/paint.hpp"
#include "app/widgets/tags.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct LinePlace {
    std::string_view name;
    TextStyle style = {};
    Text text = {};
    std::optional<RequestTag> tag = {};  // drawn instead of a text
};
// How the words between the places look; those before the place `lead_end` may look another way.
struct TokenLineLook {
    TextStyle words;
    std::optional<TextStyle> lead = {};
    std::string_view lead_end = {};
};
// What does not fit ends in "…" with the rest as a tooltip. The width that was used.
float draw_line(const Painter& p, const Rect& rect, const TokenLineLook& look,
                std::string_view text, std::span<const LinePlace> places);
float line_width(const Ui& ui, const TokenLineLook& look, std::string_view text,
                 std::span<const LinePlace> places);

// One of the indices 0 to count - 1: a segmented row while that fits into `room` pixels, else a
// list. `label` stands before it. Pushes `command` with the new index.
struct IndexSwitch {
    const char* id = "";
    std::string_view label = {};
    CommandId command;
    std::uint32_t count = 1, chosen = 0;
    std::string_view prefix = {};  // of every option: "h" for h0, h1
};
float index_switch_width(const Ui& ui, const IndexSwitch& which, float room);
void draw_index_switch(const Ui& ui, const IndexSwitch& which, const Rect& rect);
// K and V in their hues.
float side_switch_width(const Ui& ui);
void draw_side_switch(const Ui& ui, bool keys, Vec2 at);

}  // namespace kv
