#include "cuda/backend/device_model.hpp"

#include "core/engine/reference/rope.hpp"

namespace kv::gpu {
namespace {

DeviceMatrix put(Gpu& gpu, const Matrix& m) {
    DeviceMatrix out{Memory<std::byte>(gpu, m.bytes()), static_cast<u32>(m.rows()),
                     static_cast<u32>(m.columns()), m.storage() == WeightStorage::Bf16};
    const void* from = out.bf16 ? static_cast<const void*>(m.bf16()) : m.f32();
    gpu.upload(out.bytes.raw(), from, m.bytes());
    return out;
}

u64 vector_bytes_of(const LayerWeights& w) {
    u64 n = 0;
    for (const auto* v : {&w.attention_norm, &w.mlp_norm, &w.q_norm, &w.k_norm, &w.q_bias,
                          &w.k_bias, &w.v_bias, &w.o_bias, &w.gate_bias, &w.up_bias, &w.down_bias})
        n += v->size() * sizeof(float);
    return n;
}

}  // namespace

u64 weight_bytes(const Weights& weights) {
    u64 n = weights.embedding.bytes() + (weights.head ? weights.head->bytes() : 0);
    for (const LayerWeights& w : weights.layers) {
        for (const Matrix* m : {&w.q, &w.k, &w.v, &w.o, &w.gate, &w.up, &w.down}) n += m->bytes();
        n += vector_bytes_of(w);
    }
    return n;
}

DeviceModel::DeviceModel(std::shared_ptr<Gpu> gpu, const ModelConfig& config,
                         const Weights& weights)
    : gpu_(std::move(gpu)) {
    Gpu& on = *gpu_;
    embedding = put(on, weights.embedding);
    for (const LayerWeights& w : weights.layers) {
        DeviceLayer layer;
        layer.attention_norm = uploaded(on, w.attention_norm);
        layer.mlp_norm = uploaded(on, w.mlp_norm);
        layer.q_norm = uploaded(on, w.q_norm);
        layer.k_norm = uploaded(on, w.k_norm);
        layer.q = put(on, w.q);
        layer.k = put(on, w.k);
        layer.v = put(on, w.v);
        layer.o = put(on, w.o);
        layer.gate = put(on, w.gate);
        layer.up = put(on, w.up);
        layer.down = put(on, w.down);
        layer.q_bias = uploaded(on, w.q_bias);
        layer.k_bias = uploaded(on, w.k_bias);
        layer.v_bias = uploaded(on, w.v_bias);
        layer.o_bias = uploaded(on, w.o_bias);
        layer.gate_bias = uploaded(on, w.gate_bias);
        layer.up_bias = uploaded(on, w.up_bias);
        layer.down_bias = uploaded(on, w.down_bias);
        layers.push_back(std::move(layer));
    }
    final_norm = uploaded(on, weights.final_norm);
    frequencies = uploaded(on, rope_frequencies(config));
    if (weights.head) head_ = put(on, *weights.head);
    output_ = weights.head ? head_.view() : embedding.view();
    on.wait();
}

}  // namespace kv::gpu
