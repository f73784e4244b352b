#include "app/live/looks/attention_look.hpp"

#include <utility>
#include <vector>

#include "app/live/looks/looks.hpp"
#include "app/panels/view/facts.hpp"

namespace kv {
namespace {

std::vector<std::uint32_t> tokens_until(const Snapshot& now, SeqId request,
                                        std::uint32_t position) {
    const auto& all = now.requests[request.index()].tokens;
    std::vector<std::uint32_t> tokens;
    for (std::uint32_t i = 0; i <= position; ++i) tokens.push_back(all[i]);
    return tokens;
}

}  // namespace

AttentionLook::~AttentionLook() {
    if (looking_.valid()) looking_.wait();
}

void AttentionLook::follow(const RunSession* session, SeqId focused, double seconds) {
    if (looking_.is_ready(seconds)) found_ = looking_.get();
    if (looking_.valid()) return;
    if (session == nullptr) return found_.reset();
    const auto position = query_position(session->now(), focused);
    if (!position) return found_.reset();
    if (found_ && found_->attention.request == focused && found_->attention.position == *position)
        return;
    found_.reset();
    looking_ =
        later([model = session->shared_model(), spec = look_spec_of(*session), request = focused,
               tokens = tokens_until(session->now(), focused, *position), wake = wake_] {
            Found found{look_at_attention(*model, spec, request, tokens), {}};
            if (spec.mask(request)) found.full = look_at_everything(*model, spec, request, tokens);
            if (wake) wake();
            return found;
        });
    if (looking_.is_ready(seconds)) found_ = looking_.get();
}

}  // namespace kv
