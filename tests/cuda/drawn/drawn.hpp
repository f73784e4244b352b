#pragma once
// What the cases of kernels are drawn from: bytes, two for a number. Those of a seeded generator in
// the tests, and the fuzzer's own there; where they end, everything is the first of its kind.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/base/random.hpp"
#include "cuda/grid/view.hpp"
#include "tests/cuda/codecs.hpp"

namespace kv::test {

using gpu::u16;
using gpu::u32;

class Drawn {
public:
    explicit Drawn(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    u32 below(u32 n) {
        u32 number = 0;
        for (int i = 0; i < 2 && at_ < bytes_.size(); ++i) number = number << 8 | bytes_[at_++];
        return number % n;
    }
    u32 between(u32 least, u32 most) { return least + below(most - least + 1); }
    bool one_in(u32 n) { return below(n) == n - 1; }

    // Heads are 16 to 256 wide, whole bytes in all codecs.
    u32 head_dim() { return 8 * between(2, 32); }
    // One that vectors of this many elements can have.
    Codec codec(Side side, u32 dim) {
        const auto all = every_codec();
        const Codec codec = all[below(static_cast<u32>(all.size()))];
        return codec_objection(codec, side, dim) ? Codec::F32 : codec;
    }
    std::vector<u32> permutation(u32 n) {
        std::vector<u32> ids(n);
        std::iota(ids.begin(), ids.end(), 0u);
        const Random random(below(65536), 1);
        for (u32 i = n; i > 1; --i) std::swap(ids[i - 1], ids[random.below(i, i)]);
        return ids;
    }
    std::vector<float> floats(std::size_t n, double reach) {
        const Random random(below(65536), 2);
        std::vector<float> values(n);
        for (std::size_t i = 0; i < n; ++i)
            values[i] = static_cast<float>((2 * random.unit(i) - 1) * reach);
        return values;
    }

private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

inline std::vector<std::uint8_t> random_bytes(std::uint64_t seed, u32 family) {
    const Random random(seed, 77 + family);
    std::vector<std::uint8_t> bytes(128);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(random.below(i, 256));
    return bytes;
}

}  // namespace kv::test
