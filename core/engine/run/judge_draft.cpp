// A step with a draft, whose pass stands for as many passes as it has tokens. Nothing of it was
// noted when it was computed; now each token is judged, stored and followed by the next as if it
// had come by itself.

#include "core/base/error.hpp"
#include "core/engine/run/engine.hpp"
#include "core/engine/run/inputs.hpp"

namespace kv {

DraftVerdict Engine::verdict_of(const Planned& step, std::span<const float> rows) {
    const SeqId id = step.request;
    Request& r = request(id);
    std::size_t n_new = r.new_tokens.size();
    return judge(*drafts_.find(id), rows, parts_.config.vocab_size,
                 {r.spec.sampling, id.value, step.first + std::uint64_t{step.count}},
                 [&](std::uint32_t token) { return add_text_and_see_end(r, token, ++n_new); });
}

// Blocks behind the accepted tokens go back first; then each token is stored and taken by itself.
void Engine::take_draft(const Next& next) {
    const Planned& step = *next.step;
    drafts_.take_verdict(step, next.verdict);
    for (std::uint32_t row = 0; row < next.verdict.tokens.size(); ++row) {
        store_row(next, row);
        const auto logits =
            next.rows.subspan(row * parts_.config.vocab_size, parts_.config.vocab_size);
        if (parts_.on_logits) parts_.on_logits(step.request, seen_by(step.request), logits);
        take_token(step.request, logits, next.verdict.tokens[row]);
    }
}

void Engine::store_row(const Next& next, std::uint32_t row) {
    const Planned one{next.step->request, next.step->first + row, 1};
    if (row > 0) {
        evictor_.before_append(one.request);
        const bool has_room = pool_.cache().grow(one.request, one.first + 1);  // and publishes
        KV_ASSERT(has_room);
    }
    note_pass(one);
    if (keepers_.has_policy()) keepers_.note(one.request, one.first, row);
    if (next.inputs->reads) note_reads(one, next.inputs->reads->row(row));
    tell_stored(one);
    evictor_.after_step(one);
}

}  // namespace kv
