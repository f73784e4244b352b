#include "core/cost/time/drafts.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/cost/time/flops.hpp"
#include "core/cost/time/roofline.hpp"

namespace kv {
namespace {

double as_real(u64 value) {
    return static_cast<double>(value);
}

double seconds_of(double bytes, double work, const DraftCase& of) {
    return std::max(bytes / of.bandwidth, work / of.flops);
}

// A pass of `rows` tokens of each sequence, the last of which sees kv_len keys.
struct PassCost {
    double bytes, flops, attention_flops, cache_bytes;
};
PassCost pass_cost(const ModelShape& shape, const CodecPair& codecs, const DraftCase& of,
                   u64 rows) {
    const StepBytes step = decode_bytes(shape, codecs, of.kv_len, of.batch, 1);
    PassCost cost{
        as_real(step.weights) + as_real(step.kv_read) + as_real(rows) * as_real(step.kv_write), 0,
        0, as_real(step.kv_read)};
    for (u64 row = 0; row < rows; ++row) {
        const FlopParts parts =
            decode_flops(shape, of.kv_len - std::min(of.kv_len - 1, row), of.batch);
        cost.flops += as_real(parts.total());
        cost.attention_flops += as_real(parts.attention());
    }
    return cost;
}

constexpr CodecPair kDraftCodecs{Codec::Bf16, Codec::Bf16};

}  // namespace

double expected_tokens(double acceptance, u64 k) {
    KV_ASSERT(acceptance >= 0 && acceptance <= 1);
    double tokens = 1;
    for (u64 i = 0; i < k; ++i) tokens = 1 + acceptance * tokens;
    return tokens;
}

double measured_acceptance(u64 accepted, u64 struck) {
    if (accepted + struck == 0) return 0;
    return as_real(accepted) / as_real(accepted + struck);
}

double draft_speedup(double acceptance, u64 k, double cost) {
    return expected_tokens(acceptance, k) / (as_real(k) * cost + 1);
}

double draft_work(double acceptance, u64 k, double cost) {
    return (as_real(k) * cost + as_real(k) + 1) / expected_tokens(acceptance, k);
}

VerifyPass verify_pass(const DraftCase& of, u64 k) {
    KV_ASSERT(of.target != nullptr && of.kv_len > 0 && of.bandwidth > 0 && of.flops > 0);
    const PassCost cost = pass_cost(*of.target, of.codecs, of, k + 1);
    return {static_cast<u64>(cost.bytes), static_cast<u64>(cost.flops),
            cost.attention_flops / cost.cache_bytes, seconds_of(cost.bytes, cost.flops, of)};
}

// One of its passes reads a token more: the target's own, behind a draft that was all right.
double draft_seconds(const DraftCase& of, u64 k) {
    if (of.draft == nullptr || k == 0) return 0;
    const PassCost one = pass_cost(*of.draft, kDraftCodecs, of, 1);
    const PassCost two = pass_cost(*of.draft, kDraftCodecs, of, 2);
    return as_real(k - 1) * seconds_of(one.bytes, one.flops, of) +
           seconds_of(two.bytes, two.flops, of);
}

DraftGain draft_gain(const DraftCase& of, double acceptance, u64 k) {
    const VerifyPass pass = verify_pass(of, k);
    const double alone = verify_pass(of, 0).seconds;
    double bytes = as_real(pass.bytes);
    if (of.draft != nullptr && k > 0)
        bytes += as_real(k - 1) * pass_cost(*of.draft, kDraftCodecs, of, 1).bytes +
                 pass_cost(*of.draft, kDraftCodecs, of, 2).bytes;
    DraftGain gain;
    gain.tokens = expected_tokens(acceptance, k);
    const double all = gain.tokens * as_real(of.batch);
    gain.bytes_per_token = bytes / all;
    gain.seconds_per_token = (pass.seconds + draft_seconds(of, k)) / all;
    gain.speedup = alone / as_real(of.batch) / gain.seconds_per_token;
    return gain;
}

std::vector<std::vector<DraftGain>> draft_map(const DraftCase& of, u64 k,
                                              const std::vector<u64>& batches,
                                              const std::vector<double>& acceptances) {
    std::vector<std::vector<DraftGain>> map;
    for (const u64 batch : batches) {
        DraftCase at = of;
        at.batch = batch;
        std::vector<DraftGain>& row = map.emplace_back();
        for (const double acceptance : acceptances) row.push_back(draft_gain(at, acceptance, k));
    }
    return map;
}

u64 best_k(const DraftCase& of, double acceptance, u64 most) {
    u64 best = 0;
    double speedup = 1;
    for (u64 k = 1; k <= most; ++k)
        if (const double with = draft_gain(of, acceptance, k).speedup; with > speedup) {
            best = k;
            speedup = with;
        }
    return best;
}

Derived derive_expected_tokens(double acceptance, u64 k) {
    std::string expression = "1";
    for (u64 i = 0; i < k; ++i)
        expression = "1 + acceptance" + (i == 0 ? "" : " * (" + expression + ")");
    std::vector<Operand> operands;
    if (k > 0)
        operands.push_back(real_operand("acceptance", acceptance, "",
                                        "share of judged proposals that are accepted"));
    return {"tokens_per_step",
            expression,
            Value{expected_tokens(acceptance, k)},
            "tokens",
            "accepted proposals and the target's own token, of one pass",
            std::move(operands)};
}

Derived derive_draft_speedup(double acceptance, u64 k, double cost) {
    return {"draft_speedup",
            "tokens_per_step / (k * cost + 1)",
            Value{draft_speedup(acceptance, k, cost)},
            "",
            "times faster than one token a pass, where checking k costs no time",
            {operand_of(derive_expected_tokens(acceptance, k)),
             whole_operand("k", k, "tokens", "proposals of a step"),
             real_operand("cost", cost, "", "a pass of the draft model, in passes of the target")}};
}

}  // namespace kv
