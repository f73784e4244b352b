#include "core/base/numbers/elementary.hpp"

#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

// Where intermediate results are wider than their type (the x87 unit, -m32 without SSE) or a
// compiler may reorder sums, the bits would be others: such a build is refused.
static_assert(FLT_EVAL_METHOD == 0,
              "Floating point is evaluated in another type: use SSE2, not x87.");
static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<float>::is_iec559);
#ifdef __FAST_MATH__
#error "-ffast-math reorders sums; the same line would no longer give the same bytes."
#endif

namespace kv::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A number as the sum of two: `low` is what `high` lost to rounding.
struct Wide {
    double high, low;
};

Wide two_sum(double a, double b) {  // Knuth: exact
    const double sum = a + b, b_part = sum - a;
    return {sum, (a - (sum - b_part)) + (b - b_part)};
}

Wide two_product(double a, double b) {      // Dekker: exact, by halves of 26 bits
    constexpr double kSplit = 134217729.0;  // 2^27 + 1
    const double big_a = kSplit * a, big_b = kSplit * b;
    const double a1 = big_a - (big_a - a), b1 = big_b - (big_b - b);
    const double a2 = a - a1, b2 = b - b1, product = a * b;
    return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

Wide operator+(Wide a, Wide b) {
    const Wide high = two_sum(a.high, b.high), low = two_sum(a.low, b.low);
    const Wide sum = two_sum(high.high, high.low + low.high);
    return two_sum(sum.high, sum.low + low.low);
}

Wide operator*(Wide a, Wide b) {
    const Wide product = two_product(a.high, b.high);
    return two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

Wide one_by(double n) {
    const double high = 1 / n;
    const Wide back = two_product(high, n);
    return {high, ((1 - back.high) - back.low) / n};
}

constexpr double kLn2High = 6.93147180369123816490e-01;  // 32 bits: times a power is exact
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr Wide kLn2{0.693147180559945286, 2.31904681384629956e-17};
constexpr Wide kOneByLn2{1.44269504088896339, 2.03552737409310331e-17};
constexpr Wide kOneByLn10{0.434294481903251817, 1.09831965021676510e-17};

// 2^power times x; the power may lead into the subnormal numbers, where it rounds once.
double scaled(double x, int power) {
    return std::ldexp(x, power);
}

// 1/0!, 1/1!, 1/2!, ...
constexpr auto kInverseFactorials = [] {
    std::array<double, 24> inverse{};
    double factorial = 1;
    for (std::size_t n = 0; n < inverse.size(); ++n) {
        if (n > 0) factorial *= static_cast<double>(n);  // exact up to 22!
        inverse[n] = 1 / factorial;
    }
    return inverse;
}();

// first + z (next + z (...)): the terms first, first + 2, ... up to last of the series of 1/n!,
// with alternating signs.
double alternating(int first, int last, double z) {
    double sum = 0;
    for (int n = last; n >= first; n -= 2)
        sum = ((n - first) % 4 == 0 ? 1 : -1) * kInverseFactorials[static_cast<std::size_t>(n)] +
              z * sum;
    return sum;
}

// e^r for |r| <= ln(2)/2 + a little: 1 + r + r^2 (1/2! + r/3! + ...), the small parts added first.
double exp_near_zero(Wide r) {
    constexpr std::size_t kTerms = 14;
    double sum = 0;
    for (std::size_t n = kTerms; n >= 2; --n) sum = kInverseFactorials[n] + r.high * sum;
    return 1 + (r.high + (r.low + r.high * r.high * sum));
}

// x = power ln 2 + rest
struct Halved {
    int power;
    Wide rest;
};
Halved by_ln2(Wide x) {
    const double power = std::floor(x.high * kOneByLn2.high + 0.5);
    const Wide rest = x + two_product(-power, kLn2.high) + Wide{-power * kLn2.low, 0};
    return {static_cast<int>(power), rest};
}

constexpr double kLargestExp = 709.79, kSmallestExp = -745.14;  // beyond: infinity, zero

// e^x in wide arithmetic: the rest is divided by 2^8, so that few terms do, and squared back.
Wide wide_exp(Wide x, int& power) {
    constexpr int kSquarings = 8;
    const Halved parts = by_ln2(x);
    power = parts.power;
    const Wide r{scaled(parts.rest.high, -kSquarings), scaled(parts.rest.low, -kSquarings)};
    Wide sum{0, 0};
    for (int n = 9; n >= 1; --n) {  // 1 + r/1 (1 + r/2 (1 + r/3 ...)), less 1
        sum = r * one_by(n) * (Wide{1, 0} + sum);
    }
    for (int i = 0; i < kSquarings; ++i) sum = sum * sum + Wide{2 * sum.high, 2 * sum.low};
    return Wide{1, 0} + sum;  // (1 + s)^2 - 1 = s^2 + 2 s keeps the small part
}

// x = 2^power m with m between the roots of 1/2 and 2
struct Mantissa {
    int power;
    double m;
};
Mantissa mantissa(double x) {
    int power = 0;
    double m = std::frexp(x, &power);  // 1/2 <= m < 1
    if (m < 0.70710678118654752) m *= 2, --power;
    return {power, m};
}

// log(1 + f) = f - f^2/2 + s (f^2/2 + R), where s = f / (2 + f) and
// R = 2 s^2/3 + 2 s^4/5 + ...; what is large is exact, what is rounded is small.
double log_near_one(double f, double power) {
    const double s = f / (2 + f), z = s * s;
    double series = 0;
    for (int n = 23; n >= 3; n -= 2) series = z * (2.0 / n + series);
    const double half = 0.5 * f * f;
    return power * kLn2High - ((half - (s * (half + series) + power * kLn2Low)) - f);
}

// log x in wide arithmetic: one step of Newton's from the narrow one, log x = y + log(x / e^y).
Wide wide_log(double x) {
    const Mantissa parts = mantissa(x);
    const double y = log_near_one(parts.m - 1, 0);
    int power = 0;
    const Wide e = wide_exp({-y, 0}, power);
    const Wide ratio = Wide{scaled(e.high, power), scaled(e.low, power)} * Wide{parts.m, 0};
    const Wide off = ratio + Wide{-1, 0};  // about 1e-16
    const Wide rest = off + Wide{-0.5 * off.high * off.high, 0};
    const double n = parts.power;
    const Wide n_ln2 = two_product(n, kLn2.high) + Wide{n * kLn2.low, 0};
    return n_ln2 + (Wide{y, 0} + rest);
}

double exp_of(Wide x) {
    if (!(x.high <= kLargestExp)) return x.high > 0 ? kInfinity : x.high;  // NaN stays
    if (x.high < kSmallestExp) return 0;
    int power = 0;
    const Wide e = wide_exp(x, power);
    return scaled(e.high + e.low, power);
}

// x = quarter pi/2 + rest, |rest| <= pi/4
struct Turned {
    std::int64_t quarter;
    Wide rest;
};
Turned by_quarters(double x) {
    constexpr double kQuarter1 = 1.57079632679489656, kQuarter2 = 6.12323399573676604e-17,
                     kQuarter3 = -1.49738490485916983e-33;  // their sum is pi/2
    const double n = std::floor(x * 0.636619772367581343 + 0.5);
    const Wide most = two_product(n, kQuarter1), more = two_product(n, kQuarter2);
    const Wide first = two_sum(x - most.high, -most.low);  // the subtraction is exact
    const Wide second = two_sum(first.high, -more.high);
    const double low = second.low + (first.low - more.low - n * kQuarter3);
    return {static_cast<std::int64_t>(n), two_sum(second.high, low)};
}

double sin_near_zero(Wide r) {
    const double z = r.high * r.high;
    const double tail = z * r.high * alternating(3, 21, z);  // r^3/3! - r^5/5! + ...
    return r.high - (tail - r.low * (1 - 0.5 * z));
}

double cos_near_zero(Wide r) {
    const double z = r.high * r.high, half = 0.5 * z, most = 1 - half;
    const double lost = (1 - most) - half;
    return most + (lost + (z * z * alternating(4, 22, z) - r.high * r.low));
}

double sin_of(double x, std::int64_t quarters_on) {
    // Beyond 2^53 the neighbours of a number are whole turns away.
    if (!(std::fabs(x) <= 9007199254740992.0)) return kNaN;
    const Turned t = by_quarters(x);
    const auto quarter = static_cast<std::uint64_t>(t.quarter + quarters_on) & 3;
    const double value = quarter % 2 == 0 ? sin_near_zero(t.rest) : cos_near_zero(t.rest);
    return quarter < 2 ? value : -value;
}

bool is_odd(double y) {
    return std::fabs(y) < 9007199254740992.0 && std::fmod(y, 2.0) != 0;
}

// y / x of 0 <= y <= x as an angle: a guess, then what a turn back by the guess leaves.
double angle_in_eighth(double y, double x) {
    if (x == 0) return 0;
    const double t = y / x, guess = t * (0.97239411 - 0.19194795 * t * t);
    const double r = std::sqrt(x * x + y * y);
    const double left = (y * math::cos(guess) - x * math::sin(guess)) / r;  // a sine below 0.005
    const double z = left * left;
    return guess + left * (1 + z * (1.0 / 6 + z * (3.0 / 40 + z * (15.0 / 336))));
}

}  // namespace

double exp(double x) {
    if (!(x <= kLargestExp)) return x > 0 ? kInfinity : x;
    if (x < kSmallestExp) return 0;
    const Halved parts = by_ln2({x, 0});
    return scaled(exp_near_zero(parts.rest), parts.power);
}

double log(double x) {
    if (!(x > 0)) return x == 0 ? -kInfinity : kNaN;
    if (x == kInfinity) return x;
    const Mantissa parts = mantissa(x);
    return log_near_one(parts.m - 1, parts.power);
}

double log1p(double x) {
    if (!(x > -1)) return x == -1 ? -kInfinity : kNaN;
    if (x == kInfinity) return x;
    if (std::fabs(x) < 1e-18) return x;
    const Wide one_more = two_sum(1, x);
    const Wide y = wide_log(one_more.high) + Wide{one_more.low / one_more.high, 0};
    return y.high + y.low;
}

double log2(double x) {
    if (!(x > 0) || x == kInfinity) return log(x);
    const Mantissa parts = mantissa(x);
    const Wide fraction = wide_log(parts.m) * kOneByLn2 + Wide{double(parts.power), 0};
    return fraction.high + fraction.low;
}

double log10(double x) {
    if (!(x > 0) || x == kInfinity) return log(x);
    const Wide y = wide_log(x) * kOneByLn10;
    return y.high + y.low;
}

double pow(double x, double y) {
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return kNaN;
    const bool is_whole = std::floor(y) == y;
    if (x < 0 && !is_whole) return kNaN;
    const double sign = x < 0 && is_odd(y) ? -1 : 1, size = std::fabs(x);
    if (size == 1) return sign;
    if (size == 0 || size == kInfinity) return sign * ((size == 0) == (y > 0) ? 0.0 : kInfinity);
    if (std::fabs(y) > 1e20) return sign * ((size > 1) == (y > 0) ? kInfinity : 0.0);
    return sign * exp_of(wide_log(size) * Wide{y, 0});
}

double exp2(double x) {
    return pow(2, x);
}

double sin(double x) {
    return x == 0 ? x : sin_of(x, 0);
}

double cos(double x) {
    return sin_of(x, 1);
}

double hypot(double x, double y) {
    return std::sqrt(x * x + y * y);
}

// The float that exp(double) rounds to, in a fraction of its time: a plain sum that is off by less
// than 2^-46 of itself settles all but one argument in some millions. Where the numbers that far
// below and above it round to two floats, the long way decides.
float exp(float x) {
    constexpr float kPlain = 80;
    if (!(x > -kPlain && x < kPlain)) return static_cast<float>(exp(double{x}));
    constexpr double kWholes = 6755399441055744.0;  // 1.5 x 2^52: what is added to it is whole
    constexpr double kOff = 0x1p-46;
    const double wide = x, power = (wide * kOneByLn2.high + kWholes) - kWholes;
    const double rest = (wide - power * kLn2High) - power * kLn2Low;
    double sum = 0;
    for (std::size_t n = 13; n >= 2; --n) sum = kInverseFactorials[n] + rest * sum;
    const std::uint64_t bits = static_cast<std::uint64_t>(1023 + static_cast<int>(power)) << 52;
    double two_to_power = 0;
    std::memcpy(&two_to_power, &bits, sizeof bits);
    const double value = (1 + (rest + rest * rest * sum)) * two_to_power;
    const auto low = static_cast<float>(value * (1 - kOff)),
               high = static_cast<float>(value * (1 + kOff));
    return low == high ? low : static_cast<float>(exp(wide));
}
float sin(float x) {
    return static_cast<float>(sin(double{x}));
}
float cos(float x) {
    return static_cast<float>(cos(double{x}));
}
float hypot(float x, float y) {
    return static_cast<float>(hypot(double{x}, double{y}));
}

float atan2(float y, float x) {
    constexpr double kPi = 3.14159265358979312;
    const double a = std::fabs(double{x}), b = std::fabs(double{y});
    double angle = b <= a ? angle_in_eighth(b, a) : kPi / 2 - angle_in_eighth(a, b);
    if (x < 0) angle = kPi - angle;
    return static_cast<float>(y < 0 ? -angle : angle);
}

float acos(float x) {
    const double c = x, s = std::sqrt((1 - c) * (1 + c));
    constexpr double kPi = 3.14159265358979312;
    const double a = std::fabs(c);
    const double angle = s <= a ? angle_in_eighth(s, a) : kPi / 2 - angle_in_eighth(a, s);
    return static_cast<float>(c < 0 ? kPi - angle : angle);
}

}  // namespace kv::math
