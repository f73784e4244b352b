#include "core/engine/reference/reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/formats.hpp"
#include "core/base/planted.hpp"
#include "core/engine/pool/backend.hpp"
#include "core/engine/pool/seen_keys.hpp"
#include "core/engine/reference/hadamard.hpp"
#include "core/engine/reference/rope.hpp"
#include "core/engine/seam/tap_point.hpp"
#include "core/engine/work/count_work.hpp"
#include "core/engine/work/pass_parts.hpp"

namespace kv {
namespace {

// A table of numbers with named rows; the shape stands beside each one below.
template <class Real>
class Rows {
public:
    Rows(std::size_t rows, std::size_t columns)
        : rows_(rows), columns_(columns), values_(rows * columns) {}
    std::size_t size() const { return rows_; }
    Real* operator[](std::size_t row) { return values_.data() + row * columns_; }
    const Real* operator[](std::size_t row) const { return values_.data() + row * columns_; }

private:
    std::size_t rows_, columns_;
    std::vector<Real> values_;
};

template <class Real>
Real dot(const Real* a, const Real* b, std::size_t n) {
    Real sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

// Rows of W side by side: number c of row j goes to strip[c][j].
constexpr std::size_t kAbreast = 8;

template <class Real>
void widen(const Matrix& w, std::size_t row, std::size_t j, std::vector<Real>& strip) {
    const std::size_t columns = w.columns();
    if (w.storage() == WeightStorage::F32) {
        const float* numbers = w.f32() + row * columns;
        for (std::size_t c = 0; c < columns; ++c) strip[c * kAbreast + j] = Real{numbers[c]};
    } else {
        const std::uint16_t* codes = w.bf16() + row * columns;
        for (std::size_t c = 0; c < columns; ++c)
            strip[c * kAbreast + j] = Real{bf16_to_float(codes[c])};
    }
}

// Y = X W^T + b for all rows of X. Each sum runs from column 0 up; eight of them, of eight rows of
// W, go on at the same time.
template <class Real>
void project(const Matrix& w, const std::vector<float>& bias, const Rows<Real>& x, Rows<Real>& y) {
    std::vector<Real> strip(w.columns() * kAbreast);
    for (std::size_t r = 0; r < w.rows(); r += kAbreast) {
        const std::size_t rows = std::min<std::size_t>(kAbreast, w.rows() - r);
        for (std::size_t j = 0; j < rows; ++j) widen(w, r + j, j, strip);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Real* in = x[i];
            std::array<Real, kAbreast> sums{};
            for (std::size_t c = 0; c < w.columns(); ++c)
                for (std::size_t j = 0; j < kAbreast; ++j)
                    sums[j] += strip[c * kAbreast + j] * in[c];
            for (std::size_t j = 0; j < rows; ++j)
                y[i][r + j] = sums[j] + (bias.empty() ? Real{0} : Real{bias[r + j]});
        }
    }
}

template <class Real>
void rms_norm(const Real* x, const std::vector<float>& weight, double eps, Real* y) {
    const std::size_t n = weight.size();
    const Real scale =
        Real{1} / std::sqrt(dot(x, x, n) / static_cast<Real>(n) + static_cast<Real>(eps));
    for (std::size_t i = 0; i < n; ++i) y[i] = x[i] * scale * static_cast<Real>(weight[i]);
}

template <class Real>
void softmax(std::vector<Real>& scores) {
    const Real top = *std::max_element(scores.begin(), scores.end());
    Real sum = 0;
    for (Real& s : scores) sum += s = math::exp(s - top);
    for (Real& s : scores) s /= sum;
}

template <class Real>
void add(Rows<Real>& x, const Rows<Real>& more, std::size_t columns) {
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t c = 0; c < columns; ++c) x[i][c] += more[i][c];
}

template <class Real>
Real silu(Real x) {
    return x / (Real{1} + math::exp(-x));
}

template <class Real>
class Reference final : public PoolBackend {
public:
    Reference(const ModelConfig& config, const Weights& weights, const PoolSpec& pool)
        : PoolBackend(config, pool),
          config_(config),
          weights_(weights),
          frequencies_(rope_frequencies(config)) {}

    std::string_view name() const override { return "reference"; }

    ForwardResult forward(const Batch& batch, TapSink* taps) override {
        ForwardResult result;
        mark_.clock = batch.clock;
        if (batch.clock != nullptr)
            batch.clock->start(static_cast<std::uint32_t>(config_.n_layers));
        for (std::size_t s = 0; s < batch.sequences.size(); ++s)
            forward_one(batch.sequences[s], TapPoint{taps, static_cast<std::uint32_t>(s)}, result);
        result.work = count_work(config_, weights_, layout(), batch);
        if (batch.clock != nullptr) result.parts = pass_parts(config_, weights_, layout(), batch);
        return result;
    }

private:
    // Keys and values of the pass itself in the layer at hand, before they were coded.
    struct Own {
        const Rows<Real>&k, &v;  // (n, kv_width)
    };

    void forward_one(const SequenceWork& work, TapPoint tap, ForwardResult& result) {
        const std::size_t n = work.tokens.size(), hidden = config_.hidden_size;
        const std::size_t q_width = config_.n_heads * config_.head_dim,
                          kv_width = config_.n_kv_heads * config_.head_dim,
                          mlp_width = config_.intermediate_size;
        Rows<Real> x(n, hidden);  // the residual stream
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t c = 0; c < hidden; ++c)
                x[i][c] = static_cast<Real>(weights_.embedding.at(work.tokens[i], c));
        mark_(Op::Embed);

        for (std::size_t l = 0; l < config_.n_layers; ++l) {
            const LayerWeights& w = weights_.layers[l];
            const LayerId layer(static_cast<std::uint32_t>(l));
            Rows<Real> h(n, hidden), q(n, q_width), k(n, kv_width), v(n, kv_width);

            if (work.kept_inputs != nullptr) {
                recompute(work, layer);
                for (std::size_t i = 0; i < n; ++i)
                    std::copy_n(x[i], hidden, work.kept_inputs->row(layer, work.slots[i]).begin());
            }

            // Queries, keys and values of the new tokens, turned to their positions.
            for (std::size_t i = 0; i < n; ++i) {
                tap(Tap::LayerInput, layer, i, 0, x[i], hidden);
                rms_norm(x[i], w.attention_norm, config_.norm_eps, h[i]);
            }
            project(w.q, w.q_bias, h, q);
            project(w.k, w.k_bias, h, k);
            project(w.v, w.v_bias, h, v);
            mark_(Op::Project, layer);
            const std::uint32_t off = n == 1 && planted(PlantedBug::RotatedTooFar) ? 1 : 0;
            for (std::size_t i = 0; i < n; ++i) {
                const std::uint32_t position = work.positions[i] + off;
                turn_heads(q[i], config_.n_heads, w.q_norm, turned_when_stored(work), position);
                turn_heads(k[i], config_.n_kv_heads, w.k_norm, turned_when_stored(work), position);
                tap.heads(Tap::Q, layer, i, q[i], config_.n_heads, config_.head_dim);
                tap.heads(Tap::K, layer, i, k[i], config_.n_kv_heads, config_.head_dim);
                tap.heads(Tap::V, layer, i, v[i], config_.n_kv_heads, config_.head_dim);
            }
            for (std::size_t i = 0; i < n; ++i) {
                spread(q[i], config_.n_heads);
                spread(k[i], config_.n_kv_heads);
                spread(v[i], config_.n_kv_heads);
            }
            mark_(Op::Rotate, layer);

            // Append before attending: a token sees itself.
            Rows<Real> mixed(n, q_width), out(n, hidden);
            const bool late = planted(PlantedBug::AttendsBeforeAppend);
            take_scales(layer, k, v, n);
            before_append({work, 0, n}, layer);
            for (std::size_t i = 0; i < n && !late; ++i) append(work, layer, i, k[i], v[i]);
            after_append({work, 0, n}, layer);
            mark_(Op::Append, layer);
            const Own own{k, v};
            const bool one_by_one = spec().has_residual() && !spec().attends_exactly();
            for (std::size_t i = 0; i < n; ++i) {
                if (one_by_one) hold(work, layer, work.slots[i], k[i], v[i]);
                attend(work, own, layer, i, q[i], mixed[i], tap);
                if (one_by_one) settle(work, layer, work.slots[i] + 1);
                spread(mixed[i], config_.n_heads);
                tap(Tap::Attention, layer, i, 0, mixed[i], q_width);
            }
            for (std::size_t i = 0; i < n && late; ++i) append(work, layer, i, k[i], v[i]);
            for (std::size_t i = 0; i < n && spec().has_residual() && !one_by_one; ++i)
                hold_and_settle(work, layer, work.slots[i], k[i], v[i]);
            mark_(Op::Attend, layer);
            project(w.o, w.o_bias, mixed, out);
            add(x, out, hidden);
            mark_(Op::Output, layer);

            // The MLP: a gate decides how much of each of its widths goes through.
            Rows<Real> gate(n, mlp_width), up(n, mlp_width);
            for (std::size_t i = 0; i < n; ++i) rms_norm(x[i], w.mlp_norm, config_.norm_eps, h[i]);
            project(w.gate, w.gate_bias, h, gate);
            project(w.up, w.up_bias, h, up);
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t c = 0; c < mlp_width; ++c) up[i][c] *= silu(gate[i][c]);
            project(w.down, w.down_bias, up, out);
            add(x, out, hidden);
            for (std::size_t i = 0; i < n; ++i) tap(Tap::LayerOutput, layer, i, 0, x[i], hidden);
            mark_(Op::Mlp, layer);
        }

        Rows<Real> last(work.logit_rows.size(), hidden);
        Rows<Real> logits(work.logit_rows.size(), config_.vocab_size);
        for (std::size_t i = 0; i < last.size(); ++i)
            rms_norm(x[work.logit_rows[i]], weights_.final_norm, config_.norm_eps, last[i]);
        project(weights_.output(), {}, last, logits);
        for (std::size_t i = 0; i < last.size(); ++i)
            for (std::size_t t = 0; t < config_.vocab_size; ++t)
                result.logits.push_back(static_cast<float>(logits[i][t]));
        if (last.size() > 0) mark_(Op::Logits);
    }

    void turn_heads(Real* heads, u64 count, const std::vector<float>& norm, bool turn,
                    std::uint32_t position) const {
        for (u64 head = 0; head < count; ++head, heads += config_.head_dim) {
            if (!norm.empty()) rms_norm(heads, norm, config_.norm_eps, heads);
            if (turn) rotate_head(heads, frequencies_, position);
        }
    }

    // Where heads are rotated before they are stored; done twice, it is undone.
    void spread(Real* heads, u64 count) const {
        if (spec().rotation == Rotation::Hadamard) hadamard_heads(heads, count, config_.head_dim);
    }

    // Where inputs are kept: keys and values of the earlier tokens, exactly as they were before.
    void recompute(const SequenceWork& work, LayerId layer) {
        const LayerWeights& w = weights_.layers[layer.index()];
        const KeptInputs& kept = *work.kept_inputs;
        const std::size_t kv_width = config_.n_kv_heads * config_.head_dim;
        Rows<Real> h(work.recomputed, config_.hidden_size), k(h.size(), kv_width),
            v(h.size(), kv_width);
        for (std::uint32_t slot = 0; slot < work.recomputed; ++slot) {
            const std::span<const float> row = kept.row(layer, slot);
            const std::vector<Real> x(row.begin(), row.end());
            rms_norm(x.data(), w.attention_norm, config_.norm_eps, h[slot]);
        }
        project(w.k, w.k_bias, h, k);
        project(w.v, w.v_bias, h, v);
        for (std::uint32_t slot = 0; slot < work.recomputed; ++slot) {
            turn_heads(k[slot], config_.n_kv_heads, w.k_norm, true, kept.position(slot));
            spread(k[slot], config_.n_kv_heads);
            spread(v[slot], config_.n_kv_heads);
            for (std::uint32_t head = 0; head < config_.n_kv_heads; ++head)
                write(work, layer, HeadId(head), slot, k[slot], v[slot]);
            if (spec().has_residual()) hold_and_settle(work, layer, slot, k[slot], v[slot]);
        }
    }

    void hold_and_settle(const SequenceWork& work, LayerId layer, std::uint32_t slot, const Real* k,
                         const Real* v) {
        hold(work, layer, slot, k, v);
        settle(work, layer, slot + 1);
    }

    void append(const SequenceWork& work, LayerId layer, std::size_t i, const Real* k,
                const Real* v) {
        for (std::uint32_t head = 0; head < config_.n_kv_heads; ++head)
            write(work, layer, HeadId(head), own_slots(work, layer, HeadId(head))[i], k, v);
    }

    // k, v: (n_kv_heads, head_dim), of which this head's go to the slot.
    void write(const SequenceWork& work, LayerId layer, HeadId head, std::uint32_t slot,
               const Real* k, const Real* v) {
        const auto at = place(work, layer, head, slot);
        const std::size_t first = head.index() * config_.head_dim;
        for (const Side side : {Side::K, Side::V}) {
            if (spec().format(side).has_residual()) continue;
            encode_vector(spec().format(side), (side == Side::K ? k : v) + first,
                          layout().vector(side).dim,
                          pool().vector(layer, side, head, at.block, at.slot),
                          pool().shared_scale(layer, side));
        }
    }

    // softmax(q K^T / sqrt(head_dim)) V over what query i sees, head by head.
    void attend(const SequenceWork& work, const Own& own, LayerId layer, std::size_t i,
                const Real* q, Real* mixed, TapPoint tap) const {
        const std::size_t dim = config_.head_dim, group = config_.n_heads / config_.n_kv_heads;
        const Real scale = Real{1} / std::sqrt(static_cast<Real>(dim));
        SeenKeys seen;
        std::vector<Real> weights, vector(dim), turned(dim);
        for (std::uint32_t head = 0; head < config_.n_heads; ++head, q += dim, mixed += dim) {
            const HeadId kv_head(static_cast<std::uint32_t>(
                planted(PlantedBug::HeadsInterleaved) ? head % config_.n_kv_heads : head / group));
            if (work.reads != nullptr)
                choose_reads(work, layer, {kv_head, head, i}, std::vector<float>(q, q + dim));
            find_keys_of_head(config_, layout(), work, layer, {kv_head, head, i}, seen);
            std::copy_n(q, dim, turned.data());
            if (seen.turn) rotate_head(turned.data(), frequencies_, seen.positions.back());
            weights.resize(seen.slots.size());
            for (std::size_t j = 0; j < weights.size(); ++j) {  // scores: (seen)
                see(work, own, layer, Side::K, kv_head, {seen.slots[j], i}, vector.data());
                if (seen.turn) rotate_head(vector.data(), frequencies_, seen.positions[j]);
                weights[j] = dot(turned.data(), vector.data(), dim) * scale;
            }
            tap(Tap::Scores, layer, i, head, weights.data(), weights.size());
            softmax(weights);
            tap(Tap::Weights, layer, i, head, weights.data(), weights.size());
            std::fill_n(mixed, dim, Real{0});
            for (std::size_t j = 0; j < weights.size(); ++j) {  // mixed: (head_dim)
                see(work, own, layer, Side::V, kv_head, {seen.slots[j], i}, vector.data());
                for (std::size_t c = 0; c < dim; ++c) mixed[c] += weights[j] * vector[c];
            }
        }
    }

    struct Looks {
        std::size_t slot, row;  // the row of the pass that looks at the slot
    };
    // As it is stored; of the pass itself as it was computed, where that is what it attends to.
    void see(const SequenceWork& work, const Own& own, LayerId layer, Side side, HeadId head,
             const Looks& at, Real* out) const {
        const std::uint32_t dim = layout().vector(side).dim;
        const bool exactly = spec().attends_exactly(side);
        const auto slot = static_cast<std::uint32_t>(at.slot);
        if (const auto row = exactly ? own_row(work, layer, head, slot) : std::nullopt) {
            const Real* exact = (side == Side::K ? own.k : own.v)[*row];
            std::copy_n(exact + std::size_t{head.value} * dim, dim, out);
            return;
        }
        const bool both_scaled =
            spec().k.scale == ScaleMode::PerVector && spec().v.scale == ScaleMode::PerVector;
        if (planted(PlantedBug::ValuesByKeyScale) && side == Side::V && both_scaled)
            return read_with_scale_of_key(work, layer, head, slot, out);
        const std::uint32_t settled = exactly ? work.slots[0] : work.slots[at.row];
        read(work, layer, side, head, slot, settled, out);
    }

    // For the planted bug alone.
    void read_with_scale_of_key(const SequenceWork& work, LayerId layer, HeadId head,
                                std::uint32_t slot, Real* out) const {
        const auto at = place(work, layer, head, slot);
        const std::byte* value = pool().vector(layer, Side::V, head, at.block, at.slot);
        const std::byte* key = pool().vector(layer, Side::K, head, at.block, at.slot);
        std::vector<std::byte> bytes(value, value + layout().v.bytes);
        std::copy_n(key + layout().k.bytes - 2, 2, bytes.end() - 2);
        decode_vector(spec().v, bytes.data(), layout().v.dim, out);
    }

    const ModelConfig& config_;
    const Weights& weights_;
    std::vector<double> frequencies_;
    PassMark mark_;
};

}  // namespace

std::unique_ptr<Backend> make_reference(const ModelConfig& config, const Weights& weights,
                                        const PoolSpec& pool, Precision precision) {
    if (precision == Precision::F64)
        return std::make_unique<Reference<double>>(config, weights, pool);
    return std::make_unique<Reference<float>>(config, weights, pool);
}

}  // namespace kv
