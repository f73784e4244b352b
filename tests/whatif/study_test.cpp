#include "core/whatif/study/study.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/error.hpp"
#include "core/cost/cache/bytes.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/model/presets.hpp"
#include "core/cost/time/flops.hpp"
#include "core/whatif/study/summary.hpp"
#include "tests/whatif/streams.hpp"

using namespace kv;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using kv::test::ChainMaker;

namespace {

WhatIfSetting as_recorded(std::uint32_t block_size) {
    WhatIfSetting setting;
    setting.block_size = block_size;
    return setting;
}

Recording two_turns() {
    ChainMaker maker(16);
    maker.ask({1, 2, 3, 4});
    maker.ask({5, 6});
    maker.ask({1, 2, 3, 4, 7});
    maker.recording.seconds = 10;
    return std::move(maker.recording);
}

}  // namespace

TEST_CASE("a first token waits for the arithmetic, the weights and the link", "[first_token]") {
    FirstTokenModel model = first_token_model({}, {});
    FirstTokens times(model);
    const auto flop = [&](u64 tokens) {
        return static_cast<double>(prefill_flops(model.model, tokens, 1).total());
    };
    // 4,096 tokens of Llama 3 8B on half of 989 TFLOP/s: some 0.14 s.
    CHECK(times.seconds(4096, {0, 0}) == Approx(flop(4096) / (989e12 / 2)));
    CHECK(times.seconds(4096, {2048, 0}) == Approx((flop(4096) - flop(2048)) / (989e12 / 2)));
    // Of what was found nearly whole, the weights are read once all the same.
    const double weights = static_cast<double>(weight_bytes(model.model)) / 3.35e12;
    CHECK(times.seconds(4096, {4095, 0}) == Approx(weights));
    // 131,072 bytes a token over the link.
    CHECK(times.seconds(4096, {4095, 1000}) == Approx(weights + 1000 * 131072 / 55e9));
}

TEST_CASE("percentiles are of requests, each counted once", "[first_token]") {
    ChainMaker maker(16);
    for (std::uint32_t i = 0; i < 20; ++i)
        maker.ask(std::vector<std::uint32_t>(i == 19 ? 400 : 200, 1000 + i));
    const FirstTokenModel model = first_token_model({}, {});
    const PoolOutcome none = *replay(maker.recording, {.pool_blocks = 1});
    FirstTokens times(model);
    const FirstTokenSeconds of = *times.of(maker.recording, none);
    CHECK(of.median == times.seconds(3200, {0, 0}));
    CHECK(of.p95 == times.seconds(3200, {0, 0}));  // the 19th of 20
    CHECK(of.mean > of.median);
    CHECK_FALSE(times.of({}, {}).has_value());
}

TEST_CASE("at equal bytes a smaller codec holds more blocks", "[study]") {
    WhatIfStudy study(two_turns(), {});
    WhatIfSetting setting = as_recorded(16);
    setting.codecs = {Codec::Int8, Codec::Int8};
    const WhatIfPoint point = *study.point(setting, 130, HowKnown::Both);
    // 256 bytes of a vector become 128 and a scale of two: 130 blocks are 256.
    CHECK(point.blocks == 256);
    CHECK(point.bytes == 130ull * 16 * 131072);
    CHECK(study.point(as_recorded(16), 130, HowKnown::OnePass)->blocks == 130);
    CHECK(study.at_equal_bytes(130, 32) == 65);
}

TEST_CASE("a pool with no room for one block is refused, with the smallest that has", "[study]") {
    WhatIfStudy study(two_turns(), {});
    WhatIfSetting setting = as_recorded(16);
    setting.codecs = {Codec::F32, Codec::F32};
    CHECK(study.least_pool(setting) == 2);
    CHECK_THROWS_WITH(study.point(setting, 1, HowKnown::Both),
                      ContainsSubstring("2 blocks or more"));
    CHECK(study.point(setting, 2, HowKnown::Both)->blocks == 1);
    CHECK(study.least_pool(as_recorded(16)) == 1);
    CHECK_THROWS_AS(study.point(as_recorded(16), 0, HowKnown::Both), Error);
}

TEST_CASE("the answer names today's pool, twice of it, and the knee", "[study]") {
    WhatIfStudy study(two_turns(), {});
    const WhatIfSummary summary = *summarize(study, 5);
    // The third asks for four blocks that it can have; two more came between. So the first of them
    // lies third in the stack, and the fourth sixth.
    CHECK(summary.at_today->outcome.hit_tokens == 3 * 16);
    CHECK(summary.twice->outcome.hit_tokens == 4 * 16);
    CHECK(summary.spared() == 16);
    CHECK(summary.knee.pool == 6);
    CHECK(summary.distinct == 7);
    CHECK(summary.without_end.outcome.again_tokens == 0);
    // By its events the server stored nothing in them: all was found.
    const WhatIfCheck check = *check_of(summary);
    CHECK_FALSE(check.with_counters);
    CHECK(check.ours == WhatIfSummary::Tokens{11 * 16, 3 * 16});
    CHECK_FALSE(check.equal());
    CHECK(check.difference() == Approx(-8.0 / 11));
}

TEST_CASE("where nobody knows today's pool, the knee answers", "[study]") {
    WhatIfStudy study(two_turns(), {});
    const WhatIfSummary summary = *summarize(study, {});
    CHECK(summary.today.from == TodayFrom::Nothing);
    CHECK_FALSE(summary.at_today.has_value());
    CHECK_FALSE(check_of(summary).has_value());
    CHECK(summary.knee.pool == 6);
}

TEST_CASE("a curve has today's pool and its doublings, and ends where nothing is removed",
          "[study]") {
    CHECK(curve_pools(100, 350, 2) == std::vector<u64>{50, 71, 100, 141, 200, 283, 400});
    CHECK(curve_pools(100, 10, 1) == std::vector<u64>{50, 100, 200});
    CHECK(curve_pools(0, 64, 1) == std::vector<u64>{1, 2, 4, 8, 16, 32, 64});
    CHECK(curve_pools(1, 1, 4).front() == 1);
    CHECK(curve_pools(0, 0, 4) == std::vector<u64>{1});
}

TEST_CASE("a model or a card that is not known is refused by name", "[study]") {
    CHECK_THROWS_AS(first_token_model({.preset = "gpt-9"}, {}), Error);
    CHECK_THROWS_AS(first_token_model({.card = "h9000"}, {}), Error);
    CHECK_THROWS_AS(first_token_model({.card = "m4-max"}, {}), Error);
}
