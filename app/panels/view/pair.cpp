#include "app/panels/view/pair.hpp"

#include <algorithm>

#include "app/panels/view/facts.hpp"
#include "core/base/numbers/logits.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

// The row of the full cache that has read the first `n` tokens and nothing else.
template <class Tokens>
std::optional<std::size_t> row_after(const FullText& full, SeqId request, const Tokens& seen,
                                     std::size_t n) {
    if (full.request != request || n == 0 || full.tokens.size() < n) return std::nullopt;
    const auto row = std::lower_bound(full.rows.begin(), full.rows.end(), n - 1);
    if (row == full.rows.end() || *row + std::size_t{1} != n) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i)
        if (seen[i] != full.tokens[i]) return std::nullopt;
    return static_cast<std::size_t>(row - full.rows.begin());
}

bool has_one_full_cache(const FullText& full) {
    return !full.lost_right.empty();
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

// `known`: those of shorter recordings, whose iterations need not be looked up again.
std::vector<TokenParting> find_partings(const RunView& left, const RunView& right, bool ended,
                                        const std::vector<TokenParting>& known) {
    std::vector<TokenParting> partings;
    const auto& requests = left.trace.end().requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const RequestView& ours = requests[i];
        const RequestView* theirs = request_called(right.trace.end(), ours.name);
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

// What two sides make of a token, beside row `at` of the full cache.
BesideFull beside(const FullText& full, std::size_t at,
                  const std::array<const std::vector<float>*, 2>& sides, std::uint32_t token) {
    const std::vector<float>& truth = full.logits[at];
    BesideFull beside;
    beside.nll = negative_log_likelihood(truth, token);
    beside.knows_lost_right = !full.lost_right.empty();
    beside.lost = {full.lost_left[at], beside.knows_lost_right ? full.lost_right[at] : 0};
    for (std::size_t i = 0; i < sides.size(); ++i) {
        beside.kl[i] = kl_divergence(truth, *sides[i]);
        beside.agree[i] = top_token(truth) == top_token(*sides[i]) ? 1 : 0;
    }
    return beside;
}

// The numbers of a token beside the row of the full cache that has read the same text.
std::optional<BesideFull> beside_full(const RunView& left, const JudgedRow& ours,
                                      const JudgedRow& theirs, std::uint32_t token) {
    const FullText* full = left.in_full;
    if (full == nullptr) return std::nullopt;
    const auto at = row_after(*full, ours.request, ours.seen, ours.seen.size());
    if (!at || full->logits[*at].size() != ours.logits.size()) return std::nullopt;
    return beside(*full, *at, {&ours.logits, &theirs.logits}, token);
}

// Sums of agreement, means of the rest; nothing while one of them is missing.
std::optional<BesideFull> all_beside_full(const std::vector<JudgedToken>& tokens) {
    if (tokens.empty()) return std::nullopt;
    BesideFull all;
    const auto n = static_cast<double>(tokens.size());
    for (const JudgedToken& t : tokens) {
        if (!t.full) return std::nullopt;
        all.nll += t.full->nll / n;
        all.knows_lost_right = t.full->knows_lost_right;
        for (std::size_t i = 0; i < all.kl.size(); ++i) {
            all.kl[i] += t.full->kl[i] / n;
            all.lost[i] += t.full->lost[i] / n;
            all.agree[i] += t.full->agree[i];
        }
    }
    return all;
}

JudgedToken judged(std::uint32_t index, std::uint32_t token, const std::vector<float>& left,
                   const std::vector<float>& right, std::optional<BesideFull> full) {
    return {.index = index,
            .token = token,
            .left = negative_log_likelihood(left, token),
            .right = negative_log_likelihood(right, token),
            .kl = kl_divergence(left, right),
            .agree = top_token(left) == top_token(right),
            .full = full};
}

// What the full cache says, as both sides judge it.
void add_told(const FullText& full, std::vector<JudgedToken>& tokens) {
    for (std::size_t at = 0; at < full.rows.size(); ++at) {
        const std::uint32_t index = full.rows[at] + 1, token = full.tokens[index];
        const auto &left = full.sides[0][at], &right = full.sides[1][at];
        tokens.push_back(
            judged(index, token, left, right, beside(full, at, {&left, &right}, token)));
    }
}

// What the left side sampled, where the right side judged the same text.
void add_sampled(const RunView& left, const RunView& right, const RequestView& ours, SeqId request,
                 std::vector<JudgedToken>& tokens) {
    for (const JudgedRow& row : *left.judged) {
        if (row.request != request || row.seen.size() >= ours.tokens.size()) continue;
        const auto index = static_cast<std::uint32_t>(row.seen.size());
        const std::uint32_t token = ours.tokens[index];
        const JudgedRow* theirs = row_like(right, ours.name, row);
        if (theirs == nullptr || theirs->logits.size() != row.logits.size()) continue;
        tokens.push_back(judged(index, token, row.logits, theirs->logits,
                                beside_full(left, row, *theirs, token)));
    }
}

Judgement judgement_of(const RunView& left, const RunView& right, SeqId request) {
    Judgement all;
    if (left.judged == nullptr || right.judged == nullptr) return all;
    const auto& requests = left.trace.end().requests;
    if (request.index() >= requests.size()) return all;
    const FullText* full = left.in_full;
    all.told = full != nullptr && full->is_told() && full->request == request;
    if (all.told)
        add_told(*full, all.tokens), all.n_forced = full->n_forced;
    else
        add_sampled(left, right, requests[request.index()], request, all.tokens);
    for (const JudgedToken& t : all.tokens)
        all.left += t.left, all.right += t.right, all.kl += t.kl, all.agree += t.agree;
    const double n = std::max<double>(1, static_cast<double>(all.tokens.size()));
    all.left /= n, all.right /= n, all.kl /= n;
    all.full = all_beside_full(all.tokens);
    return all;
}

}  // namespace

const RequestView* request_called(const Snapshot& now, std::string_view name) {
    const auto request = request_named(now, name);
    return request ? &now.requests[request->index()] : nullptr;
}

const JudgedRow* row_at_cursor(const RunView& run, SeqId request) {
    if (run.judged == nullptr) return nullptr;
    const std::uint32_t iteration = run.now.iteration - (run.now.in_iteration ? 1 : 0);
    const auto row = std::find_if(
        run.judged->rbegin(), run.judged->rend(),
        [&](const JudgedRow& r) { return r.request == request && r.iteration == iteration; });
    return row == run.judged->rend() ? nullptr : &*row;
}

const JudgedRow* row_like(const RunView& run, std::string_view request, const JudgedRow& row) {
    if (run.judged == nullptr) return nullptr;
    const auto& requests = run.trace.end().requests;
    for (const JudgedRow& other : *run.judged) {
        if (other.seen.size() != row.seen.size()) continue;
        if (other.request.index() >= requests.size()) continue;
        if (requests[other.request.index()].name == request && other.seen == row.seen)
            return &other;
    }
    return nullptr;
}

const std::vector<float>* full_after(const RunView& left, SeqId request,
                                     const std::vector<std::uint32_t>& seen) {
    const FullText* full = left.in_full;
    if (full == nullptr || !has_one_full_cache(*full)) return nullptr;
    const auto at = row_after(*full, request, seen, seen.size());
    return at ? &full->logits[*at] : nullptr;
}

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
