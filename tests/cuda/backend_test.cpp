// The backend over the emulated GPU against the reference: whole passes through every kernel that a
// card would run, with the same host code around them.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <map>

#include "core/base/error.hpp"
#include "tests/cuda/emulated.hpp"

using namespace kv;
using namespace kv::test;
using gpu::GridOrder;

namespace {

std::vector<float> run_reference(const RandomModel& model, const PoolSpec& pool,
                                 const std::vector<std::uint32_t>& tokens, const Chunks& chunks,
                                 Precision precision) {
    const auto backend = make_reference(model.config, model.weights, pool, precision);
    return run(*backend, tokens, chunks);
}

}  // namespace

TEST_CASE("the error over emulated blocks is at most twice that of the naive version",
          "[emulated][C023]") {
    const std::uint32_t block_sizes[] = {1, 3, 7, 16, 17, 128};
    for (const WeightStorage storage : {WeightStorage::F32, WeightStorage::Bf16}) {
        std::size_t i = 0;
        for (RandomShape shape : awkward_shapes()) {
            shape.storage = storage;
            const RandomModel model = random_model(shape, i);
            const std::uint32_t block = block_sizes[i++];
            for (const Chunks& chunks :
                 {Chunks{1}, Chunks{1, 1, 1}, Chunks{40}, Chunks{33, 1, 5, 1}}) {
                const std::size_t n = std::accumulate(chunks.begin(), chunks.end(), std::size_t{0});
                const auto tokens = random_tokens(n, shape.vocab, n);
                const PoolSpec pool = pool_for(n, block);
                const auto truth = run_reference(model, pool, tokens, {n}, Precision::F64);
                const auto naive = run_reference(model, pool, tokens, {n}, Precision::F32);
                const auto backend = make_emulated(model.config, model.weights, pool);
                const auto table = backwards(backend->layout().n_blocks);
                CAPTURE(name_of(storage), i, n, block);
                const auto ours = run(*backend, tokens, chunks, table);
                CHECK(distance(ours, truth).difference <= 2 * distance(naive, truth).difference);
            }
        }
    }
}
