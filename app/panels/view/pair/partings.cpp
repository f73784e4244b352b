#include "app/panels/view/pair/partings.hpp"

#include <algorithm>
#include <utility>

#include "app/panels/view/facts.hpp"
#include "app/panels/view/pair/full_rows.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

// The first place at which two lists of tokens differ. Where one is the beginning of the other they
// part at its end, once both runs have ended.
std::optional<std::uint32_t> parts_at(const SharedArray<std::uint32_t>& a,
                                      const SharedArray<std::uint32_t>& b, bool ended) {
    const std::size_t n = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < n; ++i)
        if (a[i] != b[i]) return static_cast<std::uint32_t>(i);
    if (ended && a.size() != b.size()) return static_cast<std::uint32_t>(n);
    return std::nullopt;
}

// The iteration and the event that gave the request its token of that index.
struct AddedAt {
    std::uint32_t iteration = 0;
    std::uint64_t event = 0;
};
AddedAt added_at(const Trace& trace, std::string_view name, std::uint32_t index) {
    std::optional<SeqId> request;
    std::uint32_t count = 0;
    AddedAt at;
    trace.each(0, trace.size(), [&](std::uint64_t n, const Event& event) {
        if (const auto* arrived = std::get_if<RequestArrived>(&event.what);
            arrived != nullptr && arrived->name == name) {
            request = event.request;
            count = static_cast<std::uint32_t>(arrived->prompt.size());
            if (index < count) at = {event.iteration, n};  // a fork brought it along
        }
        if (event.request != request || !request) return;
        if (std::holds_alternative<TokenAdded>(event.what) && count++ == index)
            at = {event.iteration, n};
    });
    return at;
}

std::optional<std::uint32_t> token_at(const SharedArray<std::uint32_t>& tokens, std::uint32_t i) {
    if (i >= tokens.size()) return std::nullopt;
    return tokens[i];
}

// The token that the full cache answers where the sides part, if all three had said the same up to
// there and it was free to choose.
std::optional<std::uint32_t> full_says(const RunView& left, const RequestView& ours,
                                       std::uint32_t index) {
    const FullText* full = left.in_full;
    const auto request = request_named(left.trace.end(), ours.name);
    if (full == nullptr || !full->is_told() || !has_one_full_cache(*full) || !request)
        return std::nullopt;
    const auto row = row_after(*full, *request, ours.tokens, index);
    if (!row || *row < full->n_forced || index >= full->tokens.size()) return std::nullopt;
    return full->tokens[index];
}

}  // namespace

std::vector<TokenParting> find_partings(const RunView& left, const RunView& right, bool ended,
                                        const std::vector<TokenParting>& known) {
    std::vector<TokenParting> partings;
    const auto& requests = left.trace.end().requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const RequestView& ours = requests[i];
        const RequestView* theirs = request_view_named(right.trace.end(), ours.name);
        if (theirs == nullptr) continue;
        const auto index = parts_at(ours.tokens, theirs->tokens, ended);
        if (!index) continue;
        const bool is_left = *index < ours.tokens.size();
        TokenParting parting{.request = ours.name,
                             .index = *index,
                             .left = token_at(ours.tokens, *index),
                             .right = token_at(theirs->tokens, *index)};
        const auto before = std::find_if(known.begin(), known.end(), [&](const TokenParting& k) {
            return k.request == parting.request && k.index == parting.index;
        });
        const AddedAt at = before != known.end()
                               ? AddedAt{before->iteration, before->event}
                               : added_at(is_left ? left.trace : right.trace, ours.name, *index);
        parting.iteration = at.iteration, parting.event = at.event;
        parting.full = full_says(left, ours, *index);
        partings.push_back(std::move(parting));
    }
    std::stable_sort(
        partings.begin(), partings.end(),
        [](const TokenParting& a, const TokenParting& b) { return a.iteration < b.iteration; });
    return partings;
}

const RequestView* request_view_named(const Snapshot& now, std::string_view name) {
    const auto request = request_named(now, name);
    return request ? &now.requests[request->index()] : nullptr;
}

}  // namespace kv
