#include "core/whatif/first_token.hpp"

#include <algorithm>
#include <numeric>

#include "core/cost/model/parameters.hpp"
#include "core/cost/time/flops.hpp"

namespace kv {
namespace {

double percentile(const std::vector<double>& sorted, u64 percent) {
    const u64 rank = ceil_div(u64{sorted.size()} * percent, 100);
    return sorted[static_cast<std::size_t>(std::max<u64>(1, rank) - 1)];
}

}  // namespace

FirstTokens::FirstTokens(const FirstTokenModel& model)
    : model_(model),
      weight_seconds_(static_cast<double>(weight_bytes(model.model)) / model.bandwidth),
      bytes_per_token_(static_cast<double>(bytes_per_token(model.model.cache, model.codecs))) {
    KV_ASSERT(model.flops > 0 && model.share > 0 && model.bandwidth > 0 && model.link > 0);
}

double FirstTokens::prefill(u64 tokens) {
    if (tokens == 0) return 0;
    const auto [at, is_new] = prefill_.try_emplace(tokens, 0.0);
    if (is_new) at->second = static_cast<double>(prefill_flops(model_.model, tokens, 1).total());
    return at->second;
}

double FirstTokens::seconds(u64 prompt_tokens, const PoolOutcome::Request& found) {
    const u64 hit = std::min(found.hit_tokens, prompt_tokens);
    const double arithmetic =
        (prefill(prompt_tokens) - prefill(hit)) / (model_.flops * model_.share);
    const double moved = static_cast<double>(found.host_hit_tokens) * bytes_per_token_;
    return std::max(arithmetic, weight_seconds_) + moved / model_.link;
}

std::optional<FirstTokenSeconds> FirstTokens::of(const Recording& recording,
                                                 const PoolOutcome& outcome) {
    std::vector<double> all;
    all.reserve(outcome.requests.size() + recording.unblocked.size());
    auto found = outcome.requests.begin();
    for (const AskStream& stream : recording.streams)
        for (const BlockAsk& ask : stream.asks) all.push_back(seconds(ask.asked_tokens, *found++));
    for (const u64 prompt : recording.unblocked) all.push_back(seconds(prompt, {0, 0}));
    if (all.empty()) return std::nullopt;
    std::sort(all.begin(), all.end());
    const double sum = std::accumulate(all.begin(), all.end(), 0.0);
    return FirstTokenSeconds{percentile(all, 50), sum / static_cast<double>(all.size()),
                             percentile(all, 95)};
}

}  // namespace kv
