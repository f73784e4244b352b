#pragma once
// Unsigned 64-bit arithmetic that says when it does not fit. Shapes and sizes come from files and
// from people, so every product of them goes through here.

#include <cstdint>
#include <initializer_list>
#include <optional>

namespace kv {

using u64 = std::uint64_t;

std::optional<u64> checked_add(u64 a, u64 b);
std::optional<u64> checked_mul(u64 a, u64 b);

// {} is 1. The answer does not depend on the order of the factors: one 0 makes the product 0, even
// beside factors whose own product would not fit.
std::optional<u64> checked_product(std::initializer_list<u64> factors);
std::optional<u64> checked_sum(std::initializer_list<u64> terms);  // {} is 0

// For a result that has to fit: throws kv::Error (Usage) that names `what` and the operands, as in
// "bytes per block: 4,294,967,296 x 4,294,967,296 does not fit 64 bits; use smaller numbers."
u64 product_or_throw(const char* what, std::initializer_list<u64> factors);
u64 sum_or_throw(const char* what, std::initializer_list<u64> terms);

constexpr u64 ceil_div(u64 a, u64 b) {
    return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace kv
