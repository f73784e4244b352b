#include "core/engine/measure/generation.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/logits.hpp"

namespace kv {

std::uint64_t stored_slots(const GenerationRequest& request) {
    return std::uint64_t{request.prompt.size()} + request.forced.size() + request.max_new - 1;
}

Generation::Generation(Backend& backend, const ModelConfig& config, GenerationRequest request)
    : backend_(backend), request_(std::move(request)) {
    KV_ASSERT(!request_.prompt.empty() && request_.max_new > 0 && request_.max_batch_tokens > 0);
    const KvLayout& layout = backend.layout();
    KV_ASSERT(stored_slots(request_) <= std::uint64_t{layout.n_blocks} * layout.block_size);
    tables_.tables.resize(1);
    if (request_.keep == Keep::Inputs)
        kept_.emplace(layout.n_layers, static_cast<std::uint32_t>(config.hidden_size),
                      layout.block_size);
}

std::uint32_t Generation::blocks() const {
    return static_cast<std::uint32_t>(tables_.tables[0].size());
}

std::vector<std::uint32_t> Generation::tokens_so_far() const {
    std::vector<std::uint32_t> tokens = request_.prompt;
    tokens.insert(tokens.end(), request_.forced.begin(), request_.forced.end());
    tokens.insert(tokens.end(), new_tokens_.begin(), new_tokens_.end());
    return tokens;
}

bool Generation::advance() {
    if (finished_) return false;
    const auto prompt = static_cast<std::uint32_t>(request_.prompt.size());
    // When nothing is kept between steps, a step feeds everything that it may see.
    const bool starts_over = request_.keep == Keep::Nothing && stored_ >= prompt;
    const std::uint32_t end = stored_ < prompt ? prompt : stored_ + 1;
    std::uint32_t at = starts_over ? 0 : stored_;
    last_work_ = {};
    if (starts_over) passes_.clear();
    do {
        const std::uint32_t count = std::min(end - at, request_.max_batch_tokens);
        feed(at, count, at + count == end);
        at += count;
    } while (starts_over && at < end);
    stored_ = at;
    work_ += last_work_;
    ++iterations_;
    if (stored_ >= prompt) judge();
    return !finished_;
}

void Generation::feed(std::uint32_t first, std::uint32_t count, bool last_of_step) {
    const std::uint32_t block_size = backend_.layout().block_size;
    std::vector<BlockId>& table = tables_.tables[0];
    while (std::uint64_t{table.size()} * block_size < first + count)
        table.push_back(BlockId(static_cast<std::uint32_t>(table.size())));
    const std::vector<std::uint32_t> tokens = tokens_so_far();
    std::vector<std::uint32_t> slots(count);
    std::iota(slots.begin(), slots.end(), first);
    std::vector<std::uint32_t> logit_rows;
    if (last_of_step) logit_rows.push_back(count - 1);
    SequenceWork work{std::span(tokens).subspan(first, count), slots, slots, &tables_, logit_rows};
    if (kept_) {
        kept_->add(slots);
        work.kept_inputs = &*kept_;
        // The chunks of a prompt are one step; what they computed is at hand until its end.
        if (first >= request_.prompt.size()) work.recomputed = first;
    }
    Batch batch;
    batch.sequences.push_back(work);
    ForwardResult result = backend_.forward(batch);
    passes_.push_back(first);
    last_logits_ = std::move(result.logits);
    last_work_ += result.work;
}

void Generation::judge() {
    const std::size_t next = stored_ - request_.prompt.size();
    if (request_.keep_logits) logits_.push_back(last_logits_);
    if (next < request_.forced.size()) {
        forced_nll_.push_back(negative_log_likelihood(last_logits_, request_.forced[next]));
        return;
    }
    const std::uint32_t token = sample(last_logits_, request_.sampling, request_.stream, stored_);
    new_tokens_.push_back(token);
    const auto& stops = request_.stop_tokens;
    if (std::find(stops.begin(), stops.end(), token) != stops.end())
        finish(Finish::StopToken);
    else if (new_tokens_.size() == request_.max_new)
        finish(Finish::Length);
}

void Generation::finish(Finish reason) {
    finished_ = reason;
}

}  // namespace kv
