// Where the two sides of a comparison differ: the next token of any request, for the cursor to go
// to, and the moment to show of the request in focus.

#include "app/live/comparison.hpp"
#include "app/live/scene/view_of.hpp"
#include "app/panels/view/facts.hpp"
#include "app/panels/view/history.hpp"
#include "app/panels/view/pair/pair.hpp"
#include "app/shell/texts/said.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

struct Difference {
    Moved moved = Moved::NoFurther;  // NeedsMore: nothing before `iteration`, as far as is recorded
    std::uint32_t iteration = UINT32_MAX;
};

// Where `other` has another token, or none; or only where it has none.
enum class Sought : std::uint8_t { AnotherOrNone, None };

// The next token of `run`, from event `from` on, at whose place `other` has what is sought. Tokens
// have the same place where they are of requests of one name and have the same index.
Difference next_difference(const RunSession& run, std::uint64_t& from, const RunSession& other,
                           Sought sought) {
    Snapshot state = run.trace().at(from);
    for (; from < run.trace().size(); ++from) {
        const Event event = run.trace().event(from);
        apply(state, event);
        const auto* added = std::get_if<TokenAdded>(&event.what);
        if (added == nullptr) continue;
        const RequestView& request = state.requests[event.request->index()];
        const std::size_t index = request.tokens.size() - 1;
        const RequestView* theirs = request_view_named(other.trace().end(), request.name);
        const bool is_made = theirs != nullptr && theirs->tokens.size() > index;
        if (!is_made && other.may_grow()) return {Moved::NeedsMore, event.iteration};
        if (is_made && (sought == Sought::None || theirs->tokens[index] == added->token)) continue;
        return {Moved::Yes, event.iteration};
    }
    if (run.may_grow()) return {Moved::NeedsMore, run.trace().end().iteration};
    return {};
}

}  // namespace

// PairDifference knows the first difference of each request; this goes on to every further one, and
// waits where the other run has not computed the token yet. Both runs are searched: a token that
// only the right one has comes behind the end of the left run, or of one of its requests. Where
// both have one, the search of the left run finds it.
Moved Comparison::to_difference(RunSession& run, Searched& from) const {
    require_side();
    const RunSession& other = *right_.session;
    if (!from.right)
        from.right =
            other.trace().end_of_iteration(run.now().iteration).value_or(other.trace().size());
    const Difference ours = next_difference(run, from.left, other, Sought::AnotherOrNone);
    const Difference theirs = next_difference(other, *from.right, run, Sought::None);
    const Difference& first = ours.iteration <= theirs.iteration ? ours : theirs;
    if (first.moved == Moved::NeedsMore) return Moved::NeedsMore;
    if (first.moved == Moved::NoFurther) throw Refused("refused.difference"_t);
    if (run.at_end()) throw Refused("refused.difference.ended"_t);
    return run.try_to_iteration(first.iteration);
}

std::uint64_t Comparison::moment_of_difference(const PlayedSide& left,
                                               const RunFocus& focus) const {
    require_side();
    const RunView ours = view_of(*left.session, left.id, focus),
                  theirs = view_of(*right_.session, right_.id, focus);
    const SeqId request = focus.request;
    const std::string name = name_of_request(ours.now, request);
    PairDifference difference;
    difference.follow(ours, theirs, request);
    const TokenParting* parting = difference.parting_of(name);
    if (parting == nullptr) throw Refused("refused.difference.request"_t, {{"name", name}});
    const std::uint64_t last = parting->left ? parting->event + 1 : ours.trace.size();
    const auto listed = ours.trace.find_back(
        last, [request](const Event& event) { return event.request == request && mark_of(event); });
    return (listed ? *listed : parting->event) + 1;
}

}  // namespace kv
