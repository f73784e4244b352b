// Who attends to what in a chunk, and what a tap is shown of it.

#include "core/base/kv_head.hpp"
#include "core/engine/cpu/cpu_backend.hpp"
#include "core/engine/seam/tap_point.hpp"

namespace kv::cpu {

OwnRows CpuBackend::own_rows(const Row& row, std::size_t i) const {
    if (!spec().attends_exactly()) return {};
    const std::size_t first = i - row.index;
    return {k_[first], v_[first], k_.stride(), v_.stride()};
}

// Whether the keys that the token sees are listed one by one: a policy has dropped some, or chooses
// blocks.
bool CpuBackend::is_listed(LayerId layer, const Row& row) const {
    return row.work->visible != nullptr || sees_by_head(config_, *row.work, layer, row.index);
}

void CpuBackend::choose_blocks_of(LayerId layer, const Row& row, std::size_t i) {
    if (row.work->reads == nullptr || !row.work->reads->chooses(layer, row.token_index())) return;
    const std::size_t dim = config_.head_dim;
    threads_.run([&](std::size_t part) {
        for (auto head = static_cast<std::uint32_t>(part); head < config_.n_heads;
             head += static_cast<std::uint32_t>(threads_.size()))
            choose_reads(*row.work, layer,
                         {kv_head_of(head, config_.n_heads, config_.n_kv_heads), head, row.index},
                         {q_[i] + head * dim, dim});
    });
}

// Tokens whose keys are listed go to ListedAttention, all others page by page to Attention.
void CpuBackend::attend(LayerId layer, std::span<const Row> rows) {
    queries_.clear();
    listed_queries_.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        choose_blocks_of(layer, rows[i], i);
        if (is_listed(layer, rows[i]))
            listed_queries_.push_back(listed_query_of(rows[i], i));
        else
            queries_.push_back(query_of(rows[i], i));
    }
    if (!queries_.empty()) attend_pages(layer, rows);
    listed_attention_.run(threads_, layer, listed_queries_);
}

// With a residual (KIVI) a token waits in fp16, and some tokens are coded when it has attended.
void CpuBackend::attend_pages(LayerId layer, std::span<const Row> rows) {
    if (!spec().has_residual()) return attention_.run(threads_, layer, queries_);
    const auto wait_row = [&](std::size_t i) {
        wait_in_residual(*rows[i].work, layer, rows[i].token_index(), k_[i], v_[i]);
    };
    const auto code_due_row = [&](std::size_t i) {
        code_due(*rows[i].work, layer, rows[i].token_index() + 1);
    };
    const auto goes_alone = [&](std::size_t i) {
        return !spec().attends_exactly() || rows[i].work->one_by_one;
    };
    std::vector<Query> together;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!goes_alone(i)) together.push_back(queries_[i]);
    attention_.run(threads_, layer, together);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!goes_alone(i)) wait_row(i), code_due_row(i);
    // Each token attends to what is stored when it comes, and codes change with every token.
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!goes_alone(i)) continue;
        wait_row(i);
        attention_.run(threads_, layer, std::span(queries_).subspan(i, 1));
        code_due_row(i);
    }
}

void CpuBackend::tap_rows(TapSink* taps, Tap tap, LayerId layer, std::span<const Row> rows,
                          const AlignedRows<float>& values, std::size_t width) const {
    for (std::size_t i = 0; taps != nullptr && i < rows.size(); ++i)
        TapPoint{taps, rows[i].sequence}(tap, layer, rows[i].index, 0, values[i], width);
}

void CpuBackend::tap_heads(TapSink* taps, LayerId layer, std::span<const Row> rows) const {
    for (std::size_t i = 0; taps != nullptr && i < rows.size(); ++i) {
        const TapPoint tap{taps, rows[i].sequence};
        const std::size_t row = rows[i].index, dim = config_.head_dim;
        tap.heads(Tap::Q, layer, row, q_[i], config_.n_heads, dim);
        tap.heads(Tap::K, layer, row, k_[i], config_.n_kv_heads, dim);
        tap.heads(Tap::V, layer, row, v_[i], config_.n_kv_heads, dim);
    }
}

std::vector<float> CpuBackend::scores_of(LayerId layer, const Row& row, std::size_t i,
                                         std::uint32_t head) {
    if (is_listed(layer, row))
        return listed_attention_.scores(layer, listed_query_of(row, i), head);
    return attention_.scores(layer, query_of(row, i), head);
}

// Scores and weights never stand in memory as a whole, so a tap has them computed once more.
void CpuBackend::tap_weights(TapSink* taps, LayerId layer, std::span<const Row> rows) {
    for (std::size_t i = 0; taps != nullptr && i < rows.size(); ++i) {
        const TapPoint tap{taps, rows[i].sequence};
        if (tap.wants(Tap::Scores, layer) || tap.wants(Tap::Weights, layer))
            for (std::uint32_t head = 0; head < config_.n_heads; ++head) {
                std::vector<float> values = scores_of(layer, rows[i], i, head);
                tap(Tap::Scores, layer, rows[i].index, head, values.data(), values.size());
                SoftmaxState state;
                kernels_.softmax_step(values.data(), values.size(), state);
                for (float& value : values) value /= state.sum;
                tap(Tap::Weights, layer, rows[i].index, head, values.data(), values.size());
            }
    }
}

}  // namespace kv::cpu
