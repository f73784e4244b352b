#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/run_result.hpp"
#include "app/cli/version.hpp"
#include "core/base/text.hpp"
#include "core/cost/cache_bytes.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

// The shortest decimal that reads back to the same float.
Json float_json(float value) {
    if (!std::isfinite(value)) return nullptr;
    return Json::parse(round_trip(value));
}

Json model_json(const RunInput& input, const RunResult& result) {
    const ModelConfig& config = input.checkpoint.config();
    return {{"name", input.model_name},        {"sha256", result.sha256},
            {"n_layers", config.n_layers},     {"n_heads", config.n_heads},
            {"n_kv_heads", config.n_kv_heads}, {"head_dim", config.head_dim},
            {"vocab_size", config.vocab_size}, {"parameters", result.parameters}};
}

Json settings_json(const RunInput& input) {
    return {{"block_size", input.pool.block_size},
            {"k_codec", name_of(input.pool.k)},
            {"v_codec", name_of(input.pool.v)},
            {"order", input.pool.order == KvOrder::TokenMajor ? "token_major" : "head_major"},
            {"evict", "none"},
            {"positions", "true"},
            {"share", "off"},
            {"cache", input.request.use_cache},
            {"max_batch_tokens", input.request.max_batch_tokens}};
}

Json logits_json(const std::vector<std::vector<float>>& rows) {
    Json all = Json::array();
    for (const auto& row : rows) {
        Json one = Json::array();
        for (const float value : row) one.push_back(float_json(value));
        all.push_back(std::move(one));
    }
    return all;
}

Json table_json(const RunResult& result) {
    Json table = Json::array();
    for (std::uint32_t block = 0; block < result.blocks; ++block) table.push_back(block);
    return table;
}

Json request_json(const RunInput& input, const RunResult& result) {
    const bool refused = !result.finish;
    Json request{{"id", "A"},
                 {"state", refused ? "refused" : "finished"},
                 {"finish", refused ? "refused" : std::string(name_of(*result.finish))},
                 {"prompt_tokens", input.request.prompt},
                 {"forced_tokens", input.request.forced},
                 {"output_tokens", result.new_tokens},
                 {"text", result.text},
                 {"cached_prompt_tokens", 0},
                 {"block_table", table_json(result)},
                 {"stored_tokens", result.stored_tokens},
                 {"preemptions", 0}};
    if (input.with_times && !refused) {
        request["ttft_us"] = result.times.first_token_us;
        request["tpot_us"] = result.times.per_token_us;
    }
    if (!input.request.forced.empty()) request["forced_nll"] = result.forced_nll;
    if (input.request.keep_logits) request["logits"] = logits_json(result.logits);
    return request;
}

Json pool_json(const RunInput& input, const RunResult& result, const KvLayout& layout) {
    const u64 per_block = layout.pool_bytes() / layout.n_blocks;
    return {{"block_size", layout.block_size},
            {"blocks", layout.n_blocks},
            {"bytes_per_block", per_block},
            {"used", result.blocks},
            {"cached", 0},
            {"free", input.pool.n_blocks - result.blocks},
            {"host_used", 0}};
}

// The bill's own number for what is stored, from the shape and not from the pool.
u64 formula_bytes(const RunInput& input, u64 tokens) {
    std::string why;
    const CodecPair codecs{*parse_codec(name_of(input.pool.k), why),
                           *parse_codec(name_of(input.pool.v), why)};
    return bytes_per_token(shape_of(input.checkpoint.config()).cache, codecs) * tokens;
}

Json bytes_json(const RunInput& input, const RunResult& result, const KvLayout& layout) {
    const u64 per_block = layout.pool_bytes() / layout.n_blocks,
              per_token = per_block / layout.block_size;
    return {
        {"per_token", per_token},
        {"live", per_token * result.stored_tokens},
        {"allocated", per_block * result.blocks},
        {"formula", formula_bytes(input, result.stored_tokens)},
        {"read_last_step", result.last_work.k_bytes_read + result.last_work.v_bytes_read},
        {"written_last_step", result.last_work.k_bytes_written + result.last_work.v_bytes_written}};
}

Json counters_json(const RunResult& result) {
    return {{"iterations", result.iterations},
            {"positions_projected", result.work.positions_projected},
            {"score_pairs", result.work.score_pairs},
            {"flops", result.work.flops.total()},
            {"weight_bytes_read", result.work.weight_bytes},
            {"kv_bytes_read", result.work.k_bytes_read + result.work.v_bytes_read},
            {"kv_bytes_written", result.work.k_bytes_written + result.work.v_bytes_written},
            {"prefix_queries", 0},
            {"prefix_hits", 0},
            {"blocks_reclaimed", 0},
            {"tokens_dropped", 0},
            {"block_copies", 0},
            {"preemptions", 0},
            {"blocks_offloaded", 0},
            {"blocks_loaded", 0}};
}

Json proof_json(const RunInput& input, const Proof& proof) {
    if (!proof.checked)
        return {{"mode", "not_checked"}, {"max_abs_difference", nullptr}, {"step", nullptr}};
    const char* passed = proof.max_abs_difference == 0 ? "proved" : "within_tolerance";
    return {{"mode", holds(proof, input.backend) ? passed : "differs"},
            {"max_abs_difference", proof.max_abs_difference},
            {"step", proof.step ? Json(*proof.step) : Json(nullptr)}};
}

}  // namespace

std::string run_json(const RunInput& input, const RunResult& result) {
    const KvLayout layout = layout_of(input.checkpoint.config(), input.pool);
    const Json all{{"kvarium", version()},
                   {"backend", result.backend},
                   {"seed", input.request.sampling.seed},
                   {"model", model_json(input, result)},
                   {"settings", settings_json(input)},
                   {"requests", Json::array({request_json(input, result)})},
                   {"pool", pool_json(input, result, layout)},
                   {"bytes", bytes_json(input, result, layout)},
                   {"counters", counters_json(result)},
                   {"proof", proof_json(input, result.proof)},
                   {"state_hash", result.state_hash}};
    return all.dump(1) + "\n";
}

}  // namespace kv
