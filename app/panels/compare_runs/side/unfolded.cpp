#include "app/panels/compare_runs/side/unfolded.hpp"

#include <algorithm>

#include "app/panels/view/facts.hpp"

namespace kv {
namespace {

constexpr std::uint32_t kMostMarkedWords = 12, kSomeWords = 9;

WordRange from(std::uint32_t first, std::uint32_t n_tokens, std::uint32_t most) {
    const std::uint32_t last = n_tokens - 1, begin = std::min(first, last);
    return {begin, std::min(last, begin + most - 1)};
}

// `token` in the middle, or as near to it as the ends allow.
WordRange around(std::uint32_t token, std::uint32_t n_tokens) {
    const std::uint32_t latest = n_tokens > kSomeWords ? n_tokens - kSomeWords : 0;
    return from(std::min(token > kSomeWords / 2 ? token - kSomeWords / 2 : 0, latest), n_tokens,
                kSomeWords);
}

WordRange up_to(std::uint32_t token, std::uint32_t n_tokens) {
    return from(token + 1 > kSomeWords ? token + 1 - kSomeWords : 0, n_tokens, kSomeWords);
}

std::optional<std::uint32_t> first_dropped(const RunView& run, std::string_view name) {
    const auto request = request_named(run.now, name);
    if (!request) return std::nullopt;
    const RequestView& now = run.now.requests[request->index()];
    if (dropped_in(run.lane(), *request) == 0) return std::nullopt;
    for (std::uint32_t i = 0; i < now.stored; ++i)
        if (is_dropped(run.lane(), {*request, i})) return i;
    return std::nullopt;
}

}  // namespace

std::optional<Unfolded> unfolded(const UnfoldAsk& ask) {
    const std::uint32_t n = ask.n_tokens;
    if (n == 0) return std::nullopt;
    using enum WhyUnfolded;
    if (ask.chosen) return Unfolded{around(std::min(*ask.chosen, n - 1), n), Chosen};
    if (ask.marked && ask.marked->first < n)
        return Unfolded{
            from(ask.marked->first, std::min(n, ask.marked->last + 1), kMostMarkedWords), Marked};
    if (ask.dropped && *ask.dropped < n)
        return Unfolded{from(*ask.dropped, n, kSomeWords), Dropped};
    if (ask.parting && *ask.parting < n) return Unfolded{up_to(*ask.parting, n), Parted};
    const std::uint32_t newest = std::min(n, std::max(1u, ask.known)) - 1;
    return Unfolded{up_to(newest, newest + 1), Newest};
}

std::optional<std::uint32_t> first_dropped(const PairView& pair, std::string_view request) {
    const auto left = first_dropped(pair.left, request), right = first_dropped(pair.right, request);
    if (!left || !right) return left ? left : right;
    return std::min(*left, *right);
}

}  // namespace kv
