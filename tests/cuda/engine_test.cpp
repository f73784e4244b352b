// The engine over the emulated GPU: policies that thin out and rotate keys, swapping, kept inputs,
// and the shipped siblings with their proof.

#include "core/engine/run/engine.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/base/numbers/logits.hpp"
#include "core/engine/measure/generation.hpp"
#include "core/engine/measure/prover.hpp"
#include "core/trace/event/event.hpp"
#include "tests/cuda/emulated.hpp"
#include "tests/engine/run/fixture.hpp"
#include "tests/places.hpp"

using namespace kv;
using namespace kv::test;

namespace {

std::string folder_of(const std::string& name) {
    return kv::test::source_dir() + "/assets/models/" + name;
}

SmallModel load_sibling(const std::string& name) {
    const Checkpoint checkpoint = Checkpoint::open(folder_of(name));
    LoadOptions options;
    options.storage = WeightStorage::Bf16;
    return {checkpoint.config(), std::get<Weights>(load_weights(checkpoint, options))};
}

EngineParts emulated_parts(const SmallModel& model) {
    return {.config = model.config,
            .make_backend = [&model](const std::string&, const PoolSpec& pool) {
                return make_emulated(model.config, model.weights, pool);
            }};
}

// A request that goes on for as long as it is told to, whatever the model would say.
RequestSpec told(const std::string& name, std::uint32_t n_prompt, std::uint32_t n_forced) {
    RequestSpec spec = request(name, n_prompt, 1);
    for (std::uint32_t i = 0; i < n_forced; ++i) spec.forced.push_back(4 + i * 7 % 19);
    return spec;
}

// What is kept is the same, and the logits of every token are as near as the format lets them be.
void check_like_reference(const EngineOn& on, const EngineSettings& settings) {
    const auto played = [&](EngineParts parts) {
        parts.keep_logits = true;
        Engine engine(std::move(parts), settings);
        engine.submit(told("A", 17, 12));
        run_to_end(engine);
        return std::pair(engine.requests()[0].kept, engine.requests()[0].logits);
    };
    const auto [kept, logits] = played(on.parts());
    const auto [kept_here, logits_here] = played(emulated_parts(on.model));
    CHECK(kept_here == kept);
    REQUIRE_FALSE(logits.empty());
    REQUIRE(logits_here.size() == logits.size());
    const double allowed = settings.k_codec == Codec::F32 ? 1e-4 : 2e-2;
    for (std::size_t i = 0; i < logits.size(); ++i)
        CHECK(distance(logits_here[i], logits[i]).relative() < allowed);
}

}  // namespace

TEST_CASE("the backend on the device evicts as the reference does", "[emulated][eviction]") {
    const EngineOn on;
    for (const char* policy :
         {"window:7", "streaming:2+5", "h2o:4+3", "snapkv:9,window=3,kernel=3",
          "adakv:8,window=2,kernel=3", "tova:6", "knorm:0.6,skip=0", "expected:0.5,sinks=2"})
        for (const char* positions : {"true", "cache", "original"})
            for (const Codec codec : {Codec::F32, Codec::Int8}) {
                CAPTURE(policy, positions, codec_name(codec));
                EngineSettings settings = tiny_settings(40);
                REQUIRE(find_setting("evict")->read(settings, policy).empty());
                REQUIRE(find_setting("positions")->read(settings, positions).empty());
                settings.k_codec = settings.v_codec = codec;
                check_like_reference(on, settings);
            }
}

// Keys that are rotated in place are fetched, rotated and written back.
TEST_CASE("keys that move up in the cache on the device are those of the reference",
          "[emulated][eviction]") {
    const EngineOn on;
    for (const char* policy : {"window:7", "streaming:2+5"})
        for (const Codec codec : {Codec::F32, Codec::Bf16}) {
            CAPTURE(policy, codec_name(codec));
            EngineSettings settings = tiny_settings(40);
            settings.share = Sharing::Off;
            REQUIRE(find_setting("evict")->read(settings, policy).empty());
            REQUIRE(find_setting("positions")->read(settings, "shift").empty());
            settings.k_codec = settings.v_codec = codec;
            check_like_reference(on, settings);
        }
}

// What each query head looks at is chosen from bounds over the keys on the device: the events say
// the same choices, and a pass behind the mask that was kept gives the same logits.
TEST_CASE("the backend on the device chooses the blocks that the reference chooses",
          "[emulated][eviction][heavy]") {
    const EngineOn on;
    for (const char* policy : {"quest:8", "quest:6,recent=4", "quest:8,skip=1"})
        for (const std::uint32_t block : {1u, 3u, 4u})
            for (const Codec codec : {Codec::F32, Codec::Bf16, Codec::Int8}) {
                CAPTURE(policy, block, codec_name(codec));
                EngineSettings settings = tiny_settings(160, block);
                REQUIRE(find_setting("evict")->read(settings, policy).empty());
                settings.k_codec = settings.v_codec = codec;
                std::vector<std::vector<std::uint32_t>> chosen[2];
                std::vector<std::vector<float>> logits[2];
                for (const bool device : {false, true}) {
                    settings.backend = !device ? "reference" : block == 1 ? "cuda" : "cuda:1";
                    REQUIRE(clash_of(settings, on.model.config).empty());
                    EngineParts parts = device ? emulated_parts(on.model) : on.parts();
                    parts.keep_logits = true;
                    Engine engine(std::move(parts), settings);
                    engine.submit(told("A", 17, 24));
                    run_to_end(engine);
                    logits[device] = engine.requests()[0].logits;
                    engine.trace().each(0, engine.trace().size(),
                                        [&](std::uint64_t, const Event& event) {
                                            const auto* read = std::get_if<BlocksRead>(&event.what);
                                            if (read != nullptr)
                                                chosen[device].push_back(read->entries);
                                        });
                }
                CHECK(chosen[0].size() > 20);
                CHECK((chosen[0] == chosen[1]));
                REQUIRE(logits[0].size() == logits[1].size());
                for (std::size_t i = 0; i < logits[0].size(); ++i)
                    CHECK(distance(logits[1][i], logits[0][i]).relative() <
                          (codec == Codec::F32 ? 1e-4 : 2e-2));
            }
}

// A pass over everything, behind the mask of what each query head looked at: a list for each head.
TEST_CASE("a run on the device that chose what it read is proved on the device",
          "[emulated][eviction][I22]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(60, 3);
    REQUIRE(find_setting("evict")->read(settings, "quest:6,skip=1").empty());
    settings.k_codec = settings.v_codec = Codec::F32;
    const auto maker = [&](std::uint32_t n) {
        return make_emulated(on.model.config, on.model.weights,
                             pool_spec_of(settings, (n + 2) / 3));
    };
    Prover masked(maker), full(maker);
    const Engine* running = nullptr;
    EngineParts parts = emulated_parts(on.model);
    parts.keep_seen = true;
    parts.on_logits = [&](SeqId id, const SeenTokens& seen, std::span<const float> logits) {
        const SightMask mask{running->keeper(id)->seen(), running->sight_lanes(),
                             running->key_rotation()};
        masked.check(seen, logits, 1, &mask);
        full.check(seen, logits, 1);
    };
    Engine engine(std::move(parts), settings);
    running = &engine;
    engine.submit(told("A", 17, 14));
    run_to_end(engine);
    CHECK(masked.proof().max_abs_difference < 1e-4);
    CHECK(full.proof().max_abs_difference > 1e-3);
}

TEST_CASE("blocks that went to the host and came back are the same", "[emulated][I23]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(12);
    settings.host_blocks = 40;
    REQUIRE(find_setting("preempt")->read(settings, "swap").empty());
    const auto played = [&](std::uint32_t blocks) {
        settings.pool = {{}, blocks};
        Engine engine(emulated_parts(on.model), settings);
        for (const char* name : {"A", "B", "C"}) engine.submit(request(name, 12, 14));
        run_to_end(engine);
        std::vector<std::vector<std::uint32_t>> tokens;
        std::uint32_t preemptions = 0;
        for (const Request& r : engine.requests()) {
            tokens.push_back(r.new_tokens);
            preemptions += r.preemptions;
        }
        return std::pair(tokens, preemptions);
    };
    const auto roomy = played(60), tight = played(12);
    CHECK(roomy.second == 0);
    CHECK(tight.second > 0);
    CHECK(tight.first == roomy.first);
}

TEST_CASE("kept inputs lead to the same tokens on the device", "[emulated][keep]") {
    for (const bool norms : {false, true}) {
        RandomShape shape;
        shape.qk_norm = shape.biases = norms;
        const RandomModel model = random_model(shape);
        const auto logits = [&](Keep keep) {
            const auto backend = make_emulated(model.config, model.weights, pool_for(20, 4));
            GenerationRequest wish;
            wish.prompt = random_tokens(9, shape.vocab, 6);
            wish.forced = {5, 11};
            wish.max_new = 4;
            wish.max_batch_tokens = 4;
            wish.keep = keep;
            wish.keep_logits = true;
            Generation run(*backend, model.config, std::move(wish));
            const std::vector<std::byte> other(backend->layout().pool_bytes(), std::byte{0x3E});
            while (run.advance())
                if (keep == Keep::Inputs && run.stored_tokens() >= 9) backend->write_pool(0, other);
            return run.logits();
        };
        const auto whole = logits(Keep::KeysAndValues);
        for (const Keep keep : {Keep::Inputs, Keep::Nothing}) {
            const auto ours = logits(keep);
            REQUIRE(ours.size() == whole.size());
            for (std::size_t i = 0; i < whole.size(); ++i)
                CHECK(distance(ours[i], whole[i]).relative() < 1e-5);
        }
    }
}

TEST_CASE("the siblings say the same on the device, and their cache is proved",
          "[emulated][C023][heavy]") {
    for (const char* name : {"mha", "gqa", "mqa"}) {
        const SmallModel model = load_sibling(name);
        const EngineSettings settings = tiny_settings(16, 16);
        const auto played = [&](EngineParts parts) {
            parts.keep_logits = true;
            Engine engine(std::move(parts), settings);
            engine.submit(told("A", 21, 6));
            engine.submit(request("B", 5, 6));
            run_to_end(engine);
            std::vector<std::vector<float>> logits = engine.requests()[0].logits;
            for (const auto& row : engine.requests()[1].logits) logits.push_back(row);
            return logits;
        };
        EngineParts reference{.config = model.config,
                              .make_backend = [&](const std::string&, const PoolSpec& pool) {
                                  return make_reference(model.config, model.weights, pool);
                              }};
        EngineParts ours = emulated_parts(model);
        Prover prover([&](std::uint32_t n) {
            return make_emulated(model.config, model.weights, pool_spec_of(settings, n / 16 + 1));
        });
        ours.keep_seen = true;
        ours.on_logits = [&](SeqId, const SeenTokens& seen, std::span<const float> logits) {
            prover.check(seen, logits, 1);
        };
        const auto expected = played(std::move(reference)), given = played(std::move(ours));
        REQUIRE(given.size() == expected.size());
        for (std::size_t i = 0; i < given.size(); ++i) {
            CAPTURE(name, i);
            CHECK(distance(given[i], expected[i]).relative() < kProofTolerance);
            std::vector<float> sorted = expected[i];
            std::sort(sorted.rbegin(), sorted.rend());
            if (sorted[0] - sorted[1] > kProofTolerance * sorted[0])
                CHECK(top_token(given[i]) == top_token(expected[i]));
        }
        CHECK(prover.proof().checked);
        CHECK(holds(prover.proof(), "cuda"));
    }
}

// A step reads the whole cache for one query: each token makes the next step's read longer by its
// own bytes, and the part of the pass that attends says so.
TEST_CASE("every token makes the next step read its bytes, too", "[emulated][C083]") {
    const RandomModel model = random_model({});
    const auto backend = make_emulated(model.config, model.weights, pool_for(64, 4));
    const auto tokens = random_tokens(40, model.config.vocab_size, 1);
    PassClock clock([] { return 0.0; });
    BlockTables tables;
    tables.tables.resize(1);
    for (std::uint32_t i = 0; i < 10; ++i) tables.tables[0].push_back(BlockId(9 - i));
    const std::uint64_t of_token = backend->layout().pool_bytes() / backend->layout().n_blocks / 4;
    for (std::uint32_t i = 0; i < 40; ++i) {
        const std::vector<std::uint32_t> token{tokens[i]}, at{i}, row{0};
        const auto result = backend->forward({{{token, at, at, &tables, row}}, &clock}, nullptr);
        std::uint64_t read = 0;
        for (const Operation& part : result.parts)
            if (part.op == Op::Attend) read += part.bytes_read;
        CHECK(read == (i + 1) * of_token);
    }
}
