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

Derived derive_expected_tokens(double acceptance, u64 k) {
    std::string expression = k == 0 ? "1" : "1 + acceptance";
    for (u64 i = 1; i < k; ++i) expression += " * (1 + acceptance";
    if (k > 1) expression.append(k - 1, ')');
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

}  // namespace kv
