// KIVI in the decoder: what a token sees at the moments when the residual is full, that bytes do
// not depend on how tokens came in, what is shared, and what it takes.

#include <catch2/catch_test_macros.hpp>

#include "core/cost/cache/bytes.hpp"
#include "core/engine/cpu/backend.hpp"
#include "core/engine/measure/prover.hpp"
#include "tests/engine/run/fixture.hpp"
#include "tests/engine/small_model.hpp"

using namespace kv;
using namespace kv::test;

namespace {

constexpr Codec kTwo{ElementCode::Int2, ScaleMode::Kivi}, kFour{ElementCode::Int4, ScaleMode::Kivi};

PoolSpec pool_of(const Codec& k, const Codec& v, Prefill prefill, std::uint32_t block = 16) {
    PoolSpec pool;
    pool.n_blocks = 320 / block + 1;
    pool.block_size = block;
    pool.k = k;
    pool.v = v;
    pool.prefill = prefill;
    return pool;
}

// The logits after each piece, and the bytes of the pool.
struct FedRun {
    std::vector<float> last;
    std::vector<std::byte> bytes;
};
FedRun feed(Backend& backend, const SmallModel& model, const std::vector<std::size_t>& pieces) {
    Sequence sequence(backend);
    const auto tokens = random_tokens(400, model.config.vocab_size, 9);
    FedRun run;
    std::size_t at = 0;
    for (const std::size_t piece : pieces) {
        const auto logits =
            sequence.feed({tokens.begin() + static_cast<std::ptrdiff_t>(at),
                           tokens.begin() + static_cast<std::ptrdiff_t>(at + piece)});
        run.last.assign(logits.end() - static_cast<std::ptrdiff_t>(model.config.vocab_size),
                        logits.end());
        at += piece;
    }
    run.bytes.resize(backend.layout().pool_bytes());
    backend.read_pool(0, run.bytes);
    return run;
}
FedRun feed(const SmallModel& model, const PoolSpec& pool, const std::vector<std::size_t>& pieces) {
    return feed(*make_reference(model.config, model.weights, pool), model, pieces);
}

std::vector<std::size_t> ones(std::size_t n) {
    return std::vector<std::size_t>(n, 1);
}

}  // namespace

// Until the 128th token has attended nothing is coded: the same as an fp16 cache.
TEST_CASE("a token sees full precision until the residual has been full", "[codec][kivi]") {
    const SmallModel model = load_fixture("llama_gqa");
    const PoolSpec kivi = pool_of(kTwo, kTwo, Prefill::Quantized),
                   half = pool_of(Codec::Fp16, Codec::Fp16, Prefill::Quantized);
    for (const std::size_t n : {127u, 128u, 129u}) {
        CAPTURE(n);
        const auto coded = feed(model, kivi, {n}).last, plain = feed(model, half, {n}).last;
        // The token at position 128 is the first that comes when 128 tokens have settled.
        CHECK((coded == plain) == (n <= 128));
    }
    // Values leave one by one: keys in fp16, the same moment.
    const PoolSpec values = pool_of(Codec::Fp16, kTwo, Prefill::Quantized);
    CHECK(feed(model, values, {129}).last == feed(model, half, {129}).last);
    CHECK(feed(model, values, {130}).last != feed(model, half, {130}).last);
}

TEST_CASE("quantised bytes do not depend on how the tokens came in", "[codec][kivi]") {
    const SmallModel model = load_fixture("llama_gqa");
    for (const std::uint32_t block : {1u, 16u, 64u}) {
        const PoolSpec pool = pool_of(kTwo, kFour, Prefill::Quantized, block);
        const FedRun whole = feed(model, pool, {261});
        for (const auto& pieces :
             {std::vector<std::size_t>{127, 1, 1, 132}, {128, 133}, {200, 61}}) {
            const FedRun cut = feed(model, pool, pieces);
            CHECK(cut.last == whole.last);
            CHECK(cut.bytes == whole.bytes);
        }
    }
    const PoolSpec pool = pool_of(kTwo, kFour, Prefill::Quantized);
    CHECK(feed(model, pool, ones(140)).bytes == feed(model, pool, {140}).bytes);
}

TEST_CASE("the fast backend keeps the same residual", "[codec][kivi][cpu]") {
    const SmallModel model = load_fixture("llama_gqa");
    for (const Prefill prefill : {Prefill::Exact, Prefill::Quantized})
        for (const auto& pieces : {std::vector<std::size_t>{129, 1, 1}, {128, 2}, {150}}) {
            const PoolSpec pool = pool_of(kFour, kFour, prefill, 8);
            const auto cpu =
                make_cpu(model.config, model.weights, pool, {.workers = 1, .path = {}});
            CHECK(distance(feed(*cpu, model, pieces).last, feed(model, pool, pieces).last)
                      .relative() < 2e-2);
        }
}

TEST_CASE("exact prefill of one pass reads nothing that was coded", "[codec][kivi]") {
    const SmallModel model = load_fixture("llama_gqa");
    CHECK(feed(model, pool_of(kTwo, kTwo, Prefill::Exact), {300}).last ==
          feed(model, pool_of(Codec::F32, Codec::F32, Prefill::Exact), {300}).last);
}

namespace {

EngineSettings kivi_settings(std::uint32_t block, Prefill prefill) {
    EngineSettings settings = tiny_settings(1000 / block, block);
    settings.k_codec = kTwo;
    settings.v_codec = kTwo;
    settings.prefill = prefill;
    settings.max_batch_tokens = 150;
    return settings;
}

struct Told {
    Proof proof;
    std::uint32_t cached = 0;  // of the last request
    std::vector<std::string> violations;
};
Told play(const EngineSettings& settings, const std::vector<RequestSpec>& requests) {
    const EngineOn on;
    EngineParts parts = on.parts();
    Prover prover([&](std::uint32_t n_tokens) {
        return make_reference(on.model.config, on.model.weights,
                              pool_spec_of(settings, n_tokens / settings.block_size + 1));
    });
    parts.on_logits = [&](SeqId, const SeenTokens& seen, std::span<const float> logits) {
        prover.check(seen, logits, 1);
    };
    Engine engine(std::move(parts), settings);
    for (const RequestSpec& request : requests) engine.submit(request);
    Told told;
    while (!engine.done()) {
        engine.advance();
        CHECK(engine.observe() == engine.trace().end());
        for (const Violation& violation : engine.check()) told.violations.push_back(violation.what);
    }
    told.proof = prover.proof();
    told.cached = engine.requests().back().cached_prompt;
    CHECK(engine.backend().residual_bytes() == 0);
    return told;
}

}  // namespace

TEST_CASE("a run with a residual is proved, cut as it was", "[codec][kivi][proof]") {
    for (const Prefill prefill : {Prefill::Exact, Prefill::Quantized}) {
        const Told told = play(kivi_settings(16, prefill), {request("A", 126, 6)});
        CHECK(told.proof.max_abs_difference == 0);
        CHECK(told.proof.recoded_rows == 0);
        CHECK(told.violations.empty());
    }
}

// A has 200 + 2 tokens stored: 128 keys and 74 values are final on both sides, two groups of 32.
TEST_CASE("a block is found once its bytes are final, in whole groups",
          "[codec][kivi][I18][heavy]") {
    for (const std::uint32_t block : {8u, 16u, 32u, 64u}) {
        CAPTURE(block);
        RequestSpec a = request("A", 200, 3), b = request("B", 199, 2, 3, 5);
        const Told told = play(kivi_settings(block, Prefill::Quantized), {a, b});
        CHECK(told.cached == 64);
        // B's newest tokens are coded where its own run would have them in full.
        CHECK(told.proof.max_abs_difference == 0);
        CHECK(told.proof.recoded_rows == 2);
        CHECK(told.violations.empty());
    }
}

TEST_CASE("forks, pauses and preemption leave residuals in order", "[codec][kivi]") {
    EngineSettings settings = kivi_settings(16, Prefill::Exact);
    settings.pool = {{}, 24};  // tight: somebody is taken out
    RequestSpec fork = request("F", 3, 5, 40, 6);
    fork.fork_of = "A";
    CHECK(play(settings, {request("A", 180, 9), request("B", 150, 9, 20, 1), fork})
              .violations.empty());
    settings.preempt = Preemption::Swap;
    settings.host_blocks = 30;
    settings.share = Sharing::CopyOnWrite;
    CHECK(play(settings, {request("A", 180, 9), request("B", 150, 9, 20, 1), fork})
              .violations.empty());
}

// In a block of 64 tokens the parent codes a second group of 32 later, beside the one that is whole
// now.
TEST_CASE("a fork shares no block in which its parent still codes", "[codec][kivi]") {
    const EngineOn on;
    EngineSettings settings = kivi_settings(64, Prefill::Exact);
    settings.share = Sharing::CopyOnWrite;
    Engine engine(on.parts(), settings);
    engine.submit(request("A", 233, 9));
    RequestSpec fork = request("F", 3, 5, 40, 2);
    fork.fork_of = "A";
    engine.submit(fork);
    run_to_end(engine);
    std::uint32_t shared = 0;
    for (const auto& [event, stored] : events_of<TokensStored>(engine.trace()))
        if (event.request == SeqId(1) && stored.first == 0) shared = stored.count;
    CHECK(shared == 64);
}

TEST_CASE("bytes that are read and written follow the residual", "[codec][kivi]") {
    const SmallModel model = load_fixture("llama_gqa");
    const auto backend =
        make_reference(model.config, model.weights, pool_of(kTwo, kTwo, Prefill::Quantized));
    Sequence sequence(*backend);
    sequence.feed(random_tokens(127, model.config.vocab_size, 1));
    const Work before = sequence.work();
    sequence.feed({5});
    const u64 heads = model.config.n_layers * model.config.n_kv_heads,
              full = 2 * model.config.head_dim;
    const u64 key = backend->layout().k.bytes;
    // It reads 128 tokens in full, writes itself and 128 codes of keys.
    CHECK(sequence.work().k_bytes_read - before.k_bytes_read == heads * 128 * full);
    CHECK(sequence.work().k_bytes_written - before.k_bytes_written == heads * (full + 128 * key));
    CHECK(sequence.work().v_bytes_written - before.v_bytes_written == heads * full);
    const Work then = sequence.work();
    sequence.feed({6});
    CHECK(sequence.work().k_bytes_read - then.k_bytes_read == heads * (128 * key + full));
}

TEST_CASE("kivi says what it cannot do", "[codec][kivi][command]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(40, 24);
    settings.k_codec = kTwo;
    CHECK_THROWS_AS(Engine(on.parts(), settings), Error);
    Engine engine(on.parts(), tiny_settings(40));
    engine.submit(request("A", 9, 12));
    engine.advance();
    const Snapshot before = engine.observe();
    const auto refusal = engine.apply(SetSetting{"v_codec", "int2:kivi"});
    REQUIRE(refusal.has_value());
    CHECK(refusal->find("wait in full") != std::string::npos);
    CHECK(engine.observe() == before);
}
