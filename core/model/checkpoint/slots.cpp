#include "core/model/checkpoint/slots.hpp"

#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr const char* kWhat = "numbers of a weight";

// Collects slots; `when` leaves out what a family does not have.
class SlotList {
public:
    void vector(std::string name, u64 size, std::vector<float>& into, bool when = true) {
        if (when) slots_.push_back({std::move(name), {size}, &into});
    }
    void matrix(std::string name, u64 rows, u64 columns, Matrix& into) {
        slots_.push_back({std::move(name), {rows, columns}, &into});
    }
    std::vector<WeightSlot> take() { return std::move(slots_); }

private:
    std::vector<WeightSlot> slots_;
};

void add_attention(SlotList& slots, const std::string& layer, const ModelConfig& c,
                   LayerWeights& w) {
    const std::string at = layer + "self_attn.";
    const u64 queries = c.n_heads * c.head_dim, keys = c.n_kv_heads * c.head_dim;
    slots.vector(layer + "input_layernorm.weight", c.hidden_size, w.attention_norm);
    slots.matrix(at + "q_proj.weight", queries, c.hidden_size, w.q);
    slots.matrix(at + "k_proj.weight", keys, c.hidden_size, w.k);
    slots.matrix(at + "v_proj.weight", keys, c.hidden_size, w.v);
    slots.matrix(at + "o_proj.weight", c.hidden_size, queries, w.o);
    slots.vector(at + "q_proj.bias", queries, w.q_bias, c.qkv_bias);
    slots.vector(at + "k_proj.bias", keys, w.k_bias, c.qkv_bias);
    slots.vector(at + "v_proj.bias", keys, w.v_bias, c.qkv_bias);
    slots.vector(at + "o_proj.bias", c.hidden_size, w.o_bias, c.o_bias);
    slots.vector(at + "q_norm.weight", c.head_dim, w.q_norm, c.qk_norm);
    slots.vector(at + "k_norm.weight", c.head_dim, w.k_norm, c.qk_norm);
}

void add_mlp(SlotList& slots, const std::string& layer, const ModelConfig& c, LayerWeights& w) {
    const std::string at = layer + "mlp.";
    slots.vector(layer + "post_attention_layernorm.weight", c.hidden_size, w.mlp_norm);
    slots.matrix(at + "gate_proj.weight", c.intermediate_size, c.hidden_size, w.gate);
    slots.matrix(at + "up_proj.weight", c.intermediate_size, c.hidden_size, w.up);
    slots.matrix(at + "down_proj.weight", c.hidden_size, c.intermediate_size, w.down);
    slots.vector(at + "gate_proj.bias", c.intermediate_size, w.gate_bias, c.mlp_bias);
    slots.vector(at + "up_proj.bias", c.intermediate_size, w.up_bias, c.mlp_bias);
    slots.vector(at + "down_proj.bias", c.hidden_size, w.down_bias, c.mlp_bias);
}

}  // namespace

u64 WeightSlot::numbers() const {
    u64 count = 1;
    for (const u64 dimension : shape) count = product_or_throw(kWhat, {count, dimension});
    return count;
}

std::vector<WeightSlot> weight_slots(const ModelConfig& config, Weights& weights) {
    KV_ASSERT(!running_objection(config));
    SlotList slots;
    slots.matrix("model.embed_tokens.weight", config.vocab_size, config.hidden_size,
                 weights.embedding);
    weights.layers.resize(static_cast<std::size_t>(config.n_layers));
    for (std::size_t i = 0; i < weights.layers.size(); ++i) {
        const std::string layer = "model.layers." + std::to_string(i) + ".";
        add_attention(slots, layer, config, weights.layers[i]);
        add_mlp(slots, layer, config, weights.layers[i]);
    }
    slots.vector("model.norm.weight", config.hidden_size, weights.final_norm);
    if (!config.tied_embeddings) {
        slots.matrix("lm_head.weight", config.vocab_size, config.hidden_size,
                     weights.head.emplace());
    }
    return slots.take();
}

bool is_harmless_surplus(const ModelConfig& config, std::string_view name) {
    // Older files saved the rotary frequencies, which follow from the config. A tied head is the
    // embedding once more.
    return name.ends_with(".rotary_emb.inv_freq") ||
           (config.tied_embeddings && name == "lm_head.weight");
}

std::optional<std::string> running_objection(const ModelConfig& config) {
    const std::string family(name_of(config.family));
    if (config.latent || config.experts) {
        const char* what = !config.experts  ? "latent attention"
                           : !config.latent ? "experts"
                                            : "latent attention and experts";
        return "is a " + family + " model with " + what + ", which is priced but not run";
    }
    if (config.quantization) {
        return "has weights quantized with " + *config.quantization + ", which is not read";
    }
    if (std::holds_alternative<YarnScaling>(config.rope.scaling))
        return "has the rope scaling \"yarn\", which is priced but not run";
    return std::nullopt;
}

u64 loaded_bytes(const ModelConfig& config, WeightStorage storage) {
    Weights none;
    u64 bytes = 0;
    for (const WeightSlot& slot : weight_slots(config, none)) {
        const bool matrix = std::holds_alternative<Matrix*>(slot.into);
        const u64 each = matrix ? bytes_of(storage) : sizeof(float);
        bytes = sum_or_throw("bytes of the weights",
                             {bytes, product_or_throw(kWhat, {slot.numbers(), each})});
    }
    return bytes;
}

}  // namespace kv
