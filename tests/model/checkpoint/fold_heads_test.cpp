#include "core/model/checkpoint/fold_heads.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace kv;

namespace {

Matrix counted(u64 rows, u64 columns, WeightStorage storage) {
    Matrix m(rows, columns, storage);
    for (u64 i = 0; i < rows * columns; ++i) {
        if (storage == WeightStorage::F32) m.f32()[i] = static_cast<float>(i);
        if (storage == WeightStorage::Bf16) m.bf16()[i] = 0x3F80;  // 1
    }
    return m;
}

}  // namespace

// Four heads of two rows and three columns; row r begins with 3 r. Folded to two: row 0 is the mean
// of rows 0 and 2, row 1 of 1 and 3, row 2 of 4 and 6, row 3 of 5 and 7.
TEST_CASE("a folded head is the mean of its group's heads, row by row", "[fold][C098]") {
    ModelConfig config;
    config.n_heads = config.n_kv_heads = 4;
    config.head_dim = 2;
    Weights weights;
    LayerWeights layer;
    layer.k = counted(8, 3, WeightStorage::F32);
    layer.v = counted(8, 3, WeightStorage::Bf16);
    layer.q = counted(8, 3, WeightStorage::F32);
    layer.k_bias = {0, 1, 2, 3, 4, 5, 6, 7};
    weights.layers.push_back(std::move(layer));
    fold_heads(config, 4, weights);
    CHECK(weights.layers[0].k.at(5, 1) == 16);
    fold_heads(config, 2, weights);
    const LayerWeights& w = weights.layers[0];
    REQUIRE(w.k.rows() == 4);
    CHECK(w.k.at(0, 0) == 3);   // (0 + 6) / 2
    CHECK(w.k.at(1, 2) == 8);   // (5 + 11) / 2
    CHECK(w.k.at(2, 0) == 15);  // (12 + 18) / 2
    CHECK(w.k.at(3, 1) == 19);  // (16 + 22) / 2
    CHECK(w.v.at(3, 1) == 1);
    CHECK(w.q.rows() == 8);
    CHECK(w.q.at(7, 2) == 23);
    CHECK(w.k_bias == std::vector<float>{1, 2, 5, 6});
}
