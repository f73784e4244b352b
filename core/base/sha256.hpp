#pragma once
// SHA-256 (FIPS 180-4), fed piece by piece, so that a file larger than memory can be summed. It is
// here to tell one set of weights from another, not to keep secrets: nothing runs in constant time.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kv {

class Sha256 {
public:
    void update(const void* data, std::size_t n);
    void update(std::string_view text) { update(text.data(), text.size()); }

    std::string hex() const;  // of all bytes so far, 64 digits in lower case; more may follow

private:
    void add_block(const std::uint8_t* block);

    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::uint8_t, 64> waiting_{};  // bytes that do not fill a block yet
    std::uint64_t bytes_ = 0;
};

std::string sha256_hex(std::string_view text);

}  // namespace kv
