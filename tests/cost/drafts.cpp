// What drafts bring and cost, held against numbers by hand and against the papers' closed forms.

#include "core/cost/time/drafts.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/cost/model/presets.hpp"
#include "core/cost/time/flops.hpp"
#include "core/cost/time/roofline.hpp"
#include "tests/cost/evaluate.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Approx;

TEST_CASE("half of them right, four proposals: 1.9375 tokens a pass", "[drafts]") {
    CHECK(expected_tokens(0.5, 4) == 1.9375);  // 1 + 1/2 + 1/4 + 1/8 + 1/16
    CHECK(expected_tokens(0, 4) == 1);
    CHECK(expected_tokens(1, 4) == 5);
    CHECK(expected_tokens(0.5, 0) == 1);
    for (const double a : {0.1, 0.6, 0.8, 0.95})
        for (u64 k = 1; k <= 16; ++k)
            CHECK(expected_tokens(a, k) ==
                  Approx((1 - std::pow(a, static_cast<double>(k + 1))) / (1 - a)));
}

// Table 1 of the paper: how many times faster with a draft that costs nothing.
TEST_CASE("the paper's table: 1.96, 3.69 and 6.86 tokens a pass", "[drafts]") {
    CHECK(expected_tokens(0.6, 2) == Approx(1.96).epsilon(0.002));
    CHECK(expected_tokens(0.8, 5) == Approx(3.69).epsilon(0.002));
    CHECK(expected_tokens(0.9, 10) == Approx(6.86).epsilon(0.002));
}

TEST_CASE("acceptance counts what was judged", "[drafts]") {
    CHECK(measured_acceptance(18, 10) == Approx(18.0 / 28));
    CHECK(measured_acceptance(0, 0) == 0);
}

TEST_CASE("every derivation gives the value that it claims", "[drafts]") {
    for (const double a : {0.0, 0.3, 1.0})
        for (const u64 k : {0u, 1u, 2u, 7u}) {
            const Derived result = derive_expected_tokens(a, k);
            CAPTURE(result.expression);
            CHECK(evaluate(result.expression, names_of(result)) ==
                  Approx(static_cast<double>(number_of(result.value))));
        }
    CHECK(derive_expected_tokens(0.5, 3).expression ==
          "1 + acceptance * (1 + acceptance * (1 + acceptance))");
}

namespace {

// Llama 2 7B at 4,096 tokens in 16 bits, on a card of 312 TFLOP/s and 2 TB/s.
struct Case {
    ModelShape target = model("llama-2-7b");
    DraftCase of{&target, nullptr, kBf16Pair, 4096, 1, 312e12, 2e12};
};

}  // namespace

TEST_CASE("a pass that checks four reads weights and cache once", "[drafts]") {
    const Case on;
    const VerifyPass one = verify_pass(on.of, 0), five = verify_pass(on.of, 4);
    // Weights, 4,096 tokens of 512 KiB, and a token written; then five of them.
    CHECK(one.bytes == 13'476'831'232 + 2'147'483'648 + 524'288);
    CHECK(five.bytes == one.bytes + 4 * 524'288);
    CHECK(one.seconds == Approx(7.81e-3).epsilon(0.001));
    CHECK(five.seconds == Approx(one.seconds).epsilon(0.001));
    CHECK(one.attention_intensity == Approx(1));
    // The five queries see 4,096, 4,095 ... 4,092 keys, and each key is read once.
    CHECK(five.attention_intensity == Approx(20'470.0 / 4'096));
}

TEST_CASE("alone every accepted token is time won; in a large batch drafts lose", "[drafts]") {
    const Case on;
    CHECK(draft_gain(on.of, 0.5, 4).speedup == Approx(1.9375).epsilon(0.001));
    CHECK(draft_gain(on.of, 0, 4).speedup == Approx(1).epsilon(0.001));
    // At 64 tokens and 512 sequences arithmetic sets the time: five rows take five times as long.
    DraftCase many = on.of;
    many.kv_len = 64;
    many.batch = 512;
    CHECK(verify_pass(many, 0).seconds ==
          Approx(static_cast<double>(decode_flops(on.target, 64, 512).total()) / 312e12));
    CHECK(draft_gain(many, 0.5, 4).speedup == Approx(1.9375 / 5).epsilon(0.01));
}

TEST_CASE("the map has a row for each batch and rises with acceptance", "[drafts]") {
    const Case on;
    const std::vector<u64> batches{1, 16, 256};
    const std::vector<double> acceptances{0, 0.25, 0.5, 0.75, 1};
    DraftCase of = on.of;
    of.kv_len = 128;
    const auto map = draft_map(of, 4, batches, acceptances);
    REQUIRE(map.size() == 3);
    for (const auto& row : map) {
        REQUIRE(row.size() == 5);
        for (std::size_t i = 1; i < row.size(); ++i) CHECK(row[i].speedup > row[i - 1].speedup);
    }
    for (std::size_t i = 0; i < acceptances.size(); ++i)
        CHECK(map[2][i].speedup < map[0][i].speedup);
    CHECK(map[2][1].speedup < 1);
    CHECK(map[0][1].speedup > 1);
}

TEST_CASE("a draft model is paid for: one like the target never wins", "[drafts]") {
    Case on;
    on.of.draft = &on.target;
    for (const double acceptance : {0.5, 0.9, 1.0})
        CHECK(draft_gain(on.of, acceptance, 4).speedup < 1.01);
    // Three passes of one row and one of two, each with weights, cache and what it writes.
    const DraftGain gain = draft_gain(on.of, 1, 4);
    const u64 pass = verify_pass(on.of, 0).bytes;
    CHECK(gain.bytes_per_token == Approx(static_cast<double>(5 * pass + 5 * 524'288) / 5));
    CHECK(draft_seconds(on.of, 0) == 0);
}
