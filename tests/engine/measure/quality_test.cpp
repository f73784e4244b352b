#include "core/engine/measure/quality.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>

#include "core/model/tokenizer/tokenizer.hpp"
#include "tests/engine/measure/measured_quality.hpp"
#include "tests/engine/run/fixture.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::WithinAbs;

namespace {

EngineSettings evicting(const char* policy, std::uint32_t blocks = 60) {
    EngineSettings s = tiny_settings(blocks);
    REQUIRE(find_setting("evict")->read(s, policy).empty());
    return s;
}

QualityText text_of(std::uint32_t n_prompt, std::uint32_t n_told) {
    QualityText text{request("A", n_prompt, 1).prompt, {}};
    for (std::uint32_t i = 0; i < n_told; ++i) text.told.push_back(4 + i * 7 % 19);
    return text;
}

}  // namespace

// Three meters for one change of codec: bytes, time and what the model says. 2 layers, 2 KV heads
// of 8 channels: 2 x 8 bytes for a vector in bf16, 8 + 2 in int8.
TEST_CASE("int8 holds and reads fewer bytes, and changes what the model says",
          "[quality][codecs][C136]") {
    const EngineOn on;
    const QualityText text = text_of(12, 9);
    struct Metered {
        std::uint64_t held, read;
        QualityMeans means;
        double us;
    };
    const auto metered = [&](const Codec& codec) {
        EngineSettings settings = settings_for_text(tiny_settings(60), 21);
        settings.k_codec = settings.v_codec = codec;
        const auto truth = tell_truth(on.parts(), settings, text);
        const auto result = measure_against(*truth, on.parts(), settings, text);
        double now = 0;
        EngineParts parts = on.parts();
        parts.clock_us = [&] { return now += 1; };
        Engine engine(std::move(parts), settings);
        RequestSpec spec = request("A", 12, 1);
        spec.forced = text.told;
        engine.submit(spec);
        run_to_end(engine);
        double us = 0;
        for (const auto& [event, part] : events_of<Operation>(engine.trace()))
            if (part.op == Op::Attend) us += part.us;
        return Metered{result->held_bytes,
                       engine.last_work().k_bytes_read + engine.last_work().v_bytes_read,
                       means_of(result->rows), us};
    };
    const Metered bf16 = metered(Codec::Bf16), int8 = metered(Codec::Int8);
    CHECK(bf16.held == 21 * 2 * 2 * 2 * 16);
    CHECK(int8.held == 21 * 2 * 2 * 2 * 10);
    CHECK(bf16.read == bf16.held);
    CHECK(int8.read == int8.held);
    CHECK(int8.means.kl > bf16.means.kl);
    CHECK(bf16.means.kl > 0);
    CHECK(bf16.us > 0);
    CHECK(int8.us > 0);
}

// A pool of 24 tokens and a text of 60.
TEST_CASE("a sequence longer than the cache is rejected, or served at a price",
          "[quality][eviction][C142]") {
    const EngineOn on;
    RequestSpec spec = request("A", 30, 1);
    for (std::uint32_t i = 0; i < 30; ++i) spec.forced.push_back(4 + i * 7 % 19);
    const auto finish = [&](const char* policy) {
        Engine engine(on.parts(), evicting(policy, 6));
        engine.submit(spec);
        run_to_end(engine);
        CHECK(engine.trace().end().counters.tokens_dropped ==
              (std::string(policy) == "none" ? 0u : 44u));
        return engine.requests()[0].finish;
    };
    CHECK(finish("none") == Finish::Refused);
    CHECK(finish("streaming:2+14") == Finish::Length);
    const auto rows =
        measured_quality(on.parts(), evicting("streaming:2+14"), {spec.prompt, spec.forced});
    const QualityMeans means = means_of(*rows);
    CHECK(means.kl > 1e-3);
    CHECK(means.mass_lost > 0.1);
}

// Two heads over three keys; the query sees keys 0 and 2 of the first KV head, all of the second.
TEST_CASE("attention mass lost is what went to hidden keys", "[quality]") {
    SeenLog seen(3, {{}, {}});
    seen[2] = {{{0, 1}, {2, 3}}, {{0, 3}}};
    MassLost lost(seen, {TableScope::Head, 1, 2}, 2);
    const std::vector<float> a{.5f, .3f, .2f}, b{.1f, .1f, .8f};
    lost.take({Tap::Weights, LayerId(0), 0, 2, 0}, a);
    lost.take({Tap::Weights, LayerId(0), 0, 2, 1}, b);
    CHECK_THAT(lost.by_token()[2], WithinAbs(0.15, 1e-6));
    CHECK(lost.by_token()[0] == 0);
}

TEST_CASE("a run that keeps everything in float32 costs nothing", "[quality]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(60);
    settings.k_codec = settings.v_codec = Codec::F32;
    const auto rows = measured_quality(on.parts(), settings, text_of(12, 9));
    REQUIRE(rows->size() == 9);
    for (const QualityRow& row : *rows) {
        CHECK(row.kl == 0);
        CHECK(row.nll == row.nll_full);
        CHECK(!row.flip);
        CHECK(row.mass_lost == 0);
    }
}

TEST_CASE("a smaller window costs more, and says where the mass went", "[quality][C144]") {
    const EngineOn on;
    double before = -1, mass = -1;
    for (const char* policy : {"window:64", "window:12", "window:2"}) {
        EngineSettings settings = evicting(policy);
        settings.k_codec = settings.v_codec = Codec::F32;
        const QualityMeans m = means_of(*measured_quality(on.parts(), settings, text_of(20, 12)));
        CAPTURE(policy, m.kl, m.mass_lost);
        CHECK(m.kl > before);
        CHECK(m.mass_lost > mass);
        before = m.kl;
        mass = m.mass_lost;
        if (std::string(policy) == "window:64") CHECK((m.kl == 0 && m.mass_lost == 0));
    }
}

TEST_CASE("measuring can be stopped and says how far it is", "[quality]") {
    const EngineOn on;
    double last = -1;
    int asked = 0;
    const auto rows =
        measured_quality(on.parts(), evicting("window:4"), text_of(8, 8), [&](double done) {
            CHECK(done > last);
            CHECK(done <= 1);
            last = done;
            return ++asked < 5;
        });
    CHECK(!rows);
    CHECK(asked == 5);
}
