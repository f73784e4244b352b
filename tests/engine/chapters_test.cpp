// What the chapters say of a run, row by row, held against a real one.

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <map>

#include "core/engine/run/memory/recorder.hpp"
#include "core/trace/event/event.hpp"
#include "tests/engine/run/fixture.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// How many scores each query of a pass had, in layer 0 and head 0.
class CountScores : public TapSink {
public:
    bool wants(Tap tap, LayerId layer) const override {
        return tap == Tap::Scores && layer.value == 0;
    }
    void take(const TapPlace& place, std::span<const float> values) override {
        if (place.head == 0) keys.push_back(values.size());
    }
    std::vector<std::size_t> keys;
};

}  // namespace

TEST_CASE("a decode step goes through its phases in the order of the chapters",
          "[engine][C025][C068][C070]") {
    const EngineOn on;
    Engine engine(on.parts(), tiny_settings(8));
    engine.submit(request("A", 5, 3));
    run_to_end(engine);
    std::vector<std::string> expected{"embed"};
    for (std::uint64_t layer = 0; layer < on.model.config.n_layers; ++layer)
        for (const char* op : {"project", "rotate", "append", "attend", "output", "mlp"})
            expected.emplace_back(op);
    expected.insert(expected.end(), {"logits", "sample"});
    std::map<std::uint32_t, std::vector<std::string>> by_iteration;
    for (const auto& [event, part] : events_of<Operation>(engine.trace()))
        by_iteration[event.iteration].emplace_back(name_of(part.op));
    CHECK(by_iteration.size() == 3);
    for (const auto& [iteration, ops] : by_iteration) CHECK(ops == expected);
}

// A prompt of 5: the pass fills 5 slots, and after the decode step that stores token t there are
// t + 1 of them.
TEST_CASE("after step t the cache holds t + 1 tokens, and one row was computed",
          "[engine][C018][C069]") {
    const EngineOn on;
    Engine engine(on.parts(), tiny_settings(8));
    engine.submit(request("A", 5, 4));
    engine.advance();
    CHECK(engine.cache().stored(SeqId(0)) == 5);
    for (std::uint32_t t = 5; t < 8; ++t) {
        engine.advance();
        const auto stored = events_of<TokensStored>(engine.trace()).back().second;
        CHECK(stored.first == t);
        CHECK(stored.count == 1);
        CHECK(stored.first + stored.count == t + 1);
    }
}

TEST_CASE("a query sees itself and what came before, and nothing else",
          "[engine][C017][C022][C024]") {
    const SmallModel model = load_fixture("llama_gqa");
    const auto backend = make_reference(model.config, model.weights, {.n_blocks = 4});
    Sequence sequence(*backend);
    CountScores prompt;
    sequence.feed({3, 4, 5, 6}, &prompt);
    CHECK(prompt.keys == std::vector<std::size_t>{1, 2, 3, 4});  // the triangle
    CountScores step;
    sequence.feed({7}, &step);
    CHECK(step.keys == std::vector<std::size_t>{5});  // t + 1 = 5 for the one query at t = 4
}

TEST_CASE("the pool holds keys and values and no queries", "[engine][C021]") {
    const EngineOn on;
    const Engine engine(on.parts(), tiny_settings(8));
    const ModelConfig& c = on.model.config;
    // 8 blocks of 4 tokens, two sides in bf16.
    CHECK(engine.backend().layout().pool_bytes() ==
          std::uint64_t{8} * 4 * c.n_layers * c.n_kv_heads * (c.head_dim + c.v_head_dim) * 2);
    CHECK(c.n_heads > c.n_kv_heads);  // so there would be more bytes if queries were kept
}

TEST_CASE("prefill computes more for each byte than decode does", "[engine][C065][C071]") {
    const EngineOn on;
    Engine engine(on.parts(), tiny_settings(32));
    engine.submit(request("A", 60, 3));
    run_to_end(engine);
    std::map<std::uint32_t, std::pair<double, double>> sums;  // flops and bytes by iteration
    for (const auto& [event, part] : events_of<Operation>(engine.trace())) {
        sums[event.iteration].first += static_cast<double>(part.flops);
        sums[event.iteration].second += static_cast<double>(part.bytes_read + part.bytes_written);
    }
    const auto intensity = [&](std::uint32_t i) { return sums[i].first / sums[i].second; };
    CHECK(intensity(1) > 10 * intensity(2));
}

TEST_CASE("shared blocks hold, bit for bit, what the request would have computed itself",
          "[engine][C125]") {
    const EngineOn on;
    const auto bytes_of = [&](bool with_a) {
        Engine engine(on.parts(), tiny_settings(16));
        if (with_a) engine.submit(request("A", 10, 2));
        RequestSpec b = request("B", 10, 2);
        b.prompt.back() = 40;  // the same first nine tokens: two blocks of four
        b.arrive = 1;
        engine.submit(b);
        run_to_end(engine);
        const Request& r = engine.requests().back();
        CHECK(r.cached_prompt == (with_a ? 8 : 0));
        std::vector<unsigned char> bytes;
        for (std::uint32_t slot = 0; slot < 8; ++slot) {
            const auto found = engine.payloads().find(engine.trace().size(), LaneId(0),
                                                      *r.tables[0][slot / 4], Slot(slot % 4));
            REQUIRE(found.state == PayloadLog::State::Known);
            bytes.insert(bytes.end(), found.bytes.begin(), found.bytes.end());
        }
        return bytes;
    };
    CHECK(bytes_of(true) == bytes_of(false));
}

TEST_CASE("a block has sixteen tokens unless somebody says otherwise", "[engine][C113]") {
    CHECK(EngineSettings{}.block_size == 16);
}

// 100 us for a step, 500 us for each block that comes back: without prefetch the step that resumes
// waits for both blocks; with it the others go on meanwhile.
TEST_CASE("loads that run beside the steps cost them nothing", "[engine][C152]") {
    const EngineOn on;
    const auto waited_us = [&](bool prefetch) {
        EngineSettings settings = tiny_settings(16);
        settings.host_blocks = 4;
        settings.prefetch = prefetch;
        settings.step_us = 100;
        settings.transfer_latency_us = 500;
        settings.transfer_gbps = 1e6;
        Engine engine(on.parts(), settings);
        engine.submit(request("A", 6, 20));
        engine.submit(request("B", 6, 20, 30));
        engine.advance();
        REQUIRE_FALSE(engine.apply(PauseRequest{"A"}));
        engine.advance();
        REQUIRE_FALSE(engine.apply(ResumeRequest{"A"}));
        run_to_end(engine);
        double waited = 0;
        for (const auto& [event, done] : events_of<IterationFinished>(engine.trace()))
            waited += done.model_us - (done.tokens > 0 ? 100 : 0);
        CHECK(engine.requests()[0].new_tokens.size() == 20);
        return waited;
    };
    CHECK(waited_us(false) > 999);
    CHECK(waited_us(true) < 1);
}

// A and C come back, 10,000 us for each block, and B ends long before: then the first of them is
// waited for, and the other comes while that one computes.
TEST_CASE("loads that nobody computes beside are waited for", "[engine][C152]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(16);
    settings.host_blocks = 8;
    settings.prefetch = true;
    settings.step_us = 100;
    settings.transfer_latency_us = 10'000;
    settings.transfer_gbps = 1e6;
    Engine engine(on.parts(), settings);
    for (const char* name : {"A", "B", "C"}) {
        const bool stays = *name == 'B';
        engine.submit(
            request(name, 6, stays ? 4 : 12, static_cast<std::uint32_t>(*name - 'A') * 20));
    }
    engine.advance();
    for (const char* name : {"A", "C"}) REQUIRE_FALSE(engine.apply(PauseRequest{name}));
    engine.advance();
    for (const char* name : {"A", "C"}) REQUIRE_FALSE(engine.apply(ResumeRequest{name}));
    for (int steps = 0; !engine.done(); ++steps) {
        REQUIRE(steps < 1000);
        engine.advance();
    }
    for (const Request& r : engine.requests()) CHECK(r.finish == Finish::Length);
}
