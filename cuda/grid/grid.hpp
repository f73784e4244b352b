#pragma once
// Where one thread stands in its grid, and a CPU that walks the same grid. A kernel's body is a
// KV_HD function of its Lane: nvcc runs it on the card, on_host() runs it here, so its index
// arithmetic is tested under the sanitizers without a card. Grids are one-dimensional.

#include <cstddef>
#include <cstdint>

#include "core/base/kv_hd.hpp"

namespace kv {

struct Grid {
    std::uint32_t n_blocks, n_threads;
};

struct Lane {
    std::uint32_t block, thread;
    Grid grid;

    // A grid-stride loop: for (i = first(); i < n; i += stride()).
    KV_HD std::size_t first() const { return std::size_t{block} * grid.n_threads + thread; }
    KV_HD std::size_t stride() const { return std::size_t{grid.n_blocks} * grid.n_threads; }
};

template <class Body>
void on_host(Grid grid, Body body) {
    for (std::uint32_t block = 0; block < grid.n_blocks; ++block) {
        for (std::uint32_t thread = 0; thread < grid.n_threads; ++thread) {
            body(Lane{block, thread, grid});
        }
    }
}

}  // namespace kv
