#include "app/cli/sim/series.hpp"

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr u64 kMostRows = 5'000'000;
constexpr const char* kHeader =
    "allocator,iteration,vllm:num_requests_running,vllm:num_requests_waiting,"
    "vllm:kv_cache_usage_perc,vllm:num_preemptions,vllm:prompt_tokens,vllm:generation_tokens,"
    "vllm:iteration_tokens_total,tokens,reserved,internal,external,free,slots_copied\n";

}  // namespace

SimSeries::SimSeries(u64 every) : every_(every), text_(kHeader) {}

void SimSeries::add(AllocatorKind kind, const RaceSpan& span) {
    // The first iteration of the span that is a multiple of every_.
    for (u64 at = ceil_div(span.first, every_) * every_; at < span.first + span.count;
         at += every_) {
        if (++rows_ > kMostRows)
            throw Error{ErrorCode::Usage,
                        "--series would have more than 5,000,000 rows; thin it with --series-every "
                        "N or ask for fewer requests."};
        const u64 offset = at - span.first;
        const PoolUse use = span.use_at(offset);
        const u64 all = use.sum();
        const double usage = static_cast<double>(use.held()) / static_cast<double>(all);
        const u64 generated = span.counters.generation_tokens + span.running * offset;
        const u64 this_iteration = span.running + (offset == 0 ? span.prefill_tokens : 0);
        text_ += name_of(kind);
        for (const u64 value : {at, span.running, span.waiting})
            text_ += "," + std::to_string(value);
        text_ += "," + fixed(usage, 6);
        for (const u64 value :
             {span.counters.preemptions, span.counters.prompt_tokens, generated, this_iteration,
              use.tokens, use.reserved, use.internal, use.external, use.free, span.slots_copied})
            text_ += "," + std::to_string(value);
        text_ += "\n";
    }
}

}  // namespace kv
