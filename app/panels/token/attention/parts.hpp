#pragma once
// What the halves of Attention share: the weights that are shown, and where things stand.

#include <optional>
#include <span>
#include <string>

#include "app/panels/token/attention/plan.hpp"
#include "app/panels/token/looked_at.hpp"
#include "app/shell/ui.hpp"

namespace kv {

struct AttentionFrame {
    const Ui& ui;
    const RunView& run;
    RunFocus& focus;
    const AttentionPicture& picture;
    std::uint32_t layer, head, n_kv_heads;
    TopWeights top;
    AttentionPlan plan;
    Vec2 origin;

    Rect placed(Rect r) const { return {r.x + origin.x, r.y + origin.y, r.w, r.h}; }
    std::span<const float> weights(std::uint32_t of_head) const {
        return picture.of(layer, of_head);
    }
    std::span<const float> layer_weights() const {
        return std::span(picture.weights)
            .subspan(std::size_t{layer} * picture.n_heads * picture.n_keys(),
                     std::size_t{picture.n_heads} * picture.n_keys());
    }
    std::string head_name(std::uint32_t of_head) const {
        return fill(ui.text["attention.head"_t], {{"n", std::to_string(of_head)}});
    }
    std::string token_name(std::uint32_t position) const {
        return fill(
            ui.text["attention.selected"_t],
            {{"n", std::to_string(position)}, {"word", word_at(run, {picture.request, position})}});
    }
    // Selected in this very request, and one of the tokens that are looked at.
    std::optional<std::uint32_t> selected() const {
        if (focus.request != picture.request || !focus.token) return std::nullopt;
        if (*focus.token >= picture.n_keys()) return std::nullopt;
        return focus.token;
    }
    bool is_hole(std::uint32_t position) const;
};

// Asks for what differs from the selection.
void select_attention(const AttentionFrame& frame, std::uint32_t head, std::uint32_t position);

void draw_attention_map(const AttentionFrame& frame);

}  // namespace kv
