#pragma once
// Every family of kernels that is drawn, by number: what the tests and the fuzz target go through.

#include <memory>

#include "cuda/twins/emulated_gpu.hpp"
#include "tests/cuda/drawn/append.hpp"
#include "tests/cuda/drawn/attention.hpp"
#include "tests/cuda/drawn/bounds.hpp"
#include "tests/cuda/drawn/moves.hpp"
#include "tests/cuda/drawn/products.hpp"
#include "tests/cuda/kernels/kivi_on_gpu.hpp"

namespace kv::test {

inline constexpr const char* kDrawnFamilies[] = {"attention", "append",   "residual",
                                                 "moves",     "products", "bounds"};
inline constexpr u32 kDrawnFamilyCount = 6;

// What a drawn kernel of that family gets wrong, in words. About `most_numbers` are looked at.
inline std::optional<std::string> wrong_kernel(gpu::Gpu& gpu, Drawn& drawn, u32 family,
                                               u64 most_numbers) {
    switch (family) {
        case 0:
            return wrong_attention(gpu, draw_attention(drawn, most_numbers));
        case 1:
            return wrong_append(gpu, draw_append(drawn));
        case 2:
            return wrong_kivi(gpu, draw_kivi(drawn, most_numbers));
        case 3:
            return wrong_moves(gpu, draw_moves(drawn, most_numbers));
        case 4:
            return wrong_product(gpu, draw_product(drawn, most_numbers));
        default:
            return wrong_bounds(gpu, draw_bounds(drawn, most_numbers));
    }
}

// An emulated card whose blocks and threads come in one order or the other.
inline std::unique_ptr<gpu::Gpu> drawn_gpu(Drawn& drawn) {
    return gpu::make_emulated_gpu(
        drawn.one_in(2) ? gpu::GridOrder::Downwards : gpu::GridOrder::Upwards,
        {.multiprocessors = 4, .shared_bytes = 227 * 1024});
}

}  // namespace kv::test
