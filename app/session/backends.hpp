#pragma once
// The backends of this program by the words of the setting, and which of them is taken when nobody
// says. A graphics card is asked for only where one is wanted or might be: that takes a moment.

#include <memory>
#include <string>

#include "core/engine/pool/spec.hpp"
#include "core/engine/seam/backend.hpp"
#include "core/model/checkpoint/weights.hpp"
#include "core/model/config/config.hpp"

namespace kv {

// Throws kv::Error (Missing) for a device that is not there.
std::unique_ptr<Backend> open_backend(const ModelConfig& config, const Weights& weights,
                                      const std::string& name, const PoolSpec& pool);

// Refuses what open_backend refuses, before anything is loaded.
void require_backend(const ModelConfig& config, const std::string& name);

struct DefaultBackend {
    std::string name;  // "cuda" where a device is found and serves this, else "cpu"
    std::string why;   // the cpu: one sentence
};
DefaultBackend default_backend(const ModelConfig& config);

}  // namespace kv
