#include "core/cache/layout/kv_layout.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <vector>

#include "core/base/random.hpp"
#include "core/cache/codec/vector_codec.hpp"

using namespace kv;

namespace {

KvLayout layout_of(std::uint32_t layers, std::uint32_t heads, std::uint32_t block,
                   std::uint32_t blocks, std::uint32_t d_k, std::uint32_t d_v, KvOrder order) {
    return {layers,
            heads,
            block,
            blocks,
            order,
            vector_of(Codec::Bf16, d_k),
            vector_of(Codec::Bf16, d_v)};
}

}  // namespace

// Four layers, two KV heads of 16 in bf16, pages of 16, a pool of 48: token 37 stands in entry 2 of
// its table, which is block 44, at offset 5.
TEST_CASE("an address of the demonstration pool is the one worked out by hand", "[layout][C116]") {
    const KvLayout layout = layout_of(4, 2, 16, 48, 16, 16, KvOrder::TokenMajor);
    CHECK(layout.pool_bytes() == 384 * 1024);
    CHECK(layout.layer_bytes() == 96 * 1024);
    CHECK(layout.block_bytes(Side::K) == 1024);
    CHECK(layout.slot_stride(Side::K) == 64);
    CHECK(layout.head_stride(Side::K) == 32);
    CHECK(layout.vector_offset(LayerId(2), Side::K, HeadId(1), BlockId(44), Slot(5)) ==
          0x30000 + 0xB000 + 0x140 + 0x20);
    CHECK(layout.vector_offset(LayerId(2), Side::K, HeadId(0), BlockId(22), Slot(5)) == 0x35940);
}

// 3 tokens, 2 KV heads, 4 elements of 2 bytes: 48 bytes of K, 96 of the layer; element 2 of token
// 1, head 0 lies at byte 16 + 4 or, head by head, at 8 + 4.
TEST_CASE("the small byte map has the bytes of the chapter", "[layout][C029][C030][C031]") {
    const KvLayout by_token = layout_of(1, 2, 3, 1, 4, 4, KvOrder::TokenMajor);
    CHECK(by_token.plane_bytes(Side::K) == 48);
    CHECK(by_token.layer_bytes() == 96);
    const auto first = [](const KvLayout& l, std::uint32_t slot, std::uint32_t head) {
        return l.vector_offset(LayerId(0), Side::K, HeadId(head), BlockId(0), Slot(slot));
    };
    std::vector<std::uint64_t> starts;
    for (std::uint32_t slot = 0; slot < 3; ++slot)
        for (std::uint32_t head = 0; head < 2; ++head)
            starts.push_back(first(by_token, slot, head));
    CHECK(starts == std::vector<std::uint64_t>{0, 8, 16, 24, 32, 40});
    CHECK(first(by_token, 1, 0) + 2 * 2 == 20);
    const KvLayout by_head = layout_of(1, 2, 3, 1, 4, 4, KvOrder::HeadMajor);
    CHECK(first(by_head, 1, 0) + 2 * 2 == 12);
}

TEST_CASE("from one token to the next of a head", "[layout][C033]") {
    CHECK(layout_of(1, 8, 16, 1, 128, 128, KvOrder::TokenMajor).slot_stride(Side::K) == 2048);
    CHECK(layout_of(1, 8, 16, 1, 128, 128, KvOrder::HeadMajor).slot_stride(Side::K) == 256);
}

TEST_CASE("keys and values of different length have planes of their own size", "[layout][C028]") {
    const KvLayout layout = layout_of(2, 3, 5, 7, 24, 8, KvOrder::HeadMajor);
    CHECK(layout.plane_bytes(Side::K) == 7 * 5 * 3 * 48);
    CHECK(layout.plane_bytes(Side::V) == 7 * 5 * 3 * 16);
    CHECK(layout.plane_offset(LayerId(1), Side::V) == 7 * 5 * 3 * (48 + 16 + 48));
}

TEST_CASE("addresses cover the pool once, and every byte knows its owner", "[layout][C026][C117]") {
    for (const KvOrder order : {KvOrder::TokenMajor, KvOrder::HeadMajor}) {
        const KvLayout layout = layout_of(2, 3, 4, 3, 6, 2, order);
        std::set<std::uint64_t> seen;
        for (std::uint32_t layer = 0; layer < 2; ++layer)
            for (const Side side : {Side::K, Side::V})
                for (std::uint32_t head = 0; head < 3; ++head)
                    for (std::uint32_t block = 0; block < 3; ++block)
                        for (std::uint32_t slot = 0; slot < 4; ++slot)
                            for (std::uint32_t byte = 0; byte < layout.vector(side).bytes; ++byte) {
                                const std::uint64_t at =
                                    layout.vector_offset(LayerId(layer), side, HeadId(head),
                                                         BlockId(block), Slot(slot)) +
                                    byte;
                                CHECK(seen.insert(at).second);
                                const KvPlace place = place_of(layout, at);
                                CHECK((place.layer == LayerId(layer) && place.side == side &&
                                       place.head == HeadId(head) &&
                                       place.block == BlockId(block) && place.slot == Slot(slot) &&
                                       place.byte == byte));
                            }
        CHECK(seen.size() == layout.pool_bytes());
        CHECK(*seen.rbegin() + 1 == layout.pool_bytes());
    }
}

// 65,536 blocks of 5 MiB: 320 GiB, far beyond what 32 bits count.
TEST_CASE("a pool beyond 4 GiB is addressed to its end", "[layout]") {
    const KvLayout layout = layout_of(80, 8, 16, 65'536, 128, 128, KvOrder::TokenMajor);
    CHECK(layout.pool_bytes() == std::uint64_t{65'536} * 5 * 1024 * 1024);
    const Random random(7, 0);
    for (std::uint64_t n = 0; n < 2000; n += 2) {
        const std::uint64_t at =
            (std::uint64_t{random.bits(n)} << 20 | random.bits(n + 1) % (1u << 20)) %
            layout.pool_bytes();
        const KvPlace p = place_of(layout, at);
        CHECK(layout.vector_offset(p.layer, p.side, p.head, p.block, p.slot) + p.byte == at);
    }
}

// A walk over the bytes of one slot as a copy of them is laid out: no gap and no overlap.
TEST_CASE("the vectors of a slot lie side by side in a copy of it", "[layout]") {
    for (const KvOrder order : {KvOrder::TokenMajor, KvOrder::HeadMajor}) {
        const KvLayout layout = layout_of(3, 2, 4, 5, 16, 8, order);
        std::uint64_t next = 0;
        for (std::uint32_t layer = 0; layer < 3; ++layer)
            for (const Side side : {Side::K, Side::V})
                for (std::uint32_t head = 0; head < 2; ++head) {
                    REQUIRE(payload_offset(layout, LayerId(layer), side, HeadId(head)) == next);
                    next += side == Side::K ? 32 : 16;
                }
        CHECK(next == layout.pool_bytes() / 5 / 4);
    }
}
