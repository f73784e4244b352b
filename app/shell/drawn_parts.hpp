#pragma once
// Which parts of the picture stand where in this frame, by name: panels tell it while they draw,
// and whoever points at a part of the window asks. A part that is not in sight is not there.

#include <cstdint>
#include <optional>
#include <utility>

#include "app/shell/ui.hpp"
#include "core/base/reused.hpp"

namespace kv {

enum class PartKind : std::uint8_t {
    TokenRow,       // number: the entry of the table
    Token,          // position
    Entry,          // of the block table
    Line,           // from that entry to its block
    Block,          // of the pool
    Vector,         // the bytes of the selected key or value
    AttentionRow,   // number: the query head
    AttentionBars,  // its largest weights
    Forward,        // the button
    BytesRead,      // the chart
    Product,        // the bytes as a product
};

struct PartName {
    PartKind kind = PartKind::TokenRow;
    std::uint32_t number = 0;
    friend bool operator==(const PartName&, const PartName&) = default;
};

// A part on the screen, in pixels. A line is the way that it takes; `rect` is then what lies around
// it.
struct DrawnPart {
    PartName name;
    Rect rect;
    List<Vec2> way = {};
};

class DrawnParts {
public:
    void clear() { parts_.clear(); }
    void add(DrawnPart part) { parts_.push_back(std::move(part)); }
    const DrawnPart* find(const PartName& name) const {
        for (const DrawnPart& part : parts_)
            if (part.name == name) return &part;
        return nullptr;
    }
    bool empty() const { return parts_.empty(); }

private:
    List<DrawnPart> parts_;
};

// What of it the window lets be seen; a part that is hidden for the most part is not told.
void tell_part(const Ui& ui, const PartName& name, const Rect& rect);
void tell_line(const Ui& ui, const PartName& name, const List<Vec2>& way);

}  // namespace kv
