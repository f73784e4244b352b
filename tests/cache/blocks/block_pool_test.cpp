// The pool's list: who is next, who comes back where, and what is refused.
#include "core/cache/blocks/block_pool.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"

using namespace kv;
using Ids = std::vector<std::uint32_t>;

namespace {

Ids listed(const BlockPool& pool) {
    CHECK(pool.check().empty());
    CHECK(pool.free_list().size() == pool.n_free());
    Ids ids;
    for (const BlockId b : pool.free_list()) ids.push_back(b.value);
    return ids;
}

}  // namespace

TEST_CASE("a fresh pool hands out the given ids first, then the others in order", "[pool]") {
    CHECK(listed(BlockPool(5, {})) == Ids{0, 1, 2, 3, 4});
    const std::array<std::uint32_t, 3> first{3, 0, 4};
    CHECK(listed(BlockPool(6, first)) == Ids{3, 0, 4, 1, 2, 5});
    CHECK(BlockPool(6, first).next_free() == BlockId(3));
    const std::array<std::uint32_t, 2> twice{3, 3}, beyond{1, 6};
    CHECK_THROWS_AS(BlockPool(6, twice), BrokenAssert);
    CHECK_THROWS_AS(BlockPool(6, beyond), BrokenAssert);
}

TEST_CASE("blocks leave the list anywhere and come back at either end", "[pool]") {
    BlockPool pool(5, {});
    pool.hold(BlockId(2));
    CHECK(listed(pool) == Ids{0, 1, 3, 4});
    pool.hold(BlockId(0));
    pool.hold(BlockId(4));
    CHECK(listed(pool) == Ids{1, 3});
    CHECK(pool.let_go(BlockId(4), FreeEnd::Head));
    CHECK(pool.let_go(BlockId(2), FreeEnd::Tail));
    CHECK(listed(pool) == Ids{4, 1, 3, 2});
    CHECK(pool.let_go(BlockId(0), FreeEnd::Head));
    CHECK(listed(pool) == Ids{0, 4, 1, 3, 2});
    for (std::uint32_t b = 0; b < 5; ++b) pool.hold(BlockId(b));
    CHECK(listed(pool).empty());
    CHECK(!pool.next_free());
    CHECK(pool.let_go(BlockId(3), FreeEnd::Head));
    CHECK(listed(pool) == Ids{3});
    // Ids were handed out from 0 to 4 at the tail, then 5; four times at the head: -1 to -3.
    CHECK(pool.ticket(BlockId(3)) == -3);
    CHECK(pool.first_ticket() == -3);
    CHECK(pool.last_ticket() == 6);
    CHECK(pool.ticket(BlockId(0)) == 0);
}

TEST_CASE("a block is in the list again when its last holder lets go", "[pool][C126]") {
    BlockPool pool(3, {});
    pool.hold(BlockId(1));
    pool.hold(BlockId(1));
    CHECK(pool.ref_count(BlockId(1)) == 2);
    CHECK(!pool.let_go(BlockId(1), FreeEnd::Tail));
    CHECK(listed(pool) == Ids{0, 2});
    CHECK(pool.let_go(BlockId(1), FreeEnd::Tail));
    CHECK(listed(pool) == Ids{0, 2, 1});
}

TEST_CASE("what cannot be is refused, and the pool is what it was", "[pool][I04]") {
    BlockPool pool(3, {});
    pool.hold(BlockId(1));
    pool.pin(BlockId(1));
    const auto refused = [&](auto&& act) {
        const Ids before = listed(pool);
        const std::uint32_t refs = pool.ref_count(BlockId(1)), pins = pool.pins(BlockId(1));
        CHECK_THROWS_AS(act(), BrokenAssert);
        CHECK(listed(pool) == before);
        CHECK(pool.ref_count(BlockId(1)) == refs);
        CHECK(pool.pins(BlockId(1)) == pins);
    };
    refused([&] { pool.let_go(BlockId(0), FreeEnd::Tail); });  // free already
    refused([&] { pool.let_go(BlockId(3), FreeEnd::Tail); });  // unknown
    refused([&] { pool.hold(BlockId(3)); });
    refused([&] { pool.pin(BlockId(3)); });
    refused([&] { pool.unpin(BlockId(0)); });
    refused([&] { pool.let_go(BlockId(1), FreeEnd::Tail); });  // pinned
    pool.unpin(BlockId(1));
    CHECK(pool.let_go(BlockId(1), FreeEnd::Tail));
    refused([&] { pool.let_go(BlockId(1), FreeEnd::Tail); });  // twice
    pool.pin(BlockId(0));
    refused([&] { pool.hold(BlockId(0)); });
}
