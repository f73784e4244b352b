#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/run_result.hpp"
#include "app/cli/version.hpp"
#include "core/base/text.hpp"
#include "core/cost/cache_bytes.hpp"
#include "core/cost/keep.hpp"
#include "core/engine/kept_inputs.hpp"

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
    Json settings = scene_settings(input.scene.settings);
    settings["cache"] = input.keep == Keep::KeysAndValues;
    settings["keep"] = name_of(input.keep);
    return settings;
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

Json table_json(const std::vector<std::optional<BlockId>>& blocks) {
    Json table = Json::array();
    for (const auto& block : blocks) table.push_back(block ? Json(block->value) : Json());
    return table;
}

// A list for each layer, of what its KV heads have; one where the heads of a layer share a table.
template <class ToJson>
Json by_layer(const LaneShape& lanes, bool every_head, const ToJson& of_lane) {
    Json layers = Json::array();
    const std::uint32_t heads =
        every_head || lanes.scope == TableScope::Head ? lanes.n_kv_heads : 1;
    for (std::uint32_t layer = 0; layer < lanes.n_layers; ++layer) {
        Json all = Json::array();
        for (std::uint32_t head = 0; head < heads; ++head)
            all.push_back(of_lane(lanes.lane_of(LayerId(layer), HeadId(head)).index()));
        layers.push_back(std::move(all));
    }
    return layers;
}

void add_tables(const LaneShape& lanes, const RequestResult& r, Json& request) {
    const bool one = lanes.scope == TableScope::Sequence;
    request["block_table"] = one && !r.tables.empty() ? table_json(r.tables[0]) : Json::array();
    if (!one) request["block_table"] = nullptr;
    if (!one && !r.tables.empty())
        request["block_tables"] =
            by_layer(lanes, false, [&](std::size_t lane) { return table_json(r.tables[lane]); });
    if (!r.kept.empty())
        request["kept"] = by_layer(lanes, true, [&](std::size_t lane) { return r.kept[lane]; });
}

// Positions that some table keeps.
std::size_t stored_tokens(const RequestResult& r) {
    if (r.kept.empty()) return r.stored;
    std::vector<bool> somewhere(r.stored);
    for (const auto& lane : r.kept)
        for (const std::uint32_t position : lane) somewhere[position] = true;
    return static_cast<std::size_t>(std::count(somewhere.begin(), somewhere.end(), true));
}

Json request_json(const RunInput& input, const LaneShape& lanes, const RequestResult& r) {
    Json request{{"id", r.id},
                 {"state", r.state},
                 {"finish", r.finish ? Json(*r.finish) : Json()},
                 {"prompt_tokens", r.prompt},
                 {"forced_tokens", r.forced},
                 {"output_tokens", r.output},
                 {"text", r.text},
                 {"cached_prompt_tokens", r.cached_prompt},
                 {"stored_tokens", stored_tokens(r)},
                 {"preemptions", r.preemptions}};
    add_tables(lanes, r, request);
    if (input.with_times && r.first_token_us) request["ttft_us"] = *r.first_token_us;
    if (input.with_times && r.first_token_us) request["tpot_us"] = r.per_token_us.value_or(0);
    if (r.refused_because) request["reason"] = *r.refused_because;
    if (!r.forced.empty()) request["forced_nll"] = r.forced_nll;
    if (input.keep_logits) request["logits"] = logits_json(r.logits);
    return request;
}

Json pool_json(const RunResult& result, const KvLayout& layout) {
    return {{"block_size", layout.block_size},
            {"blocks", layout.n_blocks * result.held.n_lanes},
            {"bytes_per_block", layout.pool_bytes() / layout.n_blocks / result.held.n_lanes},
            {"used", result.held.used},
            {"cached", result.held.cached},
            {"free", result.held.free},
            {"host_used", result.held.host_used}};
}

// The bill's own number for what is stored, from the shape and not from what holds it.
u64 formula_bytes(const RunInput& input, u64 tokens) {
    const ModelShape shape = shape_of(input.checkpoint.config());
    if (input.keep == Keep::Inputs) return input_bytes_per_token(shape) * tokens;
    std::string why;
    const CodecPair codecs{*parse_codec(name_of(input.scene.settings.k_codec), why),
                           *parse_codec(name_of(input.scene.settings.v_codec), why)};
    return bytes_per_token(shape.cache, codecs) * tokens;
}

u64 kv_read(const Work& work) {
    return work.k_bytes_read + work.v_bytes_read;
}
u64 kv_written(const Work& work) {
    return work.k_bytes_written + work.v_bytes_written;
}

// Of the pool; where layer inputs are kept, of those, and the pool is working memory.
Json bytes_json(const RunInput& input, const RunResult& result, const KvLayout& layout) {
    const ModelConfig& config = input.checkpoint.config();
    const bool inputs = input.keep == Keep::Inputs;
    const u64 per_block = layout.pool_bytes() / layout.n_blocks, lanes = result.held.n_lanes,
              per_token = inputs ? KeptInputs::bytes_per_token(config.n_layers, config.hidden_size)
                                 : per_block / layout.block_size;
    const Work& last = result.last_work;
    return {
        {"per_token", per_token},
        {"live", inputs ? result.live_input_bytes : per_token * result.held.live_slots / lanes},
        {"allocated", inputs ? result.allocated_input_bytes : per_block * result.held.used / lanes},
        {"formula", formula_bytes(input, result.held.distinct_tokens) / lanes},
        {"read_last_step", kv_read(last) + last.input_bytes_read},
        {"written_last_step", kv_written(last) + last.input_bytes_written}};
}

Json counters_json(const RunResult& result) {
    const Counters& c = result.counters;
    const Work& w = result.work;
    return {{"iterations", c.iterations},
            {"positions_projected", w.positions_projected},
            {"positions_forwarded", w.positions_forwarded},
            {"score_pairs", w.score_pairs},
            {"flops", w.flops.total()},
            {"kv_projection_flops", w.kv_projection_flops},
            {"weight_bytes_read", w.weight_bytes},
            {"kv_bytes_read", kv_read(w)},
            {"kv_bytes_written", kv_written(w)},
            {"input_bytes_read", w.input_bytes_read},
            {"input_bytes_written", w.input_bytes_written},
            {"prefix_queries", c.prefix_queries},
            {"prefix_hits", c.prefix_hits},
            {"blocks_reclaimed", c.blocks_reclaimed},
            {"tokens_dropped", c.tokens_dropped},
            {"slots_copied", c.slots_copied},
            {"block_copies", c.block_copies},
            {"bytes_copied", c.bytes_copied},
            {"preemptions", c.preemptions},
            {"tokens_recomputed", c.tokens_recomputed},
            {"blocks_offloaded", c.blocks_offloaded},
            {"blocks_loaded", c.blocks_loaded}};
}

// Where a policy dropped something, what is proved is that nothing else happened: the same sight in
// a full run gives the same logits. How far these are from a run that drops nothing stands first.
Json lossy_json(const RunInput& input, const RunResult& result) {
    const Proof& proof = result.masked;
    const char* passed = proof.max_abs_difference == 0 ? "proved" : "within_tolerance";
    return {{"mode", "lossy"},
            {"max_abs_difference", result.proof.max_abs_difference},
            {"step", result.proof.step ? Json(*result.proof.step) : Json(nullptr)},
            {"masked", holds(proof, input.scene.settings.backend) ? passed : "differs"},
            {"masked_max_abs_difference", proof.max_abs_difference},
            {"masked_step", proof.step ? Json(*proof.step) : Json(nullptr)}};
}

Json proof_json(const RunInput& input, const RunResult& result) {
    const Proof& proof = result.proof;
    if (result.lossy) return lossy_json(input, result);
    if (!proof.checked)
        return {{"mode", "not_checked"}, {"max_abs_difference", nullptr}, {"step", nullptr}};
    const char* passed = proof.max_abs_difference == 0 ? "proved" : "within_tolerance";
    return {{"mode", holds(proof, input.scene.settings.backend) ? passed : "differs"},
            {"max_abs_difference", proof.max_abs_difference},
            {"step", proof.step ? Json(*proof.step) : Json(nullptr)}};
}

}  // namespace

std::string run_json(const RunInput& input, const RunResult& result) {
    const KvLayout layout = layout_of(input);
    Json requests = Json::array();
    for (const RequestResult& request : result.requests)
        requests.push_back(request_json(input, result.lanes, request));
    Json all{{"kvarium", version()},
             {"backend", input.scene.settings.backend},
             {"seed", input.scene.seed},
             {"model", model_json(input, result)},
             {"settings", settings_json(input)},
             {"requests", std::move(requests)},
             {"pool", pool_json(result, layout)},
             {"bytes", bytes_json(input, result, layout)},
             {"counters", counters_json(result)},
             {"proof", proof_json(input, result)},
             {"state_hash", result.state_hash}};
    if (!result.refusals.empty()) all["refused_commands"] = result.refusals;
    return all.dump(1) + "\n";
}

}  // namespace kv
