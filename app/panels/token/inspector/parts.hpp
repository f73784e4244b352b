#pragma once
// The parts of the inspector, which share what is looked at. Each draws into rectangles of the plan
// that are moved to the screen already.

#include <optional>
#include <string>
#include <vector>

#include "app/panels/token/element_bits.hpp"
#include "app/panels/token/inspector/address_plan.hpp"
#include "app/panels/token/inspector/byte_map_plan.hpp"
#include "app/panels/token/inspector/layout.hpp"
#include "app/panels/token/looked_at.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {

struct InspectorFrame {
    const Ui& ui;
    const RunView& run;
    RunFocus& focus;
    LookedAt at;
    VectorChoice choice;

    const Hue& hue() const { return choice.side == Side::K ? ui.colors.k : ui.colors.v; }
    Codec codec() const { return run.codec_in_slot(choice.side); }
    std::uint32_t dim() const { return run.layout.vector(choice.side).dim; }
    SharedScale shared_scale() const { return run.shared_scale(choice.layer, choice.side); }
    Element element(std::span<const unsigned char> vector, std::size_t i) const {
        return element_of(codec(), dim(), vector, i, shared_scale());
    }
    VectorAt vector_at() const {
        return {choice.layer, choice.side, choice.head, *at.block, at.slot};
    }
};

// The mouse is on this part of the window, and nothing lies over it.
bool mouse_on(const Rect& rect);

// The token that a slot of the block belongs to, of the request in focus if that holds the block.
std::optional<TokenAt> token_in_slot(const RunView& run, const RunFocus& focus, BlockId block,
                                     std::uint32_t slot);

void draw_address(const InspectorFrame& frame, const InspectorPlan& plan);
void draw_block_facts(const InspectorFrame& frame, const InspectorPlan& plan);
inline constexpr std::uint32_t kBlockFacts = 5;

void draw_byte_map(const InspectorFrame& frame, const InspectorPlan& plan,
                   const BlockValues& values);

float least_cell_width(const InspectorFrame& frame);
void draw_vector(const InspectorFrame& frame, const InspectorPlan& plan);

}  // namespace kv
