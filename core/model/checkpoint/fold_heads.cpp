#include "core/model/checkpoint/fold_heads.hpp"

#include "core/base/error.hpp"
#include "core/base/numbers/formats.hpp"

namespace kv {
namespace {

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

}  // namespace

void fold_heads(const ModelConfig& config, u64 kv_heads, Weights& weights) {
    KV_ASSERT(kv_heads > 0 && config.n_kv_heads % kv_heads == 0);
    const u64 group = config.n_kv_heads / kv_heads;
    for (LayerWeights& layer : weights.layers) {
        layer.k = folded(layer.k, group, config.head_dim);
        layer.v = folded(layer.v, group, config.head_dim);
        layer.k_bias = folded(layer.k_bias, group, config.head_dim);
        layer.v_bias = folded(layer.v_bias, group, config.head_dim);
    }
}

}  // namespace kv
