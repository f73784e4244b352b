// The growth curve, the budget bar and the roofline: what they show, before anything is drawn.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "app/panels/bill/calculator/budget.hpp"
#include "app/panels/bill/calculator/fit.hpp"
#include "app/panels/bill/calculator/growth.hpp"
#include "app/panels/bill/calculator/roofline_plan.hpp"
#include "app/panels/bill/panels.hpp"
#include "app/panels/view/real.hpp"
#include "core/cost/cache/bytes.hpp"
#include "core/cost/model/presets.hpp"
#include "tests/app/panels/bill/sample.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Approx;

namespace {

GrowthPlan growth_of(const BillInputs& in) {
    auto plan = plan_growth(view_of(in), Texts());
    REQUIRE(plan);
    return *plan;
}
BudgetPlan budget_of(const BillInputs& in) {
    return plan_budget(view_of(in), Texts());
}
RooflinePlan roof_of(const BillInputs& in) {
    return plan_roofline(view_of(in), Texts());
}

u64 sum_of(const BudgetPlan& plan) {
    u64 sum = plan.free;
    for (const BudgetPart& part : plan.parts) sum += part.bytes;
    return sum;
}

}  // namespace

TEST_CASE("the curves are straight and their slope is the bytes per token", "[bill][C055]") {
    const GrowthPlan plan = growth_of(bill_of("llama-2-70b", 4096, 4));
    REQUIRE(plan.lines.size() == 3);
    const std::vector<double> slopes{2'621'440, 327'680, 40'960};  // 2 x 80 x H x 128 x 2
    for (std::size_t i = 0; i < 3; ++i) {
        const GrowthLine& line = plan.lines[i];
        REQUIRE(line.tokens.size() == 2);
        CHECK(line.bytes[0] == 0);
        CHECK(line.bytes[1] / line.tokens[1] == slopes[i]);
        CHECK(line.current == (i == 1));
    }
    CHECK(plan.lines[1].slope == "320 KiB/token");
    CHECK(plan.now == GrowthPoint{u64{4} * 4096, u64{4} * 4096 * 327'680});
}

TEST_CASE("the crossover of Llama 2 7B stands at 25,705 tokens, inside the picture",
          "[bill][C054]") {
    for (const u64 batch : {1, 16}) {
        const GrowthPlan plan = growth_of(bill_of("llama-2-7b", 512, batch));
        CHECK(plan.crossover == 25'705);
        CHECK(plan.max_tokens > 25'705);
        CHECK(plan.max_bytes > static_cast<double>(plan.weights));
    }
    CHECK(growth_of(bill_of("llama-2-13b", 4096, 1)).crossover == 31'777);
}

TEST_CASE("a window bends the curve and may keep it below the weights", "[bill][C056]") {
    BillInputs in = bill_of("llama-2-7b", 8192, 1);
    set_window(in, 1024);
    const GrowthPlan plan = growth_of(in);
    const GrowthLine& line = plan.lines[0];
    REQUIRE(line.current);
    REQUIRE(line.tokens.size() == 3);
    CHECK(line.tokens[1] == 1024);
    CHECK(line.bytes[1] == line.bytes[2]);
    CHECK_FALSE(plan.crossover);
}

TEST_CASE("the marks of an axis are few and leave room for the present one", "[bill]") {
    const GrowthPlan plan = growth_of(bill_of("llama-3-8b", 8192, 16));
    std::size_t strong = 0;
    for (const AxisMark& mark : plan.token_marks) {
        CHECK(mark.at <= plan.max_tokens);
        strong += mark.strong ? 1 : 0;
    }
    CHECK(strong == 1);
    CHECK(plan.token_marks.back().label == "131,072");
    CHECK(plan.token_marks.size() <= 6);
    CHECK(plan.byte_marks.size() <= 5);
}

TEST_CASE("the budget bar sums to the capacity", "[bill][C057][C062]") {
    const BudgetPlan plan = budget_of(bill_of("llama-2-7b", 4096, 8));
    REQUIRE(plan.parts.size() == 5);
    CHECK(plan.parts[0].kind == BudgetKind::Weights);
    CHECK(plan.parts[0].bytes == 13'476'831'232);
    CHECK(plan.parts[3].bytes == 8 * kGiB);  // K
    CHECK(plan.parts[4].bytes == 8 * kGiB);  // V
    CHECK(sum_of(plan) == 80'000'000'000);
    CHECK(plan.fits());
    CHECK(plan.advice.empty());
}

TEST_CASE("the 70B on one card of 80 GB is refused by its weights alone", "[bill][C058]") {
    BillInputs in = bill_of("llama-2-70b", 4096, 1);
    in.units = UnitSystem::Decimal;
    const BudgetPlan plan = budget_of(in);
    CHECK_FALSE(plan.fits());
    CHECK(plan.sentence == "Needs 137.95 GB of weights, the card has 80 GB.");
    CHECK(plan.advice == "2 such cards would hold it.");
    CHECK(sum_of(plan) == plan.capacity + plan.missing);

    set_cards(in, 2);
    CHECK(budget_of(in).fits());
    CHECK(view_of(in).whole("kv_budget_bytes") == 12'046'703'616);
    CHECK(view_of(in).whole("room_tokens") == 36'752);
}

TEST_CASE("a cache that does not fit says how much is missing", "[bill][C060]") {
    BillInputs in = bill_of("llama-2-7b", 4096, 64);
    in.units = UnitSystem::Decimal;
    const BudgetPlan plan = budget_of(in);
    // 13,476,831,232 + 5,000,000,000 + 128 GiB - 80,000,000,000 = 75,915,784,704
    CHECK(plan.missing == 75'915'784'704);
    CHECK(plan.sentence == "Needs 155.92 GB, the card has 80 GB: 75.92 GB are missing.");
    set_device(in, "4GB");
    CHECK(budget_of(in).advice.starts_with("No number of such cards"));
}

TEST_CASE("a latent cache is one part", "[bill]") {
    const BudgetPlan plan = budget_of(bill_of("deepseek-v3", 4096, 1));
    REQUIRE(plan.parts.size() == 4);
    CHECK(plan.parts[3].kind == BudgetKind::Latent);
}

TEST_CASE("decode attention stands on the slope at its intensity", "[bill][C081]") {
    const RooflinePlan plan = roof_of(bill_of("llama-3-8b", 8192, 16));
    REQUIRE(plan.points.size() == 3);
    // 16-bit elements: one multiply-add per element and query head is 2 FLOP for 2 bytes.
    CHECK(plan.points[0].intensity == 1);
    CHECK(plan.points[1].intensity == 4);
    CHECK(plan.points[2].intensity == 32);
    CHECK(plan.points[1].current);
    CHECK(plan.points[1].flops == Approx(4 * 3.35e12));
    CHECK(plan.ridge == Approx(989.0 / 3.35));
    CHECK(plan.ridge_text == "ridge 295");
    CHECK(plan.unit == "TFLOP/s");
    CHECK(plan.sentence == "GQA 8: 4 FLOP per byte, at most 13.4 TFLOP/s. Memory sets the pace.");
}

TEST_CASE("above the ridge arithmetic sets the pace", "[bill][C081]") {
    BillInputs in = bill_of("deepseek-v3", 8192, 1);
    in.left.codecs = {codec_of("int8"), codec_of("int8")};
    const RooflinePlan plan = roof_of(in);
    // 2 x 128 heads x (2 x 512 + 64) elements of work on 576 codes and 2 bytes of scale.
    const double intensity = 2.0 * 128 * 1088 / 578;
    CHECK(view_of(in).at("intensity").real() == Approx(intensity));
    CHECK(plan.sentence.find("Arithmetic") != std::string::npos);
    CHECK(plan.max_x > intensity);
}

TEST_CASE("the copied bill has every result with its operands", "[bill]") {
    const BillInputs in = bill_of("llama-2-70b", 4096, 1);
    const std::string text = bill_as_text(in, Texts());
    for (const Derived& result : view_of(in).results)
        CHECK(text.find("\n" + result.name + " = ") != std::string::npos);
    CHECK(text.find("  = 2 * n_layers * n_kv_heads * head_dim * element_bytes\n") !=
          std::string::npos);
    CHECK(text.find("  = 2 * 80 * 8 * 128 * 2\n") != std::string::npos);
    CHECK(text.find("n_kv_heads = 8 KV heads: ") != std::string::npos);
    CHECK(text.find("Needs 128.5 GiB of weights, the card has 74.51 GiB.") != std::string::npos);
}

TEST_CASE("a model with windows has a line for each group, and a ghost with all layers full",
          "[bill]") {
    const GrowthPlan plan = growth_of(bill_of("gemma-3-27b", 131'072, 1));
    REQUIRE(plan.lines.size() == 3);
    CHECK(plan.lines[0].ghost);
    CHECK(plan.lines[0].tokens.size() == 2);  // straight
    CHECK(plan.lines[1].current);
    CHECK(plan.lines[1].label == "10 full");
    CHECK(plan.lines[2].label == "52 window");
    CHECK(plan.lines[2].slope == "at most 416 MiB");
    CHECK(plan.lines[2].bytes.back() == plan.lines[2].bytes[1]);  // flat from the window on
    CHECK(plan.lines[1].bytes.back() ==
          static_cast<double>(
              kv_bytes(preset("gemma-3-27b")->cache, {}, static_cast<u64>(plan.max_tokens), 1)));
}

TEST_CASE("a model with states starts above zero", "[bill]") {
    const GrowthPlan plan = growth_of(bill_of("qwen3-next-80b-a3b", 4096, 1));
    REQUIRE(plan.lines.size() == 3);
    CHECK(plan.lines[2].label == "36 state");
    CHECK(plan.lines[2].bytes.back() == 77'856'768);
}

TEST_CASE("one curve says how many requests fit, and how long a text", "[bill][fit]") {
    BillInputs in = bill_of("llama-3-8b", 8192, 16);
    const auto plan = plan_fit(view_of(in), Texts());
    REQUIRE(plan);
    // 80 GB less 16,060,522,496 of weights and 5 GB; 128 KiB a token.
    const u64 room = 80'000'000'000 - 16'060'522'496 - 5'000'000'000;
    CHECK(plan->now.requests == real(room / (u64{8192} * 128 * kKiB)));
    CHECK(plan->now.label == "54 requests");
    REQUIRE(plan->longest);
    CHECK(plan->longest->tokens == real(room / 16 / (u64{128} * kKiB)));
    CHECK(plan->longest->requests == 16);
    REQUIRE(plan->lines.size() == 1);  // every layer grows: nothing beside it
    const FitLine& own = plan->lines[0];
    CHECK(own.tokens.front() == 1024);
    // A straight line on both logarithmic axes: tokens times requests stay.
    for (std::size_t i = 0; i < own.tokens.size(); ++i)
        CHECK(own.tokens[i] * own.requests[i] == Approx(real(room) / real(u64{128} * kKiB)));
    CHECK(view_of(in).whole("sequences_fit") == room / (u64{8192} * 128 * kKiB));
    CHECK(view_of(in).whole("longest_text") == room / 16 / (u64{128} * kKiB));
}

TEST_CASE("windows fit more than a model whose layers are all full", "[bill][fit]") {
    const auto plan = plan_fit(view_of(bill_of("gemma-3-27b", 131'072, 1)), Texts());
    REQUIRE(plan);
    REQUIRE(plan->lines.size() == 2);
    CHECK(plan->lines[0].current);
    CHECK(plan->lines[0].label == "the model");
    CHECK(plan->lines[1].label == "all layers full");
    // Where not one request fits any more.
    CHECK(plan->lines[0].tokens.back() > 4 * plan->lines[1].tokens.back());
}

TEST_CASE("nothing is drawn where nothing fits", "[bill][fit]") {
    CHECK_FALSE(plan_fit(view_of(bill_of("llama-3.1-405b", 8192, 1)), Texts()));
}

TEST_CASE("cards that share a cache: the fullest one decides", "[bill][split]") {
    const Texts text;
    BillInputs in = bill_of("llama-3.3-70b", 8192, 16);
    set_cards(in, 16);
    set_ranks(in, 16);
    const BillView view = view_of(in);
    // One head of 8 on each of 16 ranks: 40 KiB a token, twice what a cache without copies takes.
    CHECK(view.whole("rank_bytes") == 16ULL * 8192 * 40 * kKiB);
    CHECK(view.whole("cards_kv_bytes") == 2 * view.whole("kv_bytes"));
    const auto rows = bill_rows(view, text);
    REQUIRE(rows.size() == 8);
    CHECK(rows[4].result == "rank_bytes");
    CHECK(rows[4].detail == "1 of 8 KV heads, 80 of 80 layers; copies in all 40 GiB");
    const BudgetPlan plan = budget_of(in);
    CHECK(sum_of(plan) == plan.capacity + plan.missing);
    CHECK(plan.parts[3].bytes == 40 * kGiB);
    const u64 room = 75'000'000'000 - 141'107'412'992 / 16;
    CHECK(view.whole("card_kv_budget_bytes") == room);
    CHECK(view.whole("room_tokens") == room / (u64{16} * 40 * kKiB) * 16);
    const auto fit = plan_fit(view, text);
    REQUIRE(fit);
    REQUIRE(fit->lines.size() == 2);
    CHECK(fit->lines[1].label == "no copies");
    CHECK(fit->now.requests == real(room / (u64{8192} * 40 * kKiB)));

    set_ranks(in, 4);  // and four stages of 20 layers: 2 of 8 heads, 20 of 80 layers
    CHECK(view_of(in).whole("rank_bytes") == 16ULL * 8192 * 20 * kKiB);
    CHECK(view_of(in).whole("ranks_total_bytes") == view_of(in).whole("kv_bytes"));
    set_batch(in, 2048);
    const BudgetPlan over = budget_of(in);
    CHECK_FALSE(over.fits());
    CHECK(over.advice.ends_with("with 4 ranks as now and more stages."));
    CHECK(sum_of(over) == over.capacity + over.missing);
}

TEST_CASE("a hybrid's states are a part of the memory", "[bill][split]") {
    const BudgetPlan plan = budget_of(bill_of("falcon-h1-7b", 4096, 8));
    REQUIRE(plan.parts.size() == 6);
    CHECK(plan.parts[5].kind == BudgetKind::States);
    CHECK(plan.parts[5].bytes == 8ULL * 44 * (24 * 128 * 256 * 4 + (3072 + 512) * 4 * 2));
    CHECK(sum_of(plan) == plan.capacity + plan.missing);
}

TEST_CASE("ranks divide the cards, and a stage has a layer", "[bill][split]") {
    BillInputs in = bill_of("llama-3-8b", 8192, 16);
    CHECK_THROWS(set_ranks(in, 2));  // of one card
    set_cards(in, 8);
    CHECK_THROWS(set_ranks(in, 3));
    CHECK_THROWS(set_ranks(in, 16));
    set_ranks(in, 2);
    CHECK(split_of(in).stages == 4);
    set_cards(in, 6);
    CHECK(split_of(in).stages == 3);
    set_cards(in, 5);  // two ranks do not divide five cards
    CHECK(split_of(in).ranks == 5);
    set_ranks(in, 1);
    CHECK_THROWS(set_cards(in, 33));  // 32 layers
    CHECK(in.cards == 5);
    set_ranks(in, 0);
    CHECK(split_of(in).cards() == 1);
}
