#pragma once
// The decoder once more, as short as it can be: float, one sequence, no cache, and every product
// reads its activations through `rounded`. It is what the path that multiplies bf16 pairs is
// measured against.

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/numbers/formats.hpp"
#include "core/engine/pool/seen_keys.hpp"
#include "core/engine/reference/rope.hpp"
#include "core/model/checkpoint/weights.hpp"
#include "core/model/config/config.hpp"

namespace kv::test {

inline float bf16_rounded(float x) {
    return bf16_to_float(bf16_from_float(x));
}

using NaiveRow = std::vector<float>;

inline NaiveRow naive_norm(const float* x, const std::vector<float>& weight, double eps) {
    float squares = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) squares += x[i] * x[i];
    const float scale =
        1 / std::sqrt(squares / static_cast<float>(weight.size()) + static_cast<float>(eps));
    NaiveRow y(weight.size());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] * scale * weight[i];
    return y;
}

template <class Round>
NaiveRow naive_product(const Matrix& w, const std::vector<float>& bias, const NaiveRow& x,
                       Round rounded) {
    NaiveRow y(w.rows());
    for (std::size_t r = 0; r < y.size(); ++r) {
        for (std::size_t c = 0; c < x.size(); ++c) y[r] += w.at(r, c) * rounded(x[c]);
        if (!bias.empty()) y[r] += bias[r];
    }
    return y;
}

inline void naive_rotate(const ModelConfig& config, NaiveRow& heads, const std::vector<float>& norm,
                         std::size_t position) {
    const auto frequencies = rope_frequencies(config);
    for (std::size_t at = 0; at < heads.size(); at += config.head_dim) {
        if (!norm.empty()) {
            const NaiveRow normed = naive_norm(&heads[at], norm, config.norm_eps);
            std::copy(normed.begin(), normed.end(), &heads[at]);
        }
        rotate_head(&heads[at], frequencies, static_cast<std::uint32_t>(position));
    }
}

// What query head `head` of token i takes of the values before it: (head_dim).
inline NaiveRow naive_attention(const ModelConfig& config, LayerId layer, std::size_t i,
                                std::size_t head, const NaiveRow& q, const std::vector<NaiveRow>& k,
                                const std::vector<NaiveRow>& v) {
    const std::size_t dim = config.head_dim, kv = head / (config.n_heads / config.n_kv_heads) * dim;
    std::vector<float> weights;
    const std::size_t from = first_visible(config, layer, static_cast<std::uint32_t>(i));
    for (std::size_t j = from; j <= i; ++j) {
        float score = 0;
        for (std::size_t c = 0; c < dim; ++c) score += q[head * dim + c] * k[j][kv + c];
        weights.push_back(score / std::sqrt(static_cast<float>(dim)));
    }
    const float top = *std::max_element(weights.begin(), weights.end());
    float sum = 0;
    for (float& w : weights) sum += w = std::exp(w - top);
    NaiveRow output(dim);
    for (std::size_t j = from; j <= i; ++j)
        for (std::size_t c = 0; c < dim; ++c) output[c] += weights[j - from] / sum * v[j][kv + c];
    return output;
}

// Logits of every token.
template <class Round>
std::vector<float> naive_logits(const ModelConfig& config, const Weights& weights,
                                const std::vector<std::uint32_t>& tokens, Round rounded) {
    const std::size_t n = tokens.size();
    const auto add = [](NaiveRow& x, const NaiveRow& more) {
        for (std::size_t c = 0; c < x.size(); ++c) x[c] += more[c];
    };
    std::vector<NaiveRow> x(n, NaiveRow(config.hidden_size)), q(n), k(n), v(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < x[i].size(); ++c) x[i][c] = weights.embedding.at(tokens[i], c);
    for (std::uint32_t l = 0; l < config.n_layers; ++l) {
        const LayerWeights& w = weights.layers[l];
        for (std::size_t i = 0; i < n; ++i) {
            const NaiveRow h = naive_norm(x[i].data(), w.attention_norm, config.norm_eps);
            q[i] = naive_product(w.q, w.q_bias, h, rounded);
            k[i] = naive_product(w.k, w.k_bias, h, rounded);
            v[i] = naive_product(w.v, w.v_bias, h, rounded);
            naive_rotate(config, q[i], w.q_norm, i);
            naive_rotate(config, k[i], w.k_norm, i);
        }
        for (std::size_t i = 0; i < n; ++i) {
            NaiveRow output;
            for (std::size_t head = 0; head < config.n_heads; ++head) {
                const NaiveRow one = naive_attention(config, LayerId(l), i, head, q[i], k, v);
                output.insert(output.end(), one.begin(), one.end());
            }
            add(x[i], naive_product(w.o, w.o_bias, output, rounded));
            const NaiveRow h = naive_norm(x[i].data(), w.mlp_norm, config.norm_eps);
            const NaiveRow gate = naive_product(w.gate, w.gate_bias, h, rounded);
            NaiveRow up = naive_product(w.up, w.up_bias, h, rounded);
            for (std::size_t c = 0; c < up.size(); ++c) up[c] *= gate[c] / (1 + std::exp(-gate[c]));
            add(x[i], naive_product(w.down, w.down_bias, up, rounded));
        }
    }
    std::vector<float> logits;
    for (std::size_t i = 0; i < n; ++i) {
        const NaiveRow h = naive_norm(x[i].data(), weights.final_norm, config.norm_eps);
        const NaiveRow row = naive_product(weights.output(), {}, h, rounded);
        logits.insert(logits.end(), row.begin(), row.end());
    }
    return logits;
}

}  // namespace kv::test
