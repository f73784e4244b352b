// Codecs in the decoder: what a pass sees of its own tokens, that the fast backend sees the same,
// that a proof recomputes by the same rule, and what requests may share.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <numeric>

#include "core/base/random.hpp"
#include "core/cost/cache/bytes.hpp"
#include "core/engine/cpu/backend.hpp"
#include "core/engine/measure/prover.hpp"
#include "core/engine/reference/hadamard.hpp"
#include "core/model/config/config.hpp"
#include "core/trace/event/event.hpp"
#include "tests/engine/run/fixture.hpp"
#include "tests/engine/small_model.hpp"

using namespace kv;
using namespace kv::test;

namespace {

constexpr std::size_t kLength = 21;

const std::vector<std::string> kLossy{"fp8_e4m3", "fp8_e5m2", "int8",    "int4",
                                      "int3",     "int2",     "int4:g4", "int2:g8"};

Codec named(std::string_view name) {
    std::string why;
    const auto codec = parse_codec(name, why);
    CAPTURE(name, why);
    REQUIRE(codec.has_value());
    return *codec;
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

struct ChunkedRun {
    std::vector<float> logits;
    std::vector<std::byte> bytes;  // of the pool
};

ChunkedRun run_in_chunks(Backend& backend, const SmallModel& model, std::size_t chunk) {
    Sequence sequence(backend);
    const auto tokens = random_tokens(kLength, model.config.vocab_size, 4);
    ChunkedRun run;
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

ChunkedRun run_reference(const SmallModel& model, const PoolSpec& pool, std::size_t chunk) {
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
        const ChunkedRun whole = run_reference(model, coded, kLength);
        for (const std::size_t chunk : {1u, 2u, 5u, 20u}) {
            const ChunkedRun cut = run_reference(model, coded, chunk);
            CHECK(cut.logits == whole.logits);
            CHECK(cut.bytes == whole.bytes);  // so requests may share what others have stored
        }
        const PoolSpec exact = pool_of(name, name, Prefill::Exact);
        const ChunkedRun at_once = run_reference(model, exact, kLength);
        CHECK(at_once.logits != whole.logits);
        CHECK(run_reference(model, exact, 5).logits != at_once.logits);
    }
}

// In one pass nothing that was coded is read.
TEST_CASE("exact prefill in one pass gives the logits of a float cache", "[codec][reference]") {
    const SmallModel model = load_fixture("llama_gqa");
    const ChunkedRun exact = run_reference(model, pool_of("int2", "int2", Prefill::Exact), kLength);
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
        const ChunkedRun run =
            run_reference(model, pool_of(name, name, Prefill::Quantized), kLength);
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
                    const ChunkedRun reference = run_reference(model, pool, chunk);
                    const auto cpu =
                        make_cpu(model.config, model.weights, pool, {.workers = 2, .path = {}});
                    const ChunkedRun fast = run_in_chunks(*cpu, model, chunk);
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
            const auto cpu =
                make_cpu(model.config, model.weights, pool_of(name, name, prefill, block),
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
            const CodecPair codecs{pool.k, pool.v};
            CAPTURE(k, v);
            CHECK(layout_of(model.config, pool).pool_bytes() ==
                  pool.n_blocks * bytes_per_block(shape, codecs, 5));
        }
}

namespace {

// What the pool says of the vectors of one slot, as numbers.
std::vector<float> stored_values(const Engine& engine, BlockId block, Slot slot) {
    const KvLayout& layout = engine.backend().layout();
    std::vector<float> all;
    for (std::uint32_t layer = 0; layer < layout.n_layers; ++layer)
        for (const Side side : {Side::K, Side::V})
            for (std::uint32_t head = 0; head < layout.n_kv_heads; ++head) {
                const KvVector& vector = layout.vector(side);
                std::vector<std::byte> bytes(vector.bytes);
                std::vector<float> values(vector.dim);
                engine.backend().read_pool(
                    layout.vector_offset(LayerId(layer), side, HeadId(head), block, slot), bytes);
                const EngineSettings& s = engine.settings();
                decode_vector(side == Side::K ? s.k_codec : s.v_codec, bytes.data(), vector.dim,
                              values.data());
                all.insert(all.end(), values.begin(), values.end());
            }
    return all;
}

}  // namespace

TEST_CASE("a codec that changes under way takes all that is stored with it", "[codec][command]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(40);
    settings.pool = {40 * 4 * std::uint64_t{on.model.config.n_layers} * on.model.config.n_kv_heads *
                         on.model.config.head_dim * 2 * 2,
                     0};
    Engine engine(on.parts(), settings);
    engine.submit(request("A", 9, 12));
    engine.submit(request("B", 6, 12, 20));
    for (int i = 0; i < 4; ++i) engine.advance();
    const BlockId block = *engine.cache().table(SeqId(0))[2];
    const std::vector<float> before = stored_values(engine, block, Slot(0));
    const auto copied = engine.trace().end().counters.bytes_copied;
    const auto n = engine.trace().size();
    const std::uint64_t live = engine.trace().end().lanes[0].live;

    REQUIRE(!engine.apply(SetSetting{"v_codec", "int4"}));

    CHECK(codec_name(engine.settings().v_codec) == "int4");
    CHECK(engine.backend().layout().v.bytes == on.model.config.head_dim / 2 + 2);
    CHECK(engine.backend().layout().n_blocks == 40);
    CHECK(engine.trace().end().settings.at("pool") == "40blocks");
    // Nothing can be found that the new codec did not store; and who holds what has not changed.
    CHECK(event_names(engine.trace(), n) ==
          std::vector<std::string>{"AllBlocksCleared", "SettingChanged", "SettingChanged",
                                   "BlockRecoded", "BlockRecoded", "BlockRecoded", "BlockRecoded",
                                   "BlockRecoded", "BlockRecoded"});
    const Reason reason = engine.trace().event(engine.trace().size() - 1).reason;
    CHECK(reason.why == Why::CodecChanged);
    CHECK(reason.a == live);
    // All of both sides lies at new addresses.
    const KvLayout& layout = engine.backend().layout();
    CHECK(engine.trace().end().counters.bytes_copied - copied ==
          live * layout.pool_bytes() / layout.n_blocks / layout.block_size);
    CHECK(engine.observe() == engine.trace().end());
    CHECK(engine.check().empty());
    // Keys as they were, values within half a step of what they were.
    const std::vector<float> after = stored_values(engine, block, Slot(0));
    const std::size_t side = before.size() / 2 / on.model.config.n_layers;
    CHECK(std::equal(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(side),
                     after.begin()));
    CHECK(before != after);
    run_to_end(engine);
    CHECK(engine.check().empty());
    CHECK(engine.observe() == engine.trace().end());
}

TEST_CASE("after a change of codec nobody shares what was stored before", "[codec][command][I08]") {
    const EngineOn on;
    Engine engine(on.parts(), tiny_settings(40));
    engine.submit(request("A", 17, 6));
    engine.submit(request("B", 17, 3, 3, 5));
    engine.advance();
    engine.advance();
    REQUIRE(!engine.apply(SetSetting{"k_codec", "int8"}));
    run_to_end(engine);
    CHECK(engine.requests()[1].cached_prompt == 0);
    CHECK(engine.observe() == engine.trace().end());
}

// A has not filled a block yet when the codec changes, or comes back from the host after it. What
// it holds was coded twice, so B, with the same tokens, must not find it.
TEST_CASE("what was recoded is not found later, in whatever way its block fills",
          "[codec][command]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(40, 16);
    settings.host_blocks = 20;
    const bool comes_back = GENERATE(false, true);
    const std::uint32_t n_prompt = comes_back ? 40 : 9;
    Engine engine(on.parts(), settings);
    engine.submit(request("A", n_prompt, 12));
    engine.advance();
    engine.advance();
    REQUIRE(!engine.apply(SetSetting{"k_codec", "int4"}));
    if (comes_back) {
        REQUIRE(!engine.apply(PauseRequest{"A"}));
        REQUIRE(!engine.apply(ResumeRequest{"A"}));
    }
    run_to_end(engine);
    RequestSpec b = request("B", n_prompt, 2);
    const std::vector<std::uint32_t>& more = engine.requests()[0].new_tokens;
    b.prompt.insert(b.prompt.end(), more.begin(), more.end());
    engine.submit(b);
    run_to_end(engine);
    CHECK(engine.requests()[1].cached_prompt == 0);
    // B's own blocks are all of one codec, so C finds them.
    b.name = "C";
    engine.submit(b);
    run_to_end(engine);
    CHECK(engine.requests()[2].cached_prompt >= 16);
}

TEST_CASE("a codec cannot change under blocks in a lower tier", "[codec][command]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(40);
    settings.host_blocks = 20;
    Engine engine(on.parts(), settings);
    engine.submit(request("A", 9, 12));
    engine.submit(request("B", 9, 12, 20));
    engine.advance();
    REQUIRE(!engine.apply(PauseRequest{"A"}));
    const Snapshot before = engine.observe();
    const auto refusal = engine.apply(SetSetting{"k_codec", "int8"});
    REQUIRE(refusal.has_value());
    CHECK(refusal->find("request A lie in a lower tier") != std::string::npos);
    CHECK(engine.observe() == before);
    REQUIRE(!engine.apply(ResumeRequest{"A"}));
    engine.advance();
    CHECK(!engine.apply(SetSetting{"k_codec", "int8"}));
    run_to_end(engine);
}

TEST_CASE("a proof knows which rows a change of codec has made lossy", "[codec][proof]") {
    const EngineOn on;
    EngineParts parts = on.parts();
    EngineSettings settings = tiny_settings(40);
    Prover prover([&](std::uint32_t n_tokens) {
        return make_reference(on.model.config, on.model.weights,
                              pool_spec_of(settings, n_tokens / settings.block_size + 1));
    });
    parts.on_logits = [&](SeqId, const SeenTokens& seen, std::span<const float> logits) {
        prover.check(seen, logits, 1);
    };
    Engine engine(std::move(parts), settings);
    engine.submit(request("A", 9, 5));
    engine.submit(request("B", 9, 4, 30, 4));
    engine.advance();
    engine.advance();
    REQUIRE(!engine.apply(SetSetting{"k_codec", "int4"}));
    settings = engine.settings();
    prover.start_anew();
    run_to_end(engine);
    CHECK(prover.proof().max_abs_difference == 0);  // of A before, of B throughout
    CHECK(prover.proof().recoded_rows == 3);        // of A after it
    CHECK(prover.proof().recoded_difference > 0);
}

// The scale is that of the first pass: what comes later and is larger is cut off.
TEST_CASE("one scale for a whole layer comes from the first pass and stays", "[codec][tensor]") {
    const SmallModel model = load_fixture("llama_gqa");
    const PoolSpec pool = pool_of("int8:tensor", "int4:tensor", Prefill::Quantized);
    const auto backend = make_reference(model.config, model.weights, pool);
    CHECK(backend->shared_scale(LayerId(0), Side::K) == kNoScale);
    CHECK(backend->layout().k.bytes == model.config.head_dim);
    Sequence first(*backend);
    first.feed(random_tokens(3, model.config.vocab_size, 1));
    const SharedScale k = backend->shared_scale(LayerId(0), Side::K),
                      v = backend->shared_scale(LayerId(0), Side::V);
    CHECK(k != kNoScale);
    CHECK(v != k);
    first.feed(random_tokens(15, model.config.vocab_size, 2));
    CHECK(backend->shared_scale(LayerId(0), Side::K) == k);
    // The fast backend takes the same, from the first sequence of its batch.
    const auto cpu = make_cpu(model.config, model.weights, pool, {.workers = 1, .path = {}});
    Sequence again(*cpu);
    again.feed(random_tokens(3, model.config.vocab_size, 1));
    CHECK(std::abs(cpu->shared_scale(LayerId(0), Side::K) - k) <= 1);
}

TEST_CASE("one scale for all is proved like any other codec", "[codec][tensor][proof]") {
    for (const Prefill prefill : {Prefill::Exact, Prefill::Quantized}) {
        const EngineOn on;
        EngineParts parts = on.parts();
        const EngineSettings settings = settings_of("int8:tensor", "int4:tensor", prefill);
        const Engine* running = nullptr;
        Prover prover([&](std::uint32_t n_tokens) {
            auto backend = make_reference(on.model.config, on.model.weights,
                                          pool_spec_of(settings, n_tokens / 4 + 1));
            copy_shared_scales(running->backend(), *backend);
            return backend;
        });
        parts.on_logits = [&](SeqId, const SeenTokens& seen, std::span<const float> logits) {
            prover.check(seen, logits, 1);
        };
        Engine engine(std::move(parts), settings);
        running = &engine;
        engine.submit(request("A", 9, 6));
        engine.submit(request("B", 25, 6, 7, 2));
        run_to_end(engine);
        CHECK(prover.proof().max_abs_difference == 0);
        CHECK(prover.proof().scale > 0);
    }
}

TEST_CASE("a pool that goes over to one scale takes it from all that is stored",
          "[codec][tensor][command]") {
    const EngineOn on;
    Engine engine(on.parts(), tiny_settings(40));
    engine.submit(request("A", 9, 12));
    engine.advance();
    engine.advance();
    const BlockId block = *engine.cache().table(SeqId(0))[0];
    const std::vector<float> before = stored_values(engine, block, Slot(0));
    REQUIRE(!engine.apply(SetSetting{"k_codec", "int8:tensor"}));
    CHECK(engine.backend().shared_scale(LayerId(0), Side::K) != kNoScale);
    CHECK(engine.backend().shared_scale(LayerId(0), Side::V) == kNoScale);
    run_to_end(engine);
    CHECK(engine.observe() == engine.trace().end());
}

TEST_CASE("rotating heads changes no score beyond rounding, and undoes itself",
          "[codec][rotation]") {
    Random random(3, 0);
    for (const std::size_t dim : {1u, 2u, 16u, 64u, 128u}) {
        std::vector<double> q(dim), k(dim);
        for (std::size_t i = 0; i < dim; ++i) {
            q[i] = random.unit(2 * i) - 0.5;
            k[i] = random.unit(2 * i + 1) - 0.5;
        }
        const auto dot = [&] { return std::inner_product(q.begin(), q.end(), k.begin(), 0.0); };
        const double before = dot();
        const std::vector<double> as_it_was = q;
        hadamard(q.data(), dim);
        hadamard(k.data(), dim);
        CHECK(std::abs(dot() - before) < 1e-12);
        hadamard(q.data(), dim);
        for (std::size_t i = 0; i < dim; ++i) CHECK(std::abs(q[i] - as_it_was[i]) < 1e-12);
    }
    // An outlier of size 8 leaves 8 / sqrt(16) = 2 in every channel.
    std::vector<float> outlier(16, 0);
    outlier[5] = 8;
    hadamard(outlier.data(), 16);
    for (const float value : outlier) CHECK(std::abs(value) == 2);
}

TEST_CASE("a rotated float cache gives the same logits to rounding", "[codec][rotation]") {
    const SmallModel model = load_fixture("llama_gqa");
    PoolSpec pool = pool_of("f32", "f32", Prefill::Exact);
    const ChunkedRun plain = run_reference(model, pool, 5);
    pool.rotation = Rotation::Hadamard;
    const ChunkedRun rotated = run_reference(model, pool, 5);
    CHECK(rotated.bytes != plain.bytes);
    CHECK(distance(rotated.logits, plain.logits).relative() < 1e-5);
    CHECK(run_reference(model, pool, kLength).logits == rotated.logits);
    const auto cpu = make_cpu(model.config, model.weights, pool, {.workers = 1, .path = {}});
    CHECK(distance(run_in_chunks(*cpu, model, 5).logits, rotated.logits).relative() < 2e-2);
}

// A key 100 times as large as its value: with the wrong scale the value would be lost.
TEST_CASE("a value is decoded with its own scale and not with its key's", "[codec][reference]") {
    SmallModel model = load_fixture("llama_gqa");
    const PoolSpec coded = pool_of("int8", "int8", Prefill::Quantized),
                   plain = pool_of("f32", "f32", Prefill::Quantized);
    const auto off = distance(run_reference(model, coded, kLength).logits,
                              run_reference(model, plain, kLength).logits);
    CHECK(off.relative() < 0.03);
}
