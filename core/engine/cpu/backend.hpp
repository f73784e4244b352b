#pragma once
// The fast backend: vector kernels for the processor it finds itself on, threads that wait for each
// other by spinning, attention over the pages in one pass. It computes what `reference` computes,
// up to rounding; on one path no bit depends on threads, chunks, block sizes, tables or neighbours.

#include <cstddef>
#include <memory>
#include <optional>

#include "core/engine/cpu/kernels/path.hpp"
#include "core/engine/pool/spec.hpp"
#include "core/engine/seam/backend.hpp"
#include "core/model/checkpoint/weights.hpp"
#include "core/model/config/config.hpp"

namespace kv {

struct CpuOptions {
    std::size_t workers = 0;      // threads beside the caller; 0: the caller does everything
    std::optional<CpuPath> path;  // none: the best that runs here
};

// `config` and `weights` outlive the backend; several backends may share them. Throws
// kv::Error (Missing) for a path that does not run here.
std::unique_ptr<Backend> make_cpu(const ModelConfig& config, const Weights& weights,
                                  const PoolSpec& pool, const CpuOptions& options = {});

}  // namespace kv
