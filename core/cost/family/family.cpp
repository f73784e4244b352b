#include "core/cost/family/family.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/shown.hpp"
#include "core/cost/family/rows.hpp"

namespace kv {
namespace {

constexpr u64 kMostLayers = 1024;
constexpr const char* kUsePublished = "use the file as it was published";

const FamilyRow* find_row(std::string_view name) {
    const std::vector<FamilyRow>& rows = family_rows();
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [name](const FamilyRow& r) { return r.name == name; });
    return row == rows.end() ? nullptr : &*row;
}

// The row and those that it starts from, the first of them first.
void add_rows(std::string_view name, FamilyRules& rules, ConfigValues& defaults) {
    const FamilyRow* row = find_row(name);
    KV_ASSERT(row);
    if (!row->like.empty()) add_rows(row->like, rules, defaults);
    add_family_rules(row->rules, rules);
    for (auto& [field, value] : config_values(row->defaults)) defaults[field] = value;
}

std::optional<std::string> text_field(const ConfigValues& config, std::string_view name) {
    const auto found = config.find(name);
    if (found == config.end()) return std::nullopt;
    const auto* text = std::get_if<std::string>(&found->second);
    return text ? std::optional(*text) : std::nullopt;
}

// What a layer costs, in numbers. Layers that cost the same are counted together.
constexpr std::array<std::string_view, 8> kLayerRules{"mixer_in",    "mixer_out", "mixer",
                                                      "mlp_numbers", "mlp_whole", "active_numbers",
                                                      "layer_norms", "kv_numbers"};
struct LayerCost {
    std::array<u64, kLayerRules.size()> numbers{};
    u64 first = 0;  // the first layer that costs this
    u64 count = 0;
    u64 of(std::string_view rule) const {
        const auto at = std::find(kLayerRules.begin(), kLayerRules.end(), rule);
        KV_ASSERT(at != kLayerRules.end());
        return numbers[static_cast<std::size_t>(at - kLayerRules.begin())];
    }
};

class ModelPricing {
public:
    ModelPricing(FamilyReading& reading, ModelShape& shape) : read_(reading), shape_(shape) {}

    void fill() {
        read_widths();
        if (!ok()) return;
        const u64 layers = read_.whole("layers");
        if (ok() && (layers == 0 || layers > kMostLayers)) {
            read_.refuse("the number of layers is " + std::to_string(layers) +
                             ", which is not 1 to " + std::to_string(kMostLayers),
                         kUsePublished);
        }
        if (ok()) check_lists(layers);
        for (u64 layer = 0; ok() && layer < layers; ++layer) read_layer(layer);
        if (ok()) settle();
        if (ok()) count();
    }

private:
    bool ok() const { return !read_.refusal(); }

    void read_widths() {
        shape_.hidden_size = read_.whole("hidden");
        shape_.vocab_size = read_.whole("vocab");
        shape_.max_positions = read_.whole("positions");
        shape_.n_heads = read_.whole("heads");
        shape_.intermediate_size = read_.whole("width");
        shape_.tied_embeddings = read_.whole("tied") != 0;
        if (ok() && (shape_.hidden_size == 0 || shape_.vocab_size == 0 || shape_.n_heads == 0)) {
            read_.refuse("hidden_size, vocab_size or the number of heads is 0", kUsePublished);
        }
    }

    // A list with an entry a layer that ends before the layers do.
    void check_lists(u64 layers) {
        for (const char* field : {"layer_types", "layers_block_type", "mlp_layer_types"}) {
            const auto length = read_.given_length(field);
            if (!length || *length >= layers) continue;
            read_.refuse(std::string(field) + " has " + std::to_string(*length) +
                             (*length == 1 ? " entry" : " entries") + " for " +
                             std::to_string(layers) + " layers",
                         kUsePublished);
        }
    }

    void read_layer(u64 layer) {
        read_.at_layer(layer);
        const bool attends = read_.whole("attends") != 0, recurs = read_.whole("recurs") != 0;
        if (ok() && !attends && !recurs && read_.whole("keeps_none") == 0) {
            read_.refuse("layer " + std::to_string(layer) + " is of the kind " + "\"" +
                             shown(read_.text("layer")) + "\"" +
                             ", which this family is not known to have",
                         kUsePublished);
        }
        shape_.cache.layers.push_back(attends ? attention_cache() : LayerCache{NoCache{}});
        shape_.cache.state_bytes.push_back(recurs ? read_.whole("state_bytes") : 0);
        if (attends) take_heads(read_heads(layer));
        LayerCost cost;
        cost.first = layer;
        for (std::size_t i = 0; i < kLayerRules.size(); ++i) {
            cost.numbers[i] = read_.whole(kLayerRules[i]);
        }
        const auto same = std::find_if(costs_.begin(), costs_.end(), [&](const LayerCost& c) {
            return c.numbers == cost.numbers;
        });
        if (same != costs_.end()) {
            ++same->count;
        } else {
            cost.count = 1;
            costs_.push_back(cost);
        }
    }

    LayerCache attention_cache() {
        std::optional<u64> reach;
        const bool chunked = read_.whole("chunked") != 0;
        if (read_.whole("windowed") != 0) reach = read_.whole("window");
        if (chunked) reach = read_.whole("chunk");
        if (ok() && reach == u64{0}) {
            read_.refuse("a layer slides, but its window is 0", kUsePublished);
        }
        if (read_.whole("shared") != 0) return NoCache{true, reach};
        if (const u64 rank = read_.whole("latent"); rank > 0) {
            return LatentCache{.d_c = rank,
                               .d_rope = read_.whole("latent_rope"),
                               .d_index = read_.whole("index_dim")};
        }
        if (reach) return WindowCache{*reach, chunked};
        return FullCache{};
    }

    KvHeads read_heads(u64 layer) {
        const KvHeads heads{read_.whole("kv_heads"), read_.whole("key_dim"),
                            read_.whole("value_dim")};
        if (!ok()) return heads;
        if (const auto no = heads_objection(shape_.n_heads, heads.n_kv_heads)) {
            read_.refuse(*no, "use a config whose query heads divide evenly among the KV heads");
        } else if (heads.d_k == 0 || heads.d_v == 0) {
            read_.refuse("the heads of layer " + std::to_string(layer) + " have 0 elements",
                         kUsePublished);
        }
        return heads;
    }

    // The first layer that attends has the model's heads; others may have their own.
    void take_heads(const KvHeads& heads) {
        CacheShape& cache = shape_.cache;
        if (cache.n_kv_heads == 0) {
            cache.n_kv_heads = heads.n_kv_heads;
            cache.d_k = heads.d_k;
            cache.d_v = heads.d_v;
        }
        if (heads == heads_of(cache, FullCache{})) return;
        cache.layers.back() = with_own_heads(cache.layers.back(), heads);
    }

    void settle() {
        CacheShape& cache = shape_.cache;
        if (total_state_bytes(cache) == 0) cache.state_bytes.clear();
        if (cache.n_kv_heads == 0) cache.n_kv_heads = shape_.n_heads;
        read_.at_layer(0);
        if (const LatentCache* latent = latent_layer(cache)) {
            shape_.latent =
                LatentProjections{std::nullopt,   latent->d_c, cache.d_k - latent->d_rope,
                                  latent->d_rope, cache.d_v,   false};
        }
    }

    // One name for each kind of layer: "mlp_parameters", "mlp_parameters_2".
    Derived layer_part(std::string_view rule, const std::string& name, const LayerCost& cost,
                       const std::string& meaning) {
        const std::size_t place = static_cast<std::size_t>(&cost - costs_.data());
        return read_.derived(rule, place == 0 ? name : name + "_" + std::to_string(place + 1),
                             meaning);
    }

    void add_term(Derived& total, const Derived& part, const std::string& factor = "") {
        total.expression += total.expression.empty() ? "" : " + ";
        total.expression += factor.empty() ? part.name : factor + " * " + part.name;
        total.operands.push_back(operand_of(part));
    }

    void add_layers(const LayerCost& cost, Derived& total, std::vector<Derived>& list) {
        read_.at_layer(cost.first);
        const std::size_t place = static_cast<std::size_t>(&cost - costs_.data());
        Derived layer{
            place == 0 ? "layer_parameters" : "layer_parameters_" + std::to_string(place + 1),
            "",
            Value{sum_or_throw("the parameters of a layer",
                               {cost.of("mixer"), cost.of("mlp_whole"), cost.of("layer_norms")})},
            "",
            "one layer such as layer " + std::to_string(cost.first),
            {}};
        for (Derived part :
             {layer_part("mixer", "mixer_parameters", cost,
                         "attention or recurrence of one layer, biases and norms of its heads"),
              layer_part("mlp_whole", "mlp_parameters", cost,
                         "the MLP of one layer, all its experts and their router"),
              layer_part("layer_norms", "layer_norm_parameters", cost,
                         "norms of one layer, and what else stands beside its parts")}) {
            if (part.value == Value{u64{0}}) continue;
            add_term(layer, part);
            list.push_back(std::move(part));
        }
        if (layer.expression.empty()) layer.expression = "0";
        const std::string count =
            place == 0 ? "alike_layers" : "alike_layers_" + std::to_string(place + 1);
        total.operands.push_back(whole_operand(count, cost.count, "layers", "layers of this kind"));
        add_term(total, layer, count);
        list.push_back(std::move(layer));
    }

    void add_sums(CountedParameters& counted) {
        for (const LayerCost& cost : costs_) {
            const auto all = [&](std::string_view rule) {
                return product_or_throw("the parameters", {cost.count, cost.of(rule)});
            };
            counted.qkv += all("mixer_in");
            counted.o += all("mixer_out");
            counted.attention += all("mixer");
            counted.mlp += all("mlp_whole");
            counted.active_mlp += all("active_numbers");
            counted.norms += all("layer_norms");
            counted.kv_projection += all("kv_numbers");
            counted.idle += all("mlp_numbers") - all("active_numbers");
        }
    }

    void count() {
        CountedParameters counted;
        Derived total{"parameters", "", Value{u64{0}}, "", "numbers in the weights", {}};
        std::vector<Derived> list{
            read_.derived("embedding", "embedding_parameters", "rows of the token table")};
        add_term(total, list[0]);
        for (const LayerCost& cost : costs_) add_layers(cost, total, list);
        read_.at_layer(0);
        for (Derived part :
             {read_.derived("last_norm", "last_norm_parameters", "the norm after the last layer"),
              read_.derived("head_whole", "head_parameters", "the output matrix"),
              read_.derived("once", "other_parameters",
                            "what the model has once, beside its layers")}) {
            if (!ok() || part.value == Value{u64{0}}) continue;
            add_term(total, part);
            list.push_back(std::move(part));
        }
        if (!ok()) return;
        add_sums(counted);
        counted.embedding = read_.whole("embedding");
        counted.head = read_.whole("head_whole");
        counted.lm_head =
            product_or_throw("the output matrix", {shape_.vocab_size, shape_.hidden_size});
        counted.norms += read_.whole("last_norm") + read_.whole("once");
        counted.total = sum_or_throw("the parameters", {counted.embedding, counted.attention,
                                                        counted.mlp, counted.norms, counted.head});
        total.value = counted.total;
        list.push_back(std::move(total));
        counted.list = std::move(list);
        shape_.counted = std::move(counted);
    }

    FamilyReading& read_;
    ModelShape& shape_;
    std::vector<LayerCost> costs_;
};

std::optional<WeightType> weight_type_of(const ConfigValues& config) {
    std::string type = text_field(config, "dtype")
                           .value_or(text_field(config, "torch_dtype").value_or("bfloat16"));
    if (type.rfind("torch.", 0) == 0) type = type.substr(6);
    if (type == "bfloat16") return WeightType::Bf16;
    if (type == "float16") return WeightType::Fp16;
    if (type == "float32") return WeightType::F32;
    return std::nullopt;
}

}  // namespace

const std::vector<FamilyRow>& family_rows() {
    static const std::vector<FamilyRow> rows = [] {
        std::vector<FamilyRow> all = plain_family_rows();
        for (const auto* more : {&expert_family_rows(), &state_family_rows()}) {
            all.insert(all.end(), more->begin(), more->end());
        }
        return all;
    }();
    return rows;
}

bool is_known_family(std::string_view model_type) {
    constexpr std::array<std::string_view, 3> kBases{"decoder", "mamba_mixer", "mamba2_mixer"};
    return find_row(model_type) &&
           std::find(kBases.begin(), kBases.end(), model_type) == kBases.end();
}

std::variant<FamilyModel, FamilyRefusal> model_of_family(const ConfigValues& given,
                                                         const std::string& name) {
    const std::string type = text_field(given, "model_type").value_or("");
    KV_ASSERT(is_known_family(type));
    const auto weight_type = weight_type_of(given);
    if (!weight_type) {
        return FamilyRefusal{"the dtype is not a type of weights that this program reads",
                             "known are bfloat16, float16 and float32"};
    }
    ConfigValues config = given, defaults;
    config["element_bytes"] = static_cast<double>(bytes_of(*weight_type));
    FamilyRules rules;
    add_rows(type, rules, defaults);
    FamilyModel model;
    model.shape.name = model.shape.title = name;
    model.shape.weight_type = *weight_type;
    FamilyReading reading(rules, config, defaults);
    ModelPricing(reading, model.shape).fill();
    model.note = reading.text("note");
    if (reading.refusal()) return *reading.refusal();
    return model;
}

}  // namespace kv
