// Layers by what they keep: hand-computed groups, peaks, ranks and the pages of a server.
#include "core/cost/groups.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/cost/fit.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/time/cards.hpp"
#include "tests/cost/evaluate.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// Two heads of 8 elements: 64 bytes a token and layer in 16 bits.
CacheShape mixed(std::vector<LayerCache> layers, std::vector<u64> states = {}) {
    CacheShape shape = uniform_cache(layers.size(), 2, 8);
    shape.layers = std::move(layers);
    shape.state_bytes = std::move(states);
    return shape;
}

}  // namespace

TEST_CASE("a layer that attends and recurs is in two groups", "[groups]") {
    const CacheShape shape = mixed({FullCache{}, WindowCache{4}, FullCache{}}, {100, 0, 0});
    const auto groups = cache_groups(shape);
    REQUIRE(groups.size() == 3);
    CHECK(groups[0].kind() == "full");
    CHECK(groups[0].layers == std::vector<u64>{0, 2});
    CHECK(groups[1].kind() == "state");
    CHECK(groups[1].layers == std::vector<u64>{0});
    CHECK(groups[2].kind() == "window");
    CHECK(group_bytes(shape, groups[0], {}, 10, 1) == 2 * 10 * 64);
    CHECK(group_bytes(shape, groups[1], {}, 10, 3) == 300);
    CHECK(group_bytes(shape, groups[1], {}, 0, 3) == 0);
    CHECK(group_bytes(shape, groups[2], {}, 10, 1) == 4 * 64);
    CHECK(kv_bytes(shape, {}, 10, 1) == 2 * 10 * 64 + 100 + 4 * 64);
    CHECK_FALSE(group_ceiling(shape, groups[0], {}));
    CHECK(group_ceiling(shape, groups[1], {}) == u64{100});
    CHECK(group_ceiling(shape, groups[2], {}) == u64{4 * 64});
}

TEST_CASE("chunks keep at most one chunk, and a token sees its own only", "[groups]") {
    const LayerCache chunk = WindowCache{8, true};
    CHECK(cache_groups(mixed({chunk}))[0].kind() == "chunk");
    CHECK(kept_tokens(chunk, 7) == 7);
    CHECK(kept_tokens(chunk, 20) == 8);
    CHECK(seen_tokens(chunk, 8) == 8);
    CHECK(seen_tokens(chunk, 9) == 1);
    CHECK(seen_tokens(chunk, 0) == 0);
    CHECK(kept_between_steps(chunk, 20) == 7);
}

TEST_CASE("a shared layer keeps nothing and is named", "[groups]") {
    const CacheShape shape = mixed({FullCache{}, NoCache{true, std::nullopt}, NoCache{}});
    const auto groups = cache_groups(shape);
    REQUIRE(groups.size() == 2);
    CHECK(groups[1].kind() == "shared");
    CHECK(group_bytes(shape, groups[1], {}, 10, 1) == 0);
    CHECK(seen_tokens(shape.layers[1], 10) == 10);
    CHECK(seen_tokens(NoCache{true, 4}, 10) == 4);
}

TEST_CASE("a prompt in chunks needs a window and the chunk", "[groups]") {
    const CacheShape shape = mixed({FullCache{}, WindowCache{4}});
    CHECK(prefill_peak_bytes(shape, {}, 20, 1, 20) == 64 * (20 + 20));
    CHECK(prefill_peak_bytes(shape, {}, 20, 1, 5) == 64 * (20 + 8));
    CHECK(prefill_peak_bytes(shape, {}, 20, 2, 1) == 2 * 64 * (20 + 4));
    CHECK(prefill_peak_bytes(shape, {}, 3, 1, 5) == 64 * (3 + 3));
}

TEST_CASE("pages are for the rarest kind; the last table is padded", "[groups]") {
    // Five windows and two full layers: pages of two layers, three tables of windows, one layer
    // of them padded.
    std::vector<LayerCache> layers(5, WindowCache{32});
    layers.insert(layers.end(), 2, FullCache{});
    const CacheShape shape = mixed(layers);
    const ServedCache served = served_cache(shape, {}, 100, 1, 16);
    CHECK(served.layers_per_page == 2);
    CHECK(served.page_bytes == 2 * 16 * 64);
    REQUIRE(served.groups.size() == 2);
    CHECK(served.groups[0].tables == 3);
    CHECK(served.groups[0].padded_layers == 1);
    CHECK(served.groups[0].blocks == 3 * (7 - 4));  // blocks 0 to 3 left the window
    CHECK(served.groups[1].blocks == 7);
    CHECK(served.blocks == 16);
    CHECK(served.bytes == 16 * 2048);
    CHECK(served.padding_bytes == 3 * 16 * 64);
    CHECK(served.rounding_bytes ==
          served.bytes - served.padding_bytes - kv_bytes(shape, {}, 100, 1));
}

TEST_CASE("kinds that are nearly as many share pages of the larger number", "[groups]") {
    std::vector<LayerCache> layers(9, WindowCache{32});
    layers.insert(layers.end(), 8, FullCache{});
    CHECK(served_cache(mixed(layers), {}, 100, 1, 16).layers_per_page == 9);
}

TEST_CASE("with states a block is long enough to hold one", "[groups]") {
    const CacheShape shape = mixed({FullCache{}, NoCache{}}, {0, 5000});
    const ServedCache served = served_cache(shape, {}, 100, 1, 16);
    CHECK(served.block_size == 80);  // ceil(5000 / 64) = 79 tokens, in steps of 16
    CHECK(served.page_bytes == 80 * 64);
    CHECK(served.blocks == 2 + 1);
}

TEST_CASE("a model with windows meets its weights where its bent line does", "[groups]") {
    const CacheShape shape = mixed({FullCache{}, WindowCache{4}}, {100, 0});
    const u64 tokens = derive_group_crossover(shape, {}, 10'000).whole();
    CHECK(kv_bytes(shape, {}, tokens, 1) <= 10'000);
    CHECK(kv_bytes(shape, {}, tokens + 1, 1) > 10'000);
}

TEST_CASE("how many fit and how long a text fits, against trying", "[groups]") {
    const CacheShape shape = mixed({FullCache{}, WindowCache{4}}, {100, 0});
    for (const FitPoint& point : fit_curve(shape, {}, 5'000'000, 8192)) {
        CHECK(point.sequences * kv_bytes(shape, {}, point.tokens, 1) <= 5'000'000);
        CHECK((point.sequences + 1) * kv_bytes(shape, {}, point.tokens, 1) > 5'000'000);
    }
    CHECK(fit_curve(shape, {}, 5'000'000, 8192).size() == 4);
    const auto longest = longest_text(shape, {}, 5'000'000, 3);
    REQUIRE(longest);
    CHECK(3 * kv_bytes(shape, {}, *longest, 1) <= 5'000'000);
    CHECK(3 * kv_bytes(shape, {}, *longest + 1, 1) > 5'000'000);
    CHECK_FALSE(longest_text(mixed({WindowCache{4}}), {}, 5'000, 1));
    CHECK(longest_text(mixed({FullCache{}}), {}, 63, 1) == u64{0});
}

TEST_CASE("how long a text fits is known of a token that takes 16 MiB and more", "[groups]") {
    // MT-NLG 530B would take that many bytes with a KV head for each of its 128 query heads.
    const CacheShape shape = uniform_cache(105, 128, 160);
    const CodecPair f32{Codec::F32, Codec::F32};
    const u64 token = bytes_per_token(shape, f32);
    REQUIRE(token > u64{16} << 20U);
    CHECK(longest_text(shape, f32, 1'000'000'000'000, 1) == 1'000'000'000'000 / token);
}

TEST_CASE("were all layers full, none of them would keep a state", "[groups]") {
    const CacheShape full = all_layers_full(mixed({FullCache{}, NoCache{}}, {0, 500}));
    CHECK(kv_bytes(full, {}, 10, 1) == 2 * 10 * 64);
}

TEST_CASE("cards have a name, a source, memory and bandwidth", "[cards]") {
    CHECK(find_card("h100")->bandwidth == 3.35e12);
    CHECK(find_card("b200")->fp4 == 9e15);
    CHECK_FALSE(find_card("m4-max")->bf16);  // its maker does not say
    CHECK_FALSE(find_card("H100"));
    for (const Card& card : cards()) {
        CAPTURE(card.name);
        CHECK(find_card(card.name) == &card);
        CHECK(card.bytes >= 32'000'000'000);
        CHECK(card.bandwidth > 5e11);
        CHECK_FALSE(card.source.empty());
        if (card.bf16 && card.fp8) CHECK(*card.fp8 > 1.9 * *card.bf16);
        if (card.fp8 && card.fp4) CHECK(*card.fp4 > 1.9 * *card.fp8);
    }
}

TEST_CASE("an index beside a latent is a key more", "[groups]") {
    const CacheShape shape = mixed({LatentCache{24, 8, 16}, LatentCache{24, 8, 16}});
    CHECK(bytes_per_token(shape, {}) == 2 * (32 + 16) * 2);
    CHECK(kv_bytes(shape, {}, 10, 1) == 2 * 10 * (32 + 16) * 2);
    for (const Derived& d : derive_kv_bytes(shape, {}, 10, 3)) {
        CAPTURE(d.name, d.expression);
        CHECK(evaluate(d.expression, names_of(d)) == d.real());
    }
    for (const Derived& d : derive_bytes_per_token(shape, {})) {
        CHECK(evaluate(d.expression, names_of(d)) == d.real());
    }
}

TEST_CASE("states stand in the formula as soon as there is a token", "[groups]") {
    const CacheShape shape = mixed({FullCache{}, NoCache{}}, {0, 100});
    for (const u64 tokens : {0, 1, 2}) {
        CAPTURE(tokens);
        const Derived sum = derive_kv_bytes(shape, {}, tokens, 3).back();
        CHECK(sum.whole() == 3 * (64 * tokens + (tokens > 0 ? 100 : 0)));
        CHECK(evaluate(sum.expression, names_of(sum)) == sum.real());
    }
}

TEST_CASE("another number of KV heads moves the projections of a counted model", "[groups]") {
    const ModelShape gpt = model("gpt-oss-20b");
    const ModelShape two = with_kv_heads(gpt, 2);
    // 24 layers, 6 heads less of 64 + 64 columns, each with 2,880 weights and a bias.
    CHECK(parameter_count(gpt) - parameter_count(two) == 24ULL * 6 * 128 * (2880 + 1));
    CHECK(bytes_per_token(two.cache, {}) * 4 == bytes_per_token(gpt.cache, {}));
    CHECK(derive_parameters(two).back().whole() == parameter_count(two));
}
