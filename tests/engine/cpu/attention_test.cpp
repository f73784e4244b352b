// Attention of a prompt, whose tokens go together, against that of the same tokens one by one and
// against the float64 truth: heads of 8 to 256, groups of 1 to 16, blocks of 1 to 128, with tiles,
// runs and blocks that end anywhere.

#include <catch2/catch_test_macros.hpp>

#include "tests/engine/cpu/model.hpp"
#include "tests/engine/small_model.hpp"

using namespace kv;
using namespace kv::test;

namespace {

struct Edge {
    u64 head_dim, group;
    std::uint32_t block;
    std::size_t n;
    std::optional<u64> window;
};

// A window of 9 leaves the tile at hand within a run, one of 40 begins in the tile before it, and
// with 570 tokens in the middle of a run that begins in the span before.
const Edge kEdges[] = {{8, 16, 1, 33, {}},    {256, 1, 128, 67, {}}, {40, 4, 17, 65, 9},
                       {64, 2, 128, 129, 40}, {20, 3, 5, 40, 1},     {128, 8, 33, 32, {}},
                       {8, 2, 16, 570, 40}};

RandomModel model_of(const Edge& edge) {
    RandomShape shape;
    shape.n_layers = 1;
    shape.head_dim = edge.head_dim;
    shape.group = edge.group;
    shape.window = edge.window;
    return random_model(shape, edge.head_dim);
}

std::vector<float> one_by_one(Backend& backend, const std::vector<std::uint32_t>& tokens) {
    Sequence sequence(backend);
    std::vector<float> all;
    for (const std::uint32_t token : tokens) {
        const auto logits = sequence.feed({token});
        all.insert(all.end(), logits.begin(), logits.end());
    }
    return all;
}

}  // namespace

TEST_CASE("tokens that attend together attend as each alone, bit for bit", "[cpu][I28]") {
    for (const Edge& edge : kEdges) {
        const RandomModel model = model_of(edge);
        const auto tokens = random_tokens(edge.n, model.config.vocab_size, 4);
        for (const Codec codec : {Codec::F32, Codec::Bf16, Codec::Fp16, Codec::Fp8E4m3,
                                  Codec::Fp8E5m2, Codec::Int8, Codec::Int4})
            for (const CpuPath path : paths_here()) {
                CAPTURE(name_of(path), codec_name(codec), edge.head_dim, edge.group, edge.block);
                PoolSpec pool = pool_for(edge.n, edge.block, codec);
                pool.prefill = Prefill::Quantized;
                const auto whole = make_cpu(model.config, model.weights, pool, {1, path}),
                           alone = make_cpu(model.config, model.weights, pool, {0, path});
                CHECK(Sequence(*whole).feed(tokens) == one_by_one(*alone, tokens));
            }
    }
}

TEST_CASE("tokens that attend together err at most twice as much as the naive version",
          "[cpu][C023]") {
    for (const Edge& edge : kEdges) {
        const RandomModel model = model_of(edge);
        const auto tokens = random_tokens(edge.n, model.config.vocab_size, 5);
        const PoolSpec pool = pool_for(edge.n, edge.block);
        const auto by_reference = [&](Precision precision) {
            const auto backend = make_reference(model.config, model.weights, pool, precision);
            return Sequence(*backend).feed(tokens);
        };
        const auto truth = by_reference(Precision::F64);
        const double naive = distance(by_reference(Precision::F32), truth).difference;
        for (const CpuPath path : paths_here()) {
            CAPTURE(name_of(path), edge.head_dim, edge.group, edge.block);
            const auto backend = make_cpu(model.config, model.weights, pool, {1, path});
            CHECK(distance(Sequence(*backend).feed(tokens), truth).difference <= 2 * naive);
        }
    }
}
