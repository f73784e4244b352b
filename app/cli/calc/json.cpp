
#include "core/base/files/json.hpp"

#include "app/cli/calc/print.hpp"
#include "app/cli/terminal/or_null.hpp"
#include "app/cli/terminal/version.hpp"
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
            kind["keeps"] = "window";
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

Json shape_json(const ModelShape& shape) {
    return {{"hidden_size", shape.hidden_size},
            {"intermediate_size", shape.intermediate_size},
            {"vocab_size", shape.vocab_size},
            {"max_positions", shape.max_positions},
            {"tied_embeddings", shape.tied_embeddings},
            {"parameters", parameter_count(shape)},
            {"weight_type", std::string(name_of(shape.weight_type))}};
}

Json model_json(const CalcInput& input) {
    const BillRequest& r = input.request;
    Json model{{"name", input.name},
               {"source", input.source},
               {"n_layers", r.cache.n_layers()},
               {"n_heads", or_null<nlohmann::ordered_json>(r.n_heads)},
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
            {"tokens", or_null<nlohmann::ordered_json>(r.tokens)},
            {"pool", blocks ? Json{{"blocks", blocks->blocks}} : size_json(input.pool_size)},
            {"weights", size_json(input.weight_size)},
            {"device_memory", size_json(input.device_size)},
            {"bandwidth", or_null<nlohmann::ordered_json>(r.bandwidth)},
            {"flops", or_null<nlohmann::ordered_json>(r.flops)}};
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

std::string calc_json(const CalcInput& input, const std::vector<Derived>& bill) {
    Json out{
        {"kvarium", version()}, {"model", model_json(input)}, {"settings", settings_json(input)}};
    for (const std::string_view name : bill_names()) {
        out[std::string(name)] = result_or_null(bill, name);
    }
    for (const char* further : {"kv_bytes_per_layer", "blocks_per_sequence", "crossover_tokens"}) {
        out[further] = result_or_null(bill, further);
    }
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
