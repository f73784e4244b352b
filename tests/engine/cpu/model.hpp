#pragma once
// Models of any shape with random weights, made in the test, and what the tests of the cpu backend
// share: batches of several sequences, and the paths that run here.

#include <catch2/catch_message.hpp>
#include <cmath>
#include <numeric>

#include "core/base/numbers/formats.hpp"
#include "core/base/random.hpp"
#include "core/engine/cpu/backend.hpp"
#include "core/engine/reference/reference.hpp"
#include "tests/engine/small_model.hpp"

namespace kv::test {

struct RandomShape {
    u64 n_kv_heads = 2, group = 2, head_dim = 8, hidden = 24, intermediate = 40, vocab = 37;
    u64 n_layers = 2;
    bool biases = false, qk_norm = false, tied = true;
    std::optional<u64> window;
    WeightStorage storage = WeightStorage::F32;
};

// Shapes that hurt: heads that fill no vector, groups that fill no tile, biases, norms, windows.
inline std::vector<RandomShape> awkward_shapes() {
    std::vector<RandomShape> shapes;
    const u64 groups[] = {1, 2, 3, 8, 16, 2}, dims[] = {8, 24, 40, 80, 32, 128};
    for (std::size_t i = 0; i < 6; ++i) {
        RandomShape s;
        s.n_kv_heads = i % 3 + 1;
        s.group = groups[i];
        s.head_dim = dims[i];
        s.hidden = 24 + 9 * i;
        s.intermediate = 40 + 17 * i;
        s.biases = i % 2 == 1;
        s.qk_norm = i % 3 == 1;
        s.tied = i % 2 == 0;
        if (i % 2 == 0) s.window = 11;
        shapes.push_back(s);
    }
    return shapes;
}

struct RandomModel {
    ModelConfig config;
    Weights weights;
};

class RandomWeights {
public:
    RandomWeights(WeightStorage storage, std::uint64_t seed) : storage_(storage), seed_(seed) {}

    Matrix matrix(u64 rows, u64 columns, double size = 1) {
        Matrix m(rows, columns, storage_);
        const Random random(seed_, ++stream_);
        const double reach = size * std::sqrt(3.0 / static_cast<double>(columns));
        for (u64 i = 0; i < rows * columns; ++i) {
            const auto value = static_cast<float>((2 * random.unit(i) - 1) * reach);
            if (storage_ == WeightStorage::F32)
                m.f32()[i] = value;
            else
                m.bf16()[i] = bf16_from_float(value);
        }
        return m;
    }
    std::vector<float> vector(u64 n, double middle, double reach) {
        std::vector<float> v(n);
        const Random random(seed_, ++stream_);
        for (u64 i = 0; i < n; ++i)
            v[i] = static_cast<float>(middle + (2 * random.unit(i) - 1) * reach);
        return v;
    }

private:
    WeightStorage storage_;
    std::uint64_t seed_, stream_ = 0;
};

inline ModelConfig config_of(const RandomShape& s) {
    ModelConfig c;
    c.n_layers = s.n_layers;
    c.n_heads = s.n_kv_heads * s.group;
    c.n_kv_heads = s.n_kv_heads;
    c.head_dim = c.v_head_dim = s.head_dim;
    c.hidden_size = s.hidden;
    c.intermediate_size = s.intermediate;
    c.vocab_size = s.vocab;
    c.max_positions = 4096;
    c.tied_embeddings = s.tied;
    c.sliding_window = s.window;
    c.sliding_layers.assign(s.n_layers, false);
    if (s.window) c.sliding_layers.back() = true;
    return c;
}

// Queries and keys are large enough for a softmax that is not flat.
inline LayerWeights random_layer(const RandomShape& s, RandomWeights& random) {
    const u64 q = s.n_kv_heads * s.group * s.head_dim, kv = s.n_kv_heads * s.head_dim;
    LayerWeights w;
    w.attention_norm = random.vector(s.hidden, 1, 0.3);
    w.mlp_norm = random.vector(s.hidden, 1, 0.3);
    w.q = random.matrix(q, s.hidden, 1.5);
    w.k = random.matrix(kv, s.hidden, 1.5);
    w.v = random.matrix(kv, s.hidden);
    w.o = random.matrix(s.hidden, q);
    w.gate = random.matrix(s.intermediate, s.hidden);
    w.up = random.matrix(s.intermediate, s.hidden);
    w.down = random.matrix(s.hidden, s.intermediate);
    if (s.qk_norm) {
        w.q_norm = random.vector(s.head_dim, 1, 0.3);
        w.k_norm = random.vector(s.head_dim, 1, 0.3);
    }
    if (!s.biases) return w;
    for (auto* bias : {&w.q_bias, &w.gate_bias, &w.up_bias})
        *bias = random.vector(bias == &w.q_bias ? q : s.intermediate, 0, 0.3);
    for (auto* bias : {&w.k_bias, &w.v_bias}) *bias = random.vector(kv, 0, 0.3);
    for (auto* bias : {&w.o_bias, &w.down_bias}) *bias = random.vector(s.hidden, 0, 0.3);
    return w;
}

inline RandomModel random_model(const RandomShape& s, std::uint64_t seed = 1) {
    RandomWeights random(s.storage, seed);
    RandomModel model{config_of(s), {}};
    model.weights.embedding = random.matrix(s.vocab, s.hidden, 5);
    for (u64 l = 0; l < s.n_layers; ++l) model.weights.layers.push_back(random_layer(s, random));
    model.weights.final_norm = random.vector(s.hidden, 1, 0.3);
    if (!s.tied) model.weights.head = random.matrix(s.vocab, s.hidden);
    return model;
}

inline PoolSpec pool_for(std::size_t slots, std::uint32_t block_size, Codec codec = Codec::F32,
                         KvOrder order = KvOrder::TokenMajor) {
    const auto blocks = static_cast<std::uint32_t>((slots + block_size - 1) / block_size);
    return {blocks + 2, block_size, order, codec, codec};
}

using Chunks = std::vector<std::size_t>;

// Logits of every token, fed in chunks.
inline std::vector<float> run(Backend& backend, const std::vector<std::uint32_t>& tokens,
                              const Chunks& chunks,
                              std::optional<std::vector<BlockId>> table = {}) {
    Sequence sequence(backend, std::move(table));
    std::vector<float> all;
    auto at = tokens.begin();
    for (const std::size_t chunk : chunks) {
        const auto end = at + static_cast<std::ptrdiff_t>(chunk);
        const auto logits = sequence.feed({at, end});
        all.insert(all.end(), logits.begin(), logits.end());
        at = end;
    }
    return all;
}

inline std::vector<CpuPath> paths_here() {
    std::vector<CpuPath> paths;
    for (const CpuPath path : all_cpu_paths())
        if (runs_here(path))
            paths.push_back(path);
        else
            UNSCOPED_INFO("the path " << name_of(path) << " does not run here and is not tested");
    return paths;
}

}  // namespace kv::test
