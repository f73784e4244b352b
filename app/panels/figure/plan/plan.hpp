#pragma once
// A lesson figure as a plan: pieces with rectangles in logical pixels, words and a role. Time in a
// figure is counted in keys: Forward goes on by one, and at key n the pieces with from <= n <=
// until are there, so that jumping and playing give the same picture. (Look::Key and Ink::K are K
// of the cache.) What answers an open question is not in the plan at all. Painters know pieces, not
// figures. Pure.

#include <cstdint>
#include <limits>

#include "app/shell/geometry.hpp"
#include "app/shell/texts/texts.hpp"
#include "core/base/reused.hpp"
#include "core/base/reused_text.hpp"

namespace kv::figure {

enum class Font : std::uint8_t { Regular, Semibold, Bold, Mono, MonoBold };
enum class Ink : std::uint8_t { Strong, Plain, Quiet, K, V, Loss, OnHue, OnStrong };
struct Word {
    Text text;
    Font font = Font::Regular;
    float size = 13;
    Ink ink = Ink::Plain;
    float gap = 0;  // before it
};
enum class Edge : std::uint8_t { Left, Center, Right };

// What a rectangle is, not how it is coloured.
enum class Look : std::uint8_t {
    None,
    Fresh,     // computed for the first time
    Again,     // computed again: work, not loss
    Kept,      // only read
    Free,      // nothing there
    Readable,  // may be read
    Chip,      // a word
    Pill,      // a word that was written
    Outline,   // a box of a sum
    Strong,    // the box that the step is about
    Key,
    Value,
    KeyWash,
    ValueWash,
    Amount,  // a bar, which stands out at its `now`
    NowRow,  // behind a row
    Wrong,   // the box of a wrong sum
    WrongResult,
    WrongLine,   // of a file
    TooMuch,     // claimed, never needed
    TurnedAway,  // fits in truth
    Config,      // a file
    Rule,        // a hairline
    Changed,     // a hue by `share`
    Reserved,    // held, and filled later
    NeverUsed,   // held, and not filled
    Gap,         // held by nobody, and too small for those who wait
    Lost,        // what coding took away, or what a loss is above another
    Gone,        // a token that was dropped
    Sink,        // one that is kept as a first token
    Ring,        // a value on a ladder
    Weight,      // a share of attention
    FarWeight,   // one that the step is about
    Plot,        // the room of a curve
    Grid,        // a line in it
    LockedNode,  // of a tree, around a wash
};

// What a piece is, and which fields count beside those of every piece.
enum class Kind : std::uint8_t {
    Box,       // look, words, edge, pitch, cells; hue, radius and share where the look has them
    Words,     // words, edge, pitch
    Wire,      // points, width, dashed, arrow, loss, look; hue where it is Fresh
    Span,      // points: its two ends; the first of words between them; no arrow where it is a loss
    Brackets,  // none: they stand around rect
    Tag,       // hue: the sign of that request; dashed while it waits, hollow where look is Kept
    Curve,     // points, width; the area below them reaches down to the foot of rect
};
inline constexpr std::uint32_t kAlways = std::numeric_limits<std::uint32_t>::max();

struct Piece {
    // Every piece.
    Kind kind = Kind::Box;
    Text id;
    Rect rect;                                // a wire and a span go by their points
    Text caption;                             // for whoever points at rect
    std::uint32_t from = 0, until = kAlways;  // keys
    std::uint32_t now = kAlways;              // at this key it is the one that counts
    Vec2 slide;                               // it comes from there with its key; else it appears

    // Box, wire, tag.
    Look look = Look::None;
    std::uint8_t hue = 0;  // of which request, in order of arrival, where a role has the hue of one

    // Box.
    float radius = 3;
    double share = 1;         // of Look::Changed
    std::uint32_t cells = 1;  // it is a row of so many

    // Words, also those in a box or on a span.
    List<Word> words;
    Edge edge = Edge::Center;
    float pitch = 0;     // of lines that wrap; 0: one line
    bool names = false;  // they name a place or a tick; they are no value

    // Wire, span, curve.
    List<Vec2> points;
    float width = 1;
    bool dashed = false;  // a tag, too
    bool arrow = false, loss = false;

    bool shows_at(std::uint32_t key) const { return from <= key && key <= until; }
};

struct Plan {
    Vec2 size;
    List<Piece> pieces;
    List<Text> key_names;  // under the track; none where keys are counted
};

// How many keys a figure has: it opens at `opens`, goes from `first` to `last` while its question
// is open, and to `end` behind the reveal.
struct Keys {
    std::uint32_t first = 0, opens = 0, last = 0, end = 0;
    std::uint32_t top(bool revealed) const { return revealed ? end : last; }
};

// What a plan is made for.
struct Ask {
    Vec2 size;  // logical pixels, at least kLeastWidth x kLeastHeight
    bool revealed = false;
    Text said;  // what was answered; empty: nothing
    const Texts& text;
};
inline constexpr float kLeastWidth = 840, kLeastHeight = 560;

}  // namespace kv::figure
