#pragma once
// The pool of a tank as texels, in the order that is asked for. Where there are more blocks than
// texels, each stands for several that lie side by side.

#include <cstdint>
#include <vector>

#include "core/attach/picture/chains.hpp"
#include "core/attach/picture/tank_picture.hpp"

namespace kv {

// `plates`: by chain, the number that it was given; 0: none, so that of the chain above it counts.
void add_texels(const Tank& tank, const TreeChains& tree, std::vector<std::uint32_t> plates,
                const PictureAsk& ask, TankPool& out);

}  // namespace kv
