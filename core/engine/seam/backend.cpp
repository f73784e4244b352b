#include "core/engine/seam/backend.hpp"

namespace kv {

void copy_shared_scales(const Backend& from, Backend& to) {
    for (std::uint32_t layer = 0; layer < to.layout().n_layers; ++layer)
        for (const Side side : {Side::K, Side::V})
            to.set_shared_scale(LayerId(layer), side, from.shared_scale(LayerId(layer), side));
}

}  // namespace kv
