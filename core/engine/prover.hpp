#pragma once
// The proof that a cache changes nothing: every step is computed once more from its first token on,
// in a pool of its own, and the logits are compared.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/backend.hpp"

namespace kv {

struct Proof {
    bool checked = false;
    double max_abs_difference = 0;
    std::optional<std::uint32_t> step;  // the first with a difference, counted from 1
    double scale = 0;                   // the largest logit that was compared
};

class Prover {
public:
    explicit Prover(std::unique_ptr<Backend> backend);

    // `tokens`: all that the step had seen when it gave these logits.
    void check(std::span<const std::uint32_t> tokens, const std::vector<float>& logits,
               std::uint32_t step);
    const Proof& proof() const { return proof_; }

private:
    std::unique_ptr<Backend> backend_;
    BlockTables tables_;
    Proof proof_;
};

}  // namespace kv
