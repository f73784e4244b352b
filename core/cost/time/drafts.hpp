#pragma once
// What drafts bring and cost (speculative decoding; Leviathan, Kalman and Matias 2023). A draft
// model, or a look back that costs nothing, proposes k tokens; one pass of the target checks them.
// `acceptance` is the chance that a proposal is accepted if all before it were. Times are lower
// bounds of a roofline: a step takes as long as its bytes or its arithmetic, whichever is more.

#include <vector>

#include "core/cost/cache/bytes.hpp"
#include "core/cost/model/derivation.hpp"
#include "core/cost/model/shape.hpp"

namespace kv {

// Tokens of one pass: those accepted, and the target's own: 1 + a + a^2 + ... + a^k, which is
// (1 - a^(k+1)) / (1 - a).
double expected_tokens(double acceptance, u64 k);
// The share of the judged proposals that was accepted; proposals behind a struck one were not
// judged. 0 when none was.
double measured_acceptance(u64 accepted, u64 struck);

// The model that is served, its draft model and the card that both run on.
struct DraftCase {
    const ModelShape* target = nullptr;
    const ModelShape* draft = nullptr;  // none: a look back
    CodecPair codecs;                   // of the target's cache; the draft model's is bf16
    u64 kv_len = 1, batch = 1;
    double flops = 1, bandwidth = 1;  // of the card, each second
};

// One pass that checks k proposals of each sequence: weights once, the cache once for all of them.
struct VerifyPass {
    u64 bytes = 0, flops = 0;
    double attention_intensity = 0;  // FLOP per byte of cache that it reads
    double seconds = 0;
};
VerifyPass verify_pass(const DraftCase& of, u64 k);
// The draft model's k passes, in which it also reads what the target added; 0 for a look back.
double draft_seconds(const DraftCase& of, u64 k);

struct DraftGain {
    double tokens = 0;           // of each sequence, a step
    double bytes_per_token = 0;  // that the target and the draft model read, of all sequences
    double seconds_per_token = 0;
    double speedup = 0;  // against one token a pass; drafts lose below 1
};
DraftGain draft_gain(const DraftCase& of, double acceptance, u64 k);

// Where drafts win and lose: gain by batch (outer) and acceptance (inner).
std::vector<std::vector<DraftGain>> draft_map(const DraftCase& of, u64 k,
                                              const std::vector<u64>& batches,
                                              const std::vector<double>& acceptances);

// "tokens_per_step": by Horner's rule, so that it can be followed term by term.
Derived derive_expected_tokens(double acceptance, u64 k);

}  // namespace kv
