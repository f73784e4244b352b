#include "app/live/looks/judging.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "app/live/looks/looks.hpp"
#include "app/live/looks/told_pair.hpp"
#include "app/panels/view/facts.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr std::size_t kMostLogits = std::size_t{64} << 20;

// What the left side sampled: its rows of logits that judge a token which is recorded.
FullText sampled_text(const RunSession& left, SeqId request) {
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

// How many tokens beyond its prompt are recorded of a request.
std::uint32_t n_sampled(const RunSession& run, const std::string& name) {
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

// What it would take to tell both sides a text; nothing where that cannot be, or is too much.
std::optional<ToldAsk> told_ask(const Judging::Asked& asked) {
    const PlayedSide &left = *asked.left, &right = *asked.right;
    const std::string name = left.session->trace().end().requests[asked.request.index()].name;
    ToldAsk ask{{{{left.session->shared_model(), left.scene},
                  {right.session->shared_model(), right.scene}}},
                left.place,
                name,
                asked.request,
                std::max(n_sampled(*left.session, name), n_sampled(*right.session, name))};
    const std::uint64_t vocab = left.session->model().config().vocab_size;
    const bool can = is_soon_told(*left.session) && is_soon_told(*right.session) &&
                     can_be_told(left.scene, name) && can_be_told(right.scene, name) &&
                     vocab == right.session->model().config().vocab_size && ask.most > 0 &&
                     std::size_t{3} * ask.most * vocab <= kMostLogits;
    return can ? std::optional(std::move(ask)) : std::nullopt;
}

bool is_at_rest(const Judging::Asked& asked) {
    return !asked.left->session->busy() && !asked.right->session->busy() &&
           asked.request.index() < asked.left->session->trace().end().requests.size();
}

}  // namespace

Judging::~Judging() {
    *stop_ = true;
    if (judging_.valid()) judging_.wait();
}

void Judging::take(double seconds) {
    if (!judging_.is_ready(seconds)) return;
    text_ = judging_.get();
    made_of_ = in_work_;
}

const FullText* Judging::text_for(const Asked& asked) const {
    const bool is_theirs = asked.left != nullptr && asked.right != nullptr &&
                           made_of_.left == asked.left->id && made_of_.right == asked.right->id;
    return is_theirs && text_ && text_->request == asked.request ? text_.get() : nullptr;
}

void Judging::follow(const Asked& asked, double seconds) {
    take(seconds);
    const bool has_both = asked.left != nullptr && asked.right != nullptr;
    const bool is_old =
        !has_both || in_work_.left != asked.left->id || in_work_.right != asked.right->id;
    if (judging_.valid() && is_old) *stop_ = true;
    if (judging_.valid()) return;
    if (!has_both) return text_.reset();
    if (!is_at_rest(asked)) return;
    const RunSession &left = *asked.left->session, &right = *asked.right->session;
    FullText sampled = sampled_text(left, asked.request);
    std::optional<ToldAsk> ask = told_ask(asked);
    if (sampled.rows.size() * left.model().config().vocab_size > kMostLogits) sampled.rows.clear();
    if (sampled.rows.empty() && !ask) return text_.reset();
    const Sources wanted{asked.left->id, asked.right->id, asked.request,
                         sampled.tokens, sampled.rows,    ask ? ask->most : 0};
    if (made_of_ == wanted) return;
    in_work_ = wanted;
    stop_ = std::make_shared<std::atomic<bool>>(false);
    const std::string name = left.trace().end().requests[asked.request.index()].name;
    const bool same_model = left.shared_model() == right.shared_model();
    judging_ =
        later([model = left.shared_model(), spec = look_spec_of(left), sampled = std::move(sampled),
               same_model, sights = std::array{sight_of(left, name), sight_of(right, name)},
               ask = std::move(ask), stop = stop_, wake = wake_]() mutable {
            std::shared_ptr<const FullText> full;
            if (ask) {
                try {
                    if (auto told = tell_both(*ask, spec, [&stop] { return !*stop; }))
                        full = std::make_shared<const FullText>(std::move(*told));
                } catch (const Error&) {
                    // With the answer forced upon it the scene is refused: then what was sampled
                    // counts.
                }
            }
            if (!full && !*stop && !sampled.rows.empty())
                full = std::make_shared<const FullText>(
                    look_at_text(*model, spec, std::move(sampled), sights, same_model));
            if (wake) wake();
            return full;
        });
    take(seconds);
}

}  // namespace kv
