// What a full cache makes of the text that both sides of a comparison are judged by: computed once
// for a state of their recordings, on a thread of its own.

#include <algorithm>
#include <utility>

#include "app/live/is_ready.hpp"
#include "app/live/live_run.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostLogits = std::size_t{64} << 20;

// The rows of the left side that judge a token which is known.
FullText text_of(const RunSession& left, SeqId request) {
    FullText text{request, {}, {}, {}, {}, {}};
    const auto& all = left.trace().end().requests[request.index()].tokens;
    for (const JudgedRow& row : left.judged_rows()) {
        if (row.request != request || row.seen.empty() || row.seen.size() >= all.size()) continue;
        const auto position = static_cast<std::uint32_t>(row.seen.size() - 1);
        if (!text.rows.empty() && position <= text.rows.back()) continue;
        text.rows.push_back(position);
        if (row.seen.size() > text.tokens.size()) text.tokens = row.seen;
    }
    return text;
}

struct SightCopy {
    SeenLog seen;
    LaneShape lanes;
    KeyTurn turn;
};
std::optional<SightCopy> sight_of(const RunSession& run, const std::string& name) {
    const auto& requests = run.trace().end().requests;
    for (std::uint32_t i = 0; i < requests.size(); ++i)
        if (requests[i].name == name && run.sight(SeqId(i)) != nullptr)
            return SightCopy{*run.sight(SeqId(i)), run.sight_lanes(), run.key_turn()};
    return std::nullopt;
}

bool is_same_text(const FullText& a, const FullText& b) {
    return a.request == b.request && a.tokens == b.tokens && a.rows == b.rows;
}

}  // namespace

void LiveRun::take_full(double seconds) {
    if (!is_ready(looking_at_both_, seconds)) return;
    in_full_ = looking_at_both_.get();
    in_full_ids_ = looking_ids_;
}

void LiveRun::look_at_both(double seconds) {
    take_full(seconds);
    if (looking_at_both_.valid()) return;
    if (!session_ || !other_) return in_full_.reset();
    if (session_->busy() || other_->busy() ||
        focused_.index() >= session_->trace().end().requests.size())
        return;
    FullText text = text_of(*session_, focused_);
    if (text.rows.empty() || text.rows.size() * session_->model().config().vocab_size > kMostLogits)
        return in_full_.reset();
    if (in_full_ && is_same_text(*in_full_, text) && in_full_ids_ == std::pair(id_, other_id_))
        return;
    looking_ids_ = {id_, other_id_};
    const std::string name = session_->trace().end().requests[focused_.index()].name;
    // Another model's layers are not those that the other side looked with.
    const bool same_model = session_->shared_model() == other_->shared_model();
    looking_at_both_ = std::async(
        std::launch::async, [model = session_->shared_model(), spec = look_spec(),
                             text = std::move(text), same_model, left = sight_of(*session_, name),
                             right = sight_of(*other_, name), wake = wake_]() mutable {
            std::array<std::optional<SightMask>, 2> sides;
            if (left) sides[0].emplace(SightMask{left->seen, left->lanes, left->turn});
            if (right && same_model)
                sides[1].emplace(SightMask{right->seen, right->lanes, right->turn});
            auto full =
                std::make_shared<FullText>(look_at_text(*model, spec, std::move(text), sides));
            if (!same_model) full->lost_right.clear();
            if (wake) wake();
            return std::shared_ptr<const FullText>(std::move(full));
        });
    take_full(seconds);
}

}  // namespace kv
