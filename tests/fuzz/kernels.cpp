// Bytes as cases of kernels: shapes, tables, codecs. What each of them gives over the emulated GPU
// is held against float64, and what is stored or moved against plain loops.

#include "tests/cuda/drawn/kernels.hpp"

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kv::test;
    Drawn drawn({data, size});
    const auto gpu = drawn_gpu(drawn);
    const auto wrong = wrong_kernel(*gpu, drawn, drawn.below(kDrawnFamilyCount), 20'000);
    if (wrong) std::fprintf(stderr, "%s\n", wrong->c_str());
    kv::fuzz::expect(!wrong, "a kernel is off by rounding alone");
    return 0;
}
