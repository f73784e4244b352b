// The memory of a pool: small, and so large that it asks for large pages of the machine.

#include "core/cache/kv_pool.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <utility>

using namespace kv;

// A block is 2 sides x 16 slots x 256 bytes = 8 KiB: 1,023 are less than four pages of 2 MiB, 1,024
// are four pages, 1,025 begin a fifth.
TEST_CASE("a pool of any size begins at a cache line, a large one at a large page", "[cache]") {
    const KvVector vector = vector_of(Codec::F32, 64);
    for (const std::uint32_t n_blocks : {1u, 1023u, 1024u, 1025u}) {
        KvPool pool({1, 1, 16, n_blocks, KvOrder::HeadMajor, vector, vector}, Codec::F32,
                    Codec::F32);
        CAPTURE(n_blocks);
        const std::size_t size = n_blocks * std::size_t{8192};
        REQUIRE(pool.layout().pool_bytes() == size);
        const auto address = reinterpret_cast<std::uintptr_t>(pool.bytes());
        CHECK(address % (n_blocks < 1024 ? 64 : 2 << 20) == 0);
        CHECK(std::all_of(pool.bytes(), pool.bytes() + size,
                          [](std::byte b) { return b == std::byte{0xFF}; }));
        KvPool moved = std::move(pool);
        CHECK(reinterpret_cast<std::uintptr_t>(moved.bytes()) == address);
    }
}
