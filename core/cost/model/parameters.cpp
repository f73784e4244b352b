#include "core/cost/model/parameters.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace kv {
namespace {

constexpr const char* kParameters = "the number of parameters";

u64 times(std::initializer_list<u64> factors) {
    return product_or_throw(kParameters, factors);
}
u64 plus(std::initializer_list<u64> terms) {
    return sum_or_throw(kParameters, terms);
}
u64 when(bool present, u64 count) {
    return present ? count : 0;
}

// Both splits of one layer's attention: matrices per part, and everything else (biases, norms).
struct AttentionPart {
    u64 qkv = 0, o = 0, small = 0;
};

// W_Q, or W_DQ and W_UQ; W_DKV with the rotated part of the key beside it; W_UK and W_UV; W_O.
AttentionPart latent_attention(const ModelShape& s) {
    const LatentProjections& p = *s.latent;
    const u64 query_width = times({s.n_heads, p.nope_dim + p.d_rope});
    const u64 latent_width = p.d_c + p.d_rope;
    AttentionPart part;
    const u64 queries = p.q_rank ? times({*p.q_rank, s.hidden_size + query_width})
                                 : times({s.hidden_size, query_width});
    const u64 to_latent = times({s.hidden_size, latent_width});
    const u64 w_uk_and_w_uv = times({p.d_c, s.n_heads, p.nope_dim + p.v_dim});
    part.qkv = plus({queries, to_latent, w_uk_and_w_uv});
    part.o = times({s.n_heads, p.v_dim, s.hidden_size});
    const u64 q_rank = p.q_rank.value_or(0);
    part.small = q_rank + p.d_c + when(p.bias, q_rank + latent_width + s.hidden_size);
    return part;
}

AttentionPart grouped_attention(const ModelShape& s) {
    const u64 q = times({s.n_heads, s.cache.d_k});
    const u64 kv = times({s.cache.n_kv_heads, s.cache.d_k + s.cache.d_v});
    AttentionPart part;
    part.qkv = times({s.hidden_size, q + kv});
    part.o = times({s.n_heads, s.cache.d_v, s.hidden_size});
    part.small =
        when(s.qkv_bias, q + kv) + when(s.o_bias, s.hidden_size) + when(s.qk_norm, 2 * s.cache.d_k);
    return part;
}

AttentionPart attention_of(const ModelShape& s) {
    return s.latent ? latent_attention(s) : grouped_attention(s);
}

u64 mlp_matrices(const ModelShape& s) {
    return s.mlp == MlpForm::Gated ? 3 : 2;
}

u64 dense_mlp(const ModelShape& s) {
    const u64 bias = s.intermediate_size * (mlp_matrices(s) - 1) + s.hidden_size;
    return plus(
        {times({mlp_matrices(s), s.hidden_size, s.intermediate_size}), when(s.mlp_bias, bias)});
}

u64 expert_mlp(const ModelShape& s, u64 experts) {
    return times({experts, mlp_matrices(s), s.hidden_size, s.experts->intermediate_size});
}

u64 expert_layer(const ModelShape& s) {
    const Experts& e = *s.experts;
    return plus({expert_mlp(s, e.n_routed + e.n_shared), times({e.n_routed, s.hidden_size}),
                 when(e.routing_bias, e.n_routed)});
}

u64 count_expert_layers(const ModelShape& s) {
    u64 count = 0;
    for (u64 layer = 0; layer < s.n_layers(); ++layer) count += s.has_experts(layer) ? 1 : 0;
    return count;
}

u64 norm_numbers(const ModelShape& s) {
    return s.norm == NormForm::Rms ? 1 : 2;
}

Derived derive_embedding(const ModelShape& s) {
    Derived d{"embedding_parameters",
              "vocab_size * hidden_size",
              Value{count_parameters(s).embedding},
              "",
              "rows of the token table",
              {whole_operand("vocab_size", s.vocab_size, "", "tokens of the vocabulary"),
               whole_operand("hidden_size", s.hidden_size, "", "width of the model")}};
    if (s.learned_positions > 0) {
        d.expression = "(vocab_size + learned_positions) * hidden_size";
        d.meaning = "rows of the token and position tables";
        d.operands.push_back(whole_operand("learned_positions", s.learned_positions, "",
                                           "rows of the position table"));
    }
    return d;
}

Derived derive_attention(const ModelShape& s) {
    const AttentionPart part = attention_of(s);
    return {"attention_parameters",
            "qkv_parameters + o_parameters + small_parameters",
            Value{plus({part.qkv, part.o, part.small})},
            "",
            "attention of one layer",
            {whole_operand("qkv_parameters", part.qkv, "",
                           s.latent ? "query and latent projections, up and down"
                                    : "hidden_size * head_dim * (n_heads + 2 * n_kv_heads)"),
             whole_operand("o_parameters", part.o, "", "the output projection"),
             whole_operand("small_parameters", part.small, "", "biases and norms inside")}};
}

Derived derive_mlp(const ModelShape& s) {
    Derived d{"mlp_parameters",
              "mlp_matrices * hidden_size * intermediate_size",
              Value{dense_mlp(s)},
              "",
              "one dense MLP",
              {whole_operand("mlp_matrices", mlp_matrices(s), "",
                             s.mlp == MlpForm::Gated ? "gate, up and down" : "up and down"),
               whole_operand("hidden_size", s.hidden_size, "", "width of the model"),
               whole_operand("intermediate_size", s.intermediate_size, "", "width of the MLP")}};
    if (s.mlp_bias) {
        d.expression += " + intermediate_size * (mlp_matrices - 1) + hidden_size";
    }
    return d;
}

Derived derive_experts(const ModelShape& s) {
    const Experts& e = *s.experts;
    Derived d{"expert_layer_parameters",
              "(n_routed + n_shared) * mlp_matrices * hidden_size * expert_size + n_routed * "
              "hidden_size",
              Value{expert_layer(s)},
              "",
              "one layer of experts with its router",
              {whole_operand("n_routed", e.n_routed, "", "experts chosen from"),
               whole_operand("n_shared", e.n_shared, "", "experts that always run"),
               whole_operand("mlp_matrices", mlp_matrices(s), "", "gate, up and down"),
               whole_operand("hidden_size", s.hidden_size, "", "width of the model"),
               whole_operand("expert_size", e.intermediate_size, "", "width of one expert")}};
    if (e.routing_bias) d.expression += " + n_routed";
    return d;
}

Derived derive_norms(const ModelShape& s) {
    return {"norm_parameters",
            "(2 * n_layers + 1) * norm_numbers * hidden_size",
            Value{count_parameters(s).norms},
            "",
            "two norms a layer and the last one",
            {whole_operand("n_layers", s.n_layers(), "layers", "layers"),
             whole_operand("norm_numbers", norm_numbers(s), "",
                           s.norm == NormForm::Rms ? "a weight" : "a weight and a bias"),
             whole_operand("hidden_size", s.hidden_size, "", "width of the model")}};
}

}  // namespace

u64 ParameterCount::total() const {
    return plus({embedding, attention, mlp, norms, head});
}
u64 MatrixSizes::layers_total() const {
    return plus({qkv, o, mlp});
}

ParameterCount count_parameters(const ModelShape& s) {
    if (s.counted) {
        const CountedParameters& c = *s.counted;
        return {c.embedding, c.attention, c.mlp, c.norms, c.head};
    }
    const AttentionPart part = attention_of(s);
    const u64 with_experts = count_expert_layers(s);
    ParameterCount count;
    count.embedding = times({plus({s.vocab_size, s.learned_positions}), s.hidden_size});
    count.attention = times({s.n_layers(), plus({part.qkv, part.o, part.small})});
    count.mlp = plus({times({s.n_layers() - with_experts, dense_mlp(s)}),
                      with_experts == 0 ? 0 : times({with_experts, expert_layer(s)})});
    count.norms = times({2 * s.n_layers() + 1, norm_numbers(s), s.hidden_size});
    count.head = s.tied_embeddings ? 0 : times({s.vocab_size, s.hidden_size});
    return count;
}

u64 parameter_count(const ModelShape& shape) {
    return count_parameters(shape).total();
}

u64 weight_bytes(const ModelShape& shape) {
    return product_or_throw("the size of the weights",
                            {parameter_count(shape), bytes_of(shape.weight_type)});
}

u64 active_parameters(const ModelShape& s) {
    const u64 total = parameter_count(s);
    if (s.counted) return total - s.counted->idle;
    const u64 with_experts = count_expert_layers(s);
    if (with_experts == 0) return total;
    const u64 idle = s.experts->n_routed - std::min(s.experts->n_routed, s.experts->n_active);
    return total - times({with_experts, expert_mlp(s, idle)});
}

u64 read_parameters(const ModelShape& s) {
    const u64 active = active_parameters(s);
    return s.tied_embeddings ? active : active - times({s.vocab_size - 1, s.hidden_size});
}

std::vector<Derived> derive_active_parameters(const ModelShape& s) {
    const u64 total = parameter_count(s), active = active_parameters(s);
    std::vector<Derived> list;
    list.push_back({"active_parameters",
                    "parameters - idle_parameters",
                    Value{active},
                    "",
                    "numbers that one token goes through",
                    {whole_operand("parameters", total, "", "numbers in the weights"),
                     whole_operand("idle_parameters", total - active, "",
                                   "experts that are not chosen for the token, all layers")}});
    Derived read{"read_parameters",
                 "active_parameters",
                 Value{read_parameters(s)},
                 "",
                 "of these, what a step reads for one token",
                 {operand_of(list[0])}};
    if (!s.tied_embeddings) {
        read.expression = "active_parameters - (vocab_size - 1) * hidden_size";
        read.meaning = "of these, what a step reads for one token: one row of the input table";
        read.operands.push_back(
            whole_operand("vocab_size", s.vocab_size, "", "tokens of the vocabulary"));
        read.operands.push_back(
            whole_operand("hidden_size", s.hidden_size, "", "width of the model"));
    }
    list.push_back(std::move(read));
    return list;
}

Derived derive_token_read(const ModelShape& s, u64 sequence_bytes) {
    const u64 weights = times({read_parameters(s), bytes_of(s.weight_type)});
    return {"token_read_bytes",
            "read_parameters * bytes_per_parameter + sequence_bytes",
            Value{plus({weights, sequence_bytes})},
            "B",
            "read for the newest token of one sequence: its weights and its cache",
            {whole_operand("read_parameters", read_parameters(s), "",
                           "numbers of the weights that one token reads"),
             whole_operand("bytes_per_parameter", bytes_of(s.weight_type), "B",
                           std::string(name_of(s.weight_type))),
             whole_operand("sequence_bytes", sequence_bytes, "B", "cache of one sequence")}};
}

MatrixSizes matrix_sizes(const ModelShape& s) {
    if (s.counted) {
        const CountedParameters& c = *s.counted;
        return {c.qkv, c.o, c.active_mlp, c.lm_head};
    }
    const AttentionPart part = attention_of(s);
    const u64 with_experts = count_expert_layers(s);
    const u64 dense = times({mlp_matrices(s), s.hidden_size, s.intermediate_size});
    MatrixSizes sizes;
    sizes.qkv = times({s.n_layers(), part.qkv});
    sizes.o = times({s.n_layers(), part.o});
    sizes.mlp = times({s.n_layers() - with_experts, dense});
    if (with_experts > 0) {
        const u64 active = plus({expert_mlp(s, s.experts->n_active + s.experts->n_shared),
                                 times({s.experts->n_routed, s.hidden_size})});
        sizes.mlp = plus({sizes.mlp, times({with_experts, active})});
    }
    sizes.lm_head = times({s.vocab_size, s.hidden_size});
    return sizes;
}

std::vector<Derived> derive_parameters(const ModelShape& s) {
    if (s.counted) return s.counted->list;
    const u64 with_experts = count_expert_layers(s);
    std::vector<Derived> list{derive_embedding(s), derive_attention(s)};
    Derived total{"parameters",
                  "embedding_parameters + n_layers * attention_parameters",
                  Value{parameter_count(s)},
                  "",
                  "numbers in the weights",
                  {operand_of(list[0]), whole_operand("n_layers", s.n_layers(), "layers", "layers"),
                   operand_of(list[1])}};
    if (with_experts < s.n_layers()) {
        list.push_back(derive_mlp(s));
        total.expression += " + mlp_layers * mlp_parameters";
        total.operands.push_back(
            whole_operand("mlp_layers", s.n_layers() - with_experts, "layers", "dense layers"));
        total.operands.push_back(operand_of(list.back()));
    }
    if (with_experts > 0) {
        list.push_back(derive_experts(s));
        total.expression += " + expert_layers * expert_layer_parameters";
        total.operands.push_back(
            whole_operand("expert_layers", with_experts, "layers", "layers with experts"));
        total.operands.push_back(operand_of(list.back()));
    }
    list.push_back(derive_norms(s));
    total.expression += " + norm_parameters";
    total.operands.push_back(operand_of(list.back()));
    if (!s.tied_embeddings) {
        total.expression += " + head_parameters";
        total.operands.push_back(whole_operand("head_parameters", count_parameters(s).head, "",
                                               "the output matrix, vocab_size * hidden_size"));
    }
    list.push_back(std::move(total));
    return list;
}

std::vector<Derived> derive_weight_bytes(const ModelShape& s) {
    std::vector<Derived> list = derive_parameters(s);
    list.push_back(
        {"weight_bytes",
         "parameters * bytes_per_parameter",
         Value{weight_bytes(s)},
         "B",
         "size of the weights",
         {operand_of(list.back()), whole_operand("bytes_per_parameter", bytes_of(s.weight_type),
                                                 "B", std::string(name_of(s.weight_type)))}});
    return list;
}

}  // namespace kv
