#pragma once
// Carries out what the policy of a run decides: the keeper speaks of positions, and here they are
// dropped in the cache, with the reason; what stays moves together when dead slots are many, or is
// rotated to its new place.

#include <cstdint>
#include <vector>

#include "core/engine/run/evicting/keepers.hpp"
#include "core/trace/event_writer.hpp"

namespace kv {

struct TokensDropped;

class Evictor {
public:
    Evictor(const ModelConfig& config, const EngineSettings& settings,
            std::vector<Request>& requests, RunPool& pool, Keepers& keepers, EventWriter& log)
        : config_(config),
          settings_(settings),
          requests_(requests),
          pool_(pool),
          keepers_(keepers),
          log_(log) {}

    // Lets a policy that drops before the next token comes (window) do so.
    void before_append(SeqId id);
    // Lets the policy drop tokens when a step has attended and its tokens are stored.
    void after_step(const Planned& step);

private:
    void drop(SeqId id, const TokensDropped& what);
    void compact(SeqId id, const std::vector<TokensDropped>& dropped_now);
    void shift(SeqId id, const std::vector<std::uint32_t>& dropped);
    std::vector<float> read_stored(SeqId id, Side side, LayerId layer, HeadId head,
                                   std::uint32_t position) const;

    const ModelConfig& config_;
    const EngineSettings& settings_;
    std::vector<Request>& requests_;
    RunPool& pool_;
    Keepers& keepers_;
    EventWriter& log_;
};

}  // namespace kv
