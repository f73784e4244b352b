#include "app/panels/token/inspector/inspector.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/token/inspector/parts.hpp"
#include "app/panels/view/token_line.hpp"
#include "app/widgets/message.hpp"

namespace kv {
namespace {

// ---- title and switches ----------------------------------------------------------------------

void draw_token_title(const InspectorFrame& frame, const Rect& r) {
    const Ui& ui = frame.ui;
    const TextStyle title = type::object_title(ui);
    const TokenAt token = *frame.at.token;
    const TextStyle word{ui.fonts.regular, 17, ui.colors.text2};
    const RequestView& request = frame.run.now.requests[token.request.index()];
    const bool is_ahead = token.position >= request.tokens.size();
    const std::array places{LinePlace{"n", title, std::to_string(token.position)},
                            LinePlace{"word", word, " " + word_at(frame.run, token) + " "},
                            LinePlace{"tag", {}, "", tag_of(frame.run.now, token.request)}};
    draw_line(Painter(ui), r, {.words = type::body(ui), .lead = title, .lead_end = "word"},
              ui.text[is_ahead ? "bytes.token.ahead"_t : "bytes.token"_t], places);
}

TextId state_of(const BlockView& block) {
    if (block.ref_count > 1) return "bytes.block.shared"_t;
    switch (block.state()) {
        case BlockState::Used:
            return "bytes.block.used"_t;
        case BlockState::Cached:
            return "bytes.block.cached"_t;
        case BlockState::Free:
            break;
    }
    return "bytes.block.free"_t;
}

void draw_block_title(const InspectorFrame& frame, const Rect& r) {
    const Ui& ui = frame.ui;
    const BlockView& block = frame.run.lane().blocks()[frame.at.block->index()];
    const TextStyle title = type::object_title(ui);
    const TextStyle state{ui.fonts.regular, 15, ui.colors.text2};
    const std::array places{LinePlace{"n", title, std::to_string(frame.at.block->value)},
                            LinePlace{"state", state, Text(" ") + ui.text[state_of(block)]}};
    draw_line(Painter(ui), r, {title}, ui.text["bytes.block"_t], places);
}

struct Switches {
    IndexSwitch layer, head;
};
Switches switches_of(const InspectorFrame& frame) {
    const Ui& ui = frame.ui;
    return {{"layer", ui.text["bytes.layer"_t], "select.layer", frame.run.layout.n_layers,
             frame.choice.layer.value},
            {"head", ui.text["bytes.kv_head"_t], "select.kv_head", frame.run.layout.n_kv_heads,
             frame.choice.head.value}};
}

// ---- the whole -------------------------------------------------------------------------------

Text why_no_address(const InspectorFrame& frame) {
    const Texts& text = frame.ui.text;
    const TokenAt token = *frame.at.token;
    const RequestView& request = frame.run.now.requests[token.request.index()];
    const TextId id = request.swapped                           ? "bytes.no_block.swapped"_t
                      : request.state == RequestState::Finished ? "bytes.no_block.ended"_t
                                                                : "bytes.no_block"_t;
    return fill(text[id], {{"n", std::to_string(token.position)},
                           {"request", name_of_request(frame.run.now, token.request)}});
}

InspectorNeeds needs_of(const InspectorFrame& frame, float width, std::string_view why) {
    const Ui& ui = frame.ui;
    const Switches switches = switches_of(frame);
    InspectorNeeds needs;
    needs.above = frame.at.place   ? InspectorAbove::Address
                  : frame.at.block ? InspectorAbove::Facts
                                   : InspectorAbove::Sentence;
    needs.switch_widths = {index_switch_width(ui, switches.layer, width),
                           index_switch_width(ui, switches.head, width), side_switch_width(ui)};
    needs.n_facts = kBlockFacts;
    needs.sentence_height = wrapped_height(ui, type::body(ui), 19, width, why) + ui.px(12);
    needs.has_map = needs.has_vector = frame.at.block.has_value();
    needs.dim = frame.run.layout.vector(frame.choice.side).dim;
    needs.cell_w = least_cell_width(frame);
    return needs;
}

void move_by(Rect& r, Vec2 by) {
    r.x += by.x, r.y += by.y;
}
void move_by(InspectorPlan& plan, Vec2 by) {
    for (Rect* r :
         {&plan.title, &plan.above_head, &plan.division, &plan.lookup, &plan.sum, &plan.sentence,
          &plan.map_head, &plan.map_names, &plan.map, &plan.vector_head, &plan.bits, &plan.sectors})
        move_by(*r, by);
    for (auto* rects : {&plan.switches, &plan.terms, &plan.cells})
        for (Rect& r : *rects) move_by(r, by);
    for (float* y : {&plan.sum_rule, &plan.map_divider, &plan.sector_divider}) *y += by.y;
}

// Draws a line from edge to edge of the panel.
void divide_panel(const Ui& ui, float y) {
    const float x = std::floor(ImGui::GetWindowPos().x), w = std::floor(ImGui::GetWindowSize().x);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImGui::PushClipRect(at, {at.x + size.x, at.y + size.y}, false);
    hline(Painter(ui), x, x + w, y, ui.colors.line);
    ImGui::PopClipRect();
}

void draw_parts(const InspectorFrame& frame, const InspectorPlan& plan, std::string_view why) {
    const Ui& ui = frame.ui;
    if (frame.at.token)
        draw_token_title(frame, plan.title);
    else
        draw_block_title(frame, plan.title);
    const Switches switches = switches_of(frame);
    draw_index_switch(ui, switches.layer, plan.switches[0]);
    draw_index_switch(ui, switches.head, plan.switches[1]);
    draw_side_switch(ui, frame.choice.side == Side::K, plan.switches[2].min());
    if (!frame.at.block) {
        wrapped_at(Painter(ui), type::body(ui), 19,
                   {plan.sentence.x, plan.sentence.y + ui.px(12), plan.sentence.w, 0}, why);
        return;
    }
    if (frame.at.place)
        draw_address(frame, plan);
    else
        draw_block_facts(frame, plan);
    const BlockValues values = block_values(frame.run, *frame.at.block, frame.choice.layer);
    divide_panel(ui, plan.map_divider);
    draw_byte_map(frame, plan, values);
    draw_vector(frame, plan);
    divide_panel(ui, plan.sector_divider);
}

}  // namespace

bool mouse_on(const Rect& rect) {
    return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(im(rect.min()), im(rect.max()));
}

void draw_inspector(const Ui& ui, const RunView& run, RunFocus& focus) {
    const InspectorFrame frame{ui, run, focus, look_at(run, focus), chosen_vector(run, focus)};
    if (!frame.at.token && !frame.at.block) {
        const std::array<std::string_view, 1> lines{ui.text["bytes.nothing"_t]};
        message_centered(ui, "empty",
                         {.title = ui.text["panel.inspector.empty"_t], .lines = lines});
        return;
    }
    const ImVec2 cursor = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const Text why = frame.at.block ? Text() : why_no_address(frame);
    InspectorPlan plan =
        layout_inspector({room.x, room.y}, ui.unit, needs_of(frame, std::floor(room.x), why));
    const float height = plan.height;
    move_by(plan, {std::floor(cursor.x), std::floor(cursor.y)});
    draw_parts(frame, plan, why);
    ImGui::SetCursorScreenPos(cursor);
    ImGui::Dummy({std::max(1.0f, room.x), height});
}

}  // namespace kv
