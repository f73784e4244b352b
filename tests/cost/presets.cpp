// The presets against their published sizes.
#include "core/cost/model/presets.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "core/cost/cache/bytes.hpp"
#include "core/cost/model/parameters.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;

namespace {

struct Known {
    const char* name;
    u64 parameters, bytes_per_token, max_positions;
};

// Parameters as the published weights have them; bytes per token by hand, 2 x L x H_kv x d x 2.
constexpr Known kKnown[] = {
    {"llama-2-7b", 6'738'415'616, 524'288, 4096},
    {"llama-2-13b", 13'015'864'320, 819'200, 4096},
    {"llama-2-70b", 68'976'648'192, 327'680, 4096},
    {"llama-2-70b-mha", 78'371'889'152, 2'621'440, 4096},  // 70B + 80 x 2 x 8192 x 56 x 128
    {"gpt-3", 174'604'259'328, 4'718'592, 2048},
    {"opt-13b", 12'853'473'280, 819'200, 2048},
    {"llama-3-8b", 8'030'261'248, 131'072, 8192},
    {"llama-3-70b", 70'553'706'496, 327'680, 8192},
    {"llama-3.2-1b", 1'235'814'400, 32'768, 131'072},
    {"qwen2.5-0.5b", 494'032'768, 12'288, 32'768},
    {"qwen3-0.6b", 596'049'920, 114'688, 40'960},
    {"qwen3-4b", 4'022'468'096, 147'456, 40'960},
    {"mistral-7b", 7'241'732'096, 131'072, 32'768},
    {"smollm2-135m", 134'515'008, 23'040, 8192},
    {"smollm2-360m", 361'821'120, 40'960, 8192},
    {"tinyllama-1.1b", 1'100'048'384, 22'528, 2048},
    {"deepseek-v3", 671'026'419'200, 70'272, 163'840},
    {"mixtral-8x7b", 46'702'792'704, 131'072, 32'768},
    {"llama-3.1-8b", 8'030'261'248, 131'072, 131'072},
    {"llama-3.1-70b", 70'553'706'496, 327'680, 131'072},
    {"llama-3.1-405b", 405'853'388'800, 516'096, 131'072},
    {"llama-3.2-3b", 3'212'749'824, 114'688, 131'072},
    {"llama-3.3-70b", 70'553'706'496, 327'680, 131'072},
    {"jamba-1.5-mini", 51'570'323'328, 16'384, 262'144},  // 4 attending layers of 32
    {"phi-4", 14'659'507'200, 204'800, 16'384},
    {"mistral-small-3.1-24b", 23'572'403'200, 163'840, 131'072},
    {"gemma-3-270m", 268'098'176, 18'432, 32'768},
    {"gemma-3-1b", 999'885'952, 26'624, 32'768},
    {"gemma-3-4b", 3'880'263'168, 139'264, 131'072},
    {"gemma-3-12b", 11'766'034'176, 393'216, 131'072},
    {"gemma-3-27b", 27'009'346'304, 507'904, 131'072},
    {"llama-4-scout", 107'769'861'120, 196'608, 10'485'760},
    {"llama-4-maverick", 400'711'848'960, 196'608, 1'048'576},
    {"qwen3-1.7b", 1'720'574'976, 114'688, 40'960},
    {"qwen3-8b", 8'190'735'360, 147'456, 40'960},
    {"qwen3-14b", 14'768'307'200, 163'840, 40'960},
    {"qwen3-32b", 32'762'123'264, 262'144, 40'960},
    {"qwen3-30b-a3b", 30'532'122'624, 98'304, 40'960},
    {"qwen3-235b-a22b", 235'093'634'560, 192'512, 40'960},
    {"falcon-h1-7b", 7'585'654'880, 45'056, 262'144},
    {"smollm3-3b", 3'075'098'624, 73'728, 65'536},
    {"kimi-k2", 1'026'408'209'408, 70'272, 131'072},
    {"gpt-oss-20b", 20'914'757'184, 49'152, 131'072},
    {"gpt-oss-120b", 116'829'156'672, 73'728, 131'072},
    {"qwen3-next-80b-a3b", 79'674'391'296, 24'576, 262'144},  // 12 attending layers of 48
    {"kimi-linear-48b-a3b", 49'122'675'072, 7ULL * 576 * 2, 1'048'576},
    {"deepseek-v3.2", 671'877'929'216, 61ULL * (512 + 64 + 128) * 2, 163'840},
    {"olmo-3-7b", 7'298'011'136, 524'288, 65'536},
    // 25 layers of 8 heads of 256, 5 of 2 heads of 512.
    {"gemma-4-26b-a4b", 25'233'141'760, 25ULL * 2 * 8 * 256 * 2 + 5ULL * 2 * 2 * 512 * 2, 262'144},
    {"qwen3.5-397b-a17b", 396'346'350'336, 15ULL * 2 * 2 * 256 * 2, 262'144},
};

}  // namespace

TEST_CASE("every preset has the published number of parameters and bytes per token",
          "[presets][C095]") {
    CHECK(preset_names().size() == std::size(kKnown));
    for (const Known& known : kKnown) {
        CAPTURE(known.name);
        const ModelShape shape = model(known.name);
        CHECK(parameter_count(shape) == known.parameters);
        CHECK(weight_bytes(shape) == 2 * known.parameters);
        CHECK(bytes_per_token(shape.cache, kBf16Pair) == known.bytes_per_token);
        CHECK(shape.max_positions == known.max_positions);
        CHECK(shape.name == known.name);
        CHECK_FALSE(heads_objection(shape.n_heads, shape.cache.n_kv_heads));
    }
    CHECK(78'371'889'152ULL - 68'976'648'192ULL == 80ULL * 2 * 8192 * 56 * 128);
}

TEST_CASE("active parameters are those of the model cards", "[presets]") {
    // GPT-OSS: "3.6B" and "5.1B" without the input table, Qwen3: "3.3B" and "22B" with it.
    CHECK(read_parameters(model("gpt-oss-20b")) == 3'608'310'144);
    CHECK(read_parameters(model("gpt-oss-120b")) == 5'132'852'352);
    CHECK(active_parameters(model("qwen3-30b-a3b")) == 3'353'032'704);
    CHECK(active_parameters(model("qwen3-235b-a22b")) == 22'190'763'520);
    CHECK(active_parameters(model("mixtral-8x7b")) == 12'879'925'248);
    CHECK(active_parameters(model("jamba-1.5-mini")) == 12'110'311'296);
    CHECK(active_parameters(model("llama-2-7b")) == parameter_count(model("llama-2-7b")));
}

TEST_CASE("windows, chunks and states of presets, by hand", "[presets]") {
    // Gemma 3 27B: 52 of 62 layers keep 1,024 tokens; 2 x 16 x 128 x 2 bytes a token and layer.
    CHECK(kv_bytes(model("gemma-3-27b").cache, kBf16Pair, 131'072, 1) ==
          8192ULL * (10ULL * 131'072 + 52ULL * 1024));
    // GPT-OSS 20B: every second of 24 layers keeps 128 tokens; 2 x 8 x 64 x 2.
    CHECK(kv_bytes(model("gpt-oss-20b").cache, kBf16Pair, 8192, 1) ==
          2048ULL * (12ULL * 8192 + 12ULL * 128));
    // Llama 4 Scout: 36 of 48 layers see chunks of 8,192; 2 x 8 x 128 x 2.
    CHECK(kv_bytes(model("llama-4-scout").cache, kBf16Pair, 100'000, 1) ==
          4096ULL * (12ULL * 100'000 + 36ULL * 8192));
    // Qwen3-Next: 36 of 48 layers keep a state: 32 heads of 128 x 128 numbers in 32 bits, and 4
    // inputs of a convolution over 2 x 16 x 128 + 32 x 128 channels in 16 bits.
    CHECK(total_state_bytes(model("qwen3-next-80b-a3b").cache) ==
          36ULL * (32 * 128 * 128 * 4 + (2 * 16 * 128 + 32 * 128) * 4 * 2));
}

TEST_CASE("names are listed once, each is a preset, others are not", "[presets]") {
    const std::set<std::string_view> names(preset_names().begin(), preset_names().end());
    CHECK(names.size() == preset_names().size());
    for (const std::string_view name : names) {
        CAPTURE(name);
        REQUIRE(preset(name).has_value());
        CHECK(preset_title(name) == preset(name)->title);
    }
    CHECK_FALSE(preset("llama-2-8b"));
    CHECK_FALSE(preset("Llama-2-7b"));
    CHECK_FALSE(preset(""));
}

TEST_CASE("head_dim is the configured one, not hidden_size / n_heads", "[presets]") {
    const ModelShape small = model("qwen3-0.6b");
    CHECK(small.cache.d_k == 128);
    CHECK(small.hidden_size / small.n_heads == 64);
    const ModelShape larger = model("qwen3-4b");
    CHECK(larger.cache.d_k == 128);
    CHECK(larger.hidden_size / larger.n_heads == 80);
}

TEST_CASE("Llama 2 7B and 13B are MHA, 70B has 8 KV heads and would need 8 times as much",
          "[presets][C095]") {
    CHECK(model("llama-2-7b").group_size() == 1);
    CHECK(model("llama-2-13b").group_size() == 1);
    const ModelShape large = model("llama-2-70b");
    CHECK(large.n_heads == 64);
    CHECK(large.cache.n_kv_heads == 8);
    CHECK(bytes_per_token(model("llama-2-70b-mha").cache, kBf16Pair) ==
          8 * bytes_per_token(large.cache, kBf16Pair));
}

TEST_CASE("OPT 13B keeps 800 KiB per token and 12 GiB hold 15,728 of them", "[presets][lesson8]") {
    const u64 per_token = bytes_per_token(model("opt-13b").cache, kBf16Pair);
    CHECK(per_token == 2 * 5120 * 40 * 2);
    CHECK(12 * kGiB / per_token == 15'728);
    // Seven reservations of 2,048 leave 8.85 % of those slots.
    const double left = static_cast<double>(15'728 - 7 * 2048) / 15'728;
    CHECK(left > 0.0884);
    CHECK(left < 0.0886);
}
