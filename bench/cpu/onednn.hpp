#pragma once
// A peer for the row `cpu_prefill`: the same products by oneDNN, where the build has found it. Its
// weights are packed once beforehand, its threads are those of OpenMP. Only the benches link it.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/model/checkpoint/weights.hpp"

namespace kv::bench {

struct MatrixShape {
    std::size_t rows, columns;
};

// Products of n rows of random activations with matrices of random weights, one after the other.
class OneDnn {
public:
    virtual ~OneDnn() = default;
    virtual void run() = 0;
};

// Null where this build has no oneDNN.
std::unique_ptr<OneDnn> make_onednn(std::size_t n, const std::vector<MatrixShape>& matrices,
                                    WeightStorage storage);

std::string onednn_words();  // "oneDNN 2.6.3", "oneDNN: not present"

}  // namespace kv::bench
