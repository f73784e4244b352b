#include "core/base/numbers/formats.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/base/random.hpp"
#include "tests/base/slow_formats.hpp"

using kv::decode;
using kv::encode;
using kv::float_of;
using kv::FormatFields;

namespace {

// Compares with the oracle and, so that a million comparisons stay fast, speaks only when they
// differ.
void require_same_code(const slow::Encoder& oracle, float value) {
    const std::uint32_t expected = oracle.encode(static_cast<double>(value));
    const std::uint32_t code = encode(oracle.format().format, value);
    if (code != expected) {
        FAIL(kv::name_of(oracle.format().format)
             << ": " << value << " is encoded as " << code << ", nearest is " << expected);
    }
}

void require_both_signs(const slow::Encoder& oracle, float value) {
    require_same_code(oracle, value);
    require_same_code(oracle, -value);
}

}  // namespace

TEST_CASE("every code decodes to the value of its fields", "[formats]") {
    for (const slow::Format& f : slow::formats()) {
        for (std::uint32_t code = 0; code < f.codes(); ++code) {
            const float decoded = decode(f.format, code);
            const double expected = slow::value(f, code);
            INFO(kv::name_of(f.format) << " code " << code);
            REQUIRE(std::isnan(decoded) == std::isnan(expected));
            REQUIRE(std::signbit(decoded) == (code >= f.sign()));
            if (!std::isnan(expected)) REQUIRE(static_cast<double>(decoded) == expected);
        }
    }
}

TEST_CASE("every code that is a number comes back from encoding its value", "[formats]") {
    for (const slow::Format& f : slow::formats()) {
        for (std::uint32_t code = 0; code < f.codes(); ++code) {
            if (slow::is_nan(f, code)) continue;
            INFO(kv::name_of(f.format) << " code " << code);
            REQUIRE(encode(f.format, decode(f.format, code)) == code);
        }
    }
}

TEST_CASE("every NaN code stays a NaN of the same sign and payload, made quiet", "[formats]") {
    for (const slow::Format& f : slow::formats()) {
        const std::uint32_t quiet = 1u << (f.fraction_bits - 1);
        for (std::uint32_t code = 0; code < f.codes(); ++code) {
            if (!slow::is_nan(f, code)) continue;
            INFO(kv::name_of(f.format) << " code " << code);
            REQUIRE(encode(f.format, decode(f.format, code)) == (code | quiet));
        }
    }
}

TEST_CASE("halfway between two codes the even one wins, one step aside the nearer one",
          "[formats]") {
    for (const slow::Format& f : slow::formats()) {
        const slow::Encoder oracle(f);
        for (std::uint32_t code = 0; code < oracle.last(); ++code) {
            const double middle = (oracle.at(code) + oracle.at(code + 1)) / 2;
            const float tie = static_cast<float>(middle);
            REQUIRE(static_cast<double>(tie) == middle);  // a float can say it exactly
            const std::uint32_t even = code % 2 == 0 ? code : code + 1;
            REQUIRE(oracle.encode(middle) == even);
            require_both_signs(oracle, tie);
            require_both_signs(oracle, std::nextafter(tie, 0.0f));
            require_both_signs(oracle, std::nextafter(tie, INFINITY));
        }
    }
}

TEST_CASE("next to every code the code itself is nearest", "[formats]") {
    for (const slow::Format& f : slow::formats()) {
        const slow::Encoder oracle(f);
        for (std::uint32_t code = 0; code + 1 < oracle.last(); ++code) {
            const auto value = static_cast<float>(oracle.at(code));
            require_both_signs(oracle, std::nextafter(value, 0.0f));
            require_both_signs(oracle, std::nextafter(value, INFINITY));
        }
    }
}

TEST_CASE("random floats of all sizes are encoded to the nearest code", "[formats]") {
    const kv::Random random(1, 0);
    for (const slow::Format& f : slow::formats()) {
        const slow::Encoder oracle(f);
        for (std::uint64_t n = 0; n < 200000; ++n) {
            const float anything = float_of(random.bits(2 * n));
            if (std::isfinite(anything)) require_same_code(oracle, anything);
            // Most floats are far outside of a small format's range; these all lie in or near it.
            const int power = static_cast<int>(random.bits(2 * n + 1) % 46) - 26;
            const float usual = std::ldexp(static_cast<float>(random.unit(n)) + 0.5f, power);
            require_same_code(oracle, usual);
        }
    }
}

TEST_CASE("every code splits into the fields that make its value", "[formats]") {
    for (const slow::Format& f : slow::formats()) {
        for (std::uint32_t code = 0; code < f.codes(); ++code) {
            const FormatFields fields = kv::fields_of(f.format, code);
            const slow::Parts parts = slow::parts(f, code);
            INFO(kv::name_of(f.format) << " code " << code);
            REQUIRE(fields.sign == (parts.negative ? 1 : 0));
            REQUIRE(fields.exponent == static_cast<std::uint32_t>(parts.exponent));
            REQUIRE(fields.fraction == static_cast<std::uint32_t>(parts.fraction));
            REQUIRE((fields.kind == FormatFields::Kind::NaN) == slow::is_nan(f, code));
            REQUIRE((fields.kind == FormatFields::Kind::Infinity) == slow::is_infinite(f, code));
            if (slow::is_nan(f, code) || slow::is_infinite(f, code)) {
                REQUIRE(fields.power == 0);
                continue;
            }
            const double value = slow::value(f, code);
            REQUIRE((fields.kind == FormatFields::Kind::Zero) == (value == 0));
            const double leading = fields.kind == FormatFields::Kind::Normal ? 1 : 0;
            const double significand = leading + std::ldexp(fields.fraction, -f.fraction_bits);
            REQUIRE(std::ldexp(significand, fields.power) == std::abs(value));
        }
    }
}
