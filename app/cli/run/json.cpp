#include "core/base/files/json.hpp"

#include <algorithm>
#include <cmath>

#include "app/cli/run/result.hpp"
#include "app/cli/terminal/version.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/cache/bytes.hpp"
#include "core/cost/cache/vector_bytes.hpp"
#include "core/cost/keep.hpp"
#include "core/engine/seam/kept_inputs.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

// The shortest decimal that reads back to the same float.
Json float_json(float value) {
    if (!std::isfinite(value)) return nullptr;
    return parsed_ordered_json(round_trip(value));
}

Json model_json(const RunInput& input, const RunResult& result) {
    const ModelConfig& config = input.checkpoint.config();
    return {{"name", input.model_name},        {"sha256", result.sha256},
            {"n_layers", config.n_layers},     {"n_heads", config.n_heads},
            {"n_kv_heads", config.n_kv_heads}, {"head_dim", config.head_dim},
            {"vocab_size", config.vocab_size}, {"parameters", result.parameters}};
}

// The settings as the scene has them; those of the pool and its codecs as they were at the end, as
// the pool's bytes are.
Json settings_json(const RunInput& input, const EngineSettings& end) {
    EngineSettings shown = input.scene.settings;
    shown.k_codec = end.k_codec;
    shown.v_codec = end.v_codec;
    shown.pool = end.pool;
    Json settings = scene_settings(shown);
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
// With the newest tokens of each request in 16 bits.
u64 residual_formula(const CacheShape& shape, const CodecPair& codecs, const Held& held) {
    constexpr u64 kFullBytes = 2;
    const auto side = [&](const Codec& codec, Side of, u64 dim, u64 waiting) {
        return (held.distinct_tokens - waiting) * vector_bytes(codec, of, dim).total() +
               waiting * dim * kFullBytes;
    };
    return count_head_layers(shape) * shape.n_kv_heads *
           (side(codecs.k, Side::K, shape.d_k, held.residual_k) +
            side(codecs.v, Side::V, shape.d_v, held.residual_v));
}

u64 formula_bytes(const RunInput& input, const EngineSettings& settings, const Held& held) {
    const ModelShape shape = shape_of(input.checkpoint.config());
    if (input.keep == Keep::Inputs) return input_bytes_per_token(shape) * held.distinct_tokens;
    const CodecPair codecs{settings.k_codec, settings.v_codec};
    if (settings.k_codec.has_residual() || settings.v_codec.has_residual())
        return residual_formula(shape.cache, codecs, held);
    return bytes_per_token(shape.cache, codecs) * held.distinct_tokens;
}

// Bits of one code, and what an element takes with its share of the scales.
Json nominal_bits(const EngineSettings& settings) {
    return {{"k", settings.k_codec.bits()}, {"v", settings.v_codec.bits()}};
}
// Bits per number. With a residual they depend on how many tokens have left it.
Json effective_bits(const EngineSettings& settings, const KvLayout& layout, const Held& held) {
    const auto of = [&](const Codec& codec, Side side, u64 dim) {
        const u64 n = held.distinct_tokens;
        if (!codec.has_residual() || n == 0) return effective_bits(codec, side, dim);
        return 8.0 * static_cast<double>(head_bytes(codec, side, dim, n)) /
               static_cast<double>(dim * n);
    };
    return {{"k", of(settings.k_codec, Side::K, layout.k.dim)},
            {"v", of(settings.v_codec, Side::V, layout.v.dim)}};
}

// What one token takes in one layer and KV head while it waits to be coded, beside what it will
// take.
u64 live_bytes(const KvLayout& layout, const Held& held, u64 tokens) {
    const u64 heads = u64{layout.n_layers} * layout.n_kv_heads;
    return heads * ((tokens - held.residual_k) * layout.k.bytes +
                    held.residual_k * layout.k.residual_bytes +
                    (tokens - held.residual_v) * layout.v.bytes +
                    held.residual_v * layout.v.residual_bytes);
}

u64 kv_read(const Work& work) {
    return work.k_bytes_read + work.v_bytes_read;
}
u64 kv_written(const Work& work) {
    return work.k_bytes_written + work.v_bytes_written;
}

// The bytes of the pool; where layer inputs are kept, the bytes of those, and the pool is working
// memory.
Json bytes_json(const RunInput& input, const RunResult& result, const KvLayout& layout) {
    const ModelConfig& config = input.checkpoint.config();
    const bool inputs = input.keep == Keep::Inputs;
    const u64 per_block = layout.pool_bytes() / layout.n_blocks, lanes = result.held.n_lanes,
              per_token = inputs ? KeptInputs::bytes_per_token(config.n_layers, config.hidden_size)
                                 : per_block / layout.block_size;
    const Work& last = result.last_work;
    Json bytes{
        {"per_token", per_token},
        {"live", inputs ? result.live_input_bytes
                        : live_bytes(layout, result.held, result.held.live_slots) / lanes},
        {"allocated", inputs ? result.allocated_input_bytes
                             : per_block * result.held.used / lanes + result.held.residual_bytes},
        {"formula", formula_bytes(input, result.settings, result.held) / lanes},
        {"nominal_bits", nominal_bits(result.settings)},
        {"effective_bits", effective_bits(result.settings, layout, result.held)},
        {"read_last_step", kv_read(last) + last.input_bytes_read},
        {"written_last_step", kv_written(last) + last.input_bytes_written}};
    if (!chooses_reads(eviction_of(result.settings))) return bytes;
    bytes["bounds"] = result.held.box_bytes;
    bytes["bounds_read_last_step"] = last.box_bytes_read;
    return bytes;
}

Json counters_json(const RunResult& result) {
    const Counters& c = result.counters;
    const Work& w = result.work;
    Json counters{{"iterations", c.iterations},
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
    if (chooses_reads(eviction_of(result.settings)))
        counters["bound_bytes_read"] = w.box_bytes_read;
    return counters;
}

// Steps are passes that checked a draft; each adds the accepted tokens and mostly one of its own.
Json draft_json(const Counters& c) {
    const auto of = [](std::uint64_t part, std::uint64_t whole) {
        return whole == 0 ? Json() : Json(static_cast<double>(part) / static_cast<double>(whole));
    };
    return {{"proposed", c.draft_proposed()},
            {"accepted", c.draft_accepted},
            {"rejected", c.draft_rejected()},
            {"struck", c.draft_struck},
            {"behind", c.draft_behind},
            {"steps", c.drafts},
            {"tokens", c.draft_tokens},
            {"tokens_per_step", of(c.draft_tokens, c.drafts)},
            {"acceptance", of(c.draft_accepted, c.draft_accepted + c.draft_struck)},
            {"drafter_flops", c.drafter_flops},
            {"drafter_bytes_read", c.drafter_bytes}};
}

// Where a policy dropped something, the proof is that nothing else happened: the same sight in a
// full run gives the same logits. How far these are from a run that drops nothing stands first.
Json masked_json(const RunInput& input, const RunResult& result) {
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
    if (result.has_dropped) return masked_json(input, result);
    if (!proof.checked)
        return {{"mode", "not_checked"}, {"max_abs_difference", nullptr}, {"step", nullptr}};
    const char* passed = proof.recoded_rows > 0          ? "lossy"
                         : proof.max_abs_difference == 0 ? "proved"
                                                         : "within_tolerance";
    Json json{{"mode", holds(proof, input.scene.settings.backend) ? passed : "differs"},
              {"max_abs_difference", std::max(proof.max_abs_difference, proof.recoded_difference)},
              {"step", proof.step ? Json(*proof.step) : Json(nullptr)}};
    if (proof.recoded_rows > 0) json["lossy_rows"] = proof.recoded_rows;
    return json;
}

}  // namespace

std::string run_json(const RunInput& input, const RunResult& result) {
    const KvLayout& layout = result.layout;
    Json requests = Json::array();
    for (const RequestResult& request : result.requests)
        requests.push_back(request_json(input, result.lanes, request));
    Json all{{"kvarium", version()},
             {"backend", input.scene.settings.backend},
             {"seed", input.scene.seed},
             {"model", model_json(input, result)},
             {"settings", settings_json(input, result.settings)},
             {"requests", std::move(requests)},
             {"pool", pool_json(result, layout)},
             {"bytes", bytes_json(input, result, layout)},
             {"counters", counters_json(result)},
             {"proof", proof_json(input, result)},
             {"state_hash", result.state_hash}};
    if (input.scene.settings.draft.is_on() || result.counters.drafts > 0)
        all["draft"] = draft_json(result.counters);
    if (!result.refusals.empty()) all["refused_commands"] = result.refusals;
    return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace kv
