#include "core/engine/run/drafting/verdict.hpp"

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/engine/draft/acceptance.hpp"

namespace kv {
namespace {

// Random numbers for three things beside a request's own tokens. Those come from the stream that
// has the request's number; these stand in the upper half of a stream's number, so none meets it.
enum class Stream : std::uint64_t { Proposes = 1, Accepts = 2, DrawsRest = 3 };

double draw(Stream stream, const Sampling& sampling, std::uint64_t request,
            std::uint64_t position) {
    return Random(sampling.seed, static_cast<std::uint64_t>(stream) << 32 | request).unit(position);
}

struct RowVerdict {
    std::uint32_t token;  // the target's, behind the proposals before it
    bool accepted;        // it is the proposal of this row
};

// The target's token behind i accepted proposals. Where the proposal was not drawn (q = 1: a look
// back, or greedy), the target just draws, and if it draws the proposal, that is accepted: so the
// text is the one without drafts. A drawn one is accepted with min(1, p / q), else the token is
// drawn from what p has more than q (Chen et al.: modified rejection sampling). Behind the last
// proposal there is nothing to judge: the target draws one more, the papers' extra token.
//
// A proposal that was struck can be drawn again, where p and q are equal but for rounding: p itself
// is drawn from then. It has to count as accepted, since the text has that token, and its key and
// value are in its slot.
RowVerdict next_of(const Proposal& proposal, std::size_t i, std::span<const float> row,
                   const DrawsFor& who) {
    const std::uint64_t at = who.position + i;
    const auto as_drawn = [&](std::uint32_t token) {
        return RowVerdict{token, i < proposal.tokens.size() && token == proposal.tokens[i]};
    };
    if (who.sampling.temperature == 0 || i >= proposal.q.size())
        return as_drawn(sample(row, who.sampling, who.request, at));
    const std::vector<double> p = distribution(row, who.sampling);
    const std::uint32_t token = proposal.tokens[i];
    if (draw(Stream::Accepts, who.sampling, who.request, at) < acceptance(p, proposal.q[i], token))
        return {token, true};
    return as_drawn(token_at(adjusted_distribution(p, proposal.q[i]),
                             draw(Stream::DrawsRest, who.sampling, who.request, at)));
}

}  // namespace

DraftVerdict judge(const Proposal& proposal, std::span<const float> rows, std::size_t vocab_size,
                   const DrawsFor& who, const EndsWith& ends) {
    const std::size_t k = proposal.tokens.size();
    KV_ASSERT(rows.size() == (k + 1) * vocab_size);
    DraftVerdict verdict;
    for (std::size_t i = 0; i <= k; ++i) {
        const auto [token, accepted] =
            next_of(proposal, i, rows.subspan(i * vocab_size, vocab_size), who);
        verdict.accepted += accepted ? 1 : 0;
        verdict.struck += i < k && !accepted ? 1 : 0;
        verdict.tokens.push_back({token, ends(token)});
        if (!accepted || verdict.tokens.back().ends) break;
    }
    return verdict;
}

std::uint32_t draw_proposal(std::span<const double> q, const Sampling& sampling,
                            std::uint64_t request, std::uint64_t position) {
    return token_at(q, draw(Stream::Proposes, sampling, request, position));
}

}  // namespace kv
