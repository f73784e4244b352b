// A policy on the real decoder: the evicting cache gives what a full run gives that hides the same
// tokens, the trace and the books tell one story, and blocks really go back.

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/engine/cpu/backend.hpp"
#include "core/engine/measure/prover.hpp"
#include "core/model/checkpoint/checkpoint.hpp"
#include "core/model/checkpoint/load_weights.hpp"
#include "core/trace/event/event.hpp"
#include "tests/engine/run/fixture.hpp"
#include "tests/places.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

struct EvictionCase {
    std::string evict, positions;
};

EngineSettings settings_of(const EvictionCase& c, std::uint32_t blocks,
                           std::uint32_t block_size = 4) {
    EngineSettings s = tiny_settings(blocks, block_size);
    REQUIRE(find_setting("evict")->read(s, c.evict).empty());
    if (!c.positions.empty()) REQUIRE(find_setting("positions")->read(s, c.positions).empty());
    return s;
}

struct Proved {
    double masked = 0, full = 0, scale = 0;
    bool dropped = false;
};

// Plays to the end; after each iteration the books are checked and the trace is compared.
Proved play(const EngineOn& on, const EngineSettings& settings,
            const std::vector<RequestSpec>& requests) {
    const Engine* running = nullptr;
    const auto maker = [&](std::uint32_t n) {
        PoolSpec pool = pool_spec_of(settings, (n + settings.block_size - 1) / settings.block_size);
        auto backend = make_reference(on.model.config, on.model.weights, pool);
        copy_shared_scales(running->backend(), *backend);
        return backend;
    };
    Prover masked(maker), full(maker);
    Proved outcome;
    EngineParts parts = on.parts();
    parts.keep_seen = true;
    parts.on_logits = [&](SeqId id, const SeenTokens& seen, std::span<const float> logits) {
        const TokenKeeper& keeper = *running->keeper(id);
        const SightMask mask{keeper.seen(), running->sight_lanes(), running->key_rotation()};
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
                                         "expected:0.5,sinks=2",
                                         "expected:0.7,horizon=9,reduce=max",
                                         "random:6",
                                         "random:6,recent=2"};

// What a request is given by a policy when nobody disturbs it.
std::vector<std::uint32_t> alone(const EngineOn& on, EngineSettings settings, const Request& r) {
    settings.pool = {{}, 200};
    settings.share = Sharing::Off;
    Engine engine(on.parts(), settings);
    RequestSpec spec = r.spec;
    spec.prompt = r.prompt;
    spec.fork_of.reset();
    spec.arrive = 0;
    engine.submit(spec);
    run_to_end(engine);
    return engine.requests()[0].new_tokens;
}

std::uint64_t used_blocks(const Engine& engine) {
    std::uint64_t used = 0;
    for (const LaneView& lane : engine.trace().end().lanes) used += lane.used;
    return used;
}

}  // namespace

TEST_CASE("an evicting cache equals the full run behind its mask, bit for bit",
          "[engine][eviction][I22][heavy]") {
    const EngineOn on;
    for (const std::string& policy : kPolicies)
        for (const char* positions : {"true", "cache", "original"})
            for (const std::uint32_t chunk : {64u, 5u}) {
                EngineSettings settings = settings_of({policy, positions}, 40);
                settings.max_batch_tokens = chunk;
                CAPTURE(policy, positions, chunk);
                const Proved outcome = play(on, settings, {request("A", 17, 12)});
                CHECK(outcome.dropped);
                CHECK(outcome.masked == 0);
                CHECK(outcome.full > 1e-4);
            }
}

// What is seen is seen through the codec in both runs; what a pass sees of itself is not.
TEST_CASE("under a lossy codec an evicting cache still equals the full run behind its mask",
          "[engine][eviction][codecs][I22][heavy]") {
    struct Coded {
        const char *k, *v, *prefill, *rotation;
    };
    constexpr Coded kCoded[] = {{"int8", "int4", "exact", "none"},
                                {"fp8_e4m3", "bf16", "quantized", "none"},
                                {"int8:tensor", "int8:tensor", "exact", "none"},
                                {"int8", "int8", "exact", "hadamard"}};
    const EngineOn on;
    for (std::size_t p = 0; p < kPolicies.size(); ++p)
        for (std::size_t c = 0; c < std::size(kCoded); ++c) {
            const auto& [k, v, prefill, rotation] = kCoded[c];
            const bool rotates = std::string_view(rotation) != "none";
            const char* positions =
                rotates ? "true" : std::array{"true", "cache", "original"}[p % 3];
            EngineSettings settings = settings_of({kPolicies[p], positions}, 40);
            for (const auto& [name, value] :
                 {std::pair{"k_codec", k}, std::pair{"v_codec", v}, std::pair{"prefill", prefill},
                  std::pair{"rotation", rotation}})
                REQUIRE(find_setting(name)->read(settings, value).empty());
            settings.max_batch_tokens = c % 2 == 0 ? 64 : 5;
            CAPTURE(kPolicies[p], positions, k, v, prefill, rotation);
            const Proved outcome = play(on, settings, {request("A", 17, 12)});
            CHECK(outcome.dropped);
            CHECK(outcome.masked == 0);
        }
}

TEST_CASE("what a policy cannot be joined with is refused by name", "[engine][eviction][codecs]") {
    const EngineOn on;
    EngineSettings settings = settings_of({"window:7", ""}, 40);
    REQUIRE(find_setting("k_codec")->read(settings, "int4:kivi").empty());
    CHECK_THAT(clash_of(settings, on.model.config), ContainsSubstring("kivi codes keys 32"));
    settings = settings_of({"window:7", "cache"}, 40);
    REQUIRE(find_setting("rotation")->read(settings, "hadamard").empty());
    CHECK_THAT(clash_of(settings, on.model.config), ContainsSubstring("rotation hadamard"));
    CHECK_THROWS(Engine(on.parts(), settings));
}

TEST_CASE("the shipped siblings evict as their masks say", "[siblings][eviction][I22][heavy]") {
    for (const char* name : {"mha", "gqa", "mqa"}) {
        const Checkpoint checkpoint =
            Checkpoint::open(kv::test::source_dir() + "/assets/models/" + name);
        EngineOn on{{checkpoint.config(), std::get<Weights>(load_weights(checkpoint, {}))}};
        const std::vector<std::string> positions{"true", "cache", "original"};
        for (std::size_t i = 0; i < kPolicies.size(); ++i) {
            CAPTURE(name, kPolicies[i], positions[i % 3]);
            const EngineSettings settings = settings_of({kPolicies[i], positions[i % 3]}, 40, 2);
            const Proved outcome = play(on, settings, {request("A", 12, 3)});
            CHECK(outcome.dropped);
            CHECK(outcome.masked == 0);
            CHECK(outcome.full > 0);
        }
    }
}

TEST_CASE("without a drop every convention gives what the plain cache gives",
          "[engine][eviction]") {
    const EngineOn on;
    for (const char* positions : {"true", "cache", "original"}) {
        EngineSettings settings = settings_of({"window:64", positions}, 40);
        settings.k_codec = settings.v_codec = Codec::F32;
        const Proved outcome = play(on, settings, {request("A", 17, 8)});
        CHECK(!outcome.dropped);
        CHECK(outcome.masked == 0);
        CHECK(outcome.full < 2e-5);
    }
}

// Deeper keys and values were computed while the dropped tokens could be seen.
TEST_CASE("rerunning the truncated prompt is not what an evicting cache computes",
          "[engine][eviction]") {
    const EngineOn on;
    EngineSettings settings = settings_of({"window:6", "cache"}, 40);
    EngineParts parts = on.parts();
    parts.keep_logits = true;
    Engine evicting(std::move(parts), settings);
    evicting.submit(request("A", 17, 1));
    run_to_end(evicting);
    EngineParts again = on.parts();
    again.keep_logits = true;
    Engine truncated(std::move(again), tiny_settings(40));
    RequestSpec rest = request("A", 17, 1);
    rest.prompt.erase(rest.prompt.begin(), rest.prompt.end() - 6);
    truncated.submit(rest);
    run_to_end(truncated);
    CHECK(distance(evicting.requests()[0].logits[0], truncated.requests()[0].logits[0]).difference >
          1e-3);
}

TEST_CASE("a window and StreamingLLM run in constant memory, whatever the chunks",
          "[engine][eviction][C143][C149]") {
    const EngineOn on;
    for (const char* policy : {"window:8", "streaming:2+6"})
        for (const std::uint32_t chunk : {1u, 3u, 64u}) {
            CAPTURE(policy, chunk);
            // 5 blocks of 4 hold 20 tokens; 80 are read and made.
            EngineSettings settings = settings_of({policy, ""}, 5);
            settings.max_batch_tokens = chunk;
            Engine engine(on.parts(), settings);
            engine.submit(told_request("A", 40, 40));
            std::uint64_t most = 0;
            while (!engine.done()) {
                engine.advance();
                most = std::max(most, used_blocks(engine));
                CHECK(engine.held().live_slots <= 8);
                for (const Violation& broken : engine.check()) FAIL_CHECK(broken.what);
            }
            const Request& r = engine.requests()[0];
            CHECK(r.finish == Finish::Length);
            CHECK(r.stored == 80);
            CHECK(most <= 5);
            CHECK(r.kept[0].size() == 8);
            CHECK(r.kept[0].back() == 79);
            CHECK(r.kept[0].front() == (std::string(policy) == "window:8" ? 72u : 0u));
        }
}

TEST_CASE("score policies stay inside a small pool by moving survivors together",
          "[engine][eviction]") {
    const EngineOn on;
    for (const char* policy : {"h2o:4+3", "tova:6", "random:7"}) {
        CAPTURE(policy);
        EngineSettings settings = settings_of({policy, ""}, 6);
        settings.max_batch_tokens = 4;
        Engine engine(on.parts(), settings);
        engine.submit(told_request("A", 20, 39));
        run_to_end(engine);
        CHECK(engine.requests()[0].finish == Finish::Length);
        CHECK(engine.trace().end().counters.slots_copied > 0);
        for (const auto& kept : engine.requests()[0].kept) CHECK(kept.size() <= 7);
        settings.compact = false;
        Engine without(on.parts(), settings);
        without.submit(told_request("A", 20, 39));
        run_to_end(without);
        CHECK(without.requests()[0].finish == Finish::Refused);
    }
}

TEST_CASE("moving survivors changes no token", "[engine][eviction]") {
    const EngineOn on;
    for (const std::string& policy : kPolicies) {
        CAPTURE(policy);
        std::vector<std::vector<std::uint32_t>> tokens;
        std::vector<std::vector<std::vector<std::uint32_t>>> kept;
        for (const bool compact : {true, false})
            for (const std::uint32_t size : {1u, 4u, 16u}) {
                EngineSettings settings = settings_of({policy, ""}, 80, size);
                settings.compact = compact;
                Engine engine(on.parts(), settings);
                engine.submit(request("A", 17, 16));
                run_to_end(engine);
                tokens.push_back(engine.requests()[0].new_tokens);
                kept.push_back(engine.requests()[0].kept);
            }
        for (std::size_t i = 1; i < tokens.size(); ++i) {
            CHECK(tokens[i] == tokens[0]);
            CHECK(kept[i] == kept[0]);
        }
    }
}

TEST_CASE("H2O without decay and grace is H2O, bit for bit", "[engine][eviction]") {
    const EngineOn on;
    const auto events = [&](const char* policy) {
        Engine engine(on.parts(), settings_of({policy, ""}, 40));
        engine.submit(request("A", 17, 12));
        run_to_end(engine);
        std::vector<std::pair<std::vector<std::uint32_t>, std::vector<float>>> drops;
        for (const auto& [event, what] : events_of<TokensDropped>(engine.trace()))
            drops.emplace_back(what.positions, what.scores);
        return drops;
    };
    const auto plain = events("h2o:4+3");
    CHECK(!plain.empty());
    CHECK(events("h2o:4+3,decay=1,grace=0") == plain);
    CHECK(events("h2o:4+3,decay=0.9") != plain);
}

TEST_CASE("a key's norm does not depend on where it stands", "[engine][eviction]") {
    const EngineOn on;
    const auto kept = [&](const char* positions) {
        EngineSettings settings = settings_of({"knorm:0.5,skip=0", positions}, 40);
        settings.k_codec = Codec::F32;
        Engine engine(on.parts(), settings);
        engine.submit(request("A", 24, 2));
        run_to_end(engine);
        return engine.requests()[0].kept;
    };
    CHECK(kept("true") == kept("original"));
    CHECK(kept("true") == kept("cache"));
}

// 2 KV heads of 4 query heads: what is given back is KV heads' memory, counted once each.
TEST_CASE("a table for each KV head frees that head's bytes", "[engine][eviction]") {
    const EngineOn on;
    Engine engine(on.parts(), settings_of({"snapkv:8,window=4", ""}, 40));
    engine.submit(request("A", 24, 1));
    engine.advance();
    const ModelConfig& config = on.model.config;
    const std::uint64_t lanes = config.n_layers * config.n_kv_heads;
    const KvLayout& layout = engine.backend().layout();
    CHECK(engine.last_held().n_lanes == lanes);
    CHECK(engine.last_held().live_slots == 8 * lanes);
    CHECK(engine.last_held().used == 2 * lanes);
    CHECK(layout.pool_bytes() / layout.n_blocks / lanes ==
          layout.block_size * (layout.k.bytes + layout.v.bytes));
    const auto drops = events_of<TokensDropped>(engine.trace());
    CHECK(drops.size() == lanes);
    for (const auto& [event, what] : drops) {
        CHECK(what.layer.has_value());
        CHECK(what.kv_head.has_value());
        CHECK(what.policy == "snapkv");
        CHECK(what.positions.size() == 16);
        CHECK(what.slots == what.positions);
        CHECK(what.spared == 4);
        CHECK(what.kept == 8);
        for (std::size_t i = 0; i < what.scores.size(); ++i) {
            CHECK(what.scores[i] <= *what.threshold);
            CHECK(what.ranks[i] >= 4);
        }
        CHECK(event.reason == Reason::prompt_read(24, 8));
    }
}

TEST_CASE("what a setting cannot serve is refused by name and changes nothing",
          "[engine][eviction]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(8);
    settings.prefix_rule = PrefixRule::Radix;
    Engine engine(on.parts(), settings);
    const Snapshot before = engine.observe();
    const auto said = [&](const char* name, const char* value) {
        const auto refusal = engine.apply(SetSetting{name, value});
        REQUIRE(refusal.has_value());
        CHECK(engine.observe() == before);
        return *refusal;
    };
    CHECK(said("evict", "think:64").find("think:64 is a policy that this version does not have") !=
          std::string::npos);
    CHECK(said("evict", "window:0").find("window:0 has a number of tokens") != std::string::npos);
    CHECK(said("evict", "h2o:4+4").find("prefix_index") != std::string::npos);
    CHECK(said("positions", "somewhere").find("true, cache, original or shift") !=
          std::string::npos);
    CHECK(!engine.apply(SetSetting{"prefix_index", "chain"}));
    CHECK(!engine.apply(SetSetting{"evict", "tova:4"}));
    CHECK(engine.trace().end().settings.at("positions") == "original");
    CHECK(engine.observe() == engine.trace().end());
    const EngineOn windowed{load_fixture("mistral_window")};
    CHECK_THROWS_AS(Engine(windowed.parts(), settings_of({"window:4", ""}, 8)), Error);
}

// Its blocks are still its own, so it has to make room before its next token, as in any other step.
TEST_CASE("a window makes room before the step behind a pause, too", "[engine][eviction]") {
    const EngineOn on;
    Engine engine(on.parts(), settings_of({"window:7", ""}, 16));
    engine.submit(request("A", 6, 20));
    while (!engine.done()) {
        const std::uint64_t before = engine.trace().size();
        engine.advance();
        const std::vector<std::string> told = event_names(engine.trace(), before);
        const auto dropped = std::find(told.begin(), told.end(), "TokensDropped");
        CHECK((engine.iteration() > 2) == (dropped != told.end()));
        if (dropped != told.end())
            CHECK(dropped < std::find(told.begin(), told.end(), "TokensStored"));
        if (engine.iteration() == 9) {
            REQUIRE_FALSE(engine.apply(PauseRequest{"A"}));
            REQUIRE_FALSE(engine.apply(ResumeRequest{"A"}));
        }
    }
}

// R finds 16 tokens of P and reads the other 11 behind them; it loses its blocks to Q, and what it
// found is cleared. Its first step is made once more, of 27 tokens now: 7 blocks, where the 5 of a
// step are no longer enough.
TEST_CASE("a step that is made once more has room without what it found", "[engine][eviction]") {
    const EngineOn on;
    Engine engine(on.parts(), settings_of({"streaming:4+12", ""}, 10));
    engine.submit(request("P", 16, 9));
    RequestSpec q = request("Q", 5, 60, 20);
    q.priority = 1;
    engine.submit(q);
    engine.submit(request("R", 27, 40, 3, 1));
    while (!engine.done()) {
        engine.advance();
        if (engine.iteration() == 9) engine.apply(ClearPrefixes{});
    }
    REQUIRE(engine.requests().size() == 3);
    const Request& r = engine.requests()[2];
    CHECK(r.cached_prompt == 16);
    CHECK(r.preemptions > 0);
    CHECK(r.new_tokens == alone(on, settings_of({"streaming:4+12", ""}, 10), r));
}

// Prompts that share beginnings, pools too small for all, chunks of any size, pauses, cleared
// prefixes: a request gets the tokens that its policy gives it alone.
TEST_CASE("no scene changes what a policy keeps", "[engine][eviction][I29]") {
    const EngineOn on;
    for (std::uint64_t seed = 0; seed < 90; ++seed) {
        const Random random(seed, 5);
        std::uint64_t n = 0;
        const auto below = [&](std::uint32_t bound) { return random.below(n++, bound); };
        std::string policy = kPolicies[seed % kPolicies.size()];
        if (policy.starts_with("random")) policy = "window:5";  // it draws by the request's number
        const std::uint32_t size = 1 + below(4);
        EngineSettings settings =
            settings_of({policy, below(2) == 0 ? "" : "cache"}, 60 / size, size);
        const bool by_step = policy.starts_with("h2o") || policy.starts_with("tova");
        settings.max_batch_tokens = by_step ? 200 : 3 + below(30);
        settings.share = static_cast<Sharing>(below(3));
        if (below(2) == 0) settings.preempt = Preemption::Swap;
        settings.host_blocks = below(20);
        CAPTURE(seed, policy, size);
        Engine engine(on.parts(), settings);
        const std::uint32_t count = 1 + below(4);
        for (std::uint32_t i = 0; i < count; ++i) {
            RequestSpec spec = request(std::string(1, static_cast<char>('A' + i)), 4 + below(16),
                                       1 + below(14), 3 + below(2), below(9));
            spec.priority = static_cast<std::int32_t>(below(2));
            if (i > 0 && below(4) == 0) {
                spec.fork_of = "A";
                spec.prompt.resize(below(3));
                spec.arrive = 12;
            }
            engine.submit(spec);
        }
        const auto command = [&]() -> EngineCommand {
            const std::string name(1, static_cast<char>('A' + below(count)));
            switch (below(3)) {
                case 0:
                    return PauseRequest{name};
                case 1:
                    return ResumeRequest{name};
                default:
                    return ClearPrefixes{};
            }
        };
        const auto play = [&](bool with_commands) {
            for (int steps = 0; !engine.done(); ++steps) {
                REQUIRE(steps < 3000);
                engine.advance();
                REQUIRE(differences(engine.observe(), engine.trace().end()) ==
                        std::vector<std::string>{});
                REQUIRE(engine.observe() == engine.trace().end());
                for (const Violation& broken : engine.check()) FAIL_CHECK(broken.what);
                CHECK(engine.last_held().live_slots == engine.last_held().distinct_tokens);
                if (with_commands && below(5) == 0) engine.apply(command());
            }
        };
        play(true);
        for (std::uint32_t i = 0; i < count; ++i)  // who is still paused
            engine.apply(ResumeRequest{std::string(1, static_cast<char>('A' + i))});
        play(false);
        for (const Request& r : engine.requests()) {
            if (r.finish == Finish::Refused) continue;
            CAPTURE(r.spec.name, r.preemptions, r.cached_prompt);
            CHECK(r.new_tokens == alone(on, settings, r));
        }
        CHECK(used_blocks(engine) == 0);
    }
}

// The fast backend reads keys from a list, rotated or not; it may round otherwise, and no more.
TEST_CASE("the cpu backend evicts as the reference does", "[engine][eviction][cpu]") {
    const EngineOn on;
    EngineParts fast = on.parts();
    fast.make_backend = [&](const std::string&, const PoolSpec& pool) {
        CpuOptions options;
        options.path = CpuPath::Portable;
        options.workers = 2;
        return make_cpu(on.model.config, on.model.weights, pool, options);
    };
    for (const std::string& policy : kPolicies)
        for (const char* positions : {"true", "cache", "original"}) {
            CAPTURE(policy, positions);
            EngineSettings settings = settings_of({policy, positions}, 40);
            settings.k_codec = settings.v_codec = Codec::F32;
            const auto played = [&](EngineParts parts) {
                parts.keep_logits = true;
                Engine engine(std::move(parts), settings);
                engine.submit(told_request("A", 17, 12));
                run_to_end(engine);
                return std::pair(engine.requests()[0].kept, engine.requests()[0].logits);
            };
            const auto a = played(on.parts()), b = played(fast);
            CHECK(a.first == b.first);
            for (std::size_t i = 0; i < a.second.size(); ++i)
                CHECK(distance(b.second[i], a.second[i]).relative() < 1e-4);
        }
}
