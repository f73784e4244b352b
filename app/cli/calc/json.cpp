#include "core/base/files/json.hpp"

#include "app/cli/calc/print.hpp"
#include "app/cli/terminal/or_null.hpp"
#include "app/cli/terminal/version.hpp"
#include "core/cost/groups.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/model/presets.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Value& value) {
    return std::visit([](const auto& each) { return Json(each); }, value);
}

// "2 * n_layers = 2 * 32": the formula, then the same with its numbers.
std::string expression_text(const Derived& result) {
    const std::string numbers = spelled_out(result);
    return numbers == result.expression ? numbers : result.expression + " = " + numbers;
}

Json derivation(const std::vector<Derived>& bill) {
    Json list = Json::array();
    for (const Derived& result : bill) {
        Json operands = Json::array();
        for (const Operand& operand : result.operands) {
            operands.push_back({{"name", operand.name},
                                {"value", to_json(operand.value)},
                                {"unit", operand.unit},
                                {"meaning", operand.meaning}});
        }
        list.push_back({{"name", result.name},
                        {"expression", expression_text(result)},
                        {"value", to_json(result.value)},
                        {"unit", result.unit},
                        {"meaning", result.meaning},
                        {"operands", std::move(operands)}});
    }
    return list;
}

Json layer_kinds(const CacheShape& cache) {
    Json kinds = Json::array();
    for (const LayerGroup& group : layer_groups(cache)) {
        Json kind{{"layers", group.count}};
        if (const auto* window = std::get_if<WindowCache>(&group.cache)) {
            kind["keeps"] = window->chunked ? "chunk" : "window";
            kind["window"] = window->window;
        } else if (const auto* latent = std::get_if<LatentCache>(&group.cache)) {
            kind["keeps"] = "latent";
            kind["d_c"] = latent->d_c;
            kind["d_rope"] = latent->d_rope;
        } else {
            kind["keeps"] = std::holds_alternative<NoCache>(group.cache) ? "nothing" : "all";
        }
        kinds.push_back(std::move(kind));
    }
    return kinds;
}

Json group_json(const CalcInput& input, const CacheGroup& group) {
    const BillRequest& r = input.request;
    const std::string_view kind = group.kind();
    const bool has_heads = kind == "full" || kind == "window" || kind == "chunk";
    const KvHeads heads = heads_of(r.cache, group.cache);
    Json json{{"kind", std::string(group.kind())},
              {"window", or_null<Json>(group.window())},
              {"layers", group.layers},
              {"n_layers", group.n_layers()},
              {"bytes_per_token", group_bytes_per_token(r.cache, group, r.codecs)},
              {"state_bytes", group.state_bytes * group.n_layers()},
              {"ceiling_bytes", or_null<Json>(group_ceiling(r.cache, group, r.codecs))},
              {"n_kv_heads", has_heads ? Json(heads.n_kv_heads) : Json(nullptr)},
              {"head_dim", has_heads ? Json(heads.d_k) : Json(nullptr)},
              {"d_v", has_heads ? Json(heads.d_v) : Json(nullptr)}};
    json["stored_tokens"] = nullptr;
    json["bytes"] = nullptr;
    json["stored_between_steps"] = nullptr;
    json["bytes_between_steps"] = nullptr;
    if (!r.tokens) return json;
    // Between two steps the oldest token of a window may be gone already.
    CacheGroup between = group;
    if (auto* window = std::get_if<WindowCache>(&between.cache)) --window->window;
    json["stored_tokens"] = kept_tokens(group.cache, *r.tokens);
    json["bytes"] = group_bytes(r.cache, group, r.codecs, *r.tokens, r.batch);
    json["stored_between_steps"] = kept_between_steps(group.cache, *r.tokens);
    json["bytes_between_steps"] = group_bytes(r.cache, between, r.codecs, *r.tokens, r.batch);
    return json;
}

Json groups_json(const CalcInput& input) {
    Json list = Json::array();
    for (const CacheGroup& group : cache_groups(input.request.cache)) {
        list.push_back(group_json(input, group));
    }
    return list;
}

// The blocks of a server that gives each kind of layer its own tables over pages of one size.
Json served_json(const BillRequest& r) {
    if (!r.tokens || r.codecs.k.scale == ScaleMode::Kivi || r.codecs.v.scale == ScaleMode::Kivi) {
        return nullptr;
    }
    const ServedCache served = served_cache(r.cache, r.codecs, *r.tokens, r.batch, r.block_size);
    Json groups = Json::array();
    for (const ServedGroup& one : served.groups) {
        groups.push_back({{"kind", std::string(one.group.kind())},
                          {"window", or_null<Json>(one.group.window())},
                          {"n_layers", one.group.n_layers()},
                          {"tables", one.tables},
                          {"padded_layers", one.padded_layers},
                          {"blocks_per_sequence", one.blocks}});
    }
    return {{"layers_per_page", served.layers_per_page},
            {"block_size", served.block_size},
            {"page_bytes", served.page_bytes},
            {"blocks", served.blocks},
            {"bytes", served.bytes},
            {"padding_bytes", served.padding_bytes},
            {"rounding_bytes", served.rounding_bytes},
            {"groups", std::move(groups)}};
}

// The cards of a cache that several share, stage by stage.
Json split_json(const BillRequest& r, const std::vector<Derived>& bill) {
    if (r.split.cards() == 1) return nullptr;
    const bool has_heads = count_head_layers(r.cache) > 0;
    Json json{{"ranks", r.split.ranks},
              {"stages", r.split.stages},
              {"cards", r.split.cards()},
              {"kv_heads_per_rank",
               has_heads ? Json(rank_kv_heads(r.cache.n_kv_heads, r.split.ranks)) : Json(nullptr)},
              {"kv_heads_on_all_ranks",
               has_heads ? Json(all_kv_heads(r.cache.n_kv_heads, r.split.ranks)) : Json(nullptr)},
              {"layers_per_stage", stage_layers(r.cache.n_layers(), r.split.stages)},
              {"rank_bytes_per_stage", nullptr},
              {"fullest_stage", nullptr},
              {"copies_bytes", nullptr}};
    const Derived* total = find_result(bill, "ranks_total_bytes");
    if (!r.tokens || !total) return json;
    Json bytes = Json::array();
    for (const CacheShape& stage : stage_caches(r.cache, r.split)) {
        bytes.push_back(kv_bytes(stage, r.codecs, *r.tokens, r.batch));
    }
    json["rank_bytes_per_stage"] = std::move(bytes);
    json["fullest_stage"] = fullest_stage(r.cache, r.codecs, *r.tokens, r.split);
    json["copies_bytes"] = total->whole() - kv_bytes(r.cache, r.codecs, *r.tokens, r.batch);
    return json;
}

// Bytes for the cache: the pool, or what the weights leave of the device. Of each card, where
// several share model and cache.
std::optional<u64> cache_budget(const BillRequest& r, const std::vector<Derived>& bill) {
    if (r.pool) {
        if (const auto* bytes = std::get_if<PoolBytes>(&*r.pool)) return bytes->bytes;
        return std::nullopt;
    }
    const Derived* budget = find_result(bill, "card_budget_bytes");
    return budget ? std::optional(budget->whole()) : std::nullopt;
}

// How many sequences of a length fit, and how long a text fits in each sequence of the batch.
Json fit_json(const BillRequest& r, const std::vector<Derived>& bill) {
    const auto budget = cache_budget(r, bill);
    if (!budget) return nullptr;
    constexpr u64 kUsualLength = 131'072;  // where the model names no longest text
    const u64 longest =
        r.model && r.model->max_positions > 0 ? r.model->max_positions : kUsualLength;
    Json points = Json::array();
    for (const FitPoint& point : fit_curve(r.cache, r.codecs, *budget, longest, r.split)) {
        points.push_back({{"tokens", point.tokens}, {"sequences", point.sequences}});
    }
    const auto text = longest_text(r.cache, r.codecs, *budget, r.batch, r.split);
    return {{"budget_bytes", *budget},
            {"cards", r.split.cards()},
            {"longest_text", or_null<Json>(text)},
            {"sequences_by_length", std::move(points)}};
}

Json shape_json(const ModelShape& shape) {
    return {{"hidden_size", shape.hidden_size},
            {"intermediate_size", shape.intermediate_size},
            {"vocab_size", shape.vocab_size},
            {"max_positions", shape.max_positions},
            {"tied_embeddings", shape.tied_embeddings},
            {"parameters", parameter_count(shape)},
            {"active_parameters", active_parameters(shape)},
            {"weight_type", std::string(name_of(shape.weight_type))}};
}

Json model_json(const CalcInput& input) {
    const BillRequest& r = input.request;
    Json model{{"name", input.name},
               {"source", input.source},
               {"family", input.family.empty() ? Json(nullptr) : Json(input.family)},
               {"n_layers", r.cache.n_layers()},
               {"n_heads", or_null<Json>(r.n_heads)},
               {"n_kv_heads", r.cache.n_kv_heads},
               {"head_dim", r.cache.d_k},
               {"d_v", r.cache.d_v},
               {"layer_kinds", layer_kinds(r.cache)}};
    if (r.model) model.update(shape_json(*r.model));
    return model;
}

Json size_json(const std::optional<ByteSize>& size) {
    if (!size) return nullptr;
    return {{"bytes", size->bytes},
            {"spelled", size->spelled},
            {"unit", size->unit == UnitSystem::Binary ? "binary" : "decimal"}};
}

Json settings_json(const CalcInput& input) {
    const BillRequest& r = input.request;
    const auto* blocks = r.pool ? std::get_if<PoolBlocks>(&*r.pool) : nullptr;
    return {{"k_codec", codec_name(r.codecs.k)},
            {"v_codec", codec_name(r.codecs.v)},
            {"block_size", r.block_size},
            {"batch", r.batch},
            {"tokens", or_null<Json>(r.tokens)},
            {"pool", blocks ? Json{{"blocks", blocks->blocks}} : size_json(input.pool_size)},
            {"weights", size_json(input.weight_size)},
            {"device_memory", size_json(input.device_size)},
            {"bandwidth", or_null<Json>(r.bandwidth)},
            {"flops", or_null<Json>(r.flops)},
            {"ranks", r.split.ranks},
            {"stages", r.split.stages}};
}

Json result_or_null(const std::vector<Derived>& bill, std::string_view name) {
    const Derived* result = find_result(bill, name);
    return result ? to_json(result->value) : Json(nullptr);
}

// Invalid UTF-8 can only come from a file name; it is replaced rather than refused.
std::string dumped(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

// First what was asked, then results by name, null where an input was missing, then what has more
// than one number, last the derivation of each result.
std::string calc_json(const CalcInput& input, const std::vector<Derived>& bill) {
    Json out{
        {"kvarium", version()}, {"model", model_json(input)}, {"settings", settings_json(input)}};
    for (const std::string_view name : bill_names()) {
        out[std::string(name)] = result_or_null(bill, name);
    }
    for (const char* further :
         {"kv_bytes_per_layer", "blocks_per_sequence", "crossover_tokens", "parameters",
          "active_parameters", "read_parameters", "token_read_bytes", "all_full_bytes",
          "prefill_peak_bytes", "decode_flops", "prefill_flops", "first_token_s", "rank_bytes",
          "ranks_total_bytes", "sequences_fit"}) {
        out[further] = result_or_null(bill, further);
    }
    const BillRequest& r = input.request;
    out["state_bytes"] = total_state_bytes(r.cache) * r.batch;
    out["groups"] = groups_json(input);
    out["served"] = served_json(r);
    out["split"] = split_json(r, bill);
    out["fit"] = fit_json(r, bill);
    out["notes"] = input.notes;
    out["derivation"] = derivation(bill);
    return dumped(out);
}

std::string presets_json() {
    Json list = Json::array();
    for (const std::string_view name : preset_names()) {
        const ModelShape shape = *preset(name);
        Json entry{{"name", shape.name},
                   {"title", shape.title},
                   {"n_layers", shape.n_layers()},
                   {"n_heads", shape.n_heads},
                   {"n_kv_heads", shape.cache.n_kv_heads},
                   {"head_dim", shape.cache.d_k},
                   {"d_v", shape.cache.d_v},
                   {"layer_kinds", layer_kinds(shape.cache)},
                   {"bytes_per_token", bytes_per_token(shape.cache, {})}};
        entry.update(shape_json(shape));
        list.push_back(std::move(entry));
    }
    return dumped(Json{{"presets", std::move(list)}});
}

}  // namespace kv
