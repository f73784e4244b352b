#include "core/base/numbers/checked.hpp"

#include <algorithm>
#include <string>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

[[noreturn]] void does_not_fit(const char* what, std::initializer_list<u64> operands,
                               const char* sign) {
    std::string sentence = std::string(what) + ": ";
    const char* between = "";
    for (const u64 operand : operands) {
        sentence += between + with_commas(operand);
        between = sign;
    }
    throw Error{ErrorCode::Usage, sentence + " does not fit 64 bits; use smaller numbers."};
}

}  // namespace

std::optional<u64> checked_add(u64 a, u64 b) {
    u64 sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
    return sum;
}

std::optional<u64> checked_mul(u64 a, u64 b) {
    u64 product = 0;
    if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
    return product;
}

std::optional<u64> checked_product(std::initializer_list<u64> factors) {
    if (std::find(factors.begin(), factors.end(), u64{0}) != factors.end()) return 0;
    std::optional<u64> product = 1;
    for (const u64 factor : factors) {
        product = checked_mul(*product, factor);
        if (!product) return std::nullopt;
    }
    return product;
}

std::optional<u64> checked_sum(std::initializer_list<u64> terms) {
    std::optional<u64> sum = 0;
    for (const u64 term : terms) {
        sum = checked_add(*sum, term);
        if (!sum) return std::nullopt;
    }
    return sum;
}

u64 product_or_throw(const char* what, std::initializer_list<u64> factors) {
    const std::optional<u64> product = checked_product(factors);
    if (!product) does_not_fit(what, factors, " x ");
    return *product;
}

u64 sum_or_throw(const char* what, std::initializer_list<u64> terms) {
    const std::optional<u64> sum = checked_sum(terms);
    if (!sum) does_not_fit(what, terms, " + ");
    return *sum;
}

}  // namespace kv
