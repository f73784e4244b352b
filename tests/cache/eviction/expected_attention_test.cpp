// Expected Attention: an example by hand, and draws against matrices that are written out.

#include "core/cache/eviction/expected_attention.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>

#include "core/base/random.hpp"

namespace kv {
namespace {

using Catch::Approx;
using Row = std::vector<double>;
using Matrix = std::vector<Row>;

QueryMoments moments_of(const Matrix& queries) {
    QueryMoments moments;
    for (const Row& query : queries) moments.add(query);
    return moments;
}

void check_row(const std::vector<float>& actual, const Row& expected, double margin) {
    REQUIRE(actual.size() == expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i)
        CHECK(static_cast<double>(actual[i]) == Approx(expected[i]).margin(margin));
}

// Two channels that rotate by a quarter from place to place, and the places 4 and 5: rotated by
// nothing and by a quarter, so R = ((.5, -.5), (.5, .5)).
//   queries (2, 0), (0, 2):  mu = (1, 1), Sigma = ((2, 0), (0, 2)) - mu mu^T = ((1, -1), (-1, 1))
//   R mu = (0, 1);  Sigma = (1, -1)(1, -1)^T and R (1, -1) = (1, 0), so R Sigma R^T = ((1,0),(0,0))
//   exponent of a key (a, b): b / sqrt 2 + a^2 / 4
//   keys behind the sink: (0, 0): 0.  (2, 0): 1.  (0, sqrt 2): 1.  (2, -sqrt 2): 0.
//   softmax: 1, e, e, 1 over 2 + 2e: .134471 .365529 .365529 .134471
//   |v|: 5, 1, 2, .5, so the scores are .672354 .365529 .731059 .067235
TEST_CASE("Expected Attention by hand", "[eviction][expected]") {
    const Row quarter{std::numbers::pi / 2};
    const MeanRotation places = mean_rotation(quarter, 4, 2);
    CHECK(places.cosine[0] == Approx(.5));
    CHECK(places.sine[0] == Approx(.5));
    const float root = std::numbers::sqrt2_v<float>;
    const Vectors keys{{9, 9}, {0, 0}, {2, 0}, {0, root}, {2, -root}},
        values{{9, 9}, {3, 4}, {0, 1}, {2, 0}, {0, .5f}};
    const std::vector<QueryMoments> one{moments_of({{2, 0}, {0, 2}})};
    const std::vector<float> scores = expected_scores(keys, values, {one, places}, 1);
    check_row(scores, {0, .672354, .365529, .731059, .067235}, 1e-5);
    CHECK(keep_highest(scores, {1, 5}, 2).kept == std::vector<std::uint32_t>{0, 1, 3});

    // A second head whose queries are nothing looks at all four alike: .25 each. The mean with the
    // first, .192236 .307764 .307764 .192236, times |v|; the larger, .25 .365529 .365529 .25.
    const std::vector<QueryMoments> two{one[0], moments_of({{0, 0}, {0, 0}})};
    check_row(expected_scores(keys, values, {two, places}, 1),
              {0, .961178, .307764, .615529, .096118}, 1e-5);
    check_row(expected_scores(keys, values, {two, places, Reduce::Max}, 1),
              {0, 1.25, .365529, .731059, .125}, 1e-5);
}

TEST_CASE("moments along a direction are those of the queries", "[eviction][expected]") {
    const QueryMoments moments = moments_of({{1, 2}, {3, 2}, {5, 8}});
    CHECK(moments.count() == 3);
    CHECK(moments.mean_along(Row{1, 0}) == Approx(3));
    CHECK(moments.mean_along(Row{1, -1}) == Approx(-1));          // of -1, 1, -3
    CHECK(moments.variance_along(Row{1, -1}) == Approx(8. / 3));  // squares 0, 4, 4 over the count
    CHECK(moments_of({{3, 7}}).variance_along(Row{1, 1}) == 0);
}

// Queries far from 0 and close to each other: in float32 the mean square and the square of the mean
// would be the same.
TEST_CASE("the spread of queries is not lost beside their mean", "[eviction][expected]") {
    const QueryMoments moments = moments_of({{10001, 5000}, {9999, 5000}});
    CHECK(moments.variance_along(Row{1, 0}) == Approx(1).epsilon(1e-6));
    CHECK(moments.variance_along(Row{0, 1}) == Approx(0).margin(1e-6));
}

struct Drawn {
    Row frequencies;
    std::uint32_t first, horizon;
    Matrix queries;
    Vectors keys, values;
};

Drawn drawn(std::uint64_t seed, std::size_t half, std::size_t n_queries, std::size_t n_keys) {
    const Random random(seed, 31);
    std::uint64_t at = 0;
    const auto number = [&] { return 4 * random.unit(at++) - 2; };
    const auto vectors = [&](auto& out, std::size_t n) {
        out.resize(n);
        for (auto& row : out)
            for (std::size_t c = 0; c < 2 * half; ++c)
                row.push_back(
                    static_cast<typename std::decay_t<decltype(row)>::value_type>(number()));
    };
    Drawn d;
    for (std::size_t i = 0; i < half; ++i)
        d.frequencies.push_back(
            std::pow(50.0, -static_cast<double>(i) / static_cast<double>(half)));
    d.first = random.below(at++, 30), d.horizon = 1 + random.below(at++, 20);
    vectors(d.queries, n_queries), vectors(d.keys, n_keys), vectors(d.values, n_keys);
    return d;
}

// Of rotations, entry by entry, as they stand in a textbook.
Matrix mean_matrix(const Drawn& d) {
    const std::size_t half = d.frequencies.size();
    Matrix mean(2 * half, Row(2 * half));
    for (std::uint32_t p = d.first; p < d.first + d.horizon; ++p)
        for (std::size_t i = 0; i < half; ++i) {
            const double c = std::cos(p * d.frequencies[i]) / d.horizon,
                         s = std::sin(p * d.frequencies[i]) / d.horizon;
            mean[i][i] += c, mean[i][i + half] -= s;
            mean[i + half][i] += s, mean[i + half][i + half] += c;
        }
    return mean;
}

Row times(const Matrix& m, const Row& x) {
    Row y(m.size());
    for (std::size_t i = 0; i < m.size(); ++i)
        for (std::size_t j = 0; j < x.size(); ++j) y[i] += m[i][j] * x[j];
    return y;
}

double dot(const Row& a, const Row& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

Row weighed(Row exponents, const Vectors& values) {
    double sum = 0;
    for (double& x : exponents) sum += x = std::exp(x);
    for (std::size_t j = 0; j < exponents.size(); ++j) {
        const Row value(values[j].begin(), values[j].end());
        exponents[j] *= std::sqrt(dot(value, value)) / sum;
    }
    return exponents;
}

// mu' = R mu and Sigma' = mean of (R q - mu')(R q - mu')^T, as they are written.
TEST_CASE("what is expected is what the rotated queries' mean and covariance say",
          "[eviction][expected]") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Drawn d = drawn(seed, 1 + seed % 4, 1 + seed % 9, 3 + seed % 11);
        CAPTURE(seed);
        const Matrix r = mean_matrix(d);
        Matrix rotated;
        Row mu(r.size());
        for (const Row& query : d.queries) rotated.push_back(times(r, query));
        const auto count = static_cast<double>(rotated.size()), dim = static_cast<double>(r.size());
        for (const Row& query : rotated)
            for (std::size_t c = 0; c < mu.size(); ++c) mu[c] += query[c] / count;
        Row exponents;
        for (const auto& stored : d.keys) {
            const Row key(stored.begin(), stored.end());
            double spread = 0;
            for (const Row& query : rotated)
                spread += std::pow(dot(query, key) - dot(mu, key), 2) / count;
            exponents.push_back(dot(mu, key) / std::sqrt(dim) + spread / (2 * dim));
        }
        const std::vector<QueryMoments> heads{moments_of(d.queries)};
        const MeanRotation places = mean_rotation(d.frequencies, d.first, d.horizon);
        check_row(expected_scores(d.keys, d.values, {heads, places}, 0),
                  weighed(exponents, d.values), 1e-5);
    }
}

TEST_CASE("queries that are all alike leave a softmax over one of them", "[eviction][expected]") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Drawn d = drawn(seed, 3, 1, 7);
        const Row mu = times(mean_matrix(d), d.queries[0]);
        Row exponents;
        for (const auto& key : d.keys)
            exponents.push_back(dot(mu, Row(key.begin(), key.end())) / std::sqrt(6.0));
        const std::vector<QueryMoments> heads{moments_of(Matrix(25, d.queries[0]))};
        const MeanRotation places = mean_rotation(d.frequencies, d.first, d.horizon);
        check_row(expected_scores(d.keys, d.values, {heads, places}, 0),
                  weighed(exponents, d.values), 1e-5);
    }
}

TEST_CASE("a rotation by nothing has its full length", "[eviction][expected]") {
    const MeanRotation still = mean_rotation(Row{0, 1e-9}, 10, 512);
    CHECK(still.cosine[0] == 1);
    CHECK(still.sine[0] == 0);
    CHECK(still.cosine[1] == Approx(1));
}

}  // namespace
}  // namespace kv
