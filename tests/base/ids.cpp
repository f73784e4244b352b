#include "core/base/ids.hpp"

#include <catch2/catch_test_macros.hpp>
#include <type_traits>

using kv::BlockId;
using kv::Pos;
using kv::SeqId;
using kv::Slot;

namespace {

template <class A, class B>
concept Comparable = requires(A a, B b) {
    a == b;
};
template <class A, class B>
concept Ordered = requires(A a, B b) {
    a < b;
};

}  // namespace

// These are what the type exists for; a change that lets one of them through does not compile.
static_assert(Comparable<BlockId, BlockId> && Ordered<BlockId, BlockId>);
static_assert(!Comparable<BlockId, SeqId> && !Ordered<BlockId, SeqId>);
static_assert(!Comparable<BlockId, int> && !Comparable<Pos, Slot>);
static_assert(!std::is_convertible_v<std::uint32_t, BlockId>);
static_assert(!std::is_convertible_v<BlockId, std::uint32_t>);
static_assert(!std::is_constructible_v<BlockId, SeqId>);
static_assert(!std::is_default_constructible_v<BlockId>);  // there is no "no block" value
static_assert(std::is_trivially_copyable_v<BlockId> && sizeof(BlockId) == 4);

TEST_CASE("an id holds its number and compares by it", "[ids]") {
    const BlockId seven{7};
    CHECK(seven.index() == 7);
    CHECK(seven == BlockId{7});
    CHECK(seven != BlockId{8});
    CHECK(seven < BlockId{8});
    CHECK_FALSE(BlockId{8} < seven);
    CHECK(BlockId{0xFFFFFFFF}.index() == 4294967295u);
}
