// A check that nobody has seen complain proves nothing: each rule of the books is broken on
// purpose, and check() has to name its number, and the block where there is one.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/cache/words.hpp"

using namespace kv;
using namespace kv::test;

namespace {

struct Broken {
    // Two requests share blocks 0 and 1; 2 and 3 are their own, 4 is cached, 5 to 7 are free. Host
    // place 0 holds a block of r2, which is swapped out; place 1 a cached one.
    explicit Broken(Sharing sharing = Sharing::CopyOnWrite) : books(spec(sharing)) {
        a = books.open(prompt(8, 2, 0));
        b = books.open(prompt(8, 2, 1));
        REQUIRE((books.run(a) && books.run(b)));
        const SeqId ended = books.open(prompt(0, 4, 3));
        REQUIRE(books.run(ended));
        books.close(ended);
        c = books.open(prompt(0, 3, 4));
        REQUIRE(books.run(c));
        books.swap_out(c);
        REQUIRE(table_of(books.cache(), a) == Ids{0, 1, 2});
        REQUIRE(table_of(books.cache(), b) == Ids{0, 1, 3});
        REQUIRE(findable_of(books.cache()) == Ids{0, 1, 4});
        REQUIRE(free_of(books.cache()) == Ids{6, 7, 4, 5});
    }
    static CacheSpec spec(Sharing sharing) {
        CacheSpec spec = pool_of(8, 4, sharing);
        spec.n_host = 3;
        return spec;
    }
    bool says(int invariant) const { return !said(invariant).empty(); }
    bool says(int invariant, std::uint32_t block) const {
        const auto all = said(invariant);
        return std::any_of(all.begin(), all.end(), [&](const Violation& v) {
            return std::find(v.blocks.begin(), v.blocks.end(), BlockId(block)) != v.blocks.end();
        });
    }
    std::vector<Violation> said(int invariant) const {
        std::vector<Violation> found = books.cache().check();
        std::erase_if(found, [&](const Violation& v) { return v.invariant != invariant; });
        return found;
    }

    Books books;
    Tamper tamper{books.cache()};
    SeqId a{0}, b{0}, c{0};
};

}  // namespace

TEST_CASE("nothing is said about books that are in order", "[check]") {
    CHECK(Broken().books.cache().check().empty());
}

TEST_CASE("I01: used and free blocks make the pool", "[check][I01]") {
    Broken books;
    books.tamper.table(books.a).clear();  // two blocks that nobody frees
    CHECK(books.says(1));
    CHECK(books.says(2, 2));
}

TEST_CASE("I02: holders are those of the tables", "[check][I02]") {
    Broken books;
    SECTION("one too few") {
        --books.tamper.ref_count(BlockId(1));
        CHECK(books.says(2, 1));
    }
    SECTION("one too many") {
        ++books.tamper.ref_count(BlockId(3));
        CHECK(books.says(2, 3));
    }
    SECTION("a table entry more") {
        books.tamper.table(books.b)[2] = BlockId(2);
        CHECK(books.says(2, 2));
        CHECK(books.says(2, 3));
    }
}

TEST_CASE("I03: the free list forwards, backwards and counted", "[check][I03]") {
    Broken books;
    SECTION("a link that skips one") {
        books.tamper.next(BlockId(6)) = 4;
        CHECK(books.says(3, 4));
        CHECK(books.says(3, 7));
    }
    SECTION("a link back to another one") {
        books.tamper.previous(BlockId(4)) = 6;
        CHECK(books.says(3, 4));
    }
    SECTION("a ring") {
        books.tamper.next(BlockId(5)) = 6;
        CHECK(books.says(3, 5));
    }
    SECTION("another length") {
        ++books.tamper.n_free();
        CHECK(books.says(3));
        CHECK(books.says(1));
    }
    SECTION("another end") {
        books.tamper.tail() = 4;
        CHECK(books.says(3));
    }
    SECTION("a block that somebody holds") {
        books.tamper.ref_count(BlockId(7)) = 1;
        CHECK(books.says(3, 7));
        CHECK(books.says(2, 7));
    }
    SECTION("a ticket that does not rise") {
        books.tamper.ticket(BlockId(4)) = books.tamper.ticket(BlockId(6));
        CHECK(books.says(3, 4));
    }
}

TEST_CASE("I06: a table has room for what is stored, in blocks of the pool", "[check][I06]") {
    Broken books;
    SECTION("too short") {
        books.tamper.table(books.a).pop_back();
        CHECK(books.says(6));
    }
    SECTION("too long") {
        books.tamper.table(books.a).push_back(BlockId(6));
        CHECK(books.says(6));
    }
    SECTION("a block that does not exist") {
        books.tamper.table(books.a)[2] = BlockId(8);
        CHECK(books.says(6, 8));
    }
    SECTION("more stored than known") {
        books.tamper.stored(books.a) = 11;
        CHECK(books.says(6));
    }
}

TEST_CASE("I07: no block twice in a table", "[check][I07]") {
    Broken books;
    books.tamper.table(books.a)[2] = BlockId(0);
    CHECK(books.says(7, 0));
}

TEST_CASE("I08: who shares a block shares all tokens up to its end", "[check][I08]") {
    Broken books;
    SECTION("another token at the start") {
        books.tamper.tokens(books.b)[0] = 9;
        CHECK(books.says(8, 0));
        CHECK(books.says(8, 1));
    }
    SECTION("another token in the second block") {
        books.tamper.tokens(books.b)[7] = 9;
        CHECK(!books.says(8, 0));
        CHECK(books.says(8, 1));
    }
    SECTION("another entry") {
        std::swap(books.tamper.table(books.b)[0], books.tamper.table(books.b)[1]);
        CHECK(books.says(8, 0));
    }
}

TEST_CASE("I11: what can still be written to is not published", "[check][I11]") {
    Broken books;
    SECTION("a block that is not full can be found") {
        const PrefixId chain = *books.tamper.chain(books.a);
        const Ids four{1, 2, 3, 4};
        books.tamper.index().add_copy(books.tamper.index().find_or_add(chain, four), BlockId(2));
        CHECK(books.says(11, 2));
    }
    SECTION("more published than there are tokens") {
        books.tamper.published(books.a) = 3;
        CHECK(books.says(11));
    }
}

TEST_CASE("I12: with full blocks only, no partly filled block is shared", "[check][I12]") {
    Broken books(Sharing::FullBlocksOnly);
    books.tamper.spec().sharing = Sharing::CopyOnWrite;
    books.books.fork(books.a, {1});
    CHECK(books.books.cache().check().empty());
    books.tamper.spec().sharing = Sharing::FullBlocksOnly;
    // 11 tokens of the fork do not fill the third block, nor do the 10 of its parent.
    CHECK(books.says(12, 2));
}

TEST_CASE("I13: filled slots are those that were written", "[check][I13]") {
    Broken books;
    SECTION("in a free block") {
        books.tamper.filled(BlockId(6)) = 1;
        CHECK(books.says(13, 6));
    }
    SECTION("more than there are") {
        books.tamper.filled(BlockId(0)) = 5;
        CHECK(books.says(13, 0));
    }
    SECTION("too few in a cached block") {
        books.tamper.filled(BlockId(4)) = 3;
        CHECK(books.says(13, 4));
    }
}

TEST_CASE("I17: what a block is found by is what it holds", "[check][I17]") {
    Broken books;
    SECTION("other tokens than its holder's") {
        for (const SeqId id : {books.a, books.b}) books.tamper.tokens(id)[1] = 9;
        CHECK(books.says(17, 0));
        CHECK(books.says(17, 1));  // by what stands before it
    }
    SECTION("a content that goes on from another one") {
        books.tamper.chain(books.a) = books.tamper.index().node_of(BlockId(4));
        CHECK(books.says(17));
    }
    SECTION("a content of another block") {
        books.tamper.first_copy(BlockId(0)) = 4;
        CHECK(books.says(17));
    }
    SECTION("a hash that is not the one of its tokens") {
        books.tamper.hash(BlockId(4)) ^= 1;
        CHECK(books.says(17));
    }
    SECTION("children that are not there") {
        ++books.tamper.children(BlockId(4));
        CHECK(books.says(17));
    }
    SECTION("copies that end elsewhere") {
        books.tamper.last_copy(BlockId(4)) = 0;
        CHECK(books.says(17));
    }
}

TEST_CASE("I23: a place has one owner, and what moves is pinned", "[check][I23]") {
    Broken books;
    SECTION("a pin in the free list") {
        books.tamper.pins(BlockId(6)) = 1;
        CHECK(books.says(23, 6));
    }
    SECTION("a pin without a transfer") {
        books.tamper.pins(BlockId(0)) = 1;
        CHECK(books.says(23, 0));
    }
    SECTION("a transfer without a pin") {
        books.books.begin_loads(books.c);
        const std::uint32_t block = table_of(books.books.cache(), books.c)[0];
        CHECK(books.books.cache().check().empty());
        books.tamper.pins(BlockId(block)) = 0;
        CHECK(books.says(23, block));
        books.tamper.pins(BlockId(block)) = 2;
        CHECK(books.says(23, block));
    }
    SECTION("a place of nobody") {
        books.tamper.places(books.c).clear();
        CHECK(books.says(23));
    }
    SECTION("a place of two") {
        books.tamper.places(books.c).push_back(0);
        CHECK(books.says(23));
    }
    SECTION("a block that is nowhere") {
        books.tamper.places(books.c)[0] = 2;
        CHECK(books.says(23));
    }
    SECTION("other slots than are stored") {
        books.tamper.stored(books.c) = 2;
        CHECK(books.says(23));
    }
    SECTION("loading from nowhere") {
        books.tamper.loading(books.a) = true;
        CHECK(books.says(23));
    }
    SECTION("a transfer that is over and does not end") {
        books.tamper.tiers().take(1, SeqId(9), 0, 1);
        CHECK(books.says(23));
    }
    SECTION("a content that leads to a place of somebody else") {
        books.tamper.index().set_place(*books.tamper.index().node_of(BlockId(4)), 0);
        CHECK(books.says(23));
    }
}
