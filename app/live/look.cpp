// What a moment of the run is looked at for, in the background: the attention of its newest query,
// and where tokens are hidden what a full cache would have made of it.
#include <future>

#include "app/live/live_run.hpp"
#include "app/live/loading/is_ready.hpp"
#include "app/panels/view/facts.hpp"

namespace kv {

LookSpec LiveRun::look_spec() const {
    LookSpec spec{session_->settings().backend, pool_spec_of(session_->settings(), 1),
                  session_->shared_scales(), session_->sight_lanes(), session_->key_turn()};
    for (std::uint32_t i = 0; i < session_->now().requests.size(); ++i)
        if (const SeenLog* seen = session_->sight(SeqId(i))) spec.seen[SeqId(i)] = *seen;
    return spec;
}

std::vector<std::uint32_t> LiveRun::tokens_until(SeqId request, std::uint32_t position) const {
    const auto& all = session_->now().requests[request.index()].tokens;
    std::vector<std::uint32_t> tokens;
    for (std::uint32_t i = 0; i <= position; ++i) tokens.push_back(all[i]);
    return tokens;
}

void LiveRun::look(double seconds) {
    if (is_ready(proving_, seconds)) proof_ = proving_.get();
    if (is_ready(looking_, seconds)) looks_ = looking_.get();
    if (looking_.valid()) return;
    if (!session_) return looks_.reset();
    const auto position = query_position(session_->now(), focused_);
    if (!position) return looks_.reset();
    if (looks_ && looks_->attention.request == focused_ && looks_->attention.position == *position)
        return;
    looks_.reset();
    looking_ = std::async(std::launch::async,
                          [model = session_->shared_model(), spec = look_spec(), request = focused_,
                           tokens = tokens_until(focused_, *position), wake = wake_] {
                              Looks looks{look_at_attention(*model, spec, request, tokens), {}};
                              if (spec.mask(request))
                                  looks.full = look_at_everything(*model, spec, request, tokens);
                              if (wake) wake();
                              return looks;
                          });
    if (is_ready(looking_, seconds)) looks_ = looking_.get();
}

}  // namespace kv
