// Plans of the figures about the pool: cells add up to the numbers beside them at every step, what
// is asked is not there, and a tree has a chip for each token.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "app/panels/figure/table.hpp"
#include "tests/app/panels/figure/pool_facts.hpp"

using namespace kv;
using figure::Kind;
using figure::Look;
using figure::Piece;
using figure::Plan;

namespace {

Plan pool_plan(const FigureFacts& facts, bool revealed, Vec2 size = {1348, 960}, Text said = {}) {
    static const Texts texts;
    return figure::row_of(facts).plan(
        facts, {.size = size, .revealed = revealed, .said = std::move(said), .text = texts});
}

std::vector<std::string> said_at(const Plan& plan, std::string_view id, std::uint32_t key) {
    std::vector<std::string> all;
    for (const Piece& p : plan.pieces) {
        if (p.id.view() != id || !p.shows_at(key)) continue;
        std::string words;
        for (const figure::Word& word : p.words)
            words += (words.empty() ? "" : " ") + std::string(word.text.view());
        all.push_back(words);
    }
    return all;
}

std::size_t cells_at(const Plan& plan, Look look, std::uint32_t key) {
    std::size_t n = 0;
    for (const Piece& p : plan.pieces)
        if (p.id.view() == "cells" && p.look == look && p.shows_at(key)) n += p.cells;
    return n;
}

std::size_t pieces_at(const Plan& plan, std::string_view id, std::uint32_t key) {
    return static_cast<std::size_t>(
        std::count_if(plan.pieces.begin(), plan.pieces.end(),
                      [&](const Piece& p) { return p.id.view() == id && p.shows_at(key); }));
}

}  // namespace

TEST_CASE("at every step a strip has as many cells as it counts", "[figure][pool]") {
    const Vec2 size = GENERATE(Vec2{1348, 960}, Vec2{840, 560}, Vec2{1824, 720});
    const Plan plan = pool_plan(arena_facts(), true, size);
    // First fit: A alone, then B alone. Paged: both, then A while B waits, then B.
    CHECK(cells_at(plan, Look::Fresh, 1) == 3 + 3 + 4);
    CHECK(cells_at(plan, Look::Reserved, 1) == 2 + 1);
    CHECK(cells_at(plan, Look::Fresh, 2) == 4 + 4);
    CHECK(cells_at(plan, Look::Reserved, 2) == 1 + 0);
    CHECK(cells_at(plan, Look::Fresh, 3) == 4 + 5);
    CHECK(cells_at(plan, Look::Fresh, 4) == 5);
    CHECK(cells_at(plan, Look::Fresh, 5) == 0);
    CHECK(said_at(plan, "at_once", 1) == std::vector<std::string>{"1", "2"});
    CHECK(said_at(plan, "ended.count", 5) == std::vector<std::string>{"4", "3"});
    // Two slots are left beside A's six, and B asks for six; they are free once nobody waits.
    CHECK(pieces_at(plan, "gap", 2) == 1);
    CHECK(pieces_at(plan, "gap", 3) == 0);
    CHECK(pieces_at(plan, "free", 2) == 2);  // blocks of two behind A's four slots
}

TEST_CASE("a step of the arena adds only what is new in it", "[figure][pool]") {
    const Plan plan = pool_plan(arena_facts(), true);
    std::size_t fresh = 0;
    for (const Piece& p : plan.pieces)
        if (p.id.view() == "cells" && p.look == Look::Fresh && p.from == 2) fresh += p.cells;
    CHECK(fresh == 1 + 1);  // A's token in either strip
    for (const Piece& p : plan.pieces)
        if (p.id.view() == "owner" && p.hue == 0) CHECK(p.from == 1);
}

TEST_CASE("the arena tells no later step and no hidden rule before the reveal", "[figure][pool]") {
    ArenaFacts facts = arena_facts();
    for (const Piece& p : pool_plan(facts, false).pieces)
        if (p.id.view() != "ended" && p.id.view() != "ended.count" && p.id.view() != "ended.word")
            CHECK(p.from <= facts.until);
    CHECK(said_at(pool_plan(facts, false), "answer", 9).empty());
    CHECK(said_at(pool_plan(facts, true, {1348, 960}, "9"), "answer", 4) ==
          std::vector<std::string>{"first_fit ends at step 4; you said 9."});
    facts.open = 1;
    CHECK(said_at(pool_plan(facts, false), "at_once", 1).size() == 1);
    CHECK(pieces_at(pool_plan(facts, false), "asked", 1) == 1);
    CHECK(figure::keys_of(facts).end == 5);
    CHECK(figure::row_of(facts).tables(facts, false)[0].rows.size() == 3);
    CHECK(figure::row_of(facts).tables(facts, true)[0].rows.size() == 4 + 3);
}

TEST_CASE("parts of a pool add up to its bar, ours and the paper's", "[figure][pool]") {
    const Plan plan = pool_plan(shares_facts(), true);
    std::vector<Rect> pools, parts;
    for (const Piece& p : plan.pieces) {
        if (p.id.view() == "pool") pools.push_back(p.rect);
        if (p.id.view() == "part") parts.push_back(p.rect);
    }
    REQUIRE(pools.size() == 5);
    for (const Rect& pool : pools) {
        CHECK(pool.x == pools[0].x);
        CHECK(pool.w == pools[0].w);
    }
    float first = 0;
    for (const Rect& part : parts)
        if (part.y == pools[0].y) first += part.w;
    CHECK(std::abs(first - pools[0].w) < 1);
    CHECK(std::abs(parts[0].w / pools[0].w - 0.2f) < 0.001f);
    const Plan open = pool_plan(shares_facts(), false);
    CHECK(pieces_at(open, "asked", 1) == 2);
    CHECK(said_at(open, "at_once", 3).size() == 1);
}

TEST_CASE("a tree has a chip for each token, and its keys add what the tree does",
          "[figure][pool]") {
    const Vec2 size = GENERATE(Vec2{1348, 960}, Vec2{840, 560}, Vec2{1824, 720});
    const RadixFacts facts = radix_facts();
    const Plan plan = pool_plan(facts, true, size);
    const auto chips = [&](Look look, std::uint32_t key) {
        return std::count_if(plan.pieces.begin(), plan.pieces.end(), [&](const Piece& p) {
            return p.id.view() == "chip" && p.look == look && p.shows_at(key);
        });
    };
    CHECK(chips(Look::Chip, 0) == 7);
    CHECK(chips(Look::Reserved, 1) == 3);      // what D finds
    CHECK(chips(Look::Chip, 2) == 7 + 7);      // the same tokens in one node more
    CHECK(chips(Look::Reserved, 3) == 3 + 3);  // and the path is locked
    CHECK(chips(Look::Fresh, 3) == 0);
    CHECK(chips(Look::Fresh, 4) == 2);  // what D wrote
    CHECK(pieces_at(plan, "node.locked", 4) == 3);
    // The rest slides away from its front; nothing else moves.
    for (const Piece& p : plan.pieces)
        if (p.slide != Vec2{}) CHECK((p.slide.x < 0 && p.from == 2));
}

TEST_CASE("when the rest of a split node was used is not told before the reveal",
          "[figure][pool]") {
    const RadixFacts facts = radix_facts();
    const Plan open = pool_plan(facts, false), revealed = pool_plan(facts, true);
    CHECK(said_at(open, "use.told", 5).empty());
    CHECK(said_at(open, "goes.words", 5).empty());
    CHECK(pieces_at(open, "use.asked", 4) == 1);
    CHECK(said_at(revealed, "use.told", 5) == std::vector<std::string>{"step 5"});
    CHECK(pieces_at(revealed, "goes", 5) == 1);
    CHECK(pieces_at(revealed, "use.asked", 5) == 0);
    CHECK((figure::keys_of(facts).last == 4 && figure::keys_of(facts).end == 5));

    RadixFacts early = facts;
    early.open = 1, early.tells_first = false;
    for (const Piece& p : pool_plan(early, false).pieces) CHECK(p.from <= 1);
    CHECK(figure::row_of(early).tables(early, false)[0].rows.size() == 3);
    CHECK(figure::row_of(early).tables(early, true)[0].rows.size() == 3 + 5);
}

TEST_CASE("a way goes by division, through the table, to a slot", "[figure][pool]") {
    const Plan open = pool_plan(walk_facts(), false), gone = pool_plan(walk_facts(), true);
    for (const Piece& p : open.pieces) {
        CHECK(p.from <= 1);
        CHECK(p.id.view() != "position");  // which block it is in is half of the answer
    }
    CHECK(said_at(gone, "divide", 4) == std::vector<std::string>{"37 // 16 = 2, rest 5"});
    CHECK(said_at(gone, "look.words", 4) == std::vector<std::string>{"row 2 names block 44"});
    CHECK(said_at(gone, "slot", 4).back() == "44 × 16 + 5 = slot 709");
    // Blocks of the pool stand in order of their addresses.
    CHECK(said_at(open, "physical.name", 1) ==
          std::vector<std::string>{"block 17", "block 44", "block 91", "block 203"});
    // The wire ends at the second of them, whose sixth slot is found.
    Rect found, block;
    for (const Piece& p : gone.pieces) {
        if (p.id.view() == "found") found = p.rect;
        if (p.id.view() == "look") block.x = p.points.back().x;
    }
    CHECK(found.x < block.x);  // slot 5 of 16 lies before the middle
    CHECK(figure::keys_of(walk_facts()).end == 4);
}

TEST_CASE("a last block has as many idle cells as it says", "[figure][pool]") {
    const auto cells = [](const Plan& plan, Look look) {
        return std::count_if(plan.pieces.begin(), plan.pieces.end(), [&](const Piece& p) {
            return p.id.view() == "slot" && p.look == look;
        });
    };
    // 43 x 16 = 688: two tokens in the last block, and fourteen idle slots.
    const Plan one = pool_plan(last_block_facts(), true);
    CHECK(cells(one, Look::Fresh) == 2);
    CHECK(cells(one, Look::NeverUsed) == 14);
    CHECK(said_at(one, "said", 2) == std::vector<std::string>{"2 tokens", "14 idle"});
    CHECK(pieces_at(one, "block", 2) == 44);
    CHECK(pieces_at(pool_plan(last_block_facts(), false), "asked", 1) == 1);
    CHECK(said_at(pool_plan(last_block_facts(), false), "said", 2).empty());
    // 0 + 1 + 2 + 3 of four, and 0 to 15 of sixteen.
    const Plan all = pool_plan(all_last_blocks(), true);
    CHECK(cells(all, Look::NeverUsed) == 6 + 120);
    CHECK(said_at(all, "mean", 2) ==
          std::vector<std::string>{"6 idle slots in 4 blocks: 1.5 on average",
                                   "120 idle slots in 16 blocks: 7.5 on average"});
    CHECK(said_at(pool_plan(all_last_blocks(), false), "mean", 2).size() == 1);
}

TEST_CASE("a hash goes into the next one, and a verdict stands below it", "[figure][pool]") {
    const Plan plan = pool_plan(hashes_facts(), true);
    CHECK(said_at(plan, "hash", 2) == std::vector<std::string>{"1234", "0000", "0000", "0000"});
    CHECK(pieces_at(plan, "goes_into", 2) == 4);
    CHECK(said_at(plan, "verdict", 2) ==
          std::vector<std::string>{"other tokens", "same tokens, other hash"});
    HashesFacts one = hashes_facts();
    one.open = 1;
    CHECK(pieces_at(pool_plan(one, false), "hash", 2) == 2);
    CHECK(pieces_at(pool_plan(one, false), "asked", 2) == 1);
}

TEST_CASE("each stretch counts once behind the reveal", "[figure][pool]") {
    const StretchesFacts facts = stretches_facts();
    CHECK(facts.total(false) == 4600);
    CHECK(facts.total(true) == 2200);
    CHECK_FALSE(facts.is_again(3, 1));  // the long document stands there alone
    const Plan open = pool_plan(facts, false), plan = pool_plan(facts, true);
    const auto found = [](const Plan& p) {
        return std::count_if(p.pieces.begin(), p.pieces.end(), [](const Piece& piece) {
            return piece.id.view() == "stretch" && piece.look == Look::Kept;
        });
    };
    CHECK(found(open) == 0);
    CHECK(found(plan) == 3 + 2);  // the system prompt three times, the short document twice
    CHECK(said_at(open, "sum", 1) == std::vector<std::string>{"4,600 tokens, each text by itself"});
    CHECK(said_at(plan, "sum", 2) == std::vector<std::string>{"2,200 tokens, each stretch once"});
    CHECK(said_at(plan, "length", 2) == std::vector<std::string>{"1,050", "50", "50", "1,050"});
}

TEST_CASE("a copy on write goes from the shared block to the new one", "[figure][pool]") {
    BlocksFacts facts;
    facts.block_size = 4;
    facts.open.blocks.resize(6), facts.end.blocks.resize(6);
    facts.copies = {{2, 3}, {2, 5}};
    const Plan plan = pool_plan(facts, true);
    std::vector<float> ends, blocks;
    for (const Piece& p : plan.pieces) {
        if (p.id.view() == "copy") ends.push_back(p.points.back().x);
        if (p.id.view() == "block" && p.shows_at(2)) blocks.push_back(p.rect.center().x);
    }
    REQUIRE(ends.size() == 2);
    REQUIRE(blocks.size() == 6);
    CHECK(ends[0] == blocks[3]);
    CHECK(ends[1] == blocks[5]);
    CHECK(said_at(plan, "copies", 2) == std::vector<std::string>{"2 copies on write"});
    CHECK(said_at(pool_plan(facts, false), "copies", 2).empty());
}
