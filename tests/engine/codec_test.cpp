// Codecs in the decoder: what a pass sees of its own tokens, that the fast backend sees the same,
// that a proof recomputes by the same rule, and what requests may share.

#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "core/cost/cache_bytes.hpp"
#include "core/engine/cpu/cpu_backend.hpp"
#include "core/engine/prover.hpp"
#include "core/model/config.hpp"
#include "tests/engine/engine_fixture.hpp"
#include "tests/engine/small_model.hpp"

using namespace kv;
using namespace kv::test;

namespace {

constexpr std::size_t kLength = 21;

const std::vector<std::string> kLossy{"fp8_e4m3", "fp8_e5m2", "int8",    "int4",
                                      "int3",     "int2",     "int4:g4", "int2:g8"};

KvFormat named(std::string_view name) {
    std::string why;
    const auto format = runnable_format(name, why);
    CAPTURE(name, why);
    REQUIRE(format.has_value());
    return *format;
}

PoolSpec pool_of(std::string_view k, std::string_view v, Prefill prefill,
                 std::uint32_t block_size = 4) {
    PoolSpec pool;
    pool.n_blocks = static_cast<std::uint32_t>(kLength / block_size) + 3;
    pool.block_size = block_size;
    pool.k = named(k);
    pool.v = named(v);
    pool.prefill = prefill;
    return pool;
}

struct Run {
    std::vector<float> logits;
    std::vector<std::byte> bytes;  // of the pool
};

Run run_in_chunks(Backend& backend, const SmallModel& model, std::size_t chunk) {
    Sequence sequence(backend);
    const auto tokens = random_tokens(kLength, model.config.vocab_size, 4);
    Run run;
    for (std::size_t at = 0; at < tokens.size(); at += chunk) {
        const auto end = std::min(at + chunk, tokens.size());
        const auto logits = sequence.feed({tokens.begin() + static_cast<std::ptrdiff_t>(at),
                                           tokens.begin() + static_cast<std::ptrdiff_t>(end)});
        run.logits.insert(run.logits.end(), logits.begin(), logits.end());
    }
    run.bytes.resize(backend.layout().pool_bytes());
    backend.read_pool(0, run.bytes);
    return run;
}

Run run_reference(const SmallModel& model, const PoolSpec& pool, std::size_t chunk) {
    return run_in_chunks(*make_reference(model.config, model.weights, pool), model, chunk);
}

EngineSettings settings_of(std::string_view k, std::string_view v, Prefill prefill) {
    EngineSettings settings = tiny_settings(40);
    settings.k_codec = named(k);
    settings.v_codec = named(v);
    settings.prefill = prefill;
    settings.max_batch_tokens = 11;
    return settings;
}

// Runs the requests to their end and proves every row of logits.
Proof prove(const EngineSettings& settings, const std::vector<RequestSpec>& requests) {
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
    run_to_end(engine);
    return prover.proof();
}

}  // namespace

TEST_CASE("quantised prefill does not depend on chunks, exact prefill does",
          "[codec][reference][I29]") {
    const SmallModel model = load_fixture("llama_gqa");
    for (const std::string& name : kLossy) {
        CAPTURE(name);
        const PoolSpec coded = pool_of(name, name, Prefill::Quantized);
        const Run whole = run_reference(model, coded, kLength);
        for (const std::size_t chunk : {1u, 2u, 5u, 20u}) {
            const Run cut = run_reference(model, coded, chunk);
            CHECK(cut.logits == whole.logits);
            CHECK(cut.bytes == whole.bytes);  // so requests may share what others have stored
        }
        const PoolSpec exact = pool_of(name, name, Prefill::Exact);
        const Run at_once = run_reference(model, exact, kLength);
        CHECK(at_once.logits != whole.logits);
        CHECK(run_reference(model, exact, 5).logits != at_once.logits);
    }
}

// In one pass nothing that was coded is read.
TEST_CASE("exact prefill in one pass gives the logits of a float cache", "[codec][reference]") {
    const SmallModel model = load_fixture("llama_gqa");
    const Run exact = run_reference(model, pool_of("int2", "int2", Prefill::Exact), kLength);
    CHECK(exact.logits ==
          run_reference(model, pool_of("f32", "f32", Prefill::Exact), kLength).logits);
}

TEST_CASE("plain formats round when they store, in either mode", "[codec][reference]") {
    const SmallModel model = load_fixture("llama_gqa");
    for (const std::string name : {"f32", "bf16", "fp16"})
        CHECK(run_reference(model, pool_of(name, name, Prefill::Exact), 5).logits ==
              run_reference(model, pool_of(name, name, Prefill::Quantized), kLength).logits);
}

TEST_CASE("keys and values have a codec each", "[codec][reference]") {
    const SmallModel model = load_fixture("llama_gqa");
    const auto logits = [&](const char* k, const char* v) {
        return run_reference(model, pool_of(k, v, Prefill::Quantized), 5).logits;
    };
    CHECK(logits("int4", "f32") != logits("f32", "int4"));
    CHECK(logits("int4", "f32") != logits("int4", "int4"));
    const KvLayout layout = layout_of(model.config, pool_of("int8", "fp8_e5m2", Prefill::Exact));
    CHECK(layout.k.bytes == model.config.head_dim + 2);
    CHECK(layout.v.bytes == model.config.head_dim);
}

TEST_CASE("more bits are nearer to the truth", "[codec][reference][C138]") {
    const SmallModel model = load_fixture("llama_gqa");
    const auto truth = run_reference(model, pool_of("f32", "f32", Prefill::Exact), kLength).logits;
    double last = 0;
    for (const std::string name : {"int8", "int4", "int3", "int2"}) {
        const Run run = run_reference(model, pool_of(name, name, Prefill::Quantized), kLength);
        double sum = 0;
        for (std::size_t i = 0; i < truth.size(); ++i)
            sum += std::abs(double{run.logits[i]} - truth[i]);
        CAPTURE(name, sum, last);
        CHECK(sum > last);
        last = sum;
    }
}

TEST_CASE("the fast backend sees what the reference sees", "[codec][cpu]") {
    for (const std::string fixture : {"llama_gqa", "mistral_window", "qwen3_norms"}) {
        const SmallModel model = load_fixture(fixture);
        for (const std::string& name : kLossy)
            for (const Prefill prefill : {Prefill::Exact, Prefill::Quantized})
                for (const std::size_t chunk : {1u, 5u, 21u}) {
                    CAPTURE(fixture, name, name_of(prefill), chunk);
                    const PoolSpec pool = pool_of(name, "int8", prefill, 3);
                    const Run reference = run_reference(model, pool, chunk);
                    const auto cpu = make_cpu(model.config, model.weights, pool, {.workers = 2, .path = {}});
                    const Run fast = run_in_chunks(*cpu, model, chunk);
                    // A sum that rounds differently may tip a code over, which moves a key by a
                    // step.
                    CHECK(distance(fast.logits, reference.logits).relative() < 2e-2);
                }
    }
}

TEST_CASE("the fast backend's bits do not depend on threads, blocks and, quantised, on chunks",
          "[codec][cpu][I29]") {
    const SmallModel model = load_fixture("llama_gqa");
    for (const std::string name : {"int8", "int4:g4", "fp8_e4m3"}) {
        const auto logits = [&](std::size_t workers, std::uint32_t block, std::size_t chunk,
                                Prefill prefill) {
            const auto cpu = make_cpu(model.config, model.weights, pool_of(name, name, prefill, block),
                                      {.workers = workers, .path = {}});
            return run_in_chunks(*cpu, model, chunk).logits;
        };
        const auto whole = logits(1, 4, kLength, Prefill::Quantized);
        CHECK(logits(3, 4, kLength, Prefill::Quantized) == whole);
        CHECK(logits(2, 1, 5, Prefill::Quantized) == whole);
        CHECK(logits(1, 16, 1, Prefill::Quantized) == whole);
        CHECK(logits(1, 4, 5, Prefill::Exact) == logits(3, 16, 5, Prefill::Exact));
    }
}

TEST_CASE("the proof recomputes by the rule of the run", "[codec][proof]") {
    for (const std::string& name : kLossy)
        for (const Prefill prefill : {Prefill::Exact, Prefill::Quantized}) {
            CAPTURE(name, name_of(prefill));
            const Proof proof = prove(settings_of(name, "int4", prefill), {request("A", 25, 6)});
            CHECK(proof.max_abs_difference == 0);
            CHECK(proof.scale > 0);
        }
}

// B finds blocks of A that A computed in two passes, then A comes back after it was taken out, and
// C begins with what A had said itself.
TEST_CASE("the proof knows who computed what was found", "[codec][proof]") {
    EngineSettings settings = settings_of("int4", "int2", Prefill::Exact);
    std::vector<RequestSpec> requests{request("A", 27, 9), request("B", 26, 4, 3, 4),
                                      request("C", 40, 4, 3, 14)};
    CHECK(prove(settings, requests).max_abs_difference == 0);
    settings.pool = {{}, 12};  // tight: somebody is taken out
    CHECK(prove(settings, requests).max_abs_difference == 0);
    settings.preempt = Preemption::Swap;
    settings.host_blocks = 20;
    CHECK(prove(settings, requests).max_abs_difference == 0);
    RequestSpec fork = request("F", 3, 5, 40, 6);
    fork.fork_of = "A";
    settings.share = Sharing::CopyOnWrite;
    CHECK(prove(settings, {requests[0], fork}).max_abs_difference == 0);
}

TEST_CASE("the pool is as large as the formula says, for every codec", "[codec][C133][C090]") {
    const SmallModel model = load_fixture("llama_gqa");
    const CacheShape shape = shape_of(model.config).cache;
    std::vector<std::string> all = kLossy;
    all.insert(all.end(), {"f32", "bf16", "fp16", "int8:g4", "int3:g8"});
    for (const std::string& k : all)
        for (const std::string& v : all) {
            const PoolSpec pool = pool_of(k, v, Prefill::Exact, 5);
            const CodecPair codecs{codec_of(pool.k), codec_of(pool.v)};
            CAPTURE(k, v);
            CHECK(layout_of(model.config, pool).pool_bytes() ==
                  pool.n_blocks * bytes_per_block(shape, codecs, 5));
        }
}
