#include "app/panels/stage/texels.hpp"

#include <algorithm>
#include <array>

#include "app/panels/stage/paint.hpp"

namespace kv {
namespace {

constexpr double kPartly = 0.62;  // how much of the hue a partly filled block has

bool is_written(const StagePicture& s, std::uint32_t block) {
    if (!s.own.facts.is_writing()) return false;
    const auto written = s.own.facts.written();
    return std::any_of(written.begin(), written.end(),
                       [&](const SlotsWritten& w) { return w.block.value == block; });
}

// Cells stand on whole pixels already.
int whole_pixels(float pixels) {
    return static_cast<int>(pixels);
}

}  // namespace

// Full and partly filled, of the request in focus and of the others.
struct StageTexels::Colors {
    struct OfHue {
        Color full, partly;
    };
    std::array<OfHue, 3> focused, quiet;

    explicit Colors(const Palette& colors) {
        const auto both = [&](const Hue& hue) {
            return OfHue{hue.fill, mix(colors.panel, hue.fill, kPartly)};
        };
        for (std::size_t i = 0; i < focused.size(); ++i) {
            const Hue& hue = request_hue(colors, i);
            focused[i] = both(hue), quiet[i] = both(quieter(colors, hue));
        }
    }

    Color of(const StagePicture& s, std::uint32_t block) const {
        const Palette& colors = s.ui.colors;
        const BlockView& view = s.lane().blocks()[block];
        if (view.state() == BlockState::Free) return colors.inset;
        if (view.state() == BlockState::Cached) return colors.cached.fill;
        if (is_written(s, block)) return colors.focus;
        if (view.ref_count > 1) return colors.shared;
        const auto holders = s.own.facts.holders(BlockId(block));
        if (holders.empty()) return colors.cached.fill;
        const SeqId owner = holders.front().request;
        const std::size_t hue = s.own.facts.tag_index(owner) % focused.size();
        const OfHue& its = owner == s.focus.request ? focused[hue] : quiet[hue];
        return view.filled - view.dead < s.now().block_size ? its.partly : its.full;
    }
};

void StageTexels::paint(const StagePicture& s, const Painter& p) {
    const bool fresh = image_.resize(whole_pixels(s.grid.area.w), whole_pixels(s.grid.area.h));
    const Colors colors(s.ui.colors);
    const std::uint64_t now = s.own.facts.generation();
    const bool next = generation_ && *generation_ + 1 == now;
    if (fresh || !is_same_view(s) || (!next && generation_ != now))
        put_all(s, colors);
    else if (next)
        for (const BlockId block : s.own.facts.changed()) put(s, colors, block.value);
    generation_ = now;
    image_.show(p, s.grid.area.min());
}

bool StageTexels::is_same_view(const StagePicture& s) const {
    return grid_.area == s.grid.area && grid_.pan == s.grid.pan &&
           grid_.pitch_x == s.grid.pitch_x && grid_.pitch_y == s.grid.pitch_y &&
           grid_.n_blocks == s.grid.n_blocks && grid_.columns == s.grid.columns &&
           focus_ == s.focus.request && theme_ == s.ui.colors.name;
}

void StageTexels::put(const StagePicture& s, const Colors& colors, std::uint32_t block) {
    if (block >= s.grid.n_blocks) return;
    const Rect cell = s.grid.cell(block);
    if (!s.grid.is_in_sight(cell)) return;
    image_.put(whole_pixels(cell.x - s.grid.area.x), whole_pixels(cell.y - s.grid.area.y),
               whole_pixels(cell.w), whole_pixels(cell.h), colors.of(s, block));
    ++blocks_put_;
}

void StageTexels::put_all(const StagePicture& s, const Colors& colors) {
    image_.clear();
    grid_ = s.grid, focus_ = s.focus.request, theme_ = s.ui.colors.name;
    s.grid.each_visible([&](std::uint32_t block) { put(s, colors, block); });
}

}  // namespace kv
