#include "core/model/fold_heads.hpp"

#include <cstring>

#include "core/base/error.hpp"
#include "core/base/formats.hpp"

namespace kv {
namespace {

Matrix copied(const Matrix& m) {
    Matrix copy(m.rows(), m.columns(), m.storage());
    if (m.bytes() == 0) return copy;
    if (m.storage() == WeightStorage::F32)
        std::memcpy(copy.f32(), m.f32(), m.bytes());
    else
        std::memcpy(copy.bf16(), m.bf16(), m.bytes());
    return copy;
}

void set(Matrix& m, u64 row, u64 column, float value) {
    const u64 at = row * m.columns() + column;
    if (m.storage() == WeightStorage::F32)
        m.f32()[at] = value;
    else
        m.bf16()[at] = bf16_from_float(value);
}

// Row r of new head h is the mean of rows r of the heads h * group to h * group + group - 1.
Matrix folded(const Matrix& m, u64 group, u64 head_dim) {
    Matrix mean(m.rows() / group, m.columns(), m.storage());
    for (u64 row = 0; row < mean.rows(); ++row) {
        const u64 first = row / head_dim * group * head_dim + row % head_dim;
        for (u64 column = 0; column < m.columns(); ++column) {
            float sum = 0;
            for (u64 head = 0; head < group; ++head) sum += m.at(first + head * head_dim, column);
            set(mean, row, column, sum / static_cast<float>(group));
        }
    }
    return mean;
}

std::vector<float> folded(const std::vector<float>& bias, u64 group, u64 head_dim) {
    std::vector<float> mean(bias.size() / group);
    for (u64 i = 0; i < mean.size(); ++i)
        for (u64 head = 0; head < group; ++head)
            mean[i] += bias[(i / head_dim * group + head) * head_dim + i % head_dim] /
                       static_cast<float>(group);
    return mean;
}

LayerWeights folded(const LayerWeights& w, u64 group, u64 head_dim) {
    return {.attention_norm = w.attention_norm,
            .q = copied(w.q),
            .k = folded(w.k, group, head_dim),
            .v = folded(w.v, group, head_dim),
            .o = copied(w.o),
            .q_bias = w.q_bias,
            .k_bias = folded(w.k_bias, group, head_dim),
            .v_bias = folded(w.v_bias, group, head_dim),
            .o_bias = w.o_bias,
            .q_norm = w.q_norm,
            .k_norm = w.k_norm,
            .mlp_norm = w.mlp_norm,
            .gate = copied(w.gate),
            .up = copied(w.up),
            .down = copied(w.down),
            .gate_bias = w.gate_bias,
            .up_bias = w.up_bias,
            .down_bias = w.down_bias};
}

}  // namespace

FoldedModel fold_heads(const ModelConfig& config, const Weights& weights, u64 kv_heads) {
    KV_ASSERT(kv_heads > 0 && config.n_kv_heads % kv_heads == 0);
    const u64 group = config.n_kv_heads / kv_heads;
    FoldedModel result{config, {}};
    result.config.n_kv_heads = kv_heads;
    result.weights.embedding = copied(weights.embedding);
    for (const LayerWeights& layer : weights.layers)
        result.weights.layers.push_back(folded(layer, group, config.head_dim));
    result.weights.final_norm = weights.final_norm;
    if (weights.head) result.weights.head = copied(*weights.head);
    return result;
}

}  // namespace kv
