#include "core/lesson/language/coarse_weights.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/numbers/formats.hpp"

namespace kv {
namespace {

void put(Matrix& matrix, u64 row, u64 column, float value) {
    const u64 at = row * matrix.columns() + column;
    if (matrix.storage() == WeightStorage::F32)
        matrix.f32()[at] = value;
    else
        matrix.bf16()[at] = bf16_from_float(value);
}

void round_rows(Matrix& matrix, unsigned bits) {
    const float most = static_cast<float>((1 << (bits - 1)) - 1);
    for (u64 row = 0; row < matrix.rows(); ++row) {
        float largest = 0;
        for (u64 c = 0; c < matrix.columns(); ++c)
            largest = std::max(largest, std::abs(matrix.at(row, c)));
        const float scale = largest / most;
        for (u64 c = 0; c < matrix.columns() && scale > 0; ++c)
            put(matrix, row, c, std::nearbyint(matrix.at(row, c) / scale) * scale);
    }
}

}  // namespace

void round_weights(Weights& weights, unsigned bits) {
    KV_ASSERT(bits >= 2 && bits <= 8);
    for (LayerWeights& layer : weights.layers)
        for (Matrix* matrix :
             {&layer.q, &layer.k, &layer.v, &layer.o, &layer.gate, &layer.up, &layer.down})
            round_rows(*matrix, bits);
}

}  // namespace kv
