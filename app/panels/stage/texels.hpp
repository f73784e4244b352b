#pragma once
// A pool whose blocks are below 4 pixels: one texel each, in a picture that is kept between frames.
// A step puts only the blocks that look different; another view of the pool puts all that are seen.

#include <cstdint>
#include <optional>

#include "app/panels/stage/plan/grid.hpp"
#include "app/shell/theme.hpp"
#include "app/widgets/texel_image.hpp"
#include "core/base/ids.hpp"

namespace kv {

struct StagePicture;

class StageTexels {
public:
    void paint(const StagePicture& s, const Painter& p);
    std::uint64_t blocks_put() const { return blocks_put_; }  // since it exists, for tests

private:
    bool is_same_view(const StagePicture& s) const;
    struct Colors;  // of this frame
    void put(const StagePicture& s, const Colors& colors, std::uint32_t block);
    void put_all(const StagePicture& s, const Colors& colors);

    TexelImage image_;
    PoolGrid grid_;
    SeqId focus_{0};
    ThemeName theme_ = ThemeName::Dark;
    std::optional<std::uint64_t> generation_;  // of the facts that are put
    std::uint64_t blocks_put_ = 0;
};

}  // namespace kv
