#include "app/panels/view/pair/judgement.hpp"

#include <algorithm>

#include "app/panels/view/pair/full_rows.hpp"
#include "core/base/numbers/logits.hpp"

namespace kv {
namespace {

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

}  // namespace

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

}  // namespace kv
