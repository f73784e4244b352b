#pragma once
// Draws one after the other from a seeded source, for tests with random input.

#include "core/base/random.hpp"

namespace kv::test {

class Dice {
public:
    explicit Dice(std::uint64_t seed, std::uint64_t stream = 0) : random_(seed, stream) {}
    std::uint32_t below(std::uint32_t bound) { return random_.below(n_++, bound); }
    std::uint32_t between(std::uint32_t low, std::uint32_t high) {
        return low + below(high - low + 1);
    }
    std::uint32_t bits() { return random_.bits(n_++); }
    std::uint64_t bits64() { return std::uint64_t{bits()} << 32U | bits(); }
    bool one_in(std::uint32_t n) { return below(n) == 0; }

private:
    Random random_;
    std::uint64_t n_ = 0;
};

}  // namespace kv::test
