#include "app/cli/run/input.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "app/cli/run/values.hpp"
#include "app/cli/terminal/places.hpp"
#include "app/cli/terminal/values.hpp"
#include "app/session/loaded_model.hpp"
#include "app/session/siblings.hpp"
#include "core/base/error.hpp"
#include "core/base/files/utf8.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/model/model_source.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;

constexpr u64 kFewestBlocks = 48, kMostBlocks = 0xFFFFFFFE;
constexpr u64 kMostNew = 1'000'000;
constexpr std::uint32_t kLineBatchTokens = 512;

std::string name_of_model(const std::string& model, const fs::path& folder) {
    if (fs::path(model) != folder) return model;
    std::error_code failed;
    if (!fs::exists(folder, failed)) {
        ModelSource source = parse_model_source(model);
        if (!source.kv_heads) return model;
        source.name = name_of_model(source.name, source.name);
        return source.written();
    }
    const fs::path whole = fs::canonical(folder, failed);
    if (failed) return model;
    return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

std::vector<std::uint32_t> encoded(RunInput& input, const std::string& text, Additions additions,
                                   std::string_view option) {
    if (!input.tokenizer)
        throw Error(ErrorCode::World, input.checkpoint.folder() + " has no tokenizer.json, so " +
                                          std::string(option) +
                                          " cannot be read. Give token ids with " +
                                          std::string(option) + "-tokens.");
    EncodedText result = input.tokenizer->encode(text, additions);
    input.dropped.insert(input.dropped.end(), result.dropped.begin(), result.dropped.end());
    for (const TokenId id : result.ids)
        if (id >= input.checkpoint.config().vocab_size)
            throw Error(ErrorCode::World, input.checkpoint.folder() + ": the tokenizer gives id " +
                                              std::to_string(id) + ", but the model has " +
                                              with_commas(input.checkpoint.config().vocab_size) +
                                              " rows. Use files that belong together.");
    return {result.ids.begin(), result.ids.end()};
}

// The decoder reads any bytes, and leaves out what its vocabulary has nothing for; a scene is JSON.
void require_utf8(std::string_view option, const std::string& text, std::string_view why) {
    if (valid_utf8_prefix(text) == text.size()) return;
    refuse_value(option, text, "has bytes that are no UTF-8" + std::string(why),
                 "write it as UTF-8");
}

void read_prompt(const GivenOptions& given, RunInput& input, SceneRequest& written,
                 RequestSpec& spec) {
    refuse_both(given, "--prompt", "--prompt-tokens");
    refuse_both(given, "--force", "--force-tokens");
    const u64 vocab = input.checkpoint.config().vocab_size;
    if (const auto tokens = token_list_option(given, "--prompt-tokens", vocab)) {
        written.tokens = spec.prompt = *tokens;
    } else {
        written.prompt = given.text("--prompt");
        if (input.save_scene)
            require_utf8("--prompt", *written.prompt, ", which no scene file holds");
        spec.prompt = encoded(input, *written.prompt, Additions::OfFile, "--prompt");
    }
    if (spec.prompt.empty())
        throw Error(ErrorCode::Usage, "--prompt gives no token; write at least one word.");
    if (const auto tokens = token_list_option(given, "--force-tokens", vocab)) {
        written.force_tokens = spec.forced = *tokens;
    } else if (const auto text = given.text("--force")) {
        written.force = *text;
        if (input.save_scene) require_utf8("--force", *text, ", which no scene file holds");
        spec.forced = encoded(input, *text, Additions::None, "--force");
    }
}

void read_sampling(const GivenOptions& given, RunInput& input, SceneRequest& written) {
    written.temperature = real_option(given, "--temperature", 0, 100).value_or(0);
    if (const auto k = whole_option(given, "--top-k", 1, 1u << 20))
        written.top_k = static_cast<std::uint32_t>(*k);
    written.top_p = real_option(given, "--top-p", 0, 1);
    if (written.top_p && *written.top_p == 0)
        refuse_value("--top-p", "0", "keeps no token", "give a number above 0, at most 1");
    written.stop = given.all("--stop");
    for (const std::string& text : written.stop) {
        if (text.empty()) refuse_value("--stop", text, "is in every text", "leave it out");
        require_utf8("--stop", text, ", which the decoder's text never has");
    }
    if (!written.stop.empty() && !input.tokenizer)
        throw Error(ErrorCode::World, input.checkpoint.folder() +
                                          " has no tokenizer.json, so --stop has no text to look "
                                          "at. Leave it out.");
}

// The settings that the line gives, each under its option's name.
struct LineSetting {
    std::string_view option, setting;
};
constexpr LineSetting kLineSettings[] = {{"--backend", "backend"},
                                         {"--block-size", "block_size"},
                                         {"--pool", "pool"},
                                         {"--order", "order"},
                                         {"--k-codec", "k_codec"},
                                         {"--v-codec", "v_codec"},
                                         {"--rotation", "rotation"},
                                         {"--share", "share"},
                                         {"--free-order", "free_order"},
                                         {"--prefix-index", "prefix_index"},
                                         {"--radix-order", "radix_order"},
                                         {"--evict", "evict"},
                                         {"--positions", "positions"},
                                         {"--draft", "draft"},
                                         {"--max-batch-tokens", "max_batch_tokens"},
                                         {"--host-blocks", "host_blocks"},
                                         {"--preempt", "preempt"}};

// A card by its own option: cuda, or the card that --device names.
void read_device(const GivenOptions& given, EngineSettings& settings) {
    const auto device = given.text("--device");
    if (!device) return;
    if (!cuda_device_of(*device))
        refuse_value("--device", *device, "names no card", "write cuda:0 for the first");
    if (given.has("--backend") && !cuda_device_of(settings.backend))
        throw Error(ErrorCode::Usage, "--device stands beside --backend " + settings.backend +
                                          ", which uses no card; leave one of them out.");
    find_setting("backend")->read(settings, *device);
}

void read_engine_settings(const GivenOptions& given, EngineSettings& settings) {
    for (const LineSetting& line : kLineSettings) {
        const auto text = given.text(line.option);
        if (!text) continue;
        const SettingRow& row = *find_setting(line.setting);
        if (const std::string why = row.read(settings, *text); !why.empty())
            refuse_value(line.option, *text, why, "write " + std::string(row.values));
    }
    read_device(given, settings);
    if (given.has("--quantized-prefill")) settings.prefill = Prefill::Quantized;
}

u64 bytes_per_block(const RunInput& input) {
    return bytes_per_block(input.checkpoint.config(), input.scene.settings);
}

void refuse_settings(const GivenOptions& given, const std::string& refusal) {
    if (given.has("--scene"))
        throw Error(ErrorCode::World, shown(*given.text("--scene")) + ": settings: " + refusal);
    throw Error(ErrorCode::Usage, refusal);
}

void check_codecs(const GivenOptions& given, const RunInput& input) {
    const auto refusal = codec_refusal(input.checkpoint.config(), input.scene.settings);
    if (refusal) refuse_settings(given, *refusal);
}

// How many blocks a request needs beside its own: those that its survivors move into when a policy
// has dropped.
u64 moving_blocks(const RunInput& input) {
    const EngineSettings& s = input.scene.settings;
    const EvictionSpec spec = eviction_of(s);
    if (!drops_tokens(spec) || first_query_that_misses(spec) || !s.compact) return 0;
    const u64 most = std::min(longest_request(input), u64{kMostNew} * 4);
    return ceil_div(most_kept(spec, static_cast<std::uint32_t>(most)), s.block_size);
}

void refuse_clash(const GivenOptions& given, const RunInput& input) {
    const EngineSettings& s = input.scene.settings;
    std::string clash = clash_of(s, input.checkpoint.config());
    const bool plain = s.evict == "none" && positions_of(s) == KeyPositions::TextWhenStored;
    if (clash.empty() && s.draft.is_on() && input.keep != Keep::KeysAndValues)
        clash = "draft needs a cache of keys and values; leave out --keep or --no-cache.";
    if (clash.empty() && !s.draft.model.empty())
        clash = sibling_objection(input.checkpoint, s.draft.model);
    if (clash.empty() && !plain && input.keep != Keep::KeysAndValues)
        clash =
            "evict and positions need a cache of keys and values; leave out --keep or "
            "--no-cache.";
    if (clash.empty()) return;
    refuse_settings(given, given.has("--scene") ? clash : "--" + clash);
}

void size_pool(const GivenOptions& given, RunInput& input) {
    EngineSettings& s = input.scene.settings;
    check_codecs(given, input);
    if (given.has("--scene")) {
        if (!blocks_of(s.pool, bytes_per_block(input)))
            throw Error(ErrorCode::World, shown(*given.text("--scene")) +
                                              ": settings.pool holds no usable number of blocks; a "
                                              "block of this model takes " +
                                              with_commas(bytes_per_block(input)) + " bytes.");
        const u64 blocks = *blocks_of(s.pool, bytes_per_block(input));
        for (const std::uint32_t id : s.free_list)
            if (id >= blocks)
                throw Error(ErrorCode::World,
                            shown(*given.text("--scene")) + ": settings.free_list names block " +
                                with_commas(id) + ", and the pool has the blocks 0 to " +
                                with_commas(blocks - 1) + "; name one of these.");
        return;
    }
    if (!given.has("--pool")) {
        const u64 needed = ceil_div(longest_request(input), s.block_size) + moving_blocks(input);
        s.pool = {{}, static_cast<std::uint32_t>(std::clamp(needed, kFewestBlocks, kMostBlocks))};
    } else if (!blocks_of(s.pool, bytes_per_block(input))) {
        refuse_value(
            "--pool", *given.text("--pool"), "holds no usable number of blocks",
            "a block of this model takes " + with_commas(bytes_per_block(input)) + " bytes");
    }
}

// Where nobody says which backend, it is a GPU, if there is one that serves this.
void choose_backend(const GivenOptions& given, RunInput& input) {
    EngineSettings& s = input.scene.settings;
    if (given.has("--scene") || given.has("--backend") || given.has("--device"))
        return require_backend(input.checkpoint.config(), s.backend);
    const DefaultBackend chosen = default_backend(input.checkpoint.config());
    s.backend = chosen.name;
    if (!chosen.why.empty()) input.instead = chosen.why;
}

void read_line(const GivenOptions& given, const CommonOptions& common, RunInput& input) {
    SceneRequest written;
    RequestSpec spec;
    written.id = spec.name = "A";
    read_prompt(given, input, written, spec);
    written.max_new =
        static_cast<std::uint32_t>(whole_option(given, "--max-new", 1, kMostNew).value_or(32));
    read_sampling(given, input, written);
    input.scene.seed = common.seed.value_or(0);
    spec.max_new = written.max_new;
    spec.sampling = {written.temperature, written.top_k, written.top_p, input.scene.seed};
    spec.stop_texts = written.stop;
    input.scene.settings.max_batch_tokens = kLineBatchTokens;
    input.scene.requests = {std::move(written)};
    input.requests = {std::move(spec)};
}

// What a scene says itself must not be said by the line as well.
void refuse_beside_scene(const GivenOptions& given) {
    for (const OptionSpec& option : run_options()) {
        constexpr std::string_view kBeside[] = {
            "--scene",      "--model",          "--backend",       "--device",
            "--prove",      "--logits",         "--events",        "--metrics",
            "--until-step", "--no-times",       "--save-scene",    "--any-weights",
            "--publish",    "--publish-replay", "--publish-pause", "--publish-stay"};
        if (!given.has(option.name)) continue;
        if (std::find(std::begin(kBeside), std::end(kBeside), option.name) == std::end(kBeside))
            throw Error(ErrorCode::Usage, std::string(option.name) +
                                              " stands beside --scene; write it into the scene or "
                                              "leave one of them out.");
    }
}

Scene scene_of(const GivenOptions& given, const CommonOptions& common) {
    const auto path = given.text("--scene");
    if (!path) {
        if (!given.has("--prompt") && !given.has("--prompt-tokens"))
            throw Error(ErrorCode::Usage,
                        "run needs something to go on from: add --prompt TEXT, --prompt-tokens "
                        "LIST or --scene FILE.");
        return {};
    }
    refuse_beside_scene(given);
    Scene scene = read_scene(scene_file(*path).string());
    if (scene.requests.empty() && scene.commands.empty())
        throw Error(ErrorCode::World, shown(*path) +
                                          ": the scene has no request, so nothing "
                                          "runs; add one under requests.");
    if (common.seed) scene.seed = *common.seed;
    return scene;
}

}  // namespace

u64 longest_request(const RunInput& input) {
    std::map<std::string, u64> longest;
    u64 most = 0;
    for (const RequestSpec& spec : input.requests) {
        const u64 inherited = spec.fork_of ? longest[*spec.fork_of] + 1 : 0;
        longest[spec.name] = most_stored(spec, inherited);
        most = std::max(most, longest[spec.name]);
    }
    return most;
}

KvLayout layout_of(const RunInput& input) {
    const EngineSettings& s = input.scene.settings;
    const std::uint32_t blocks = *blocks_of(s.pool, bytes_per_block(input));
    return layout_of(input.checkpoint.config(), pool_spec_of(s, blocks));
}

RunInput read_run(const GivenOptions& given, const CommonOptions& common) {
    Scene scene = scene_of(given, common);
    const std::string model = given.text("--model").value_or(scene.model);
    const fs::path folder = model_folder(model);
    Checkpoint checkpoint = Checkpoint::open(folder.string());
    auto tokenizer = tokenizer_of(checkpoint.folder());
    RunInput input{.checkpoint = std::move(checkpoint),
                   .model_name = name_of_model(model, folder),
                   .tokenizer = std::move(tokenizer),
                   .scene = std::move(scene),
                   .requests = {},
                   .instead = {},
                   .until_step = {},
                   .events = given.text("--events"),
                   .metrics = given.text("--metrics"),
                   .save_scene = given.text("--save-scene"),
                   .dropped = {}};
    input.scene.model = model;
    if (!given.has("--scene")) read_line(given, common, input);
    read_engine_settings(given, input.scene.settings);
    if (given.has("--scene"))
        input.requests =
            request_specs(input.scene, input.tokenizer ? &*input.tokenizer : nullptr,
                          input.checkpoint.config().vocab_size, *given.text("--scene"));
    input.keep = keep_option(given);
    if (const auto step = whole_option(given, "--until-step", 0, 1'000'000'000))
        input.until_step = static_cast<std::uint32_t>(*step);
    input.keep_logits = given.has("--logits");
    input.prove = given.has("--prove");
    input.with_times = !given.has("--no-times");
    input.any_weights = given.has("--any-weights");
    input.publish = read_publish(given);
    input.quiet = common.quiet;
    refuse_clash(given, input);
    size_pool(given, input);
    choose_backend(given, input);
    if (input.keep_logits && !common.json)
        throw Error(ErrorCode::Usage, "--logits stand in the JSON alone; add --json.");
    if (input.any_weights && !given.has("--scene"))
        throw Error(ErrorCode::Usage,
                    "--any-weights is for a scene that names its weights; add --scene FILE.");
    for (const char* option :
         {"--events", "--metrics", "--until-step", "--host-blocks", "--preempt", "--share",
          "--free-order", "--prefix-index", "--radix-order", "--publish"})
        if (input.keep != Keep::KeysAndValues && given.has(option))
            throw Error(ErrorCode::Usage, std::string(option) +
                                              " needs a cache to look at; leave out --keep or "
                                              "--no-cache.");
    return input;
}

}  // namespace kv
