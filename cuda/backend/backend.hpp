#pragma once
// The factory of the backend on a card. No CUDA type: the window and the command line include this,
// and a build without nvcc answers that it has none.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/engine/pool/spec.hpp"
#include "core/engine/seam/backend.hpp"
#include "core/model/checkpoint/weights.hpp"
#include "core/model/config/config.hpp"

namespace kv {

// `config` and `weights` outlive the backend. Several backends of the same weights on the same
// device share them there. Throws kv::Error: Missing where there is no such device, World where the
// model and the pool do not fit into it, Usage for a model that it does not serve.
std::unique_ptr<Backend> make_cuda(const ModelConfig& config, const Weights& weights,
                                   const PoolSpec& pool, std::uint32_t device = 0);

// The same refusals but for memory, before anything is loaded.
void require_cuda(const ModelConfig& config, std::uint32_t device = 0);

// Why the cuda backend would refuse, before anything is loaded; nothing when it would not.
std::optional<std::string> cuda_objection(const ModelConfig& config);

}  // namespace kv
