// The picture that is made in two passes over all blocks is the one that walks along the tree make.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/attach/entries.hpp"
#include "tests/attach/slow_picture.hpp"
#include "tests/base/dice.hpp"

using namespace kv;
using kv::test::batch;
using kv::test::Dice;
using kv::test::hashes;
using kv::test::removed;
using kv::test::slow_picture;
using kv::test::stored;

namespace {

std::string text_of(const std::vector<std::uint32_t>& ids) {
    std::string out;
    for (const std::uint32_t id : ids) out += " " + std::to_string(id);
    return out;
}

std::string row_text(const TankPrefixRow& row) {
    return std::to_string(row.plate) + ":" + hash_text(row.hash) + " r" + std::to_string(row.rank) +
           " g" + std::to_string(row.group) + " t" + std::to_string(row.tokens) + " to " +
           std::to_string(row.from_start) + " h" + std::to_string(row.hits) + " b" +
           std::to_string(row.blocks_beneath) + " a" + std::to_string(row.again) + " u" +
           std::to_string(row.last_use_s) + text_of(row.token_ids);
}

// All that the two ways of making one have to agree on, a line each.
std::vector<std::string> lines_of(const TankPicture& picture) {
    std::vector<std::string> out{"width " + std::to_string(picture.tree.width) + " depth " +
                                 std::to_string(picture.tree.depth) + " left out " +
                                 std::to_string(picture.tree.left_out) + " blocks a texel " +
                                 std::to_string(picture.pool.blocks_per_texel)};
    for (const TreeBar& bar : picture.tree.bars)
        out.push_back("bar " + std::to_string(bar.left) + " " + std::to_string(bar.width_top) +
                      " " + std::to_string(bar.width_bottom) + " " +
                      std::to_string(bar.from_token) + " " + std::to_string(bar.to_token) + " " +
                      std::to_string(bar.age_s) + " " + std::to_string(bar.plate) + " " +
                      std::to_string(bar.chains) + (bar.rootless ? " rootless" : "") +
                      text_of(bar.token_ids));
    for (const TankPrefixRow& row : picture.hottest) out.push_back("hot " + row_text(row));
    for (const TankPrefixRow& row : picture.lost) out.push_back("lost " + row_text(row));
    for (const PoolTexel& texel : picture.pool.texels)
        out.push_back("texel " + std::to_string(texel.age_s) + " " + std::to_string(texel.plate));
    return out;
}

ServerHash digest(std::uint64_t n) {
    return {"a digest of thirty-two bytes " + std::to_string(n), false};
}

// Prompts that branch where earlier ones end, hashes of both kinds, shelves of several ranks,
// groups and media; blocks that go from the middle, come again, and are forgotten.
TankEntry some_mix(Dice& dice, double now) {
    const auto rank = static_cast<std::int64_t>(dice.below(2));
    const std::uint64_t first = dice.below(120);
    if (dice.one_in(300)) return StreamMark{MarkKind::Restarted, rank, 0, 7, now};
    if (dice.one_in(200)) return batch(now, {ServerCleared{}}, rank);
    if (dice.below(3) == 0) {
        ServerRemoved event = removed({first, dice.below(120), dice.below(120)});
        event.hashes.push_back(digest(dice.below(10)));
        return batch(now, {event}, rank);
    }
    std::vector<std::uint64_t> list;
    for (std::uint64_t n = 0; n < 1 + dice.below(4); ++n) list.push_back((first + 7 * n) % 120);
    ServerStored event = stored(list);
    if (dice.below(4) > 0) event.parent = server_hash(dice.below(120));
    if (dice.one_in(6)) event.parent = digest(dice.below(10));
    if (dice.one_in(5)) event.hashes.push_back(digest(dice.below(10)));
    if (dice.one_in(6)) event.group = 1;
    if (dice.one_in(12)) event.medium = "CPU";
    if (dice.one_in(15)) event.tokens.clear(), event.block_size = 0;
    return batch(now, {event}, rank);
}

PictureAsk some_ask(Dice& dice) {
    PictureAsk ask;
    if (dice.below(2) > 0) ask.ranks = {static_cast<std::int64_t>(dice.below(2))};
    if (dice.one_in(4)) ask.group = 1;
    if (dice.one_in(8)) ask.medium = "CPU";
    ask.order = static_cast<PoolOrder>(dice.below(3));
    ask.most_texels = 1 + static_cast<std::uint32_t>(dice.below(90));
    ask.most_bars = 1 + static_cast<std::uint32_t>(dice.below(60));
    ask.most_rows = 1 + static_cast<std::uint32_t>(dice.below(12));
    if (dice.below(3) > 0) ask.selected = server_hash(dice.below(120));
    return ask;
}

}  // namespace

TEST_CASE("the picture of any tank is the one that walks along its tree make",
          "[attach][picture]") {
    std::uint64_t forgotten = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        Dice dice(seed);
        const auto most = static_cast<std::uint32_t>(60 + dice.below(200));
        Tank tank({.most_blocks = most, .keep_tokens = seed % 2 == 0});
        double now = seed % 3 == 0 ? -50 : 1.7e9;
        for (int i = 0; i < 500; ++i) {
            if (dice.below(3) > 0) now += 0.25 * static_cast<double>(dice.below(9));
            tank.apply(some_mix(dice, now));
            if (i % 5 > 0) continue;
            const PictureAsk ask = some_ask(dice);
            CAPTURE(seed, i);
            REQUIRE(lines_of(tank_picture_of(tank, ask, {})) == lines_of(slow_picture(tank, ask)));
        }
        forgotten += tank.tree().forgotten();
    }
    CHECK(forgotten > 300);
}

TEST_CASE("blocks stand behind their parents in the order in which they came", "[attach][tank]") {
    Dice dice(4);
    Tank tank({.most_blocks = 128});
    for (int i = 0; i < 4000; ++i) {
        tank.apply(some_mix(dice, i));
        if (i % 50 > 0) continue;
        const std::vector<BlockRef>& arrivals = tank.tree().arrivals();
        std::size_t there = 0;
        tank.tree().each([&](BlockRef block, const TankBlock& b) {
            ++there;
            REQUIRE(arrivals.at(b.arrival) == block);
            if (b.parent != kNoBlock) REQUIRE(tank.tree().at(b.parent).arrival < b.arrival);
        });
        const auto gone = std::count(arrivals.begin(), arrivals.end(), kNoBlock);
        REQUIRE(arrivals.size() - static_cast<std::size_t>(gone) == there);
        REQUIRE(arrivals.size() <= std::size_t{2} * 128);
    }
}
