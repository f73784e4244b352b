#include "core/base/sha256.hpp"

#include <algorithm>
#include <cstring>

namespace kv {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::size_t kLengthAt = 56;  // of a last block, which ends with the count of bits

// The first 32 bits of the fractions of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t turn(std::uint32_t x, unsigned by) {
    return x >> by | x << (32U - by);
}

std::uint32_t big_endian(const std::uint8_t* at) {
    return std::uint32_t{at[0]} << 24U | std::uint32_t{at[1]} << 16U | std::uint32_t{at[2]} << 8U |
           std::uint32_t{at[3]};
}

// The block's 16 words and 48 more, each mixed from four earlier ones.
std::array<std::uint32_t, 64> schedule(const std::uint8_t* block) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t i = 0; i < 16; ++i) w[i] = big_endian(block + 4 * i);
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3U) + w[i - 7] +
               (turn(b, 17) ^ turn(b, 19) ^ b >> 10U);
    }
    return w;
}

}  // namespace

void Sha256::add_block(const std::uint8_t* block) {
    const auto w = schedule(block);
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t choice = (e & f) ^ (~e & g);
        const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        const std::uint32_t t1 =
            h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + kRound[i] + w[i];
        const std::uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    const std::array<std::uint32_t, 8> mixed{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state_[i] += mixed[i];
}

void Sha256::update(const void* data, std::size_t n) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    while (n > 0) {
        const auto have = static_cast<std::size_t>(bytes_ % kBlock);
        const std::size_t take = std::min(n, kBlock - have);
        if (take == kBlock) {
            add_block(bytes);
        } else {
            std::memcpy(waiting_.data() + have, bytes, take);
            if (have + take == kBlock) add_block(waiting_.data());
        }
        bytes_ += take;
        bytes += take;
        n -= take;
    }
}

std::string Sha256::hex() const {
    Sha256 last = *this;
    // A one bit, zeros up to the length field of a block, and the length in bits.
    std::array<std::uint8_t, 2 * kBlock> padding{0x80};
    const auto have = static_cast<std::size_t>(bytes_ % kBlock);
    const std::size_t zeros_end = (have < kLengthAt ? kLengthAt : kBlock + kLengthAt) - have;
    for (std::size_t i = 0; i < 8; ++i) {
        padding[zeros_end + i] = static_cast<std::uint8_t>(bytes_ * 8 >> (56U - 8U * i));
    }
    last.update(padding.data(), zeros_end + 8);
    constexpr char kDigits[] = "0123456789abcdef";
    std::string out;
    for (const std::uint32_t word : last.state_) {
        for (unsigned shift = 32; shift > 0; shift -= 4) out += kDigits[word >> (shift - 4U) & 15U];
    }
    return out;
}

std::string sha256_hex(std::string_view text) {
    Sha256 sum;
    sum.update(text);
    return sum.hex();
}

}  // namespace kv
