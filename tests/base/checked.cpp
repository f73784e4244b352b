#include "core/base/numbers/checked.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <limits>

#include "core/base/error.hpp"
#include "core/base/random.hpp"

using Catch::Matchers::Message;
using kv::checked_add;
using kv::checked_mul;
using kv::checked_product;
using kv::checked_sum;
using kv::u64;

namespace {

constexpr u64 kMax = std::numeric_limits<u64>::max();
constexpr u64 k2To32 = u64{1} << 32;

}  // namespace

TEST_CASE("sums and products that fit are exact, the next one up does not fit", "[checked]") {
    CHECK(checked_add(2, 3) == u64{5});
    CHECK(checked_add(kMax - 1, 1) == kMax);
    CHECK_FALSE(checked_add(kMax, 1));
    CHECK_FALSE(checked_add(kMax, kMax));

    CHECK(checked_mul(6, 7) == u64{42});
    CHECK(checked_mul(k2To32, k2To32 - 1) == u64{18446744069414584320u});
    CHECK_FALSE(checked_mul(k2To32, k2To32));
    CHECK(checked_mul(kMax, 1) == kMax);
    CHECK_FALSE(checked_mul(kMax, 2));
    CHECK(checked_mul(kMax, 0) == u64{0});
    // 3 x 5 x 17 x 257 x 641 x 65537 x 6700417 = 2^64 - 1
    CHECK(checked_mul(4294967297, 4294967295) == kMax);
    CHECK_FALSE(checked_mul(4294967297, 4294967296));
}

TEST_CASE("a product of many factors does not depend on their order", "[checked]") {
    CHECK(checked_product({}) == u64{1});
    CHECK(checked_product({2, 80, 8, 128, 2, 32768}) == u64{10737418240});
    CHECK_FALSE(checked_product({k2To32, k2To32, 1}));
    CHECK(checked_product({k2To32, k2To32, 0}) == u64{0});
    CHECK(checked_product({0, k2To32, k2To32}) == u64{0});
}

TEST_CASE("a sum of many terms notices the first that does not fit", "[checked]") {
    CHECK(checked_sum({}) == u64{0});
    CHECK(checked_sum({1, 2, 3}) == u64{6});
    CHECK(checked_sum({kMax, 0, 0}) == kMax);
    CHECK_FALSE(checked_sum({kMax, 1, 5}));
    CHECK_FALSE(checked_sum({1, kMax}));
}

TEST_CASE("random products agree with division", "[checked]") {
    const kv::Random random(3, 0);
    for (u64 n = 0; n < 100000; ++n) {
        // Widths from 1 to 64 bits, so that about half of the products fit.
        const u64 a =
            (u64{random.bits(6 * n)} << 32 | random.bits(6 * n + 1)) >> random.below(6 * n + 2, 64);
        const u64 b = (u64{random.bits(6 * n + 3)} << 32 | random.bits(6 * n + 4)) >>
                      random.below(6 * n + 5, 64);
        const bool fits = a == 0 || b <= kMax / a;
        const auto product = checked_mul(a, b);
        if (product.has_value() != fits || (fits && *product != a * b)) {
            FAIL(a << " x " << b);
        }
    }
}

TEST_CASE("what must fit and does not is a usage error that shows the operands", "[checked]") {
    CHECK(kv::product_or_throw("bytes", {2, 3}) == 6);
    CHECK(kv::sum_or_throw("bytes", {2, 3}) == 5);
    CHECK_THROWS_MATCHES(
        kv::product_or_throw("bytes per block", {k2To32, k2To32}), kv::Error,
        Message("bytes per block: 4,294,967,296 x 4,294,967,296 does not fit 64 bits; "
                "use smaller numbers."));
    CHECK_THROWS_MATCHES(kv::sum_or_throw("pool", {kMax, 1}), kv::Error,
                         Message("pool: 18,446,744,073,709,551,615 + 1 does not fit 64 bits; "
                                 "use smaller numbers."));
    try {
        kv::sum_or_throw("pool", {kMax, 1});
    } catch (const kv::Error& error) {
        CHECK(error.code() == kv::ErrorCode::Usage);
    }
}

TEST_CASE("division that rounds up, at the edges", "[checked]") {
    CHECK(kv::ceil_div(0, 16) == 0);
    CHECK(kv::ceil_div(1, 16) == 1);
    CHECK(kv::ceil_div(16, 16) == 1);
    CHECK(kv::ceil_div(17, 16) == 2);
    CHECK(kv::ceil_div(kMax, 1) == kMax);
    CHECK(kv::ceil_div(kMax, 2) == u64{9223372036854775808u});  // no overflow on the way
}
