// A policy on the real decoder: the evicting cache gives what a full run gives that hides the same
// tokens, the trace and the books tell one story, and blocks really go back.

#include <catch2/catch_test_macros.hpp>

#include "core/engine/prover.hpp"
#include "tests/engine/engine_fixture.hpp"

using namespace kv;
using namespace kv::test;

namespace {

struct Case {
    std::string evict, positions;
};

EngineSettings settings_of(const Case& c, std::uint32_t blocks, std::uint32_t block_size = 4) {
    EngineSettings s = tiny_settings(blocks, block_size);
    REQUIRE(find_setting("evict")->read(s, c.evict).empty());
    if (!c.positions.empty()) REQUIRE(find_setting("positions")->read(s, c.positions).empty());
    return s;
}

struct Outcome {
    double masked = 0, full = 0, scale = 0;
    bool dropped = false;
};

// Plays to the end; after each iteration the books are checked and the trace is compared.
Outcome play(const EngineOn& on, const EngineSettings& settings,
             const std::vector<RequestSpec>& requests) {
    const auto maker = [&](std::uint32_t n) {
        PoolSpec pool = pool_spec_of(settings, (n + settings.block_size - 1) / settings.block_size);
        return make_reference(on.model.config, on.model.weights, pool);
    };
    Prover masked(maker), full(maker);
    Outcome outcome;
    const Engine* running = nullptr;
    EngineParts parts = on.parts();
    parts.keep_seen = true;
    parts.on_logits = [&](SeqId id, std::span<const std::uint32_t> seen,
                          std::span<const float> logits) {
        const TokenKeeper& keeper = *running->keeper(id);
        const Prover::Mask mask{keeper.seen(), running->lanes(), running->key_turn()};
        masked.check(seen, logits, 1, &mask);
        full.check(seen, logits, 1);
        outcome.dropped = outcome.dropped || keeper.has_dropped();
    };
    Engine engine(std::move(parts), settings);
    running = &engine;
    for (const RequestSpec& spec : requests) engine.submit(spec);
    while (!engine.done()) {
        engine.advance();
        REQUIRE(differences(engine.observe(), engine.trace().end()) == std::vector<std::string>{});
        REQUIRE(engine.observe() == engine.trace().end());
        for (const Violation& broken : engine.check()) FAIL_CHECK(broken.what);
        REQUIRE(engine.last_held().live_slots == engine.last_held().distinct_tokens);
    }
    outcome.masked = masked.proof().max_abs_difference;
    outcome.full = full.proof().max_abs_difference;
    return outcome;
}

const std::vector<std::string> kPolicies{"window:7",
                                         "streaming:2+5",
                                         "h2o:4+3",
                                         "h2o:4+3,decay=0.9,grace=4,reduce=max",
                                         "h2o:5+0",
                                         "snapkv:9,window=3,kernel=3",
                                         "snapkv:9,window=3,pool=max,first=pool",
                                         "pyramidkv:8,window=2,kernel=3,beta=4",
                                         "adakv:8,window=2,kernel=3",
                                         "tova:6",
                                         "tova:6,last=on",
                                         "knorm:0.5,skip=1",
                                         "knorm:0.6,skip=0",
                                         "keydiff:0.5",
                                         "keydiff:0.5,block=2",
                                         "lagkv:0.5,sinks=2,lag=3",
                                         "random:6",
                                         "random:6,recent=2"};

}  // namespace

TEST_CASE("an evicting cache equals the full run behind its mask, bit for bit",
          "[engine][eviction][I22]") {
    const EngineOn on;
    for (const std::string& policy : kPolicies)
        for (const char* positions : {"true", "cache", "original"})
            for (const std::uint32_t chunk : {64u, 5u}) {
                EngineSettings settings = settings_of({policy, positions}, 40);
                settings.max_batch_tokens = chunk;
                CAPTURE(policy, positions, chunk);
                const Outcome outcome = play(on, settings, {request("A", 17, 12)});
                CHECK(outcome.dropped);
                CHECK(outcome.masked == 0);
                CHECK(outcome.full > 1e-4);
            }
}

TEST_CASE("without a drop every convention gives what the plain cache gives",
          "[engine][eviction]") {
    const EngineOn on;
    for (const char* positions : {"true", "cache", "original"}) {
        EngineSettings settings = settings_of({"window:64", positions}, 40);
        settings.k_codec = settings.v_codec = KvFormat::F32;
        const Outcome outcome = play(on, settings, {request("A", 17, 8)});
        CHECK(!outcome.dropped);
        CHECK(outcome.masked == 0);
        CHECK(outcome.full < 2e-5);
    }
}
