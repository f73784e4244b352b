#pragma once
// How large the parts of the Stage are and how far apart, in each of its densities: logical pixels,
// from the top of the Stage to its foot and then from the left to the right.

namespace kv {

struct Density {
    float sentence, offsets;
    float row_pitch, chip_h, after_rows;
    float strip_pitch, strip_h, strip_gap, bar_pitch;
    float before_pool, pool_head, after_pool_head, pool_margin;
    float left;
    float logical_w, between, physical_w, entry_h;  // the columns of the block table
};

constexpr Density kLearn{
    .sentence = 36,
    .offsets = 21,
    .row_pitch = 44,
    .chip_h = 35,
    .after_rows = 16,
    .strip_pitch = 44,
    .strip_h = 18,
    .strip_gap = 6,
    .bar_pitch = 5,
    .before_pool = 18,
    .pool_head = 22,
    .after_pool_head = 16,
    .pool_margin = 22,
    .left = 46,
    .logical_w = 39,
    .between = 19,
    .physical_w = 47,
    .entry_h = 30,
};

constexpr Density kExplore{
    .sentence = 0,
    .offsets = 21,
    .row_pitch = 34,
    .chip_h = 29,
    .after_rows = 8,
    .strip_pitch = 21,
    .strip_h = 14,
    .strip_gap = 5,
    .bar_pitch = 3,
    .before_pool = 11,
    .pool_head = 21,
    .after_pool_head = 7,
    .pool_margin = 14,
    .left = 34,
    .logical_w = 16,
    .between = 24,
    .physical_w = 41,
    .entry_h = 28,
};

// One row and the pool: text so large that the rest has no room beside them.
constexpr Density scarce_density() {
    Density d = kExplore;
    d.offsets = 19;
    d.row_pitch = 33;
    d.after_rows = 0;
    d.before_pool = 4;
    d.pool_head = 20;
    d.after_pool_head = 3;
    return d;
}
constexpr Density kScarce = scarce_density();

}  // namespace kv
