
#include "core/base/files/json.hpp"

#include "app/cli/sim/input.hpp"
#include "app/cli/terminal/or_null.hpp"
#include "app/cli/terminal/version.hpp"
#include "core/sim/published.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

Json workload_json(const SimWorkload& workload) {
    double prompt = 0, output = 0;
    for (const SimRequest& request : workload.requests) {
        prompt += request.prompt;
        output += request.output;
    }
    const auto n = static_cast<double>(workload.requests.size());
    return {{"name", workload.name},
            {"source", workload.source},
            {"format", workload.format ? Json(std::string(name_of(*workload.format))) : Json()},
            {"requests", workload.requests.size()},
            {"passed_over", workload.passed_over},
            {"left_out", workload.left_out},
            {"mean_prompt", prompt / n},
            {"mean_output", output / n}};
}

Json settings_json(const SimInput& input) {
    const PoolRules& pool = input.race.pool;
    return {{"max_length", pool.max_length},
            {"first_fit", pool.first_fit_reserves_max ? "max" : "exact"},
            {"bytes_per_token", input.bytes_per_token},
            {"preset", input.preset.empty() ? Json() : Json(input.preset)},
            {"faults",
             {{"leak", input.race.faults.leak},
              {"admission_control", pool.admission_control},
              {"cold_cache", or_null<nlohmann::ordered_json>(input.forget_every)}}}};
}

Json published_json(AllocatorKind kind) {
    const auto bar = published_bar(kind);
    if (!bar) return nullptr;
    return {{"mean_batch", bar->mean_batch},
            {"tokens_share", bar->tokens_share},
            {"reserved_share", or_null<nlohmann::ordered_json>(bar->reserved_share)},
            {"internal_share", or_null<nlohmann::ordered_json>(bar->internal_share)},
            {"external_share", or_null<nlohmann::ordered_json>(bar->external_share)}};
}

Json metrics_json(const RaceResult& r) {
    return {{"vllm:prompt_tokens", r.counters.prompt_tokens},
            {"vllm:generation_tokens", r.counters.generation_tokens},
            {"vllm:num_preemptions", r.counters.preemptions}};
}

Json allocator_json(const SimInput& input, const RaceResult& r) {
    const RaceCounters& c = r.counters;
    return {
        {"name", std::string(name_of(r.allocator))},
        {"mean_batch", or_null<nlohmann::ordered_json>(r.mean_batch)},
        {"tokens_share", or_null<nlohmann::ordered_json>(r.tokens_share)},
        {"reserved_share", or_null<nlohmann::ordered_json>(r.reserved_share)},
        {"internal_share", or_null<nlohmann::ordered_json>(r.internal_share)},
        {"external_share", or_null<nlohmann::ordered_json>(r.external_share)},
        {"free_share", or_null<nlohmann::ordered_json>(r.free_share)},
        {"utilisation", or_null<nlohmann::ordered_json>(r.utilisation)},
        {"bytes_copied", product_or_throw("bytes_copied", {r.slots_copied, input.bytes_per_token})},
        {"admitted", c.admitted},
        {"refused", c.refused},
        {"finished", c.finished},
        {"peak_batch", r.peak_batch},
        {"peak_slots", r.peak_slots},
        {"slots_copied", r.slots_copied},
        {"copies", r.copies},
        {"pieces_returned", c.pieces_returned},
        {"preemptions", c.preemptions},
        {"recomputed_tokens", c.recomputed_tokens},
        {"abandoned", c.abandoned},
        {"left_waiting", r.left_waiting},
        {"leaked_requests", c.leaked_requests},
        {"leaked_slots", c.leaked_slots},
        {"iterations", r.iterations},
        {"saturated_iterations", r.saturated_iterations},
        {"mean_wait_iterations", r.mean_wait},
        {"metrics", metrics_json(r)},
        {"published", is_published_setting(input) ? published_json(r.allocator) : Json()}};
}

Json prefix_json(const SimWorkload& workload) {
    if (workload.prefix.empty()) return nullptr;
    Json sizes = Json::array();
    for (const PrefixRun& run : workload.prefix) {
        sizes.push_back({{"blocks", or_null<nlohmann::ordered_json>(run.capacity)},
                         {"hit_blocks", run.index.hit_hashes()},
                         {"hit_rate", or_null<nlohmann::ordered_json>(run.index.hit_rate())},
                         {"reclaimed_blocks", run.index.reclaimed()},
                         {"vllm:prefix_cache_queries", run.index.query_tokens()},
                         {"vllm:prefix_cache_hits", run.index.hit_tokens()}});
    }
    return {{"tokens_per_block", *workload.tokens_per_hash},
            {"blocks_asked", workload.prefix.front().index.asked_hashes()},
            {"cache_sizes", std::move(sizes)}};
}

}  // namespace

std::string sim_json(const SimInput& input, const SimWorkload& workload,
                     const std::vector<RaceResult>& results) {
    Json allocators = Json::array();
    for (const RaceResult& result : results) allocators.push_back(allocator_json(input, result));
    const Json json{{"kvarium", version()},
                    {"pool", input.race.pool.slots},
                    {"block_size", input.race.pool.block_size},
                    {"seed", input.race.seed},
                    {"workload", workload_json(workload)},
                    {"settings", settings_json(input)},
                    {"allocators", std::move(allocators)},
                    {"prefix", prefix_json(workload)}};
    // Invalid UTF-8 can only come from a file name; it is replaced rather than refused.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace kv
