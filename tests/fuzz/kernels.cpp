// Bytes as cases of kernels: shapes, tables, codecs. What each of them gives over the emulated GPU
// is held against float64, and what is stored against the codec's own words.

#include "cuda/emulated_gpu.hpp"
#include "tests/cuda/drawn_append.hpp"
#include "tests/cuda/drawn_attention.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kv::test;
    using kv::gpu::GridOrder;
    Drawn drawn({data, size});
    const auto gpu =
        kv::gpu::make_emulated_gpu(drawn.one_in(2) ? GridOrder::Downwards : GridOrder::Upwards,
                                   {.multiprocessors = 4, .shared_bytes = 227 * 1024});
    const auto wrong = drawn.one_in(2) ? wrong_append(*gpu, draw_append(drawn))
                                       : wrong_attention(*gpu, draw_attention(drawn, 20'000));
    if (wrong) std::fprintf(stderr, "%s\n", wrong->c_str());
    kv::fuzz::expect(!wrong, "a kernel is off by rounding alone");
    return 0;
}
