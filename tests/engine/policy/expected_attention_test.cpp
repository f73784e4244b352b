// Expected Attention on the real decoder: from which queries it expects, whatever the chunks, the
// positions, the backend and whoever else is there.

#include "core/cache/eviction/expected_attention.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "core/engine/reference/rope.hpp"
#include "core/trace/event/event.hpp"
#include "tests/engine/run/fixture.hpp"
#include "tests/engine/tap_recorder.hpp"

using namespace kv;
using namespace kv::test;

namespace {

EngineSettings expecting(const char* policy, const char* positions = "true") {
    EngineSettings settings = tiny_settings(80);
    REQUIRE(find_setting("evict")->read(settings, policy).empty());
    REQUIRE(find_setting("positions")->read(settings, positions).empty());
    settings.k_codec = settings.v_codec = Codec::F32;
    return settings;
}

std::vector<TokensDropped> drops_of(const EngineOn& on, const EngineSettings& settings,
                                    std::uint32_t n_prompt = 24) {
    Engine engine(on.parts(), settings);
    engine.submit(request("A", n_prompt, 4));
    run_to_end(engine);
    std::vector<TokensDropped> drops;
    for (auto& [event, what] : events_of<TokensDropped>(engine.trace())) drops.push_back(what);
    return drops;
}

// A pass over a whole prompt with keys and queries that stay as they are before their rotation.
TapRecorder unrotated_pass(const EngineOn& on, const std::vector<std::uint32_t>& tokens) {
    const auto n = static_cast<std::uint32_t>(tokens.size());
    const auto backend =
        make_reference(on.model.config, on.model.weights, pool_spec_of(expecting("none"), n));
    BlockTables tables;
    tables.tables.resize(1);
    VisibleKeys visible{{TableScope::Sequence, 1, 1}, KeyRotation::ByTextPosition, {{}}};
    for (std::uint32_t i = 0; i < n; ++i) {
        tables.tables[0].push_back(BlockId(i));
        visible.lanes[0].slots.push_back(i);
        visible.lanes[0].rows.push_back({{0, i + 1}});
    }
    visible.lanes[0].positions = visible.lanes[0].slots;
    SequenceWork work;
    work.tokens = tokens;
    work.token_indices = work.positions = visible.lanes[0].slots;
    work.tables = &tables;
    work.visible = &visible;
    TapRecorder taps;
    Batch batch;
    batch.sequences.push_back(work);
    backend->forward(batch, &taps);
    return taps;
}

}  // namespace

// With norms on queries and keys and without: what is rotated afterwards is what is counted.
TEST_CASE("queries are counted behind their norm and before their rotation",
          "[engine][eviction][expected]") {
    for (const char* fixture : {"qwen3_norms", "llama_gqa"}) {
        const EngineOn on{load_fixture(fixture)};
        const ModelConfig& config = on.model.config;
        const std::uint32_t n = 24, sinks = 3;
        const std::vector<std::uint32_t> prompt = request("A", n, 1).prompt;
        TapRecorder taps = unrotated_pass(on, prompt);
        const std::vector<double> frequencies = rope_frequencies(config);
        const auto drops = drops_of(on, expecting("expected:0.5,sinks=3,horizon=40"), n);
        REQUIRE(drops.size() == config.n_layers * config.n_kv_heads);
        for (const TokensDropped& drop : drops) {
            const std::uint32_t layer = drop.layer->value, head = drop.kv_head->value;
            const auto group = static_cast<std::uint32_t>(config.n_heads / config.n_kv_heads);
            const auto tapped = [&](Tap tap, std::uint32_t row, std::uint32_t of) {
                return taps.taken.at({static_cast<int>(tap), layer, row, of});
            };
            std::vector<QueryMoments> heads(group);
            for (std::uint32_t row = sinks; row < n; ++row)
                for (std::uint32_t h = 0; h < group; ++h) {
                    const auto q = tapped(Tap::Q, row, head * group + h);
                    heads[h].add(std::vector<double>(q.begin(), q.end()));
                }
            Vectors keys, values;
            for (std::uint32_t row = 0; row < n; ++row) {
                keys.push_back(tapped(Tap::K, row, head));
                rotate_head(keys.back().data(), frequencies, row);
                values.push_back(tapped(Tap::V, row, head));
            }
            const auto scores =
                expected_scores(keys, values, {heads, mean_rotation(frequencies, n, 40)}, sinks);
            CAPTURE(fixture, layer, head);
            CHECK(drop.positions.size() == n / 2);
            CHECK(drop.spared == sinks);
            for (std::size_t i = 0; i < drop.positions.size(); ++i)
                CHECK(drop.scores[i] == Catch::Approx(scores[drop.positions[i]]).epsilon(1e-4));
        }
    }
}

TEST_CASE("the chunks of a prompt change no bit of what is expected",
          "[engine][eviction][expected]") {
    const EngineOn on;
    for (const char* positions : {"true", "cache", "original"}) {
        EngineSettings settings = expecting("expected:0.5,sinks=2", positions);
        const auto whole = drops_of(on, settings);
        CHECK(!whole.empty());
        for (const std::uint32_t chunk : {1u, 5u, 23u}) {
            CAPTURE(positions, chunk);
            settings.max_batch_tokens = chunk;
            const auto parts = drops_of(on, settings);
            REQUIRE(parts.size() == whole.size());
            for (std::size_t i = 0; i < whole.size(); ++i) {
                CHECK(parts[i].positions == whole[i].positions);
                CHECK(parts[i].scores == whole[i].scores);
            }
        }
    }
}

TEST_CASE("wherever keys are rotated, the same is expected", "[engine][eviction][expected]") {
    const EngineOn on;
    const auto stored = drops_of(on, expecting("expected:0.5", "true"));
    for (const char* positions : {"cache", "original"}) {
        const auto read = drops_of(on, expecting("expected:0.5", positions));
        REQUIRE(read.size() == stored.size());
        for (std::size_t i = 0; i < read.size(); ++i) {
            CHECK(read[i].positions == stored[i].positions);
            for (std::size_t j = 0; j < read[i].scores.size(); ++j)
                CHECK(read[i].scores[j] == Catch::Approx(stored[i].scores[j]).epsilon(1e-4));
        }
    }
}

TEST_CASE("the first tokens stay, whatever the share", "[engine][eviction][expected]") {
    const EngineOn on;
    for (const char* policy : {"expected:0.99", "expected:0.99,sinks=7", "expected:0.99,sinks=0"}) {
        Engine engine(on.parts(), expecting(policy));
        engine.submit(request("A", 20, 1));
        run_to_end(engine);
        const std::uint32_t sinks = eviction_of(expecting(policy)).expected.sinks;
        for (const auto& kept : engine.requests()[0].kept) {
            CAPTURE(policy);
            REQUIRE(kept.size() == std::max(1u, sinks));
            for (std::uint32_t i = 0; i < sinks; ++i) CHECK(kept[i] == i);
        }
    }
    CHECK(drops_of(on, expecting("expected:0.99,sinks=24")).empty());
    CHECK(drops_of(on, expecting("expected:0")).empty());
}

// Found tokens would have no query here, so nothing is published and nothing is found.
TEST_CASE("every query of a prompt is seen, shared beginnings and forks included",
          "[engine][eviction][expected]") {
    const EngineOn on;
    const EngineSettings settings = expecting("expected:0.5,sinks=2");
    const auto alone = drops_of(on, settings);
    Engine engine(on.parts(), settings);
    engine.submit(request("A", 24, 6));
    engine.submit(request("B", 24, 6, 3, 3));
    run_to_end(engine);
    CHECK(engine.requests()[1].cached_prompt == 0);
    std::vector<std::vector<float>> scores[2];
    for (const auto& [event, what] : events_of<TokensDropped>(engine.trace()))
        scores[event.request->index()].push_back(what.scores);
    REQUIRE(scores[0].size() == alone.size());
    CHECK(scores[0] == scores[1]);
    for (std::size_t i = 0; i < alone.size(); ++i) CHECK(scores[0][i] == alone[i].scores);
}

// Two that do not fit together: the later one loses its blocks and is read again.
TEST_CASE("who is read again gives up the same tokens by the same scores",
          "[engine][eviction][expected]") {
    const EngineOn on;
    EngineSettings settings = expecting("expected:0.25,sinks=2");
    settings.pool = {{}, 12};
    Engine engine(on.parts(), settings);
    engine.submit(request("A", 20, 24));
    engine.submit(request("B", 22, 20, 5));
    run_to_end(engine);
    const Request& again = engine.requests()[1];
    REQUIRE(again.preemptions > 0);
    std::vector<std::pair<std::vector<std::uint32_t>, std::vector<float>>> drops;
    for (const auto& [event, what] : events_of<TokensDropped>(engine.trace()))
        if (event.request == SeqId(1)) drops.emplace_back(what.positions, what.scores);
    const std::size_t lanes = on.model.config.n_layers * on.model.config.n_kv_heads;
    REQUIRE(drops.size() == lanes * (again.preemptions + 1));
    for (std::size_t i = lanes; i < drops.size(); ++i) CHECK(drops[i] == drops[i % lanes]);
}
