// The algebra of partial softmax states: disjoint sets of keys merge to the state of their union.

#include "core/engine/reference/softmax_state.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <vector>

#include "core/base/random.hpp"

using namespace kv;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

struct Part {
    SoftmaxState state;
    std::vector<float> output{0, 0};
};

// Scores up to +-40 and values of two elements; keys [begin, end) of them, all at once.
Part part_of(std::size_t begin, std::size_t end) {
    const Random random(11, 0);
    const auto score = [&](std::size_t j) {
        return static_cast<float>(80 * random.unit(3 * j) - 40);
    };
    Part p;
    if (begin == end) return p;
    p.state.max = -1000;
    for (std::size_t j = begin; j < end; ++j) p.state.max = std::max(p.state.max, score(j));
    for (std::size_t j = begin; j < end; ++j) {
        const float weight = std::exp(score(j) - p.state.max);
        p.state.sum += weight;
        for (std::size_t c = 0; c < 2; ++c)
            p.output[c] += weight * static_cast<float>(random.unit(3 * j + 1 + c));
    }
    return p;
}

Part merged(Part a, const Part& b) {
    merge_into(a.state, a.output.data(), b.state, b.output.data(), 2);
    return a;
}

void check_close(const Part& a, const Part& b) {
    CHECK(a.state.max == b.state.max);
    CHECK_THAT(a.state.sum, WithinRel(b.state.sum, 1e-6f));
    for (std::size_t c = 0; c < 2; ++c) CHECK_THAT(a.output[c], WithinRel(b.output[c], 1e-6f));
}

void check_same(const Part& a, const Part& b) {
    CHECK(a.state.max == b.state.max);
    CHECK(a.state.sum == b.state.sum);
    CHECK(a.output == b.output);
}

}  // namespace

// Scores 0 and ln 3 with the values 1 and 5: weights 1/4 and 3/4, the mean is 4.
TEST_CASE("two keys merged by hand give the softmax of both", "[softmax_state]") {
    SoftmaxState a{0, 1};
    float output = 1;
    const float five = 5;
    merge_into(a, &output, {std::log(3.0f), 1}, &five, 1);
    CHECK(a.max == std::log(3.0f));
    CHECK_THAT(a.sum, WithinRel(4.0f / 3, 1e-6f));
    CHECK_THAT(output / a.sum, WithinRel(4.0f, 1e-6f));
}

TEST_CASE("the merge of parts is the state of the whole, however it is cut", "[softmax_state]") {
    const Part whole = part_of(0, 50);
    for (const std::size_t cut : {1u, 7u, 25u, 49u})
        check_close(merged(part_of(0, cut), part_of(cut, 50)), whole);
    Part one_by_one;
    for (std::size_t j = 0; j < 50; ++j) one_by_one = merged(one_by_one, part_of(j, j + 1));
    check_close(one_by_one, whole);
}

TEST_CASE("merging is commutative, and associative to rounding", "[softmax_state]") {
    const Part a = part_of(0, 9), b = part_of(9, 11), c = part_of(11, 40);
    check_same(merged(a, b), merged(b, a));
    check_close(merged(merged(a, b), c), merged(a, merged(b, c)));
}

TEST_CASE("no keys change nothing, whatever stands in their output", "[softmax_state]") {
    Part nothing;
    nothing.output = {NAN, NAN};
    nothing.state.max = INFINITY;
    REQUIRE(nothing.state.empty());
    const Part a = part_of(3, 8);
    check_same(merged(a, nothing), a);
    check_same(merged(nothing, a), a);
    CHECK(merged(nothing, nothing).state.empty());
}

TEST_CASE("parts whose scores lie far apart merge without overflow", "[softmax_state]") {
    Part low{{-3000, 2}, {4, 6}}, high{{3000, 1}, {1, 2}};
    check_same(merged(low, high), high);
    CHECK_THAT(merged(high, low).output[1], WithinAbs(2, 0));
}
