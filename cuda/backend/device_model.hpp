#pragma once
// A model's weights in the memory of a GPU, in the storage they have here. Several backends may
// share them.

#include <vector>

#include "core/model/checkpoint/weights.hpp"
#include "core/model/config/config.hpp"
#include "cuda/device/gpu.hpp"

namespace kv::gpu {

struct DeviceMatrix {
    Memory<std::byte> bytes;
    u32 rows = 0, columns = 0;
    bool bf16 = false;
    WeightView view() const { return {bytes.view(), rows, columns, bf16}; }
};

struct DeviceLayer {
    Memory<float> attention_norm, mlp_norm, q_norm, k_norm;
    DeviceMatrix q, k, v, o, gate, up, down;
    Memory<float> q_bias, k_bias, v_bias, o_bias, gate_bias, up_bias, down_bias;
};

u64 weight_bytes(const Weights& weights);

class DeviceModel {
    std::shared_ptr<Gpu> gpu_;  // first: it takes back what all others hold

public:
    DeviceModel(std::shared_ptr<Gpu> gpu, const ModelConfig& config, const Weights& weights);

    const WeightView& output() const { return output_; }

    DeviceMatrix embedding;
    std::vector<DeviceLayer> layers;
    Memory<float> final_norm;
    Memory<double> frequencies;  // (head_dim / 2)

private:
    DeviceMatrix head_;
    WeightView output_;
};

}  // namespace kv::gpu
