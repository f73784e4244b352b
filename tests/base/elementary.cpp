// The elementary functions: their error against wider arithmetic, what they answer at the edges,
// and that their bits are the ones of every other machine.

#include "core/base/numbers/elementary.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/base/random.hpp"
#include "core/base/sha256.hpp"

using namespace kv;

namespace {

constexpr double kBeyond = std::numeric_limits<double>::infinity();
constexpr int kDraws = 20'000;

using Narrow = std::function<double(double)>;
using Broad = std::function<long double(long double)>;

// Even draws from an interval; `by_power` draws the power of two instead.
std::vector<double> draws(double low, double high, bool by_power = false) {
    std::vector<double> all;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
        const double x = low + (high - low) * Random(7, 1).unit(i);
        all.push_back(by_power ? std::ldexp(1 + Random(7, 2).unit(i), static_cast<int>(x)) : x);
    }
    return all;
}

// The largest error in units of the last place of the true value.
double worst_ulp(const std::vector<double>& arguments, const Narrow& ours, const Broad& truth) {
    double worst = 0;
    for (const double x : arguments) {
        const long double expected = truth(x);
        const double size = std::fabs(static_cast<double>(expected));
        const double ulp = std::nextafter(size, kBeyond) - size;
        worst = std::max(worst, std::fabs(static_cast<double>((ours(x) - expected) / ulp)));
    }
    return worst;
}

Narrow narrow(double (*f)(double)) {
    return f;
}

}  // namespace

// Every 509th float from the smallest on, and those around where a float result changes: the quick
// way must never differ from the long one.
TEST_CASE("the exponential of a float is the rounded one of a double", "[elementary]") {
    std::uint64_t wrong = 0;
    const auto look = [&](float x) {
        const float ours = math::exp(x), long_way = static_cast<float>(math::exp(double{x}));
        wrong += std::memcmp(&ours, &long_way, sizeof ours) != 0 ? 1 : 0;
    };
    for (std::uint32_t bits = 0; bits < 0x43000000; bits += 509) {  // up to 128
        float x = 0;
        std::memcpy(&x, &bits, sizeof x);
        look(x), look(-x);
    }
    float x = 0.5f;
    for (int i = 0; i < 100'000; ++i) look(x), look(-x), x = std::nextafter(x, 100.0f);
    look(std::numeric_limits<float>::infinity()), look(-std::numeric_limits<float>::infinity());
    look(80.0f), look(-80.0f), look(std::numeric_limits<float>::quiet_NaN());
    CHECK(wrong == 0);
}

TEST_CASE("elementary functions are off by less than one ulp", "[elementary]") {
    if (LDBL_MANT_DIG < 64) SKIP("long double is no wider than double here");
    CHECK(worst_ulp(draws(-745, 709), narrow(math::exp),
                    [](long double x) { return std::exp(x); }) < 1);
    CHECK(worst_ulp(draws(-1, 1), narrow(math::exp), [](long double x) { return std::exp(x); }) <
          1);
    for (const bool by_power : {false, true}) {
        const auto arguments = by_power ? draws(-1000, 1000, true) : draws(0.5, 2);
        CHECK(worst_ulp(arguments, narrow(math::log), [](long double x) { return std::log(x); }) <
              1);
        CHECK(worst_ulp(arguments, narrow(math::log2), [](long double x) { return std::log2(x); }) <
              1);
        CHECK(worst_ulp(arguments, narrow(math::log10),
                        [](long double x) { return std::log10(x); }) < 1);
    }
    CHECK(worst_ulp(draws(-0.9, 3), math::log1p, [](long double x) { return std::log1p(x); }) < 1);
    CHECK(worst_ulp(draws(-1000, 1000), math::exp2, [](long double x) { return std::exp2(x); }) <
          1);
    CHECK(worst_ulp(
              draws(-300, 300), [](double x) { return math::pow(10.0, x); },
              [](long double x) { return std::pow(10.0L, x); }) < 1);
    CHECK(worst_ulp(
              draws(0.5, 2), [](double x) { return math::pow(x, -37.25); },
              [](long double x) { return std::pow(x, -37.25L); }) < 1);
    for (const double reach : {1.0, 100.0, 1073741824.0}) {
        CHECK(worst_ulp(draws(-reach, reach), narrow(math::sin),
                        [](long double x) { return std::sin(x); }) < 1);
        CHECK(worst_ulp(draws(-reach, reach), narrow(math::cos),
                        [](long double x) { return std::cos(x); }) < 1);
    }
}

TEST_CASE("functions of single precision are the double's, rounded once", "[elementary]") {
    for (const double x : draws(-20, 20)) {
        const auto narrow_x = static_cast<float>(x);
        CHECK(math::exp(narrow_x) == static_cast<float>(math::exp(double{narrow_x})));
        const float angle = math::atan2(narrow_x, 3.0f);
        CHECK(std::fabs(angle - std::atan2(narrow_x, 3.0f)) <= 2e-7f);
    }
    for (const float x : {-1.0f, -0.75f, 0.0f, 0.3f, 1.0f})
        CHECK(std::fabs(math::acos(x) - std::acos(x)) <= 3e-7f);
}

TEST_CASE("whole powers of ten and two are exact both ways", "[elementary]") {
    CHECK(math::pow(10.0, 22.0) == 1e22);
    CHECK(math::pow(-2.0, 3.0) == -8);
    CHECK(math::pow(2.0, -1074.0) == std::ldexp(1.0, -1074));
    for (int n = -300; n <= 300; ++n) {
        const std::string text = "1e" + std::to_string(n);
        const double power = std::strtod(text.c_str(), nullptr);
        CHECK(math::log10(power) == n);
        CHECK(math::pow(10.0, double(n)) == power);
        CHECK(math::log2(std::ldexp(1.0, n)) == n);
    }
}

TEST_CASE("elementary functions at their edges", "[elementary]") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(math::exp(0.0) == 1);
    CHECK(math::exp(-kBeyond) == 0);
    CHECK(math::exp(1000.0) == kBeyond);
    CHECK(math::exp(-1000.0) == 0);
    CHECK(std::isnan(math::exp(nan)));
    CHECK(math::log(1.0) == 0);
    CHECK(math::log(0.0) == -kBeyond);
    CHECK(math::log(kBeyond) == kBeyond);
    CHECK(std::isnan(math::log(-1.0)));
    CHECK(math::log1p(-1.0) == -kBeyond);
    CHECK(math::pow(0.0, 0.0) == 1);
    CHECK(math::pow(0.0, 2.0) == 0);
    CHECK(math::pow(kBeyond, -1.0) == 0);
    CHECK(std::isnan(math::pow(-2.0, 0.5)));
    CHECK(math::sin(0.0) == 0);
    CHECK(math::cos(0.0) == 1);
    CHECK(std::isnan(math::sin(kBeyond)));
}

// One number stands for 16 functions on 2,000 arguments each. It was taken once and is the same in
// every build on every machine; a difference means that numbers shown to people differ as well.
TEST_CASE("the bits of elementary functions are those of every machine", "[elementary]") {
    Sha256 sum;
    const auto take = [&](double value) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        for (int i = 0; i < 8; ++i) {
            const char byte = static_cast<char>(bits >> (8 * i));
            sum.update(std::string_view(&byte, 1));
        }
    };
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const double u = Random(3, 4).unit(i), x = 40 * u - 20, positive = u * 1000 + 1e-9;
        const auto f = static_cast<float>(x);
        for (const double value :
             {math::exp(x), math::log(positive), math::log1p(u), math::log2(positive),
              math::log10(positive), math::exp2(x), math::pow(positive, 0.3), math::sin(1e5 * x),
              math::cos(1e5 * x), math::hypot(x, u), double{math::exp(f)}, double{math::sin(f)},
              double{math::cos(f)}, double{math::hypot(f, 1.0f)}, double{math::atan2(f, 2.0f)},
              double{math::acos(f / 20)}})
            take(value);
    }
    CHECK(sum.hex() == "ad4359620e09d2c456515248b05f503b76a65b98d6ac2a6718814120f0954f0d");
}
