#include <array>

#include "core/base/numbers/text.hpp"
#include "core/trace/metrics.hpp"

namespace kv {
namespace {

using Value = std::optional<double>;

Value whole(std::uint64_t n) {
    return static_cast<double>(n);
}
Value share(std::uint64_t part, std::uint64_t of) {
    if (of == 0) return std::nullopt;
    return static_cast<double>(part) / static_cast<double>(of);
}
Value seconds(const Mean& us) {
    const Value mean = us.value();
    return mean ? Value(*mean / 1e6) : mean;
}

constexpr bool kMeasured = true;
// clang-format off: a table, one series a line or two
constexpr std::array kMetrics{
    Metric{"cache_usage", "share",  // vllm:kv_cache_usage_perc
           "used blocks / blocks of the pool; cached blocks that nobody holds count as free",
           [](const Sample& s) { return share(s.used_blocks, s.pool_blocks); }},
    Metric{"used_blocks", "blocks", "blocks that a request holds or a transfer pins",
           [](const Sample& s) { return whole(s.used_blocks); }},
    Metric{"cached_blocks", "blocks", "blocks that nobody holds and that can be found again",
           [](const Sample& s) { return whole(s.cached_blocks); }},
    Metric{"prefix_queries", "tokens",  // vllm:prefix_cache_queries
           "prompt tokens looked up, since the start",
           [](const Sample& s) { return whole(s.totals.prefix_queries); }},
    Metric{"prefix_hits", "tokens",  // vllm:prefix_cache_hits
           "prompt tokens found in the cache, since the start",
           [](const Sample& s) { return whole(s.totals.prefix_hits); }},
    Metric{"hit_rate", "share", "prefix hits / prefix queries, over the window",
           [](const Sample& s) { return s.hit_rate; }},
    Metric{"reclaimed", "blocks", "cached blocks that were given up, in this iteration",
           [](const Sample& s) { return whole(s.reclaimed); }},
    Metric{"preemptions", "preemptions",  // vllm:num_preemptions
           "requests taken out again, since the start",
           [](const Sample& s) { return whole(s.totals.preemptions); }},
    Metric{"tokens_recomputed", "tokens", "stored tokens that preemptions gave up, since the start",
           [](const Sample& s) { return whole(s.totals.tokens_recomputed); }},
    Metric{"running", "requests",  // vllm:num_requests_running
           "requests that run when the iteration ends",
           [](const Sample& s) { return whole(s.running); }},
    Metric{"waiting", "requests",  // vllm:num_requests_waiting
           "requests that wait when the iteration ends",
           [](const Sample& s) { return whole(s.waiting); }},
    Metric{"prompt_tokens", "tokens",  // vllm:prompt_tokens
           "tokens of all prompts that have arrived, since the start",
           [](const Sample& s) { return whole(s.totals.prompt_tokens); }},
    Metric{"generation_tokens", "tokens",  // vllm:generation_tokens
           "tokens sampled, since the start",
           [](const Sample& s) { return whole(s.totals.new_tokens); }},
    Metric{"iteration_tokens", "tokens",  // vllm:iteration_tokens_total
           "tokens computed in this iteration, of all requests",
           [](const Sample& s) { return whole(s.tokens); }},
    Metric{"live_tokens", "tokens", "slots with keys and values in used blocks, shared ones once",
           [](const Sample& s) { return whole(s.live_tokens); }},
    Metric{"tokens_per_allocated", "share", "live tokens / slots of used blocks",
           [](const Sample& s) { return share(s.live_tokens, s.allocated_slots); }},
    Metric{"tokens_per_pool", "share", "live tokens / slots of the pool",
           [](const Sample& s) { return share(s.live_tokens, s.pool_slots); }},
    Metric{"block_lifetime", "iterations",
           "mean from allocation to reclaim, of blocks reclaimed in this iteration",
           [](const Sample& s) { return s.lifetime.value(); }},
    Metric{"block_idle", "iterations",
           "mean from the last holder's leaving to reclaim, of blocks reclaimed in this iteration",
           [](const Sample& s) { return s.idle.value(); }},
    Metric{"reuse_gap", "iterations",
           "mean from the last holder's leaving to the next holder, of cached blocks held again in "
           "this iteration",
           [](const Sample& s) { return s.reuse_gap.value(); }},
    Metric{"block_copies", "blocks", "blocks copied before a write to shared ones, since the start",
           [](const Sample& s) { return whole(s.totals.block_copies); }},
    Metric{"copied_bytes", "bytes", "bytes of these copies, since the start",
           [](const Sample& s) { return whole(s.totals.bytes_copied); }},
    Metric{"offload_bytes", "bytes", "bytes that began to leave the device, in this iteration",
           [](const Sample& s) { return whole(s.offload_bytes); }},
    Metric{"load_bytes", "bytes", "bytes that began to come back to the device, in this iteration",
           [](const Sample& s) { return whole(s.load_bytes); }},
    Metric{"file_bytes", "bytes",
           "bytes that began to move to the file tier or from it, in this iteration",
           [](const Sample& s) { return whole(s.file_bytes); }},
    Metric{"kv_bytes_read", "bytes", "bytes that attention read, in this iteration",
           [](const Sample& s) { return whole(s.kv_bytes_read); }},
    Metric{"kv_bytes_written", "bytes", "bytes of keys and values appended, in this iteration",
           [](const Sample& s) { return whole(s.kv_bytes_written); }},
    Metric{"bytes_read", "bytes", "bytes that all operations read, in this iteration",
           [](const Sample& s) { return whole(s.bytes_read); }},
    Metric{"bytes_written", "bytes", "bytes that all operations wrote, in this iteration",
           [](const Sample& s) { return whole(s.bytes_written); }},
    Metric{"iteration_model_us", "us", "time of this iteration by the time model",
           [](const Sample& s) { return Value(s.model_us); }},
    Metric{"iteration_us", "us", "time of this iteration",
           [](const Sample& s) { return Value(s.us); }, kMeasured},
    Metric{"clock_us", "us", "time of all iterations up to here",
           [](const Sample& s) { return Value(s.clock_us); }, kMeasured},
    Metric{"transfer_us", "us", "time of the transfers that finished in this iteration",
           [](const Sample& s) { return Value(s.transfer_us); }, kMeasured},
    Metric{"first_token_s", "s",  // vllm:time_to_first_token_seconds
           "mean from arrival to the end of the iteration that sampled the first token, of "
           "requests whose first token it was",
           [](const Sample& s) { return seconds(s.first_token_us); }, kMeasured},
    Metric{"next_token_s", "s",  // vllm:inter_token_latency_seconds
           "mean from a request's token before to this one, of tokens sampled in this iteration",
           [](const Sample& s) { return seconds(s.next_token_us); }, kMeasured},
    Metric{"block_lifetime_s", "s",  // vllm:kv_block_lifetime_seconds
           "as block_lifetime, by the clock",
           [](const Sample& s) { return seconds(s.lifetime_us); }, kMeasured},
    Metric{"block_idle_s", "s",  // vllm:kv_block_idle_before_evict_seconds
           "as block_idle, by the clock", [](const Sample& s) { return seconds(s.idle_us); },
           kMeasured},
    Metric{"reuse_gap_s", "s", "as reuse_gap, by the clock",  // vllm:kv_block_reuse_gap_seconds
           [](const Sample& s) { return seconds(s.reuse_gap_us); }, kMeasured},
    Metric{"drafts", "drafts",  // vllm:spec_decode_num_drafts
           "drafts that a pass verified, since the start",
           [](const Sample& s) { return whole(s.totals.drafts); }},
    Metric{"draft_proposed", "tokens",  // vllm:spec_decode_num_draft_tokens
           "tokens that drafts proposed and a pass verified, since the start",
           [](const Sample& s) { return whole(s.totals.draft_proposed()); }},
    Metric{"draft_accepted", "tokens",  // vllm:spec_decode_num_accepted_tokens
           "proposed tokens that were accepted, since the start",
           [](const Sample& s) { return whole(s.totals.draft_accepted); }},
    Metric{"acceptance", "share", "accepted / proposed tokens, in this iteration",
           [](const Sample& s) { return share(s.step.draft_accepted, s.step.draft_proposed()); }},
    Metric{"tokens_per_draft", "tokens",
           "tokens that a verified pass added / verified passes, in this iteration",
           [](const Sample& s) { return share(s.step.draft_tokens, s.step.drafts); }},
    Metric{"drafter_bytes", "bytes", "bytes that the draft model read, in this iteration",
           [](const Sample& s) { return whole(s.step.drafter_bytes); }},
};
// clang-format on

}  // namespace

std::span<const Metric> metrics() {
    return kMetrics;
}

std::string metrics_csv(std::span<const Sample> samples, bool with_times) {
    std::string out = "iteration,moment";
    const auto kept = [&](const Metric& metric) { return with_times || !metric.measured; };
    for (const Metric& metric : metrics())
        if (kept(metric)) out += "," + std::string(metric.label);
    out += '\n';
    for (const Sample& sample : samples) {
        out += std::to_string(sample.iteration) + "," + std::to_string(sample.moment);
        for (const Metric& metric : metrics()) {
            if (!kept(metric)) continue;
            const Value value = metric.get(sample);
            out += "," + (value ? round_trip(*value) : std::string());
        }
        out += '\n';
    }
    return out;
}

}  // namespace kv
