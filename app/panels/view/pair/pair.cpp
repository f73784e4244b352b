#include "app/panels/view/pair/pair.hpp"

#include <algorithm>

namespace kv {

void PairDifference::follow(const RunView& left, const RunView& right, SeqId request) {
    const Key key{.left = left.id,
                  .right = right.id,
                  .left_size = left.trace.size(),
                  .right_size = right.trace.size(),
                  .ended = left.recorded_all && right.recorded_all,
                  .request = request,
                  .is_there = request.index() < left.now.requests.size(),
                  .in_full = left.in_full};
    if (key_ == key) return;
    const bool same_runs = key_ && key_->left == key.left && key_->right == key.right;
    if (!same_runs) partings_.clear();
    key_ = key;
    partings_ = find_partings(left, right, key.ended, partings_);
    judgement_ = key.is_there ? judgement_of(left, right, request) : Judgement{};
}

const TokenParting* PairDifference::parting_of(std::string_view request) const {
    const auto found =
        std::find_if(partings_.begin(), partings_.end(),
                     [&](const TokenParting& parting) { return parting.request == request; });
    return found == partings_.end() ? nullptr : &*found;
}

}  // namespace kv
