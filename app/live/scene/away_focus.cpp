#include "app/live/scene/away_focus.hpp"

namespace kv {
namespace {

constexpr SeqId kStandIn{0};

}  // namespace

void AwayFocus::settle(std::uint64_t run, std::size_t n_requests, RunFocus& focus) {
    if (run != run_) away_.reset();
    run_ = run;
    if (focus.request.index() >= n_requests) {
        if (focus.request != kStandIn || focus.token) away_ = Away{focus.request, focus.token};
        focus.request = kStandIn, focus.token.reset();
        return;
    }
    if (!away_) return;
    const bool another_was_chosen = focus.request != kStandIn || focus.token;
    if (!another_was_chosen && away_->request.index() >= n_requests) return;
    if (!another_was_chosen) focus.request = away_->request, focus.token = away_->token;
    away_.reset();
}

}  // namespace kv
