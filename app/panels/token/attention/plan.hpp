#pragma once
// Where things stand in the picture of attention: query heads as rows, grouped by the KV head they
// read, tokens as columns, grouped by block. Pure: no imgui.h. Pixels from the upper left corner of
// the room.

#include <optional>
#include <span>

#include "app/panels/token/pixel_axis.hpp"
#include "app/shell/geometry.hpp"
#include "core/base/reused.hpp"

namespace kv {

struct AttentionNeeds {
    std::uint32_t n_heads = 0, n_kv_heads = 0, n_keys = 0, block_size = 0;
    float layer_w = 0;  // of the layer switch with its label
    float title_w = 0;
    std::size_t n_bars = 5;
};
struct AttentionPlan {
    struct Group {  // of query heads that read one KV head
        float y = 0, bottom = 0;
    };
    struct Block {
        std::uint32_t entry = 0;
        float x = 0, w = 0;
    };
    Rect title, layer;
    Rect marks;  // names of the blocks; its bottom is the line over them
    List<Block> blocks;
    List<PixelSpan> rows;     // query heads
    List<PixelSpan> columns;  // tokens
    List<Group> groups;
    Rect heat;
    float labels_right = 0, bracket_x = 0;
    bool every_row_has_label = true;
    Rect legend;
    float divider = 0;
    Rect head;
    List<Rect> bars;
    float height = 0;  // of all; more than the room when the panel has to scroll
};
AttentionPlan layout_attention(Vec2 room, float unit, const AttentionNeeds& needs);

struct AttentionCell {
    std::uint32_t head, position;
    friend bool operator==(const AttentionCell&, const AttentionCell&) = default;
};
// `weights` decides which token a pixel that stands for several names: the one looked at most.
std::optional<AttentionCell> attention_cell_at(const AttentionPlan& plan, Vec2 at,
                                               std::span<const float> weights_of_all_heads);

// The largest weights of one head in falling order, ties by position, and what is left.
struct TopWeights {
    struct One {
        std::uint32_t position;
        double weight;
    };
    List<One> largest;
    std::uint32_t n_others = 0;
    double others = 0, sum = 0;
};
TopWeights top_weights(std::span<const float> weights, std::size_t n);

// The square-root mapping of the ramp, 0 to 1.
double ramp_position(double weight);

}  // namespace kv
