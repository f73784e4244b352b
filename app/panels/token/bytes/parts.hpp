#pragma once
// What the two halves of Bytes share: the vector that is looked at, and where things stand.

#include <optional>
#include <span>
#include <vector>

#include "app/panels/token/bytes/bytes.hpp"
#include "app/panels/token/bytes/layout.hpp"
#include "app/panels/token/element_bits.hpp"
#include "app/panels/token/inspector/address_plan.hpp"
#include "app/panels/token/looked_at.hpp"
#include "app/widgets/hit.hpp"

namespace kv {

struct BytesFrame {
    const Ui& ui;
    const RunView& run;
    RunFocus& focus;
    LookedAt at;
    VectorChoice choice;
    StoredVector stored;
    BytesPlan plan;
    Vec2 origin;

    const Hue& hue() const { return choice.side == Side::K ? ui.colors.k : ui.colors.v; }
    Codec codec() const { return run.codec_in_slot(choice.side); }
    const KvVector& vector() const { return run.layout.vector(choice.side); }
    VectorAt vector_at() const {
        return {choice.layer, choice.side, choice.head, *at.block, at.slot};
    }
    Rect placed(Rect r) const { return {r.x + origin.x, r.y + origin.y, r.w, r.h}; }
    Element element(std::size_t i) const {
        return element_of(codec(), vector().dim, stored.bytes, i,
                          run.shared_scale(choice.layer, choice.side));
    }
};

// The rectangle of the plan that the mouse is on.
std::optional<std::uint32_t> hovered_in(std::span<const Rect> rects, const BytesFrame& frame,
                                        const Hit& hit);
// Asks for an element, when it is another one than is selected; and for the one so much further on.
void select_dim(const BytesFrame& frame, std::optional<std::uint32_t> dim);
void step_dim(const BytesFrame& frame, int by);

void draw_preview(const BytesFrame& frame, BytesUi& own);

}  // namespace kv
