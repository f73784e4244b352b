#include "core/engine/cpu/cpu_backend.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/engine/count_work.hpp"
#include "core/engine/cpu/cpu_attention.hpp"
#include "core/engine/cpu/kernels_of_path.hpp"
#include "core/engine/cpu/projection.hpp"
#include "core/engine/cpu/seen_attention.hpp"
#include "core/engine/hadamard.hpp"
#include "core/engine/pass_parts.hpp"
#include "core/engine/pool_backend.hpp"
#include "core/engine/rope.hpp"
#include "core/engine/tap_point.hpp"

namespace kv::cpu {
namespace {

// Rows that go through the layers together: enough to use each weight often, since all of them come
// from memory for every chunk; few enough that the tables below stay small beside the weights.
// Cutting a prompt into such chunks changes no bit.
constexpr std::size_t kChunkRows = 512;

struct Row {  // one new token of the batch
    const SequenceWork* work;
    std::uint32_t sequence, index;
    std::uint32_t slot() const { return work->slots[index]; }
    std::uint32_t position() const { return work->positions[index]; }
};

struct Angles {                       // of a head's rotation at each row's position
    AlignedRows<float> cosine, sine;  // (n, head_dim / 2)
};

std::vector<Row> rows_of(const Batch& batch) {
    std::vector<Row> rows;
    for (std::uint32_t s = 0; s < batch.sequences.size(); ++s)
        for (std::uint32_t i = 0; i < batch.sequences[s].tokens.size(); ++i)
            rows.push_back({&batch.sequences[s], s, i});
    return rows;
}

bool is_bf16(const Matrix& m) {
    return m.storage() == WeightStorage::Bf16;
}

bool any_bf16(const Weights& weights) {
    return is_bf16(weights.output()) ||
           std::any_of(weights.layers.begin(), weights.layers.end(), [](const LayerWeights& w) {
               return is_bf16(w.q) || is_bf16(w.k) || is_bf16(w.v) || is_bf16(w.o) ||
                      is_bf16(w.gate) || is_bf16(w.up) || is_bf16(w.down);
           });
}

bool wants_logits(const Row& row) {
    const auto& wanted = row.work->logit_rows;
    return std::binary_search(wanted.begin(), wanted.end(), row.index);
}

class Cpu final : public PoolBackend {
public:
    Cpu(const ModelConfig& config, const Weights& weights, const PoolSpec& pool, CpuPath path,
        std::size_t workers)
        : PoolBackend(config, pool),
          config_(config),
          weights_(weights),
          kernels_(kernels_of_path(path)),
          frequencies_(rope_frequencies(config)),
          threads_(workers),
          attention_(config, this->pool(), pool, kernels_,
                     [this](const SequenceWork& work, LayerId layer, KvSide side, HeadId head,
                            std::uint32_t slot, std::uint32_t n,
                            float* out) { read(work, layer, side, head, slot, n, out); }),
          seen_attention_(config, this->pool(), pool, kernels_, frequencies_) {
        for (Activations* x : {&h_, &mixed_, &up_, &last_}) x->packs = any_bf16(weights);
    }

    std::string_view name() const override { return "cpu"; }

    ForwardResult forward(const Batch& batch, TapSink* taps) override {
        const std::vector<Row> rows = rows_of(batch);
        mark_.clock = batch.clock;
        if (batch.clock != nullptr)
            batch.clock->start(static_cast<std::uint32_t>(config_.n_layers));
        const auto wanted =
            static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), wants_logits));
        last_.resize(wanted, config_.hidden_size);
        std::size_t filled = 0;
        const std::size_t together = goes_together() ? rows.size() : kChunkRows;
        for (std::size_t at = 0; at < rows.size(); at += together) {
            const auto chunk = std::span(rows).subspan(at, std::min(together, rows.size() - at));
            forward_chunk(chunk, taps);
            for (std::size_t i = 0; i < chunk.size(); ++i)
                if (wants_logits(chunk[i])) norm(x_[i], weights_.final_norm, last_, filled++);
        }
        ForwardResult result;
        result.logits.resize(wanted * config_.vocab_size);
        if (wanted > 0)
            project(threads_, kernels_,
                    {{weights_.output(), no_bias_, result.logits.data(), config_.vocab_size}},
                    last_);
        if (wanted > 0) mark_(Op::Logits);
        result.work = count_work(config_, weights_, layout(), batch);
        if (batch.clock != nullptr) result.parts = pass_parts(config_, weights_, layout(), batch);
        return result;
    }

private:
    // Shapes: n rows; q_width = n_heads x head_dim; kv_width = n_kv_heads x head_dim.
    void forward_chunk(std::span<const Row> rows, TapSink* taps) {
        const std::size_t n = rows.size(), hidden = config_.hidden_size;
        make_room(n);
        for_rows(n, [&](std::size_t i) {
            embed(rows[i].work->tokens[rows[i].index], x_[i]);
            find_angles(rows[i].position(), angles_, i);
        });
        mark_(Op::Embed);

        for (std::uint32_t l = 0; l < config_.n_layers; ++l) {
            const LayerWeights& w = weights_.layers[l];
            const LayerId layer(l);
            tap_rows(taps, Tap::LayerInput, layer, rows, x_, hidden);
            use_kept_inputs(rows, layer);

            // Queries, keys and values, in one region; turned, and appended before anyone attends.
            for_rows(n, [&](std::size_t i) { norm(x_[i], w.attention_norm, h_, i); });
            project(threads_, kernels_,
                    {{w.q, w.q_bias, q_[0], q_.stride()},
                     {w.k, w.k_bias, k_[0], k_.stride()},
                     {w.v, w.v_bias, v_[0], v_.stride()}},
                    h_);
            mark_(Op::Project, layer);
            for_rows(n, [&](std::size_t i) {
                const bool turn = turned_when_stored(*rows[i].work);
                turn_heads(q_[i], config_.n_heads, w.q_norm, turn ? &angles_ : nullptr, i);
                turn_heads(k_[i], config_.n_kv_heads, w.k_norm, turn ? &angles_ : nullptr, i);
            });
            tap_heads(taps, layer, rows);
            for_rows(n, [&](std::size_t i) {
                spread(q_[i], config_.n_heads);
                spread(k_[i], config_.n_kv_heads);
                spread(v_[i], config_.n_kv_heads);
            });
            mark_(Op::Rotate, layer);
            take_scales(layer, k_, v_, rows_of_first(rows));
            for_rows(n, [&](std::size_t i) { append(rows[i], layer, k_[i], v_[i]); });
            mark_(Op::Append, layer);

            attend(layer, rows);
            tap_weights(taps, layer, rows);
            for_rows(n, [&](std::size_t i) { spread(mixed_.values[i], config_.n_heads); });
            tap_rows(taps, Tap::Attention, layer, rows, mixed_.values,
                     config_.n_heads * config_.head_dim);
            mark_(Op::Attend, layer);
            for_rows(n, [&](std::size_t i) { mixed_.pack(kernels_, i); });
            project_and_add(threads_, kernels_, {w.o, w.o_bias, out_[0], out_.stride()}, mixed_,
                            x_);
            mark_(Op::Output, layer);

            // The MLP: a gate decides how much of each of its widths goes through.
            for_rows(n, [&](std::size_t i) { norm(x_[i], w.mlp_norm, h_, i); });
            project_gated(threads_, kernels_, {w.gate, w.gate_bias, gate_[0], gate_.stride()},
                          {w.up, w.up_bias, up_.values[0], up_.values.stride()}, h_);
            for_rows(n, [&](std::size_t i) { up_.pack(kernels_, i); });
            project_and_add(threads_, kernels_, {w.down, w.down_bias, out_[0], out_.stride()}, up_,
                            x_);
            tap_rows(taps, Tap::LayerOutput, layer, rows, x_, hidden);
            mark_(Op::Mlp, layer);
        }
    }

    // All of a pass, where its tokens attend to each other before they are coded, or where all of
    // them have a say in the scale.
    bool goes_together() const {
        return spec().attends_exactly() || spec().k.scale == ScaleMode::Tensor ||
               spec().v.scale == ScaleMode::Tensor;
    }

    OwnRows own_rows(const Row& row, std::size_t i) const {
        if (!spec().attends_exactly()) return {};
        const std::size_t first = i - row.index;
        return {k_[first], v_[first], k_.stride(), v_.stride()};
    }

    // What a policy has thinned out is listed key by key; everything else goes page by page.
    void attend(LayerId layer, std::span<const Row> rows) {
        queries_.clear();
        seen_queries_.clear();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].work->visible == nullptr)
                queries_.push_back(query_of(rows[i], i));
            else
                seen_queries_.push_back(seen_query_of(rows[i], i));
        }
        if (!queries_.empty()) attend_pages(layer, rows);
        seen_attention_.run(threads_, layer, seen_queries_);
    }

    Query query_of(const Row& row, std::size_t i) {
        return {row.work, row.slot(), q_[i], mixed_.values[i], own_rows(row, i)};
    }
    SeenQuery seen_query_of(const Row& row, std::size_t i) {
        return {row.work, row.index, q_[i], mixed_.values[i], own_rows(row, i)};
    }

    void attend_pages(LayerId layer, std::span<const Row> rows) {
        if (!spec().has_residual()) return attention_.run(threads_, layer, queries_);
        const auto hold_row = [&](std::size_t i) {
            hold(*rows[i].work, layer, rows[i].slot(), k_[i], v_[i]);
        };
        const auto settle_row = [&](std::size_t i) {
            settle(*rows[i].work, layer, rows[i].slot() + 1);
        };
        if (spec().attends_exactly()) {
            attention_.run(threads_, layer, queries_);
            for (std::size_t i = 0; i < rows.size(); ++i) hold_row(i), settle_row(i);
            return;
        }
        // Each token attends to what is stored when it comes, and codes change with every token.
        for (std::size_t i = 0; i < rows.size(); ++i) {
            hold_row(i);
            attention_.run(threads_, layer, std::span(queries_).subspan(i, 1));
            settle_row(i);
        }
    }

    // Keeps the inputs of the new tokens; before a sequence's first one, computes K and V of the
    // earlier tokens once more from theirs. Nothing of this layer is in h_, k_ and v_ yet.
    void use_kept_inputs(std::span<const Row> rows, LayerId layer) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const SequenceWork& work = *rows[i].work;
            if (work.kept_inputs == nullptr) continue;
            if (rows[i].index == 0) recompute(work, layer);
            h_.resize(rows.size(), config_.hidden_size);  // which had as many as were recomputed
            std::copy_n(x_[i], config_.hidden_size,
                        work.kept_inputs->row(layer, rows[i].slot()).begin());
        }
    }

    void recompute(const SequenceWork& work, LayerId layer) {
        const LayerWeights& w = weights_.layers[layer.index()];
        const KeptInputs& kept = *work.kept_inputs;
        for (std::uint32_t at = 0; at < work.recomputed; at += kChunkRows) {
            const std::size_t n = std::min<std::size_t>(kChunkRows, work.recomputed - at);
            make_kv_room(n, earlier_angles_);
            const auto slot = [at](std::size_t i) { return at + static_cast<std::uint32_t>(i); };
            for_rows(n, [&](std::size_t i) {
                norm(kept.row(layer, slot(i)).data(), w.attention_norm, h_, i);
                find_angles(kept.position(slot(i)), earlier_angles_, i);
            });
            project(threads_, kernels_,
                    {{w.k, w.k_bias, k_[0], k_.stride()}, {w.v, w.v_bias, v_[0], v_.stride()}}, h_);
            for_rows(n, [&](std::size_t i) {
                turn_heads(k_[i], config_.n_kv_heads, w.k_norm, &earlier_angles_, i);
                spread(k_[i], config_.n_kv_heads);
                spread(v_[i], config_.n_kv_heads);
                for (std::uint32_t head = 0; head < config_.n_kv_heads; ++head)
                    write(work, layer, HeadId(head), slot(i), k_[i], v_[i]);
            });
            for (std::size_t i = 0; i < n && spec().has_residual(); ++i) {
                hold(work, layer, slot(i), k_[i], v_[i]);
                settle(work, layer, slot(i) + 1);
            }
        }
    }

    void make_kv_room(std::size_t n, Angles& angles) {
        const std::size_t kv_width = config_.n_kv_heads * config_.head_dim;
        for (AlignedRows<float>* rows : {&k_, &v_}) rows->resize(n, kv_width);
        for (AlignedRows<float>* rows : {&angles.cosine, &angles.sine})
            rows->resize(n, frequencies_.size());
        h_.resize(n, config_.hidden_size);
    }

    void make_room(std::size_t n) {
        const std::size_t q_width = config_.n_heads * config_.head_dim;
        for (AlignedRows<float>* rows : {&x_, &out_}) rows->resize(n, config_.hidden_size);
        make_kv_room(n, angles_);
        q_.resize(n, q_width);
        gate_.resize(n, config_.intermediate_size);
        mixed_.resize(n, q_width);
        up_.resize(n, config_.intermediate_size);
    }

    // One row is too little to wake anybody for.
    template <class PerRow>
    void for_rows(std::size_t n, const PerRow& per_row) {
        if (n == 1) return per_row(0);
        threads_.run([&](std::size_t part) {
            const Range range = share_of(n, 1, part, threads_.size());
            for (std::size_t i = range.begin; i < range.end; ++i) per_row(i);
        });
    }

    void embed(std::uint32_t token, float* x) const {
        const Matrix& e = weights_.embedding;
        KV_ASSERT(token < e.rows());
        const std::size_t n = e.columns(), first = token * n;
        if (e.storage() == WeightStorage::F32)
            std::copy_n(e.f32() + first, n, x);
        else
            kernels_.decode[static_cast<std::size_t>(KvCode::Bf16)](
                reinterpret_cast<const std::byte*>(e.bf16() + first), n, x);
    }

    void find_angles(std::uint32_t position, Angles& angles, std::size_t i) const {
        for (std::size_t f = 0; f < frequencies_.size(); ++f) {
            const double angle = position * frequencies_[f];
            angles.cosine[i][f] = static_cast<float>(std::cos(angle));
            angles.sine[i][f] = static_cast<float>(std::sin(angle));
        }
    }

    void norm(const float* x, const std::vector<float>& weight, Activations& to, std::size_t i) {
        kernels_.rms_norm(x, weight.data(), weight.size(), static_cast<float>(config_.norm_eps),
                          to.values[i]);
        to.pack(kernels_, i);
    }

    // Without angles they stay as they are: they are turned when they are read.
    void turn_heads(float* heads, u64 count, const std::vector<float>& norm, const Angles* angles,
                    std::size_t i) const {
        for (u64 head = 0; head < count; ++head, heads += config_.head_dim) {
            if (!norm.empty())
                kernels_.rms_norm(heads, norm.data(), norm.size(),
                                  static_cast<float>(config_.norm_eps), heads);
            if (angles != nullptr)
                kernels_.rotate(heads, angles->cosine[i], angles->sine[i], frequencies_.size());
        }
    }

    // Where heads are rotated before they are stored; done twice, it is undone.
    void spread(float* heads, u64 count) const {
        if (spec().rotation == Rotation::Hadamard) hadamard_heads(heads, count, config_.head_dim);
    }

    void append(const Row& row, LayerId layer, const float* k, const float* v) {
        for (std::uint32_t head = 0; head < config_.n_kv_heads; ++head)
            write(*row.work, layer, HeadId(head),
                  own_slots(*row.work, layer, HeadId(head))[row.index], k, v);
    }

    // k, v: (n_kv_heads, head_dim), of which this head's go to the slot.
    void write(const SequenceWork& work, LayerId layer, HeadId head, std::uint32_t slot,
               const float* k, const float* v) {
        const At at = place(work, layer, head, slot);
        const std::size_t first = head.index() * config_.head_dim;
        if (!spec().k.has_residual())
            encode(layer, KvSide::K, k + first,
                   pool().vector(layer, KvSide::K, head, at.block, at.slot));
        if (!spec().v.has_residual())
            encode(layer, KvSide::V, v + first,
                   pool().vector(layer, KvSide::V, head, at.block, at.slot));
    }

    void encode(LayerId layer, KvSide side, const float* values, std::byte* out) const {
        const KvFormat& format = pool().format(side);
        if (format.is_plain())
            kernels_.encode[static_cast<std::size_t>(format.code)](values, config_.head_dim, out);
        else
            encode_vector(format, values, static_cast<std::uint32_t>(config_.head_dim), out,
                          pool().shared_scale(layer, side));
    }

    static std::size_t rows_of_first(std::span<const Row> rows) {
        return static_cast<std::size_t>(
            std::count_if(rows.begin(), rows.end(),
                          [&](const Row& row) { return row.work == rows.front().work; }));
    }

    void tap_rows(TapSink* taps, Tap tap, LayerId layer, std::span<const Row> rows,
                  const AlignedRows<float>& values, std::size_t width) const {
        for (std::size_t i = 0; taps != nullptr && i < rows.size(); ++i)
            TapPoint{taps, rows[i].sequence}(tap, layer, rows[i].index, 0, values[i], width);
    }

    void tap_heads(TapSink* taps, LayerId layer, std::span<const Row> rows) const {
        for (std::size_t i = 0; taps != nullptr && i < rows.size(); ++i) {
            const TapPoint tap{taps, rows[i].sequence};
            const std::size_t row = rows[i].index, dim = config_.head_dim;
            tap.heads(Tap::Q, layer, row, q_[i], config_.n_heads, dim);
            tap.heads(Tap::K, layer, row, k_[i], config_.n_kv_heads, dim);
            tap.heads(Tap::V, layer, row, v_[i], config_.n_kv_heads, dim);
        }
    }

    std::vector<float> scores_of(LayerId layer, const Row& row, std::size_t i, std::uint32_t head) {
        if (row.work->visible != nullptr)
            return seen_attention_.scores(layer, seen_query_of(row, i), head);
        return attention_.scores(layer, query_of(row, i), head);
    }

    // Scores and weights never stand in memory as a whole, so a tap has them computed once more.
    void tap_weights(TapSink* taps, LayerId layer, std::span<const Row> rows) {
        for (std::size_t i = 0; taps != nullptr && i < rows.size(); ++i) {
            const TapPoint tap{taps, rows[i].sequence};
            if (tap.wants(Tap::Scores, layer) || tap.wants(Tap::Weights, layer))
                for (std::uint32_t head = 0; head < config_.n_heads; ++head) {
                    std::vector<float> values = scores_of(layer, rows[i], i, head);
                    tap(Tap::Scores, layer, rows[i].index, head, values.data(), values.size());
                    SoftmaxState state;
                    kernels_.soften(values.data(), values.size(), state);
                    for (float& value : values) value /= state.sum;
                    tap(Tap::Weights, layer, rows[i].index, head, values.data(), values.size());
                }
        }
    }

    const ModelConfig& config_;
    const Weights& weights_;
    const CpuKernels& kernels_;
    std::vector<double> frequencies_;
    const std::vector<float> no_bias_;
    ThreadPool threads_;
    PassMark mark_;
    Attention attention_;
    SeenAttention seen_attention_;

    // Of the chunk at hand, a row for each token.
    AlignedRows<float> x_, out_;         // (n, hidden): the residual stream, what is added to it
    AlignedRows<float> q_, k_, v_;       // (n, q_width), (n, kv_width), (n, kv_width)
    AlignedRows<float> gate_;            // (n, intermediate)
    Angles angles_, earlier_angles_;     // of the new tokens, of recomputed ones
    Activations h_, mixed_, up_, last_;  // (n, hidden), (n, q_width), (n, intermediate), as h
    std::vector<Query> queries_;
    std::vector<SeenQuery> seen_queries_;
};

}  // namespace
}  // namespace kv::cpu

namespace kv {

std::unique_ptr<Backend> make_cpu(const ModelConfig& config, const Weights& weights,
                                  const PoolSpec& pool, const CpuOptions& options) {
    KV_ASSERT(config.head_dim == config.v_head_dim);
    KV_ASSERT(pool.k != KvFormat::F64 && pool.v != KvFormat::F64);
    const CpuPath path = options.path.value_or(best_cpu_path());
    if (!runs_here(path))
        throw Error(ErrorCode::Missing,
                    "The cpu path " + std::string(name_of(path)) +
                        " does not run here: this build or this processor lacks "
                        "it. Leave the path out to get the best there is.");
    return std::make_unique<cpu::Cpu>(config, weights, pool, path, options.workers);
}

}  // namespace kv
