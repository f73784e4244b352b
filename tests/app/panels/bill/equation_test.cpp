// The equation: the product of the boxes is the bytes, in every case that can be set.
#include <catch2/catch_test_macros.hpp>

#include "app/panels/bill/equation/plan.hpp"
#include "app/panels/bill/equation/terms.hpp"
#include "core/cost/model/presets.hpp"
#include "tests/app/panels/bill/sample.hpp"

using namespace kv;
using namespace kv::test;

namespace {

EquationPlan plan_of(const BillInputs& in) {
    return plan_equation(view_of(in), Texts());
}

double product(const EquationTerm& term) {
    double result = 1;
    for (const EquationFactor& factor : term.factors) result *= factor.amount;
    return result;
}

std::vector<std::string> values_of(const EquationTerm& term) {
    std::vector<std::string> values;
    for (const EquationFactor& factor : term.factors) values.push_back(factor.value);
    return values;
}
using Strings = std::vector<std::string>;

// The terms multiply and sum to the payload, and the rows to what is allocated.
void check_sums(const EquationPlan& plan) {
    u64 payload = 0, above = 0;
    for (const EquationTerm& term : plan.terms) {
        CHECK(product(term) == static_cast<double>(term.bytes));
        payload += term.bytes;
    }
    CHECK(plan.rows[0].bytes == payload);
    if (!plan.note.empty()) return;
    for (std::size_t i = 0; i + 1 < plan.rows.size(); ++i) above += plan.rows[i].bytes;
    CHECK(plan.rows.back().bytes == above);
    CHECK(plan.rows.back().total);
}

}  // namespace

TEST_CASE("the equation of Llama 2 7B is seven boxes", "[bill][C038]") {
    const EquationPlan plan = plan_of(bill_of("llama-2-7b", 1000, 3));
    REQUIRE(plan.terms.size() == 1);
    CHECK(values_of(plan.terms[0]) == Strings{"2", "32", "32", "128", "2 B", "1,000", "3"});
    REQUIRE(plan.rows.size() == 3);
    CHECK(plan.rows[0].value == "1,572,864,000 B");
    CHECK(plan.rows[1].label == "+ 8 empty slots in each last page");
    CHECK(plan.rows[1].value == "12,582,912 B");
    CHECK(plan.rows[1].waste);
    CHECK(plan.rows[2].label == "= allocated: 189 × 8 MiB");
    CHECK(plan.rows[2].value == "1,585,446,912 B");
    CHECK(plan.same_with == "Same 3,000 tokens with");
    check_sums(plan);
}

TEST_CASE("full last pages leave nothing empty, and that is no loss", "[bill][C036]") {
    const EquationPlan plan = plan_of(bill_of("llama-2-7b", 4096, 1));
    CHECK(plan.rows[1].bytes == 0);
    CHECK_FALSE(plan.rows[1].waste);
    CHECK(plan.rows[2].bytes == 2 * kGiB);
}

TEST_CASE("scales stand in a row of their own", "[bill][C036]") {
    BillInputs in = bill_of("llama-2-7b", 1000, 3);
    in.left.codecs = {codec_of("int8"), codec_of("int8")};
    const EquationPlan plan = plan_of(in);
    REQUIRE(plan.rows.size() == 4);
    CHECK(plan.rows[1].label == "+ scales");
    CHECK(plan.rows[1].bytes == 3000 * 2048 * 2);
    check_sums(plan);
}

TEST_CASE("where K and V differ there is a term for each, and what they share stands once",
          "[bill][C038]") {
    BillInputs in = bill_of("llama-3-8b", 1000, 2);
    in.left.codecs = {codec_of("int8"), codec_of("int4")};
    const EquationPlan plan = plan_of(in);
    REQUIRE(plan.terms.size() == 2);
    CHECK(values_of(plan.terms[0]) == Strings{"32", "8", "128", "1 B", "1,000", "2"});
    CHECK(values_of(plan.terms[1]) == Strings{"32", "8", "128", "0.5 B", "1,000", "2"});
    check_sums(plan);
    const auto shared = factored(plan.terms);
    REQUIRE(shared);
    CHECK(shared->common.size() == 5);
    CHECK(values_of(shared->apart[0]) == Strings{"1 B"});
    CHECK(values_of(shared->apart[1]) == Strings{"0.5 B"});
    CHECK_FALSE(factored(plan_of(bill_of("llama-3-8b", 10, 1)).terms));
}

TEST_CASE("keys and values of different width are never twice one of them", "[bill][C038]") {
    BillInputs in = bill_of("llama-3-8b", 1000, 2);
    in.left.shape.cache.d_v = 64;
    const EquationPlan plan = plan_of(in);
    REQUIRE(plan.terms.size() == 2);
    CHECK(plan.terms[0].bytes == 2 * plan.terms[1].bytes);
    CHECK(plan.terms[0].factors[2].label == "key dim");
    check_sums(plan);
}

TEST_CASE("a latent cache has neither sides nor heads", "[bill]") {
    const EquationPlan plan = plan_of(bill_of("deepseek-v3", 10, 1));
    REQUIRE(plan.terms.size() == 1);
    CHECK(values_of(plan.terms[0]) == Strings{"61", "576", "2 B", "10", "1"});
    check_sums(plan);
}

TEST_CASE("a window shows the tokens that are kept", "[bill][C056]") {
    BillInputs in = bill_of("llama-2-7b", 1000, 1);
    set_window(in, 100);
    const EquationPlan plan = plan_of(in);
    CHECK(values_of(plan.terms[0]) == Strings{"2", "32", "32", "128", "2 B", "100", "1"});
    CHECK(plan.terms[0].factors[5].label == "kept tokens");
    CHECK(plan.rows[1].label == "+ slots that the window left empty");
    check_sums(plan);
}

TEST_CASE("layers of two kinds are two products", "[bill]") {
    BillInputs in = bill_of("llama-3-8b", 1000, 2);
    for (std::size_t i = 0; i < 32; i += 4) in.left.shape.cache.layers[i] = WindowCache{128};
    const EquationPlan plan = plan_of(in);
    REQUIRE(plan.terms.size() == 2);
    CHECK(plan.terms[0].factors[1].label == "window layers");
    CHECK(plan.terms[0].factors[1].value == "8");
    CHECK(plan.terms[1].factors[1].value == "24");
    check_sums(plan);
}

TEST_CASE("a format with a residual says why it has no count of pages", "[bill]") {
    BillInputs in = bill_of("llama-3-8b", 1000, 2);
    in.left.codecs = {codec_of("int4:kivi"), codec_of("int4:kivi")};
    const EquationPlan plan = plan_of(in);
    CHECK(plan.terms.size() == 2);
    CHECK(plan.rows.size() == 1);
    CHECK_FALSE(plan.note.empty());
    check_sums(plan);
}

TEST_CASE("codes that do not fill whole bytes are counted by the vector", "[bill]") {
    BillInputs in = bill_of("llama-3-8b", 7, 1);
    in.left.shape.cache.d_k = in.left.shape.cache.d_v = 5;
    in.left.codecs = {codec_of("int3"), codec_of("int3")};
    const EquationPlan plan = plan_of(in);
    // 15 bits are 2 bytes.
    CHECK(values_of(plan.terms[0]) == Strings{"2", "32", "8", "2 B", "7", "1"});
    check_sums(plan);
}

TEST_CASE("the equation holds for every preset, format and page", "[bill][C036][C038][heavy]") {
    for (const std::string_view name : preset_names()) {
        for (const char* format :
             {"f32", "bf16", "fp8_e4m3", "int8", "int4:g32", "int3", "int8:tensor"}) {
            for (const u64 page : {1, 7, 16, 1024}) {
                BillInputs in = bill_of(name, 1001, 5);
                in.left.codecs = {codec_of(format), codec_of(format)};
                set_block_size(in, page);
                INFO(name << " " << format << " " << page);
                check_sums(plan_of(in));
                set_window(in, 33);
                check_sums(plan_of(in));
            }
        }
    }
}

TEST_CASE("a row of boxes is broken where its longer part is shortest", "[bill]") {
    CHECK(balanced_break({10, 10, 10, 10}, 2) == 2);
    CHECK(balanced_break({10, 10, 30}, 2) == 2);
    CHECK(balanced_break({30, 10, 10}, 2) == 1);
    CHECK(balanced_break({30}, 2) == 1);
}
