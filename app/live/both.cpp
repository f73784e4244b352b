// What both sides of a comparison are judged by: the answer of a full cache, told to both, or what
// they drew themselves. Computed once for a state of their recordings, on a thread of its own.

#include <algorithm>
#include <utility>

#include "app/live/live_run.hpp"
#include "app/live/loading/is_ready.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostLogits = std::size_t{64} << 20;

// The rows of the left side that judge a token which is known.
FullText drawn_text(const RunSession& left, SeqId request) {
    FullText text;
    text.request = request;
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

// Tokens that a request has beyond its prompt, as far as they are recorded.
std::uint32_t n_drawn(const RunSession& run, const std::string& name) {
    const auto id = request_named(run.trace().end(), name);
    if (!id) return 0;
    const RequestView& request = run.trace().end().requests[id->index()];
    return static_cast<std::uint32_t>(request.tokens.size()) - request.n_prompt;
}

// To tell a text, both sides are played once more; that is worth it where it takes little.
bool is_soon_told(const RunSession& run) {
    constexpr std::uint64_t kSmall = 16'000'000;  // parameters
    constexpr std::uint32_t kShort = 4'096;       // iterations
    constexpr std::uint64_t kSmallPool = std::uint64_t{256} << 20;
    return !run.can_run_ahead() && run.model().loaded.parameters <= kSmall &&
           run.trace().end().iteration <= kShort && run.layout().pool_bytes() <= kSmallPool;
}

}  // namespace

std::optional<ToldAsk> LiveRun::told_ask() const {
    const std::string name = session_->trace().end().requests[focused_.index()].name;
    ToldAsk ask{{{{session_->shared_model(), scene_}, {other_->shared_model(), other_scene_}}},
                place_,
                name,
                focused_,
                std::max(n_drawn(*session_, name), n_drawn(*other_, name))};
    const std::uint64_t vocab = session_->model().config().vocab_size;
    const bool can = is_soon_told(*session_) && is_soon_told(*other_) &&
                     can_be_told(scene_, name) && can_be_told(other_scene_, name) &&
                     vocab == other_->model().config().vocab_size && ask.most > 0 &&
                     std::size_t{3} * ask.most * vocab <= kMostLogits;
    return can ? std::optional(std::move(ask)) : std::nullopt;
}

void LiveRun::take_full(double seconds) {
    if (!is_ready(looking_at_both_, seconds)) return;
    in_full_ = looking_at_both_.get();
    in_full_of_ = looking_of_;
}

void LiveRun::look_at_both(double seconds) {
    take_full(seconds);
    const bool is_old = looking_of_.left != id_ || looking_of_.right != other_id_ || !other_;
    if (looking_at_both_.valid() && is_old) *stop_telling_ = true;
    if (looking_at_both_.valid()) return;
    if (!session_ || !other_) return in_full_.reset();
    if (session_->busy() || other_->busy() ||
        focused_.index() >= session_->trace().end().requests.size())
        return;
    FullText drawn = drawn_text(*session_, focused_);
    std::optional<ToldAsk> ask = told_ask();
    if (drawn.rows.size() * session_->model().config().vocab_size > kMostLogits) drawn.rows.clear();
    if (drawn.rows.empty() && !ask) return in_full_.reset();
    const BothLook wanted{id_, other_id_, focused_, drawn.tokens, drawn.rows, ask ? ask->most : 0};
    if (in_full_of_ == wanted) return;
    looking_of_ = wanted;
    stop_telling_ = std::make_shared<std::atomic<bool>>(false);
    const std::string name = session_->trace().end().requests[focused_.index()].name;
    const bool same_model = session_->shared_model() == other_->shared_model();
    looking_at_both_ = std::async(
        std::launch::async,
        [model = session_->shared_model(), spec = look_spec(), drawn = std::move(drawn), same_model,
         sights = std::array{sight_of(*session_, name), sight_of(*other_, name)},
         ask = std::move(ask), stop = stop_telling_, wake = wake_]() mutable {
            std::shared_ptr<const FullText> full;
            if (ask) {
                try {
                    if (auto told = tell_both(*ask, spec, [&stop] { return !*stop; }))
                        full = std::make_shared<const FullText>(std::move(*told));
                } catch (const Error&) {
                    // With the answer forced upon it the scene is refused: what was drawn counts.
                }
            }
            if (!full && !*stop && !drawn.rows.empty())
                full = std::make_shared<const FullText>(
                    look_at_text(*model, spec, std::move(drawn), sights, same_model));
            if (wake) wake();
            return full;
        });
    take_full(seconds);
}

}  // namespace kv
