#include "core/engine/measure/run_proof.hpp"

#include "core/base/numbers/checked.hpp"

namespace kv {

void RunProof::check(SeqId id, const SeenTokens& seen, std::span<const float> logits,
                     std::uint32_t iteration) {
    full_.check(seen, logits, iteration);
    const TokenKeeper* keeper = running_->keeper(id);
    if (keeper == nullptr) return;
    const SightMask mask{keeper->seen(), running_->sight_lanes(), running_->key_rotation()};
    masked_.check(seen, logits, iteration, &mask);
    has_dropped_ = has_dropped_ || keeper->has_dropped();
}

std::unique_ptr<Backend> RunProof::pool_for(std::uint32_t n_tokens) const {
    const EngineSettings& settings = running_->settings();
    const auto n_blocks = static_cast<std::uint32_t>(ceil_div(n_tokens, settings.block_size));
    auto backend = open_(settings.backend, pool_spec_of(settings, n_blocks));
    copy_shared_scales(running_->backend(), *backend);
    return backend;
}

}  // namespace kv
