#pragma once
// A second, smaller model that drafts: it reads the request's tokens into a cache of its own, and
// goes on from there token by token. Its pool has nothing to do with the target's; what it stored
// of proposals that were rejected is taken back by forgetting that it was stored.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/run/drafting/verdict.hpp"
#include "core/engine/run/memory/parts.hpp"
#include "core/trace/event/event.hpp"

namespace kv {

class DraftModel {
public:
    // Throws an Error (Usage) when its vocabulary is not the target's.
    DraftModel(DrafterParts parts, const ModelConfig& target, const DrafterMade& made);

    const DrafterMade& made() const { return made_; }
    // k tokens behind those of the request; nothing when its pool has no room for that.
    std::optional<Proposal> propose(SeqId id, std::span<const std::uint32_t> tokens,
                                    std::uint32_t k, const Sampling& sampling);
    // Forgets all that it stored of a request but the first tokens: the others were not accepted.
    void take_back(SeqId id, std::uint32_t n_tokens);
    void forget(SeqId id);
    DrafterHolds held_by(SeqId id) const;

private:
    struct Holding {
        std::uint32_t stored = 0;
        std::vector<BlockId> blocks;
    };
    bool make_room(Holding& holding, std::size_t n_tokens);
    std::vector<float> feed(Holding& holding, std::span<const std::uint32_t> tokens,
                            Proposal& proposal);

    DrafterParts parts_;
    DrafterMade made_;
    std::unique_ptr<Backend> backend_;
    std::vector<BlockId> free_;                  // the last is taken next
    std::map<std::uint32_t, Holding> holdings_;  // by SeqId
};

}  // namespace kv
