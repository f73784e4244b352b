#pragma once
// A drawn case with a residual in the memory of a GPU, pass by pass as the backend does it, and
// what the kernels make of it that is not what it should be: every byte of pool and residual, and
// what attends.

#include "cuda/backend/plan_memory.hpp"
#include "tests/cuda/drawn/kivi.hpp"
#include "tests/cuda/kernels/case_on_gpu.hpp"

namespace kv::test {

// The sequences of one pass that have new tokens, as a backend is given them.
struct KiviPass {
    std::vector<u32> which, first;  // of the case; slots that were there before
    std::vector<std::vector<u32>> zeros, slots;
    Batch batch;

    KiviPass(const KiviCase& on, u32 number) {
        for (u32 s = 0; s < on.shape.sequences.size(); ++s) {
            const auto& sequence = on.shape.sequences[s];
            u32 before = sequence.base;
            for (u32 i = 0; i < number; ++i) before += sequence.chunks[i];
            if (sequence.chunks[number] == 0) continue;
            which.push_back(s);
            first.push_back(before);
            zeros.emplace_back(sequence.chunks[number], 0);
            slots.emplace_back(sequence.chunks[number]);
            std::iota(slots.back().begin(), slots.back().end(), before);
        }
        for (u32 i = 0; i < which.size(); ++i) {
            SequenceWork work{zeros[i], slots[i], slots[i], &on.tables[which[i]], {}};
            const auto& sequence = on.shape.sequences[which[i]];
            work.residual = {sequence.row_set, sequence.base};
            batch.sequences.push_back(work);
        }
    }
};

class KiviOnGpu {
public:
    KiviOnGpu(gpu::Gpu& gpu, const DrawnKivi& d)
        : gpu_(gpu),
          d_(d),
          case_(d.shape, d.block_order),
          pool_(gpu::uploaded(gpu, case_.pool)),
          residual_(gpu::uploaded(gpu, case_.residual)),
          scales_(gpu::uploaded(gpu, std::vector<u16>(4, KiviCase::kScale))) {
        config_.n_layers = 2;
        config_.n_kv_heads = d.shape.n_kv_heads;
        config_.n_heads = n_heads();
        config_.vocab_size = 1;
        if (d.shape.window != 0) config_.sliding_window = d.shape.window;
        config_.sliding_layers = {true, true};
    }

    std::optional<std::string> wrong() {
        const u32 n = static_cast<u32>(d_.shape.sequences[0].chunks.size());
        for (u32 number = 0; number < n; ++number) {
            const KiviPass pass(case_, number);
            if (pass.which.empty()) continue;
            auto what = wrong_pass(pass, number + 1 == n);
            if (what) return *what + " in pass " + std::to_string(number) + "; " + in_words(d_);
        }
        return std::nullopt;
    }

private:
    using A = gpu::PlanArray;

    u32 n_heads() const { return d_.shape.n_kv_heads * d_.shape.group; }

    std::optional<std::string> wrong_pass(const KiviPass& pass, bool attends) {
        const gpu::BatchPlan plan(config_, case_.layout, d_.shape.pool, pass.batch);
        plan_.upload(gpu_, plan);
        upload_rows(pass, plan);
        const gpu::Attended a = attended(plan);
        gpu_.launch(gpu::AppendHeads{{a.cache, q_.view(), k_.view(), v_.view(),
                                      plan_.exactly(A::SlotMapping), plan.n_rows, n_heads(),
                                      d_.shape.n_kv_heads, false}});
        for (u32 i = 0; i < pass.which.size(); ++i)
            for (const u32 slot : pass.slots[i]) case_.append(pass.which[i], slot);
        auto what = d_.shape.pool.attends_exactly() ? whole(pass, a, attends)
                                                    : one_by_one(pass, a, attends);
        if (!what) what = wrong_bytes("pool", pool_, case_.pool);
        return what ? what : wrong_bytes("residual", residual_, case_.residual);
    }
    std::optional<std::string> whole(const KiviPass& pass, const gpu::Attended& a, bool attends) {
        if (attends) {
            if (auto what = wrong_rungs(pass, a)) return what;
            gpu::Attended chunks = a;
            chunks.rows = a.first_row;
            poison(gpu_, a.attention_output);
            u32 longest = 0;
            for (const auto& slots : pass.slots)
                longest = std::max(longest, static_cast<u32>(slots.size()));
            gpu_.launch(gpu::PrefillTile{chunks, plan_.exactly(A::NewTokens), longest,
                                         gpu::pairs_at_once(chunks, gpu::kTileKeys)});
            if (auto what =
                    wrong_output("prefill", pass, a, gpu::downloaded(gpu_, a.attention_output)))
                return what;
        }
        keep(a, 0, static_cast<u32>(a.slots.size), true, true);
        for (u32 i = 0; i < pass.which.size(); ++i)
            for (const u32 slot : pass.slots[i]) {
                case_.wait_in_residual(pass.which[i], slot);
                case_.code_due(pass.which[i], slot + 1);
            }
        return std::nullopt;
    }
    std::optional<std::string> one_by_one(const KiviPass& pass, const gpu::Attended& a,
                                          bool attends) {
        u32 row = 0;
        for (u32 i = 0; i < pass.which.size(); ++i)
            for (const u32 slot : pass.slots[i]) {
                keep(a, row, 1, true, false);
                case_.wait_in_residual(pass.which[i], slot);
                if (attends) {
                    gpu::Attended one = a;
                    one.rows = plan_.part(A::AllRows, row, 1);
                    if (auto what = wrong_rungs(pass, one)) return what;
                }
                keep(a, row, 1, false, true);
                case_.code_due(pass.which[i], slot + 1);
                ++row;
            }
        return std::nullopt;
    }

    void keep(const gpu::Attended& a, u32 first, u32 n, bool wait, bool code) {
        gpu_.launch(gpu::KeepResidual{a.cache, a.k, a.v, a.slots, a.sequence_of,
                                      plan_.exactly(A::DueK), plan_.exactly(A::DueV), a.n_kv_heads,
                                      first, n, wait, code});
    }

    void upload_rows(const KiviPass& pass, const gpu::BatchPlan& plan) {
        const KiviShape& s = d_.shape;
        std::vector<float> k, v;
        for (u32 i = 0; i < pass.which.size(); ++i)
            for (const u32 slot : pass.slots[i])
                for (u32 head = 0; head < s.n_kv_heads; ++head) {
                    const u32 which = pass.which[i];
                    for (u32 c = 0; c < s.k_dim; ++c)
                        k.push_back(case_.number(Side::K, which, head, slot, c));
                    for (u32 c = 0; c < s.v_dim; ++c)
                        v.push_back(case_.number(Side::V, which, head, slot, c));
                }
        const Random random(s.seed, 777);
        queries_.resize(std::size_t{plan.n_rows} * n_heads() * s.k_dim);
        for (std::size_t i = 0; i < queries_.size(); ++i)
            queries_[i] = static_cast<float>((2 * random.unit(i) - 1) / s.reach);
        q_ = gpu::uploaded(gpu_, queries_);
        k_ = gpu::uploaded(gpu_, k);
        v_ = gpu::uploaded(gpu_, v);
        output_ = gpu::Memory<float>(gpu_, u64{plan.n_rows} * n_heads() * s.v_dim);
    }

    gpu::Attended attended(const gpu::BatchPlan& plan) const {
        const LayerId layer(KiviCase::kLayer);
        gpu::Attended a;
        a.cache = {
            case_.layout,
            d_.shape.pool.k,
            d_.shape.pool.v,
            pool_.view(),
            scales_.view(),
            plan_.exactly(A::Tables),
            plan_.exactly(A::TableStarts),
            {plan.n_lanes, d_.shape.n_kv_heads},
            layer,
            gpu::Residuals::of(case_.layout, layer, residual_.view(), plan_.exactly(A::RowSets))};
        a.q = q_.view();
        a.k = k_.view();
        a.v = v_.view();
        a.attention_output = output_.view();
        a.rows = plan_.exactly(A::AllRows);
        a.sequence_of = plan_.exactly(A::SequenceOf);
        a.slots = plan_.exactly(A::Slots);
        a.first_row = plan_.exactly(A::FirstRow);
        a.first_slot = plan_.exactly(A::FirstSlot);
        a.coded_k = plan_.exactly(A::CodedK);
        a.coded_v = plan_.exactly(A::CodedV);
        a.n_heads = n_heads();
        a.n_kv_heads = d_.shape.n_kv_heads;
        a.window = d_.shape.window;
        a.exact_k = d_.shape.pool.attends_exactly(Side::K);
        a.exact_v = d_.shape.pool.attends_exactly(Side::V);
        return a;
    }

    // Key groups do not go through stages: the rungs up to v4.
    std::optional<std::string> wrong_rungs(const KiviPass& pass, const gpu::Attended& a) {
        u32 longest = 0;
        for (const auto& slots : pass.slots) longest = std::max(longest, slots.back() + 1);
        for (const auto rung :
             {gpu::DecodeRung::V1, gpu::DecodeRung::V2, gpu::DecodeRung::V3, gpu::DecodeRung::V4})
            if (auto what = wrong_output(name_of(rung), pass, a,
                                         *output_by(gpu_, rung, a, d_.splits, longest)))
                return what;
        return std::nullopt;
    }
    std::optional<std::string> wrong_output(const char* kernel, const KiviPass& pass,
                                            const gpu::Attended& a, const std::vector<float>& is) {
        const u32 k_dim = d_.shape.k_dim, v_dim = d_.shape.v_dim;
        u32 row = 0;
        for (u32 i = 0; i < pass.which.size(); ++i)
            for (const u32 slot : pass.slots[i]) {
                const u32 at = row++;
                const bool asked = gpu_rows(a, at);
                for (u32 head = 0; asked && head < n_heads(); ++head) {
                    const auto q =
                        queries_.begin() + (std::ptrdiff_t{at} * n_heads() + head) * k_dim;
                    const auto should =
                        case_.attended(pass.which[i], head, slot, pass.first[i], {q, q + k_dim});
                    for (u32 c = 0; c < v_dim; ++c) {
                        const double value = is[(at * n_heads() + head) * v_dim + c];
                        if (std::abs(value - should.values[c]) <= should.rounding) continue;
                        return std::string(kernel) + " gives " + std::to_string(value) + " for " +
                               std::to_string(should.values[c]) + " in head " +
                               std::to_string(head) + " of slot " + std::to_string(slot);
                    }
                }
            }
        return std::nullopt;
    }
    // Whether a launch serves that row: all of them, or one.
    bool gpu_rows(const gpu::Attended& a, u32 row) {
        const auto rows = gpu::downloaded(gpu_, a.rows);
        return std::find(rows.begin(), rows.end(), row) != rows.end();
    }
    std::optional<std::string> wrong_bytes(const char* what, const gpu::Memory<std::byte>& is,
                                           const std::vector<std::byte>& should) {
        const auto there = gpu::downloaded(gpu_, is.view());
        const auto differs = std::mismatch(there.begin(), there.end(), should.begin()).first;
        if (differs == there.end()) return std::nullopt;
        return "another byte " + std::to_string(differs - there.begin()) + " of the " + what;
    }

    gpu::Gpu& gpu_;
    const DrawnKivi& d_;
    KiviCase case_;
    ModelConfig config_;
    gpu::PlanMemory plan_;
    gpu::Memory<std::byte> pool_, residual_;
    gpu::Memory<u16> scales_;
    gpu::Memory<float> q_, k_, v_, output_;
    std::vector<float> queries_;
};

inline std::optional<std::string> wrong_kivi(gpu::Gpu& gpu, const DrawnKivi& d) {
    return KiviOnGpu(gpu, d).wrong();
}

}  // namespace kv::test
