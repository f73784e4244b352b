#pragma once
// Running text in several styles, wrapped to a width. Some of its words lead somewhere: they can be
// pointed at, pressed, and reached with the keyboard.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "app/widgets/paint/type.hpp"

namespace kv {

enum class Underline : std::uint8_t { None, Solid, Dotted, Through };

// A stretch of one style. Spaces at its edges are kept; without one the words of two pieces stand
// together and stay on one line.
struct ProsePiece {
    std::string_view text;
    TextStyle style;
    std::optional<std::size_t> link = {};  // the caller's number of where it leads
    Underline underline = Underline::None;
    std::string_view tip = {};  // shown while the mouse rests on it
    bool boxed = false;         // on a raised plate, as code
};

struct ProseHit {
    std::optional<std::size_t> pointed, pressed;  // links: the mouse or the keyboard is on it
};

// Prose at the ImGui cursor, which moves on below it. `pitch`: from line to line, logical pixels.
ProseHit flowing_prose(const Ui& ui, const char* id, std::span<const ProsePiece> pieces,
                       float pitch, float width);

// The height that it takes.
float flowing_height(const Ui& ui, std::span<const ProsePiece> pieces, float pitch, float width);

}  // namespace kv
