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

TEST_CASE("names are listed once, each is a preset, others are not", "[presets]") {
    const std::set<std::string_view> names(preset_names().begin(), preset_names().end());
    CHECK(names.size() == preset_names().size());
    for (const std::string_view name : names) CHECK(preset(name).has_value());
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
