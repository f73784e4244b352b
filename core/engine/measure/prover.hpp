#pragma once
// The proof that a cache changes nothing: every step is computed once more from its first token on,
// in a pool of its own, and the logits are compared. The window proves a step at a time
// (prove_rows() in app/live/looks); `run --prove` and lessons prove a whole scene (RunProof;
// without a cache play_without_cache() in app/cli/run). Under a policy there are two provers: one
// hides nothing, and its difference is what the policy costs; the other hides what the policy
// dropped, and must hold.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/engine/policy/token_keeper.hpp"
#include "core/engine/run/request/pass_book.hpp"
#include "core/engine/seam/backend.hpp"

namespace kv {

struct Proof {
    bool checked = false;  // there was a prover; it may have compared nothing
    double max_abs_difference = 0;
    std::optional<std::uint32_t> step;  // the first with a difference, counted from 1
    double scale = 0;                   // the largest logit that was compared
    // Rows whose past had gone over to another codec, and how far they are from a run that had
    // begun with it: a price, not a fault.
    std::uint32_t recoded_rows = 0;
    double recoded_difference = 0;
};

// Two ways through the fast backend may round differently: this much of the logits' scale. The
// reference may not differ at all.
constexpr double kProofTolerance = 2e-3;
bool holds(const Proof& proof, std::string_view backend);

// What each query of a run saw, where a policy dropped or hid something: everything is computed
// again, whole, behind a mask that hides the rest.
struct SightMask {
    const SeenLog& seen;
    LaneShape lanes;
    KeyRotation key_rotation = KeyRotation::WhenStored;
};
// The tokens [first, slots.size()) come next. Token t lies in slot t, in every lane, and sees what
// it saw. Tokens that were found in the cache have no record: they saw all that there was.
VisibleKeys sight_behind(const SightMask& mask, std::span<const std::uint32_t> slots,
                         std::size_t first);

class Prover {
public:
    // A backend with a pool for that many tokens; asked for again when a sequence is longer.
    using Maker = std::function<std::unique_ptr<Backend>(std::uint32_t n_tokens)>;
    explicit Prover(Maker make);

    // `seen`: all that the step had seen when it gave these logits. A pass that attends exactly to
    // a lossy codec sees its own tokens as they were before they were coded, so the tokens go
    // through in the passes of the run (SeenTokens::passes); otherwise in one.
    void check(const SeenTokens& seen, std::span<const float> logits, std::uint32_t step,
               const SightMask* mask = nullptr);
    // The pool of the run has become another one.
    void start_anew() { backend_.reset(); }
    const Proof& proof() const { return proof_; }

private:
    void make_room(std::uint32_t n_tokens);
    std::vector<float> recompute(const SeenTokens& seen, const SightMask* mask);

    Maker make_;
    std::unique_ptr<Backend> backend_;
    BlockTables tables_;
    Proof proof_;
};

}  // namespace kv
