#include "core/base/random.hpp"

#include "core/base/error.hpp"

namespace kv {
namespace {

std::uint32_t low(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}
std::uint32_t high(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
}

}  // namespace

PhiloxKey Random::key() const {
    return {{low(seed_), high(seed_)}};
}

PhiloxBlock Random::block(std::uint64_t index) const {
    return philox4x32({{low(index), high(index), low(stream_), high(stream_)}}, key());
}

std::uint32_t Random::bits(std::uint64_t n) const {
    return block(n / 4).word[n % 4];
}

double Random::unit(std::uint64_t n) const {
    const std::uint64_t upper = bits(2 * n) >> 5;      // 27 bits
    const std::uint64_t lower = bits(2 * n + 1) >> 6;  // 26 bits
    return static_cast<double>(upper << 26 | lower) * 0x1p-53;
}

// word x bound / 2^32 is in [0, bound), but 2^32 words do not divide evenly among the bounds: some
// results would get one word more. The first (2^32 mod bound) words of each are turned away
// (Lemire, "Fast random integer generation in an interval", 2019). A word that was turned away is
// replaced by the same place of the block's own encryption, so that no other draw is touched.
std::uint32_t Random::below(std::uint64_t n, std::uint32_t bound) const {
    KV_ASSERT(bound > 0);
    const std::uint32_t surplus = (0u - bound) % bound;  // 2^32 mod bound
    PhiloxBlock words = block(n / 4);
    std::uint64_t product = std::uint64_t{words.word[n % 4]} * bound;
    while (low(product) < surplus) {
        words = philox4x32(words, key());
        product = std::uint64_t{words.word[n % 4]} * bound;
    }
    return high(product);
}

}  // namespace kv
