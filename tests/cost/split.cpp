// A cache that several cards share, against a count that goes through every rank, layer, token and
// head.
#include "core/cost/split.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <random>

#include "core/cost/bill.hpp"
#include "core/cost/fit.hpp"
#include "tests/cost/evaluate.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;

namespace {

constexpr u64 kElement = 2;  // bf16

// How many heads of a layer a rank keeps: dealt out round robin, and one for a rank that gets none.
// Servers give a rank heads that are neighbours; a bill counts heads, and the counts are the same.
u64 heads_on_rank(u64 n_kv_heads, u64 rank, u64 ranks) {
    u64 heads = 0;
    for (u64 head = 0; head < n_kv_heads; ++head) heads += head % ranks == rank ? 1 : 0;
    return std::max<u64>(heads, 1);
}

// NOLINTNEXTLINE(bugprone-easily-swappable-parameters): every number that a count goes through
u64 counted_layer(const CacheShape& shape, u64 layer, u64 tokens, u64 rank, u64 ranks) {
    const LayerCache& kind = shape.layers[layer];
    u64 bytes = shape.state_bytes.empty() ? 0 : shape.state_bytes[layer] / ranks;
    if (std::holds_alternative<NoCache>(kind)) return bytes;
    for (u64 token = 0; token < tokens; ++token) {
        if (const auto* window = std::get_if<WindowCache>(&kind)) {
            if (token + window->window < tokens) continue;
        }
        if (const auto* latent = std::get_if<LatentCache>(&kind)) {
            bytes += kElement * (latent->d_c + latent->d_rope + latent->d_index);
            continue;
        }
        const KvHeads heads = heads_of(shape, kind);
        bytes += heads_on_rank(heads.n_kv_heads, rank, ranks) * (heads.d_k + heads.d_v) * kElement;
    }
    return bytes;
}

// As vLLM cuts layers: even parts, what is left over to the parts before the last, backwards.
std::vector<u64> cut_layers(u64 layers, u64 stages) {
    std::vector<u64> parts(stages, layers / stages);
    for (u64 i = 2; i < layers % stages + 2; ++i) ++parts[stages - i];
    return parts;
}

struct Counted {
    u64 fullest = 0, all = 0;
};
Counted counted_cards(const CacheShape& shape, u64 tokens, const Split& split) {
    Counted out;
    u64 start = 0;
    for (const u64 layers : cut_layers(shape.n_layers(), split.stages)) {
        for (u64 rank = 0; rank < split.ranks; ++rank) {
            u64 card = 0;
            for (u64 layer = start; layer < start + layers; ++layer)
                card += counted_layer(shape, layer, tokens, rank, split.ranks);
            out.fullest = std::max(out.fullest, card);
            out.all += card;
        }
        start += layers;
    }
    return out;
}

CacheShape random_shape(std::mt19937& random, u64 ranks) {
    const auto pick = [&](u64 least, u64 most) { return least + random() % (most - least + 1); };
    CacheShape shape = uniform_cache(pick(1, 9), pick(1, 6), 4 * pick(1, 3));
    shape.d_v = 4 * pick(1, 3);
    for (LayerCache& layer : shape.layers) {
        switch (pick(0, 5)) {
            case 0:
                layer = WindowCache{pick(1, 9)};
                break;
            case 1:
                layer = LatentCache{pick(4, 9), 4, pick(0, 1) * 6};
                break;
            case 2:
                layer = NoCache{};
                break;
            case 3:
                layer = FullCache{KvHeads{pick(1, 3), 4 * pick(1, 3), 8}};
                break;
            default:
                break;
        }
    }
    shape.layers[0] = FullCache{};
    if (pick(0, 1) == 1) {
        for (u64 i = 0; i < shape.n_layers(); ++i) {
            shape.state_bytes.push_back(pick(0, 1) * ranks * pick(1, 40));
        }
    }
    return shape;
}

u64 result_of(const std::vector<Derived>& list, std::string_view name) {
    const Derived* found = find_result(list, name);
    REQUIRE(found);
    return found->whole();
}

}  // namespace

TEST_CASE("ranks share heads, repeat them beyond, and keep latents whole", "[split]") {
    const CacheShape heads = uniform_cache(2, 2, 8);  // 32 bytes a token, layer and head
    const auto rank = [&](const CacheShape& shape, u64 batch, const Split& split) {
        return result_of(derive_split(shape, {}, 10, batch, split), "rank_bytes");
    };
    const auto all = [&](const CacheShape& shape, const Split& split) {
        return result_of(derive_split(shape, {}, 10, 1, split), "ranks_total_bytes");
    };
    CHECK(rank(heads, 1, {2, 1}) == u64{2} * 10 * 32);
    CHECK(all(heads, {2, 1}) == u64{2} * 10 * 64);
    CHECK(rank(heads, 1, {8, 1}) == u64{2} * 10 * 32);
    CHECK(all(heads, {8, 1}) == u64{8} * 2 * 10 * 32);
    CHECK(rank(heads, 3, {1, 2}) == u64{3} * 10 * 64);
    CacheShape latent = heads;
    latent.layers.assign(1, LatentCache{24, 8});
    CHECK(rank(latent, 1, {4, 1}) == u64{10} * 32 * 2);
    CHECK(all(latent, {4, 1}) == u64{4} * 10 * 32 * 2);
}

TEST_CASE("stages are even, and the last has no layer more than another", "[split]") {
    CHECK(stage_layers(10, 4) == std::vector<u64>{2, 3, 3, 2});
    CHECK(stage_layers(61, 2) == std::vector<u64>{31, 30});
    CHECK(stage_layers(7, 7) == std::vector<u64>(7, 1));
    CHECK(stage_layers(11, 4) == std::vector<u64>{3, 3, 3, 2});
}

TEST_CASE("heads come out even or not", "[split]") {
    CHECK(divides_heads(8, 4));
    CHECK(divides_heads(8, 16));
    CHECK_FALSE(divides_heads(10, 4));
    CHECK_FALSE(divides_heads(8, 12));
    CHECK(rank_kv_heads(10, 4) == 3);
    CHECK(all_kv_heads(10, 4) == 10);
    CHECK(all_kv_heads(2, 8) == 8);
}

TEST_CASE("every card's bytes are what a count by rank, layer, token and head gives", "[split]") {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        const u64 ranks = 1 + random() % 8;
        const CacheShape shape = random_shape(random, ranks);
        const Split split{ranks, 1 + random() % shape.n_layers()};
        const u64 tokens = 1 + random() % 20, batch = 1 + random() % 3;
        CAPTURE(round, ranks, split.stages, tokens, shape.n_kv_heads);
        const Counted counted = counted_cards(shape, tokens, split);
        const auto list = derive_split(shape, {}, tokens, batch, split);
        CHECK(result_of(list, "rank_bytes") == batch * counted.fullest);
        CHECK(result_of(list, "ranks_total_bytes") == batch * counted.all);
        CHECK(rank_sequence_bytes(shape, {}, tokens, split) == counted.fullest);
        for (const Derived& d : list) {
            CAPTURE(d.name, d.expression);
            CHECK(evaluate(d.expression, names_of(d)) == d.real());
        }
    }
}

TEST_CASE("what fits on every card is what a count allows, and one more is too much", "[split]") {
    std::mt19937 random(11);
    for (int round = 0; round < 100; ++round) {
        const u64 ranks = 1 + random() % 4;
        const CacheShape shape = random_shape(random, ranks);
        const Split split{ranks, 1 + random() % shape.n_layers()};
        const u64 batch = 1 + random() % 3, budget = 500 + random() % 20'000;
        CAPTURE(round, ranks, split.stages, batch, budget);
        const auto fits = [&](u64 tokens) {
            return batch * counted_cards(shape, tokens, split).fullest <= budget;
        };
        const Operand room = whole_operand("room", budget, "B", "");
        const auto longest = derive_longest_text(shape, {}, batch, room, split);
        REQUIRE(longest_text(shape, {}, budget, batch, split));  // layer 0 grows without end
        const u64 tokens = *longest_text(shape, {}, budget, batch, split);
        CHECK((tokens == 0 || fits(tokens)));
        CHECK_FALSE(fits(tokens + 1));
        if (longest) {
            CAPTURE(longest->expression);
            CHECK(longest->whole() == tokens);
            CHECK(evaluate(longest->expression, names_of(*longest)) == longest->real());
        } else {
            CHECK(tokens == 0);
        }
        const Derived many = derive_sequences_fit(shape, {}, 9, room, split);
        const u64 one = counted_cards(shape, 9, split).fullest;
        REQUIRE(one > 0);
        CHECK(many.whole() == budget / one);
        CHECK(evaluate(many.expression, names_of(many)) == many.real());
    }
}

TEST_CASE("a bill of several cards fits by its fullest card", "[split]") {
    BillRequest request;
    request.model = model("llama-3.3-70b");
    request.cache = request.model->cache;
    request.tokens = 8192;
    request.batch = 16;
    request.device_bytes = 80'000'000'000;
    request.split = {4, 1};
    // 141,107,412,992 bytes of weights in four; 2 of 8 heads: 80 KiB a token.
    const auto four = make_bill(request);
    CHECK(result_of(four, "rank_bytes") == 16ULL * 8192 * 80 * kKiB);
    CHECK(result_of(four, "card_budget_bytes") == 80'000'000'000 - 35'276'853'248);
    CHECK(find_result(four, "fits")->yes());
    CHECK(result_of(four, "sequences_fit") == 44'723'146'752 / (u64{8192} * 80 * kKiB));
    CHECK(result_of(four, "longest_text") == 44'723'146'752 / 16 / (80 * kKiB));
    for (const Derived& d : four) {
        CAPTURE(d.name, d.expression);
        CHECK(static_cast<double>(evaluate(d.expression, names_of(d))) ==
              static_cast<double>(number_of(d.value)));
    }
    // Sixteen ranks keep every head twice, so that a card has as much as one of eight.
    request.split = {16, 1};
    const auto sixteen = make_bill(request);
    request.split = {8, 1};
    const auto eight = make_bill(request);
    CHECK(result_of(sixteen, "rank_bytes") == result_of(eight, "rank_bytes"));
    CHECK(result_of(sixteen, "ranks_total_bytes") == 2 * result_of(eight, "ranks_total_bytes"));
    request.split = {1, 1};
    CHECK_FALSE(find_result(make_bill(request), "fits")->yes());
}
