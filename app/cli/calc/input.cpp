#include "app/cli/calc/input.hpp"

#include <utility>

#include "app/cli/terminal/suggest.hpp"
#include "app/cli/terminal/values.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/codec.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/model/presets.hpp"
#include "core/cost/time/cards.hpp"
#include "core/model/config/config.hpp"
#include "core/model/config/priced_config.hpp"

namespace kv {
namespace {

// Bounds of a shape given by hand; products that do not fit are refused where they are computed.
constexpr u64 kMaxLayers = 1024, kMaxHeads = 1024, kMaxHeadDim = 8192;
constexpr u64 kMaxTokens = 1'000'000'000'000;
constexpr u64 kMaxBatch = 1'000'000'000;
constexpr u64 kMaxBlockSize = 1024;
constexpr u64 kMaxBlocks = 1'000'000'000'000;
constexpr u64 kMaxRanks = 1024;

// What if the model had so many KV heads? Refused where its cache has no heads to count.
ModelShape with_other_kv_heads(ModelShape shape, u64 kv_heads, std::vector<std::string>& notes) {
    if (!shape.latent && count_head_layers(shape.cache) == 0) {
        throw usage_error("--kv-heads has no meaning for " + shape.name +
                          ", no layer of which keeps keys and values; leave it out.");
    }
    if (shape.latent) {
        throw usage_error("--kv-heads has no meaning for " + shape.name +
                          ", whose cache is one latent vector per layer; leave it out.");
    }
    if (has_own_heads(shape.cache)) {
        throw usage_error("--kv-heads has no meaning for " + shape.name +
                          ", whose layers differ in their heads; leave it out.");
    }
    if (const auto no = heads_objection(shape.n_heads, kv_heads)) {
        refuse_value("--kv-heads", std::to_string(kv_heads), "cannot be: " + *no,
                     "choose a divisor of " + std::to_string(shape.n_heads));
    }
    if (kv_heads != shape.cache.n_kv_heads) {
        notes.push_back("What if: " + shape.name + " has " +
                        std::to_string(shape.cache.n_kv_heads) +
                        " KV heads; such a model would have to be trained.");
    }
    return with_kv_heads(std::move(shape), kv_heads);
}

void use_model(ModelShape shape, const GivenOptions& given, CalcInput& input) {
    if (const auto kv_heads = whole_option(given, "--kv-heads", 1, kMaxHeads))
        shape = with_other_kv_heads(std::move(shape), *kv_heads, input.notes);
    input.name = shape.name;
    input.title = shape.title;
    input.request.cache = shape.cache;
    input.request.n_heads = shape.n_heads;
    input.request.model = std::move(shape);
}

void use_config(const std::string& path, const GivenOptions& given, CalcInput& input) {
    if (path.empty()) refuse_value("--config", path, "is empty", "name a config.json");
    if (!is_runnable_config(path)) {
        PricedConfig priced = read_priced_config(path);
        input.family = priced.family;
        for (std::string& note : priced.notes) input.notes.push_back(std::move(note));
        return use_model(std::move(priced.shape), given, input);
    }
    const ModelConfig config = read_model_config(path);
    input.family = name_of(config.family);
    if (config.quantization) {
        input.notes.push_back("The file has a quantization_config (" + shown(*config.quantization) +
                              "); weights are counted in " +
                              std::string(name_of(config.weight_type)) + ".");
    }
    use_model(shape_of(config), given, input);
}

void use_shape(const GivenOptions& given, CalcInput& input) {
    const auto layers = whole_option(given, "--layers", 1, kMaxLayers);
    const auto kv_heads = whole_option(given, "--kv-heads", 1, kMaxHeads);
    const auto head_dim = whole_option(given, "--head-dim", 1, kMaxHeadDim);
    const auto heads = whole_option(given, "--heads", 1, kMaxHeads);
    if (!layers && !kv_heads && !head_dim && !heads) {
        throw usage_error(
            "No model is named; give --preset NAME, --config FILE, or --layers, --kv-heads and "
            "--head-dim.");
    }
    if (!layers || !kv_heads || !head_dim) {
        const char* missing = !layers ? "--layers" : !kv_heads ? "--kv-heads" : "--head-dim";
        throw usage_error(std::string("The shape is incomplete: ") + missing +
                          " is missing; give --layers, --kv-heads and --head-dim together.");
    }
    if (heads) {
        if (const auto no = heads_objection(*heads, *kv_heads)) {
            refuse_value("--kv-heads", std::to_string(*kv_heads), "cannot be: " + *no,
                         "choose a divisor of --heads");
        }
    }
    input.name = input.title = "shape";
    input.request.cache = uniform_cache(*layers, *kv_heads, *head_dim);
    input.request.n_heads = heads;
}

// Where the model comes from: a preset, a config.json, or a shape given by hand.
void read_source(const GivenOptions& given, CalcInput& input) {
    refuse_both(given, "--preset", "--config");
    const char* named = given.has("--preset")   ? "--preset"
                        : given.has("--config") ? "--config"
                                                : "";
    if (*named == '\0') {
        input.source = "shape";
        return use_shape(given, input);
    }
    for (const char* part : {"--layers", "--head-dim", "--heads"}) refuse_both(given, named, part);
    input.source = std::string(named).substr(2);
    if (const auto path = given.text("--config")) return use_config(*path, given, input);
    use_model(named_preset(*given.text("--preset")), given, input);
}

void read_window(const GivenOptions& given, CalcInput& input) {
    const auto window = whole_option(given, "--window", 1, kMaxTokens);
    if (!window) return;
    if (count_head_layers(input.request.cache) == 0 && !is_latent(input.request.cache)) {
        throw usage_error("--window is not defined for " + input.name +
                          ", no layer of which keeps keys and values; leave it out.");
    }
    if (is_latent(input.request.cache)) {
        throw usage_error("--window is not defined for " + input.name +
                          ", which keeps latent vectors; leave it out.");
    }
    input.request.cache = with_window(std::move(input.request.cache), *window);
}

// Servers call the two --tp and --pp.
void read_split(const GivenOptions& given, CalcInput& input) {
    refuse_both(given, "--ranks", "--tp");
    refuse_both(given, "--stages", "--pp");
    const char* const ranks = given.has("--tp") ? "--tp" : "--ranks";
    const char* const stages = given.has("--pp") ? "--pp" : "--stages";
    const CacheShape& cache = input.request.cache;
    Split& split = input.request.split;
    split.ranks = whole_option(given, ranks, 1, kMaxRanks).value_or(1);
    split.stages = whole_option(given, stages, 1, kMaxRanks).value_or(1);
    if (split.stages > cache.n_layers()) {
        refuse_value(stages, std::to_string(split.stages),
                     "is more than the " + std::to_string(cache.n_layers()) + " layers",
                     "give at most one stage a layer");
    }
    const bool has_heads = count_head_layers(cache) > 0;
    if (has_heads && !divides_heads(cache.n_kv_heads, split.ranks)) {
        input.notes.push_back(
            std::to_string(cache.n_kv_heads) + " KV heads do not come out even on " +
            std::to_string(split.ranks) +
            " ranks: servers refuse that number, and the fullest rank is priced.");
    }
    if (has_heads && split.ranks > cache.n_kv_heads) {
        input.notes.push_back("More ranks than the " + std::to_string(cache.n_kv_heads) +
                              " KV heads: several ranks keep a copy of the same head.");
    }
    if (is_latent(cache) && split.ranks > 1) {
        input.notes.push_back(
            "A latent vector belongs to all heads, so each of the ranks keeps a copy of it.");
    }
}

void read_codecs(const GivenOptions& given, CalcInput& input) {
    refuse_both(given, "--codec", "--k-codec");
    refuse_both(given, "--codec", "--v-codec");
    CodecPair& codecs = input.request.codecs;
    if (const auto both = codec_option(given, "--codec")) codecs = {*both, *both};
    if (const auto k = codec_option(given, "--k-codec")) codecs.k = *k;
    if (const auto v = codec_option(given, "--v-codec")) codecs.v = *v;
    if (const auto no = cache_objection(input.request.cache, codecs)) {
        throw usage_error("These codecs cannot store this cache: " + *no +
                          "; choose another with --codec.");
    }
}

void read_pool(const GivenOptions& given, CalcInput& input) {
    const auto text = given.text("--pool");
    if (!text) return;
    constexpr std::string_view kBlocks = "blocks";
    const bool in_blocks =
        text->size() > kBlocks.size() &&
        text->compare(text->size() - kBlocks.size(), kBlocks.size(), kBlocks) == 0;
    if (!in_blocks) {
        input.pool_size = size_option(given, "--pool");
        input.request.pool = PoolBytes{input.pool_size->bytes};
        return;
    }
    std::string why;
    const std::string count = text->substr(0, text->size() - kBlocks.size());
    const auto blocks = parse_whole(count, 1, kMaxBlocks, why);
    if (!blocks) refuse_value("--pool", *text, why, "give a size such as 24GiB, or 48blocks");
    input.request.pool = PoolBlocks{*blocks};
}

void read_device(const GivenOptions& given, CalcInput& input) {
    BillRequest& r = input.request;
    input.weight_size = size_option(given, "--weights");
    input.device_size = size_option(given, "--device-memory");
    if (input.weight_size) r.given_weight_bytes = input.weight_size->bytes;
    if (input.device_size) r.device_bytes = input.device_size->bytes;
    r.bandwidth = bandwidth_option(given, "--bandwidth");
    r.flops = flops_option(given, "--flops");
    const auto name = given.text("--card");
    if (!name) return;
    const Card* card = find_card(*name);
    if (!card) {
        std::string known;
        for (const Card& each : cards())
            known += (known.empty() ? "" : ", ") + std::string(each.name);
        refuse_value("--card", *name, "is not a card", "known are " + known);
    }
    if (!r.device_bytes) r.device_bytes = card->bytes;
    if (!r.bandwidth) r.bandwidth = card->bandwidth;
    if (!r.flops) r.flops = card->bf16;
    input.notes.push_back(std::string(card->title) + " by its data sheet (" +
                          std::string(card->source) + "), arithmetic without sparsity.");
}

void note_limits(CalcInput& input) {
    const BillRequest& r = input.request;
    if (is_windowed(r.cache)) {
        input.notes.push_back(
            "Layers with a window keep only its newest tokens, so kv_bytes stops growing there.");
    }
    if (r.model && r.tokens && *r.tokens > r.model->max_positions) {
        input.notes.push_back(with_commas(*r.tokens) + " tokens are more than the " +
                              with_commas(r.model->max_positions) + " positions of this model.");
    }
    if (total_state_bytes(r.cache) > 0) {
        input.notes.push_back(
            "Layers with a state keep it at one size, however long the text; its numbers stay in "
            "their own type, whatever the codec.");
    }
    const bool some_idle = r.model && active_parameters(*r.model) < parameter_count(*r.model);
    if (some_idle && !r.given_weight_bytes) {
        input.notes.push_back(
            "All experts are counted; a small batch reads only some of them per step.");
    }
}

}  // namespace

const std::vector<OptionSpec>& calc_options() {
    static const std::string codecs =
        "how keys and values are stored (bf16): " + plain_codec_names(" ") +
        ", the int ones with :gN, :tensor or :kivi";
    static const std::vector<OptionSpec> options{
        {"--preset", "NAME", "a model by name; --list prints the names"},
        {"--config", "FILE", "a Hugging Face config.json of any decoder that keeps a cache"},
        {"--layers", "N", "layers of a shape given by hand"},
        {"--kv-heads", "N", "KV heads of that shape; with a preset or config: what if it had N"},
        {"--head-dim", "N", "elements of one key and of one value"},
        {"--heads", "N", "query heads, for the intensity of attention"},
        {"--tokens", "N", "tokens of each sequence"},
        {"--batch", "N", "sequences at once (1)"},
        {"--block-size", "N", "token slots of a block, 1 to 1,024 (16)"},
        {"--window", "N", "every layer keeps only its newest N tokens"},
        {"--codec", "C", codecs},
        {"--k-codec", "C", "how keys are stored"},
        {"--v-codec", "C", "how values are stored"},
        {"--pool", "SIZE", "memory for the cache: 24GiB, 40GB, or 48blocks"},
        {"--weights", "SIZE", "size of the weights, instead of the model's own"},
        {"--device-memory", "SIZE", "memory of the device, for weights and cache together"},
        {"--bandwidth", "RATE", "memory bandwidth of the device: 2TB/s"},
        {"--flops", "RATE", "peak arithmetic of the device: 989TFLOP/s"},
        {"--card", "NAME", "memory, bandwidth and peak of a card by name: h100, b200, mi300x, ..."},
        {"--chunk", "N", "tokens of a prompt that are computed at once (all of them)"},
        {"--ranks", "N", "cards that share each layer's heads (1)"},
        {"--stages", "N", "groups of cards that share the layers (1)"},
        {"--tp", "N", "--ranks by the name that servers have for it: tensor parallel"},
        {"--pp", "N", "--stages by the name that servers have for it: pipeline parallel"},
        {"--compare", "MODEL", "put this and the models named after it side by side"},
        {"--markdown", "", "with --compare: a table for a page; --out FILE.png or .svg: a picture"},
        {"--theme", "NAME", "with such a picture: dark, light or contrast (light)"},
        {"--list", "", "print the presets and stop"}};
    return options;
}

ModelShape named_preset(const std::string& name) {
    if (auto shape = preset(name)) return *shape;
    const std::vector<std::string> known(preset_names().begin(), preset_names().end());
    const auto near = nearest(name, known);
    refuse_value("--preset", name, "is not a preset",
                 near ? "did you mean " + *near + "? See --list" : "see kvarium calc --list");
}

CalcInput read_calc(const GivenOptions& given) {
    CalcInput input;
    read_source(given, input);
    read_window(given, input);
    BillRequest& r = input.request;
    r.tokens = whole_option(given, "--tokens", 1, kMaxTokens);
    r.batch = whole_option(given, "--batch", 1, kMaxBatch).value_or(1);
    r.block_size = whole_option(given, "--block-size", 1, kMaxBlockSize).value_or(16);
    r.chunk = whole_option(given, "--chunk", 1, kMaxTokens);
    read_split(given, input);
    read_codecs(given, input);
    read_pool(given, input);
    read_device(given, input);
    note_limits(input);
    return input;
}

}  // namespace kv
