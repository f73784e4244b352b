#include "app/cli/run_input.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/cli/places.hpp"
#include "app/cli/run_values.hpp"
#include "app/cli/values.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace kv {
namespace {

namespace fs = std::filesystem;

constexpr u64 kFewestBlocks = 48;
constexpr u64 kMostNew = 1'000'000;

// A shipped name, or a folder.
fs::path model_folder(const std::string& model) {
    constexpr std::array<std::string_view, 3> kShipped{"mha", "gqa", "mqa"};
    if (fs::exists(model) || std::find(kShipped.begin(), kShipped.end(), model) == kShipped.end())
        return model;
    if (const auto folder = shipped_asset("models/" + model)) return *folder;
    throw Error(ErrorCode::World, "The shipped model " + model +
                                      " is not beside this program. Install it, or give a folder "
                                      "with --model DIR.");
}

std::optional<Tokenizer> tokenizer_of(const fs::path& folder) {
    const fs::path file = folder / "tokenizer.json";
    if (!fs::exists(file)) return std::nullopt;
    return read_tokenizer(file.string());
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

void read_prompt(const GivenOptions& given, RunInput& input) {
    refuse_both(given, "--prompt", "--prompt-tokens");
    refuse_both(given, "--force", "--force-tokens");
    const u64 vocab = input.checkpoint.config().vocab_size;
    GenerationRequest& request = input.request;
    if (const auto tokens = token_list_option(given, "--prompt-tokens", vocab))
        request.prompt = *tokens;
    else
        request.prompt = encoded(input, *given.text("--prompt"), Additions::OfFile, "--prompt");
    if (request.prompt.empty())
        throw Error(ErrorCode::Usage, "--prompt gives no token; write at least one word.");
    if (const auto tokens = token_list_option(given, "--force-tokens", vocab))
        request.forced = *tokens;
    else if (const auto text = given.text("--force"))
        request.forced = encoded(input, *text, Additions::None, "--force");
}

void read_sampling(const GivenOptions& given, const CommonOptions& common, RunInput& input) {
    Sampling& how = input.request.sampling;
    how.temperature = real_option(given, "--temperature", 0, 100).value_or(0);
    if (const auto k = whole_option(given, "--top-k", 1, 1u << 20))
        how.top_k = static_cast<std::uint32_t>(*k);
    how.top_p = real_option(given, "--top-p", 0, 1);
    if (how.top_p && *how.top_p == 0)
        refuse_value("--top-p", "0", "keeps no token", "give a number above 0, at most 1");
    how.seed = common.seed.value_or(0);
    input.stop_texts = given.all("--stop");
    if (!input.stop_texts.empty() && !input.tokenizer)
        throw Error(ErrorCode::World, input.checkpoint.folder() +
                                          " has no tokenizer.json, so --stop has no text to look "
                                          "at. Leave it out.");
}

void read_pool(const GivenOptions& given, RunInput& input) {
    PoolSpec& pool = input.pool;
    pool.block_size =
        static_cast<std::uint32_t>(whole_option(given, "--block-size", 1, 1024).value_or(16));
    pool.order = order_option(given);
    pool.k = kv_format_option(given, "--k-codec");
    pool.v = kv_format_option(given, "--v-codec");
    pool.n_blocks = 1;
    const u64 per_block = layout_of(input.checkpoint.config(), pool).pool_bytes();
    const u64 needed = (stored_slots(input.request) + pool.block_size - 1) / pool.block_size;
    const u64 blocks = pool_option(given, per_block).value_or(std::max(needed, kFewestBlocks));
    input.fits = needed <= blocks;
    pool.n_blocks = static_cast<std::uint32_t>(blocks);
}

BackendName backend_option(const GivenOptions& given) {
    const auto text = given.text("--backend");
    if (!text || *text == "cpu") return BackendName::Cpu;
    if (*text == "reference") return BackendName::Reference;
    if (*text == "cuda")
        throw Error(ErrorCode::Missing,
                    "This version has no CUDA decoder. Use --backend cpu or reference.");
    refuse_value("--backend", *text, "is no backend", "write reference or cpu");
}

std::string name_of_model(const std::string& model, const fs::path& folder) {
    if (fs::path(model) != folder) return model;
    const fs::path whole = fs::weakly_canonical(folder);
    return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

}  // namespace

std::string_view name_of(BackendName backend) {
    return backend == BackendName::Reference ? "reference" : "cpu";
}

RunInput read_run(const GivenOptions& given, const CommonOptions& common) {
    if (!given.has("--prompt") && !given.has("--prompt-tokens"))
        throw Error(
            ErrorCode::Usage,
            "run needs something to go on from: add --prompt TEXT or --prompt-tokens LIST.");
    const std::string model = given.text("--model").value_or("gqa");
    const fs::path folder = model_folder(model);
    RunInput input{.checkpoint = Checkpoint::open(folder.string()),
                   .model_name = name_of_model(model, folder),
                   .tokenizer = tokenizer_of(folder),
                   .request = {},
                   .stop_texts = {},
                   .pool = {},
                   .dropped = {}};
    input.backend = backend_option(given);
    read_prompt(given, input);
    GenerationRequest& request = input.request;
    request.max_new =
        static_cast<std::uint32_t>(whole_option(given, "--max-new", 1, kMostNew).value_or(32));
    request.max_batch_tokens = static_cast<std::uint32_t>(
        whole_option(given, "--max-batch-tokens", 1, 1u << 20).value_or(512));
    request.stop_tokens = input.checkpoint.config().eos;
    request.use_cache = !given.has("--no-cache");
    request.keep_logits = given.has("--logits");
    read_sampling(given, common, input);
    read_pool(given, input);
    input.prove = given.has("--prove");
    input.with_times = !given.has("--no-times");
    input.quiet = common.quiet;
    return input;
}

}  // namespace kv
