#include "app/live/looks/beside.hpp"

namespace kv {

void LooksBeside::follow(const PlayedSide* left, const PlayedSide* right, SeqId focused, bool quiet,
                         double seconds) {
    focused_ = focused;
    proof_.take(seconds);
    attention_.follow(left ? left->session.get() : nullptr, focused, seconds);
    judging_.follow({left, right, focused}, seconds);
    if (left && quiet && !attention_.busy()) roofs_.follow(left->session->settings().backend);
}

void LooksBeside::write_into(RunView& view, const PlayedSide& left, const PlayedSide* right) const {
    view.attention = attention_.attention();
    view.full = attention_.full();
    view.in_full = judging_.text_for({&left, right, focused_});
    view.roofs = roofs_.roofs();
    view.proof = proof_.at(left.session->now());
}

}  // namespace kv
