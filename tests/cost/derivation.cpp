// Every number can be unfolded, and what it unfolds into really gives the number.
#include "core/cost/model/derivation.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <set>

#include "core/base/error.hpp"
#include "core/cost/bill.hpp"
#include "core/cost/budget.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/time/flops.hpp"
#include "core/cost/time/roofline.hpp"
#include "tests/cost/evaluate.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Approx;

namespace {

bool has_letters(const std::string& text) {
    std::string rest = text;
    for (const char* word : {"ceil", "floor", "min", "max"}) {
        for (std::size_t at = rest.find(word); at != std::string::npos; at = rest.find(word)) {
            rest.erase(at, std::string(word).size());
        }
    }
    return rest.find_first_of("abcdefghijklmnopqrstuvwxyz_") != std::string::npos;
}

void check_derivation(const Derived& result) {
    CAPTURE(result.name, result.expression);
    const long double claimed = number_of(result.value);
    const long double by_name = evaluate(result.expression, names_of(result));
    const long double by_number = evaluate(spelled_out(result), {});
    if (std::holds_alternative<double>(result.value)) {
        REQUIRE(static_cast<double>(by_name) ==
                Approx(static_cast<double>(claimed)).epsilon(1e-12));
        REQUIRE(static_cast<double>(by_number) ==
                Approx(static_cast<double>(claimed)).epsilon(1e-12));
    } else {
        REQUIRE(by_name == claimed);
        REQUIRE(by_number == claimed);
    }
    REQUIRE_FALSE(result.meaning.empty());
    REQUIRE_FALSE(has_letters(spelled_out(result)));
    for (const Operand& operand : result.operands) {
        REQUIRE(result.expression.find(operand.name) != std::string::npos);
        REQUIRE_FALSE(operand.meaning.empty());
    }
}

// An operand that bears the name of an earlier result has its value.
void check_list(const std::vector<Derived>& list) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
        check_derivation(list[i]);
        REQUIRE(seen.insert(list[i].name).second);
        for (const Operand& operand : list[i].operands) {
            for (std::size_t j = 0; j < list.size(); ++j) {
                if (list[j].name != operand.name) continue;
                CAPTURE(list[i].name, operand.name);
                REQUIRE(j < i);
                REQUIRE(number_of(list[j].value) == number_of(operand.value));
            }
        }
    }
}

}  // namespace

TEST_CASE("the oracle calculates", "[derivation]") {
    CHECK(evaluate("2 + 3 * 4", {}) == 14);
    CHECK(evaluate("(2 + 3) * 4 - 1", {}) == 19);
    CHECK(evaluate("7 / 2", {}) == 3.5L);
    CHECK(evaluate("ceil(7 / 2) + floor(7 / 2) + min(2, a_b)", {{"a_b", 1}}) == 8);
    CHECK(evaluate("1 + 1 <= 2", {}) == 1);
    CHECK(evaluate("3 <= 2", {}) == 0);
    CHECK_THROWS(evaluate("2 +", {}));
    CHECK_THROWS(evaluate("missing", {}));
    CHECK_THROWS(evaluate("2 2", {}));
}

TEST_CASE("numbers stand for names, functions and unknown words stay", "[derivation]") {
    Derived d{"x", "ceil(a / a_2) * other", Value{u64{1}}, "", "", {}};
    d.operands = {whole_operand("a", 7, "", "m"), whole_operand("a_2", 2, "", "m")};
    CHECK(spelled_out(d) == "ceil(7 / 2) * other");
    CHECK(value_text(Value{true}) == "true");
    CHECK(value_text(Value{u64{524'288}}) == "524288");
    CHECK(value_text(Value{0.25}) == "0.25");
}

TEST_CASE("asking a result for the wrong kind of value is a bug", "[derivation]") {
    const Derived yes = given("a", Value{true}, "", "m");
    const Derived real = given("b", Value{0.5}, "", "m");
    CHECK(yes.yes());
    CHECK_THROWS_AS(yes.whole(), BrokenAssert);
    CHECK_THROWS_AS(yes.real(), BrokenAssert);
    CHECK_THROWS_AS(real.whole(), BrokenAssert);
    CHECK(real.real() == 0.5);
    CHECK(given("c", Value{u64{3}}, "", "m").real() == 3.0);
}

TEST_CASE("every derivation of every preset and codec gives its value", "[derivation]") {
    for (const std::string_view name : preset_names()) {
        CAPTURE(name);
        const ModelShape shape = model(name);
        for (const char* codec_name :
             {"bf16", "f32", "int8", "int4:g32", "int3", "int2:kivi", "int4:tensor"}) {
            CAPTURE(codec_name);
            BillRequest request;
            request.model = shape;
            request.cache = shape.cache;
            request.n_heads = shape.n_heads;
            request.codecs = both(codec_name);
            request.tokens = 3001;
            request.batch = 3;
            request.pool = PoolBytes{24 * kGiB};
            request.bandwidth = 3.35e12;
            request.flops = 989e12;
            check_list(make_bill(request));
            check_list(derive_decode_flops(shape, 3001, 3));
        }
        check_list(derive_weight_bytes(shape));
    }
}

TEST_CASE("derivations hold for random shapes with mixed layers", "[derivation]") {
    std::mt19937 random(11);
    const auto draw = [&](unsigned low, unsigned high) {
        return std::uniform_int_distribution<u64>(low, high)(random);
    };
    const std::vector<const char*> codecs{"bf16",      "int8",     "int4:g8", "int2:kivi",
                                          "int4:kivi", "fp8_e4m3", "int3"};
    for (int round = 0; round < 400; ++round) {
        BillRequest request;
        request.cache = uniform_cache(draw(1, 8), draw(1, 4), 8 * draw(1, 4));
        request.cache.d_v = 8 * draw(1, 4);
        const bool mixed = draw(0, 1) == 1;
        for (LayerCache& layer : request.cache.layers) {
            const u64 kind = draw(0, 3);
            if (mixed && kind == 1) layer = WindowCache{draw(1, 300)};
            if (mixed && kind == 2) layer = NoCache{};
        }
        request.codecs = {codec(codecs[draw(0, 6)]), codec(codecs[draw(0, 6)])};
        if (cache_objection(request.cache, request.codecs)) continue;
        request.n_heads = request.cache.n_kv_heads * draw(1, 4);
        if (draw(0, 1) == 1) request.tokens = draw(1, 700);
        request.batch = draw(1, 5);
        request.block_size = draw(1, 40);
        if (draw(0, 1) == 1) request.pool = PoolBytes{draw(1, 10'000'000)};
        if (draw(0, 1) == 1) request.given_weight_bytes = draw(1, 10'000'000);
        if (draw(0, 1) == 1) request.device_bytes = draw(1, 10'000'000);
        if (draw(0, 1) == 1) request.bandwidth = static_cast<double>(draw(1, 1000)) * 1e9;
        check_list(make_bill(request));
    }
}

TEST_CASE("derivations beside the bill hold as well", "[derivation]") {
    const ModelShape shape = model("llama-2-70b");
    BudgetRequest request;
    request.card_bytes = 80'000'000'000;
    request.cards = 2;
    request.weight_bytes = weight_bytes(shape);
    check_derivation(derive_budget(request));
    check_derivation(derive_flop_crossover(shape));
    check_derivation(derive_fits_device(5, 6, 11));
    check_derivation(derive_fits_device(5, 6, 10));
}
