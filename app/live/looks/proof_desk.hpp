#pragma once
// The proof that a step's logits are those of a computation without a cache: asked for, computed on
// a thread of its own, and shown while the cursor stands at that step.

#include <cstdint>
#include <functional>

#include "app/panels/view/run.hpp"
#include "app/session/run_session.hpp"
#include "core/base/background/later.hpp"

namespace kv {

class ProofDesk {
public:
    explicit ProofDesk(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~ProofDesk();

    // Throws kv::Error where the step that the cursor stands at cannot be proved.
    void begin(const RunSession& session);
    void take(double seconds);
    void forget() { proof_ = {}; }
    bool busy() const { return proving_.valid(); }
    ProofView at(const Snapshot& now) const;

private:
    std::function<void()> wake_;
    Later<ProofView> proving_;
    ProofView proof_;
    std::uint32_t iteration_ = 0;
};

}  // namespace kv
