#pragma once
// The one source of randomness: counter based, so that draw number n of stream s under seed k is
// the same number whatever was drawn before it. Philox 4x32-10 (Salmon, Moraes, Dror, Shaw:
// "Parallel random numbers: as easy as 1, 2, 3", SC 2011).

#include <cstdint>

#include "core/base/kv_hd.hpp"

namespace kv {

struct PhiloxBlock {  // a counter on the way in, four random numbers on the way out
    std::uint32_t word[4];
};
struct PhiloxKey {
    std::uint32_t word[2];
};

// Ten rounds. Each multiplies two of the four words by constants and swaps the halves of the
// products round, so that every input bit reaches every output bit; the key moves on by two
// constants in between (the golden ratio and the square root of 3, as in the paper).
KV_HD inline PhiloxBlock philox4x32(PhiloxBlock c, PhiloxKey key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53} * c.word[0];
        const std::uint64_t b = std::uint64_t{0xCD9E8D57} * c.word[2];
        c = {{static_cast<std::uint32_t>(b >> 32) ^ c.word[1] ^ key.word[0],
              static_cast<std::uint32_t>(b),
              static_cast<std::uint32_t>(a >> 32) ^ c.word[3] ^ key.word[1],
              static_cast<std::uint32_t>(a)}};
        key.word[0] += 0x9E3779B9u;
        key.word[1] += 0xBB67AE85u;
    }
    return c;
}

// unit(n) and below(n) use the words of bits(): whoever wants two kinds of draws takes a stream for
// each, or they would not be independent.
class Random {
public:
    Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

    std::uint32_t bits(std::uint64_t n) const;  // the n-th draw, any order
    double unit(std::uint64_t n) const;         // [0, 1), 53 bits: draws 2n and 2n + 1 of bits()
    // [0, bound), every result equally likely; bound is at least 1.
    std::uint32_t below(std::uint64_t n, std::uint32_t bound) const;

private:
    PhiloxKey key() const;
    PhiloxBlock block(std::uint64_t index) const;  // draws 4 x index to 4 x index + 3

    std::uint64_t seed_, stream_;
};

}  // namespace kv
