#include "core/engine/run/drafting/drafts.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/draft/ngram.hpp"
#include "core/engine/run/drafting/draft_model.hpp"
#include "core/trace/event/event.hpp"

namespace kv {

Drafts::Drafts(const EngineParts& parts, const EngineSettings& settings,
               const std::vector<Request>& requests, RunPool& pool, Keepers& keepers,
               Residuals& residuals, EventWriter& log)
    : parts_(parts),
      settings_(settings),
      requests_(requests),
      pool_(pool),
      keepers_(keepers),
      residuals_(residuals),
      log_(log) {}

Drafts::~Drafts() = default;

std::unique_ptr<DraftModel> Drafts::drafter_with(std::uint32_t n_blocks,
                                                 std::uint32_t block_size) const {
    const std::string& name = settings_.draft.model;
    if (name.empty()) return nullptr;
    if (!parts_.find_drafter)
        throw Error(ErrorCode::Usage, "draft " + name +
                                          " names a model, and this run has none "
                                          "beside its own; use ngram:3 or off.");
    return std::make_unique<DraftModel>(
        parts_.find_drafter(name), parts_.config,
        DrafterMade{.model = name, .n_blocks = n_blocks, .block_size = block_size});
}

void Drafts::start(std::unique_ptr<DraftModel> drafter, const Reason& reason) {
    paces_.clear();  // what was learnt about another drafter
    const bool had = model_ != nullptr;
    model_ = std::move(drafter);
    if (model_)
        log_.tell(reason, model_->made());
    else if (had)
        log_.tell(reason, DrafterMade{});
}

void Drafts::propose(std::vector<Planned>& plan, std::uint32_t budget) {
    proposals_.clear();
    if (!settings_.draft.is_on()) return;
    for (Planned& step : plan) {
        const std::uint32_t k = decodes(step) ? most_for(step, budget) : 0;
        if (k == 0) continue;
        const double start = parts_.clock_us();
        std::optional<Proposal> proposal = proposal_for(step.request, k);
        if (!proposal) continue;
        proposal->us = parts_.clock_us() - start;
        step.ahead = static_cast<std::uint32_t>(proposal->tokens.size());
        tell_holding(step.request, Reason::proposed(step.ahead));
        budget -= step.ahead;
        log_.tell(step.request, Reason::proposed(step.ahead),
                  DraftProposed{.source = proposal->source,
                                .first = step.first + step.count,
                                .tokens = proposal->tokens,
                                .from = proposal->from,
                                .passes = proposal->passes,
                                .flops = proposal->flops,
                                .bytes_read = proposal->bytes_read,
                                .us = proposal->us});
        pool_.cache().grow_ahead(step.request, step.ahead);
        proposals_.emplace(step.request.value, std::move(*proposal));
    }
}

// Whether the request decodes: its newest token alone is computed, and the next one is drawn.
bool Drafts::decodes(const Planned& step) const {
    const Request& r = requests_[step.request.index()];
    return step.count == 1 && step.first >= r.prompt.size() &&
           step.first + 1 == pool_.cache().tokens(step.request).size() &&
           r.forced_fed == r.spec.forced.size();
}

// How long a draft may be, beside pace, budget and free blocks: one less than the text may still
// grow, since the target adds a token of its own; not so long that a policy would drop a token in
// its midst; and not so long that it would overwrite a token that waits in a residual.
std::uint32_t Drafts::most_for(const Planned& step, std::uint32_t budget) const {
    const Request& r = requests_[step.request.index()];
    const auto pace = paces_.find(step.request.value);
    const auto left = static_cast<std::uint32_t>(r.spec.max_new - r.new_tokens.size());
    std::uint32_t k = (pace == paces_.end() ? DraftPace{} : pace->second).next(settings_.draft.k);
    k = std::min({k, budget, left - 1, pool_.cache().room_ahead(step.request)});
    k = std::min({k, keepers_.most_ahead(step.request), residuals_.most_ahead(step.request)});
    if (r.most_per_step) k = std::min(k, *r.most_per_step - 1);
    return k;
}

std::optional<Proposal> Drafts::proposal_for(SeqId id, std::uint32_t k) {
    const auto tokens = pool_.cache().tokens(id);
    const Request& r = requests_[id.index()];
    if (model_) return model_->propose(id, tokens, k, r.spec.sampling);
    auto found = look_back(tokens, settings_.draft.ngram, k);
    if (!found) return std::nullopt;
    Proposal proposal;
    proposal.source = settings_.draft.source();
    proposal.tokens = std::move(found->tokens);
    proposal.from = found->from;
    return proposal;
}

const Proposal* Drafts::find(SeqId id) const {
    const auto found = proposals_.find(id.value);
    return found == proposals_.end() ? nullptr : &found->second;
}

void Drafts::take_verdict(const Planned& step, const DraftVerdict& verdict) {
    const SeqId id = step.request;
    const std::uint32_t behind = step.ahead - verdict.accepted - verdict.struck;
    DraftVerified verified{
        .k = step.ahead, .accepted = verdict.accepted, .struck = verdict.struck, .behind = behind};
    for (const DrawnToken& drawn : verdict.tokens) verified.tokens.push_back(drawn.token);
    // Stored are the step's own token and all of the verdict but its last, which the next step
    // computes: 1 + (size - 1).
    const auto n_stored = static_cast<std::uint32_t>(step.first + verdict.tokens.size());
    log_.tell(id, Reason::verified(verdict.accepted, step.ahead), std::move(verified));
    pool_.cache().keep_ahead(id, n_stored, Reason::not_accepted(id, verdict.struck + behind));
    paces_[id.value].learn(step.ahead, verdict.accepted);
    if (!model_) return;
    model_->take_back(id, step.first + step.count + verdict.accepted);
    tell_holding(id, Reason::verified(verdict.accepted, step.ahead));
}

void Drafts::forget(SeqId id) {
    paces_.erase(id.value);
    if (!model_ || model_->held_by(id).blocks.empty()) return;
    model_->forget(id);
    tell_holding(id, {Why::RequestEnds, id});
}

void Drafts::observe(Snapshot& snapshot) const {
    snapshot.drafter.reset();
    if (model_) {
        const DrafterMade& made = model_->made();
        snapshot.drafter =
            DrafterView{made.model, made.n_blocks, made.block_size, made.block_bytes};
    }
    for (std::size_t i = 0; i < snapshot.requests.size(); ++i) {
        const DrafterHolds held =
            model_ ? model_->held_by(SeqId(static_cast<std::uint32_t>(i))) : DrafterHolds{};
        RequestView& request = snapshot.requests.edit(i);
        request.drafter_stored = held.stored;
        request.drafter_blocks = held.blocks;
    }
}

void Drafts::tell_holding(SeqId id, const Reason& reason) {
    if (model_) log_.tell(id, reason, model_->held_by(id));
}

}  // namespace kv
