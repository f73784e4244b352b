#pragma once
// Small floating-point formats the slow way, as an oracle: the value of every code from the
// definition of its fields, and encoding by looking for the nearest one. Shares nothing with
// core/base/numbers/minifloat.hpp; all comparisons are between doubles that hold both sides
// exactly.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/numbers/formats.hpp"

namespace slow {

struct Format {
    kv::NumberFormat format;
    int exponent_bits, fraction_bits, bias;
    bool infinity;  // the top exponent holds infinity and NaNs; else only its last code is NaN

    std::uint32_t codes() const { return 2u << (exponent_bits + fraction_bits); }
    std::uint32_t sign() const { return codes() / 2; }
    std::uint32_t top_exponent() const { return (1u << exponent_bits) - 1; }
};

inline const std::vector<Format>& formats() {
    static const std::vector<Format> all = {{kv::NumberFormat::Bf16, 8, 7, 127, true},
                                            {kv::NumberFormat::Fp16, 5, 10, 15, true},
                                            {kv::NumberFormat::Fp8E4m3, 4, 3, 7, false},
                                            {kv::NumberFormat::Fp8E5m2, 5, 2, 15, true}};
    return all;
}

struct Parts {
    bool negative;
    int exponent, fraction;
};

inline Parts parts(const Format& f, std::uint32_t code) {
    const int magnitude = static_cast<int>(code % f.sign());
    const int fractions = 1 << f.fraction_bits;
    return {code >= f.sign(), magnitude / fractions, magnitude % fractions};
}

inline bool is_nan(const Format& f, std::uint32_t code) {
    const Parts p = parts(f, code);
    if (p.exponent != static_cast<int>(f.top_exponent())) return false;
    return f.infinity ? p.fraction != 0 : p.fraction == (1 << f.fraction_bits) - 1;
}

inline bool is_infinite(const Format& f, std::uint32_t code) {
    const Parts p = parts(f, code);
    return f.infinity && p.exponent == static_cast<int>(f.top_exponent()) && p.fraction == 0;
}

// The value by the fields alone, also where the format has other plans for the code.
inline double field_value(const Format& f, std::uint32_t code) {
    const Parts p = parts(f, code);
    const double fraction = p.fraction / std::ldexp(1.0, f.fraction_bits);
    const double magnitude = p.exponent == 0 ? std::ldexp(fraction, 1 - f.bias)
                                             : std::ldexp(1 + fraction, p.exponent - f.bias);
    return p.negative ? -magnitude : magnitude;
}

inline double value(const Format& f, std::uint32_t code) {
    if (is_nan(f, code)) return std::numeric_limits<double>::quiet_NaN();
    if (!is_infinite(f, code)) return field_value(f, code);
    const double infinity = std::numeric_limits<double>::infinity();
    return code >= f.sign() ? -infinity : infinity;
}

// Encoding by search among the values of all positive codes, code by code in rising order.
class Encoder {
public:
    explicit Encoder(const Format& format) : f_(format) {
        for (std::uint32_t code = 0; !is_nan(f_, code) && !is_infinite(f_, code); ++code) {
            values_.push_back(field_value(f_, code));
        }
        // What would follow the largest value if the exponent went on; rounding to it is overflow.
        if (f_.infinity) values_.push_back(field_value(f_, last() + 1));
    }

    const Format& format() const { return f_; }
    double at(std::uint32_t code) const { return values_[code]; }
    // The largest code that the search may answer: infinity, or the largest number without one.
    std::uint32_t last() const { return static_cast<std::uint32_t>(values_.size()) - 1; }

    std::uint32_t encode(double x) const {
        const double magnitude = std::abs(x);
        const auto above = std::lower_bound(values_.begin(), values_.end(), magnitude);
        const auto code = static_cast<std::uint32_t>(above - values_.begin());
        return (std::signbit(x) ? f_.sign() : 0) | nearest(code, magnitude);
    }

private:
    // values_[code - 1] < magnitude <= values_[code], where there are such codes.
    std::uint32_t nearest(std::uint32_t code, double magnitude) const {
        if (code == 0) return 0;
        if (code > last()) return last();
        const double middle = (values_[code - 1] + values_[code]) / 2;
        if (magnitude == middle) return code % 2 == 0 ? code : code - 1;
        return magnitude > middle ? code : code - 1;
    }

    Format f_;
    std::vector<double> values_;
};

}  // namespace slow
