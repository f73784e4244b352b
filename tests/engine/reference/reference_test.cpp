// What the reference promises beside parity: no bit depends on chunks, blocks, tables, order or
// neighbours; and what it counts equals the closed forms.

#include "core/engine/reference/reference.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <map>

#include "core/cost/cache/bytes.hpp"
#include "core/cost/time/flops.hpp"
#include "tests/engine/small_model.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::WithinAbs;

namespace {

constexpr std::size_t kSequenceLength = 21;

PoolSpec pool_of(std::uint32_t block_size, KvOrder order = KvOrder::TokenMajor,
                 Codec codec = Codec::Bf16) {
    const auto blocks =
        static_cast<std::uint32_t>((kSequenceLength + block_size - 1) / block_size) + 3;
    return {blocks, block_size, order, codec, codec};
}

std::vector<float> run_in_chunks(const SmallModel& model, const PoolSpec& pool, std::size_t chunk,
                                 std::optional<std::vector<BlockId>> table = {}) {
    const auto backend = make_reference(model.config, model.weights, pool);
    Sequence sequence(*backend, std::move(table));
    const auto tokens = random_tokens(kSequenceLength, model.config.vocab_size, 4);
    std::vector<float> all;
    for (std::size_t at = 0; at < tokens.size(); at += chunk) {
        const auto end = std::min(at + chunk, tokens.size());
        const auto logits = sequence.feed({tokens.begin() + static_cast<std::ptrdiff_t>(at),
                                           tokens.begin() + static_cast<std::ptrdiff_t>(end)});
        all.insert(all.end(), logits.begin(), logits.end());
    }
    return all;
}

class EveryTap final : public TapSink {
public:
    bool wants(Tap, LayerId) const override { return true; }
    void take(const TapPlace& place, std::span<const float> values) override {
        taken[place.tap].push_back({values.begin(), values.end()});
    }
    std::map<Tap, std::vector<std::vector<float>>> taken;
};

}  // namespace

TEST_CASE("chunks, block sizes, orders and tables change no bit", "[reference][I28][C020]") {
    for (const std::string name : {"llama_gqa", "mistral_window", "qwen3_norms"}) {
        CAPTURE(name);
        const SmallModel model = load_fixture(name);
        for (const Codec codec : {Codec::F32, Codec::Bf16, Codec::Fp16}) {
            const auto whole = run_in_chunks(
                model, pool_of(kSequenceLength, KvOrder::TokenMajor, codec), kSequenceLength);
            for (const std::size_t chunk : {1u, 2u, 5u, 20u})
                for (const std::uint32_t block : {1u, 3u, 4u, 16u})
                    for (const KvOrder order : {KvOrder::TokenMajor, KvOrder::HeadMajor})
                        CHECK(run_in_chunks(model, pool_of(block, order, codec), chunk) == whole);
        }
        const std::vector<BlockId> shuffled{BlockId(7), BlockId(2), BlockId(8),
                                            BlockId(0), BlockId(5), BlockId(3)};
        CHECK(run_in_chunks(model, pool_of(4), 5, shuffled) ==
              run_in_chunks(model, pool_of(4), kSequenceLength));
    }
}

TEST_CASE("a neighbour in the batch changes no bit", "[reference][I29]") {
    const SmallModel model = load_fixture("llama_gqa");
    const auto backend = make_reference(model.config, model.weights, pool_of(4));
    const auto first = random_tokens(9, 61, 1), second = random_tokens(6, 61, 2);
    BlockTables a, b;
    a.tables = {{BlockId(3), BlockId(0), BlockId(5)}};
    b.tables = {{BlockId(1), BlockId(7)}};
    const std::vector<std::uint32_t> at{0, 1, 2, 3, 4, 5, 6, 7, 8};
    const auto place = [&at](std::size_t n) { return std::span(at).first(n); };
    const std::vector<std::uint32_t> last_a{8}, last_b{5};
    const SequenceWork one{first, place(9), place(9), &a, last_a},
        two{second, place(6), place(6), &b, last_b};
    const auto both = backend->forward({{one, two}}).logits;
    auto alone = backend->forward({{one}}).logits;
    const auto other = backend->forward({{two}}).logits;
    alone.insert(alone.end(), other.begin(), other.end());
    CHECK(both == alone);
    CHECK(both.size() == 2 * 61);
}

TEST_CASE("a table for each layer or head leads to the same bits", "[reference]") {
    const SmallModel model = load_fixture("llama_gqa");
    const auto tokens = random_tokens(6, 61, 3);
    const std::vector<std::uint32_t> at{0, 1, 2, 3, 4, 5}, last{5};
    const auto run = [&](const BlockTables& tables) {
        const auto backend = make_reference(model.config, model.weights, pool_of(4));
        return backend->forward({{{tokens, at, at, &tables, last}}}).logits;
    };
    BlockTables whole, layers, heads;
    whole.tables = {{BlockId(0), BlockId(1)}};
    layers = {TableScope::Layer, 2, {{BlockId(0), BlockId(4)}, {BlockId(3), BlockId(1)}}};
    heads = {TableScope::Head,
             2,
             {{BlockId(0), BlockId(4)},
              {BlockId(5), BlockId(6)},
              {BlockId(3), BlockId(1)},
              {BlockId(1), BlockId(2)}}};
    CHECK(run(layers) == run(whole));
    CHECK(run(heads) == run(whole));
}

TEST_CASE("float32 is close to float64, and float64 shows that it is no copy", "[reference]") {
    const SmallModel model = load_fixture("qwen3_norms");
    PoolSpec pool = pool_of(4, KvOrder::TokenMajor, Codec::F64);
    const auto truth_backend = make_reference(model.config, model.weights, pool, Precision::F64);
    Sequence sequence(*truth_backend);
    const auto truth = sequence.feed(random_tokens(kSequenceLength, 61, 4));
    const auto single =
        run_in_chunks(model, pool_of(4, KvOrder::TokenMajor, Codec::F32), kSequenceLength);
    const Distance d = distance(single, truth);
    CHECK(d.relative() < 1e-5);
    CHECK(d.difference > 0);
}

TEST_CASE("weights of attention are a distribution over what a query sees", "[reference][C016]") {
    const SmallModel model = load_fixture("llama_gqa");
    const auto backend = make_reference(model.config, model.weights, pool_of(4));
    Sequence sequence(*backend);
    EveryTap recorder;
    sequence.feed(random_tokens(7, 61, 5), &recorder);
    const auto& weights = recorder.taken[Tap::Weights];
    REQUIRE(weights.size() == 2 * 7 * 4);  // layers x tokens x heads
    for (std::size_t i = 0; i < weights.size(); ++i) {
        CHECK(weights[i].size() == i / 4 % 7 + 1);  // a token sees itself and all before it
        double sum = 0;
        for (const float w : weights[i]) sum += w;
        CHECK_THAT(sum, WithinAbs(1, 1e-6));
    }
    CHECK(recorder.taken[Tap::Q].size() == 2 * 7 * 4);
    CHECK(recorder.taken[Tap::K].size() == 2 * 7 * 2);
    CHECK(recorder.taken[Tap::LayerInput].size() == 2 * 7);
    // The output of the first layer is the input of the second.
    CHECK(recorder.taken[Tap::LayerOutput][0] == recorder.taken[Tap::LayerInput][7]);
}

// The window of 7: query 20 sees slots 14 to 20.
TEST_CASE("a sliding window hides what is older", "[reference]") {
    const SmallModel model = load_fixture("mistral_window");
    const auto backend = make_reference(model.config, model.weights, pool_of(4));
    Sequence sequence(*backend);
    EveryTap recorder;
    sequence.feed(random_tokens(kSequenceLength, 61, 5), &recorder);
    CHECK(recorder.taken[Tap::Weights].back().size() == 7);
    CHECK(recorder.taken[Tap::Weights].front().size() == 1);
}

TEST_CASE("what a pass counts equals the closed forms", "[reference][I16][C002][C003]") {
    for (const std::string name : {"llama_gqa", "llama_mqa_head40", "qwen3_norms"}) {
        CAPTURE(name);
        const SmallModel model = load_fixture(name);
        const ModelShape shape = shape_of(model.config);
        const auto backend = make_reference(model.config, model.weights, pool_of(4));
        Sequence sequence(*backend);
        sequence.feed(random_tokens(12, 61, 1));
        const Work prompt = sequence.work();
        CHECK(prompt.positions_projected == 12);
        CHECK(prompt.score_pairs == causal_pairs(12));
        // The closed form applies the head to the last position only; here it was all twelve.
        FlopParts form = prefill_flops(shape, 12, 1);
        CHECK(prompt.flops.qkv == form.qkv);
        CHECK(prompt.flops.scores == form.scores);
        CHECK(prompt.flops.sum_of_values == form.sum_of_values);
        CHECK(prompt.flops.o == form.o);
        CHECK(prompt.flops.mlp == form.mlp);
        CHECK(prompt.flops.lm_head == 12 * form.lm_head);

        const CodecPair codecs{};  // bf16
        const u64 token = bytes_per_token(shape.cache, codecs);
        CHECK(prompt.k_bytes_written + prompt.v_bytes_written == 12 * token);
        sequence.feed({5});
        CHECK(sequence.work().score_pairs - prompt.score_pairs == 13);
        CHECK(sequence.work().k_bytes_read - prompt.k_bytes_read == 13 * token / 2);
        CHECK(sequence.work().flops.total() - prompt.flops.total() ==
              decode_flops(shape, 13, 1).total());
    }
}
