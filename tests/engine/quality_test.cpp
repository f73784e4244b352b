#include "core/engine/quality.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>

#include "core/model/tokenizer.hpp"
#include "tests/engine/engine_fixture.hpp"

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

// p = (1/2, 1/2), q = (1/4, 3/4): 1/2 log 2 + 1/2 log (2/3).
TEST_CASE("KL divergence by hand", "[quality]") {
    const std::vector<float> p{0, 0}, q{0, std::log(3.0f)};
    CHECK_THAT(kl_divergence(p, q),
               WithinAbs(0.5 * std::log(2.0) + 0.5 * std::log(2.0 / 3.0), 1e-7));
    CHECK(kl_divergence(q, q) == 0);
    const std::vector<float> shifted{5, 5};
    CHECK_THAT(kl_divergence(p, shifted), WithinAbs(0, 1e-12));
    CHECK(top_token(std::vector<float>{1, 3, 3}) == 1);
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
    settings.k_codec = settings.v_codec = KvFormat::F32;
    const auto rows = measure_quality(on.parts(), settings, text_of(12, 9));
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
        settings.k_codec = settings.v_codec = KvFormat::F32;
        const QualityMeans m = means_of(*measure_quality(on.parts(), settings, text_of(20, 12)));
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
        measure_quality(on.parts(), evicting("window:4"), text_of(8, 8), [&](double done) {
            CHECK(done > last);
            CHECK(done <= 1);
            last = done;
            return ++asked < 5;
        });
    CHECK(!rows);
    CHECK(asked == 5);
}
