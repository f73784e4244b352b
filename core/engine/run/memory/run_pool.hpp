#pragma once
// The pool of a run: the backend that has the bytes, the cache that keeps the books of them, and
// the mover that carries bytes when the books say so. The three are made together, as the settings
// say, and made anew when a setting changes the shape of the pool.

#include <cstdint>
#include <memory>
#include <string>

#include "core/cache/cache.hpp"
#include "core/engine/pool/mover.hpp"
#include "core/engine/run/memory/parts.hpp"
#include "core/engine/settings/settings.hpp"
#include "core/trace/event_writer.hpp"

namespace kv {

// The lanes of a pool under the policy of these settings.
LaneShape lanes_of(const EngineSettings& settings, const KvLayout& layout);

class RunPool {
public:
    RunPool(const EngineParts& parts, EngineSettings& settings, Recorder& recorder,
            EventWriter& log)
        : parts_(parts), settings_(settings), recorder_(recorder), log_(log) {}

    // Throws an Error when the settings clash or no usable number of blocks fits.
    void make(std::uint32_t iteration);
    // Settings that may change while the pool is in use.
    void follow_settings();
    // Every filled slot goes over to the codec of the changed settings, in as many blocks.
    void recode(const std::string& setting, EngineSettings changed, const Reason& by);

    // Throws an Error (Usage) where the settings clash or no such pool can be.
    PoolSpec checked_spec() const;
    PoolSpec spec() const;  // as the settings say, which the pool itself may not follow yet
    Backend& backend() { return *backend_; }
    const Backend& backend() const { return *backend_; }
    Cache& cache() { return *cache_; }
    const Cache& cache() const { return *cache_; }
    LaneShape lanes() const { return lanes_; }

private:
    CacheSpec cache_spec() const;
    std::string space() const;
    void use_backend(std::unique_ptr<Backend> backend);

    const EngineParts& parts_;
    EngineSettings& settings_;
    Recorder& recorder_;
    EventWriter& log_;
    LaneShape lanes_;
    TransferModel transfers_;
    std::unique_ptr<Backend> backend_;
    std::unique_ptr<PoolMover> mover_;
    std::unique_ptr<Cache> cache_;
};

}  // namespace kv
