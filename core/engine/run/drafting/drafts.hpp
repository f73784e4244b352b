#pragma once
// The drafts of a run: when the scheduler has planned an iteration, requests that decode get
// proposals, as far as tokens of the iteration and blocks are left over. Nobody waits for a draft
// and nobody is taken out for one.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/draft/pace.hpp"
#include "core/engine/run/drafting/verdict.hpp"
#include "core/engine/run/evicting/keepers.hpp"
#include "core/engine/run/memory/residuals.hpp"
#include "core/engine/run/memory/run_pool.hpp"
#include "core/engine/run/request/request.hpp"

namespace kv {

class DraftModel;

class Drafts {
public:
    Drafts(const EngineParts& parts, const EngineSettings& settings,
           const std::vector<Request>& requests, RunPool& pool, Keepers& keepers,
           Residuals& residuals, EventWriter& log);
    ~Drafts();

    // The model that the settings name, with a pool of as many blocks as the run's; null where they
    // name none. Throws an Error (Usage) when it is not there or speaks other words.
    std::unique_ptr<DraftModel> drafter_with(std::uint32_t n_blocks,
                                             std::uint32_t block_size) const;
    // From here on drafts come from this model, or from the look back that the settings name.
    void start(std::unique_ptr<DraftModel> drafter, const Reason& reason);

    // Writes into the plan how many tokens a step has ahead (the draft), tells of them and makes
    // room.
    void propose(std::vector<Planned>& plan, std::uint32_t budget);
    // The draft of a request in this iteration; null if it has none.
    const Proposal* find(SeqId id) const;
    // Tells of the verdict and gives back the blocks that it leaves empty.
    void take_verdict(const Planned& step, const DraftVerdict& verdict);
    void forget(SeqId id);  // the request has ended
    // The draft model's part of the state.
    void observe(Snapshot& snapshot) const;

private:
    bool decodes(const Planned& step) const;
    std::uint32_t most_for(const Planned& step, std::uint32_t budget) const;
    std::optional<Proposal> proposal_for(SeqId id, std::uint32_t k);
    void tell_holding(SeqId id, const Reason& reason);

    const EngineParts& parts_;
    const EngineSettings& settings_;
    const std::vector<Request>& requests_;
    RunPool& pool_;
    Keepers& keepers_;
    Residuals& residuals_;
    EventWriter& log_;
    std::unique_ptr<DraftModel> model_;
    std::map<std::uint32_t, DraftPace> paces_;     // by SeqId
    std::map<std::uint32_t, Proposal> proposals_;  // by SeqId, of the iteration at hand
};

}  // namespace kv
