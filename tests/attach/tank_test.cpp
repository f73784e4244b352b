// A tank by hand, then against a plain map of what was stored and removed.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <set>

#include "tests/attach/entries.hpp"
#include "tests/base/dice.hpp"

using namespace kv;
using kv::test::batch;
using kv::test::Dice;
using kv::test::hashes;
using kv::test::numbers;
using kv::test::removed;
using kv::test::stored;

namespace {

const RankTank& rank_0(const Tank& tank) {
    return tank.ranks().at(0);
}

}  // namespace

TEST_CASE("blocks are counted where they lie, and the same hash elsewhere is another block",
          "[attach][tank]") {
    Tank tank({});
    ServerStored below = stored({1});
    below.medium = "CPU_PINNED";
    ServerStored window = stored({1});
    window.group = 1;
    window.block_size = 32;
    window.layer_kind = "sliding_window";
    tank.apply(batch(1, {stored({1, 2, 3}), below, window}));
    tank.apply(batch(1, {stored({1, 2})}, 1));
    REQUIRE(tank.shelves().size() == 4);
    CHECK(tank.shelves()[0].blocks == 3);
    CHECK(tank.shelves()[0].tokens == 48);
    CHECK(tank.shelves()[1].name == ShelfName{0, 0, "CPU_PINNED"});
    CHECK(tank.shelves()[2].name == ShelfName{0, 1, "GPU"});
    CHECK(tank.shelves()[2].block_size == 32);
    CHECK(tank.shelves()[2].layer_kind == "sliding_window");
    CHECK(tank.shelves()[3].blocks == 2);

    tank.apply(batch(2, {removed({1, 9})}));
    CHECK(numbers(tank.cached(0)) == std::vector<std::uint64_t>{2, 3});
    CHECK(rank_0(tank).removed_unknown == 1);
    CHECK(tank.shelves()[1].blocks == 1);
    tank.apply(batch(3, {ServerCleared{}}));
    CHECK(tank.cached(0).empty());
    CHECK(tank.cached(1).empty());
    CHECK(tank.cached(3).size() == 2);  // of the other rank
}

TEST_CASE("a block that two requests computed is there twice, unless the server reports in full",
          "[attach][tank]") {
    Tank incremental({}), full({.full_reports = true});
    for (Tank* tank : {&incremental, &full}) {
        tank->apply(batch(1, {stored({1, 2})}));
        tank->apply(batch(2, {stored({1, 2}), stored({3}, 2)}));
    }
    CHECK(incremental.shelves()[0].blocks == 5);
    CHECK(incremental.shelves()[0].distinct == 3);
    CHECK(full.shelves()[0].blocks == 3);
    for (Tank* tank : {&incremental, &full}) tank->apply(batch(3, {removed({1})}));
    CHECK(incremental.shelves()[0].blocks == 4);
    CHECK(incremental.shelves()[0].distinct == 3);
    CHECK(full.shelves()[0].distinct == 2);
}

// Seen of vLLM's scheduler: the last token of a prompt is always computed, so a prompt of whole
// blocks that is there already hits all but its last block and stores that one once more.
TEST_CASE("a copy beneath a hit is a copy although the server reports in full", "[attach][tank]") {
    Tank tank({.full_reports = true});
    tank.apply(batch(1, {stored({1, 2})}));
    tank.apply(batch(2, {stored({1}), stored({2}, 1)}));
    CHECK(tank.shelves()[0].blocks == 3);
    tank.apply(batch(3, {removed({2})}));
    CHECK(tank.shelves()[0].distinct == 2);
    tank.apply(batch(4, {removed({2})}));
    CHECK(tank.shelves()[0].distinct == 1);
    CHECK(rank_0(tank).removed_unknown == 0);
}

// Seen of vLLM's scheduler: it names every block of the prefix in each group, and a window's group
// holds only those inside the window.
TEST_CASE("a report in full brings no block back that is gone", "[attach][tank]") {
    Tank tank({.full_reports = true});
    tank.apply(batch(1, {stored({1, 2, 3})}));
    tank.apply(batch(2, {removed({1})}));
    tank.apply(batch(9, {stored({1, 2, 3})}));
    CHECK(tank.shelves()[0].blocks == 2);
    CHECK(rank_0(tank).found.total() == 2);
    CHECK(rank_0(tank).blocks_again == 0);
    tank.apply(batch(10, {removed({2, 3})}));
    tank.apply(batch(11, {stored({1, 2, 3})}));  // its end is gone, so it is stored
    CHECK(tank.shelves()[0].blocks == 3);
    CHECK(rank_0(tank).blocks_again == 3);
}

// Seen of vLLM's scheduler: where a window's group has lost its part of a prefix, nothing is hit,
// and the group that has all of it stores copies.
TEST_CASE("a prefix of which one group has lost its part is no hit", "[attach][tank]") {
    const auto in_window = [](const std::vector<std::uint64_t>& hashes) {
        ServerStored event = stored(hashes);
        event.group = 1;
        event.window = 2 * event.block_size + 1;  // the block of the newest token and two before
        return event;
    };
    const auto gone = [](std::uint64_t hash) {
        ServerRemoved event = removed({hash});
        event.group = 1;
        return event;
    };
    Tank tank({.full_reports = true});
    tank.apply(batch(1, {stored({1, 2, 3}), in_window({1, 2, 3})}));
    tank.apply(batch(2, {gone(1)}));
    tank.apply(batch(3, {stored({1, 2, 3}), in_window({1, 2, 3})}));  // 1 is out of the window
    CHECK(tank.shelves()[0].blocks == 3);
    CHECK(tank.shelves()[1].blocks == 2);
    tank.apply(batch(4, {gone(2)}));
    tank.apply(batch(5, {stored({1, 2, 3}), in_window({2, 3})}));
    CHECK(tank.shelves()[0].blocks == 6);
    CHECK(tank.shelves()[1].blocks == 3);
}

TEST_CASE("ages of blocks, second by second", "[attach][tank]") {
    Tank tank({});
    tank.apply(batch(100, {stored({1, 2})}));
    tank.apply(batch(130, {stored({3}, 2)}));  // 1 and 2 are used again after 30 s
    CHECK(rank_0(tank).found.total() == 2);
    tank.apply(batch(150, {removed({3})}));  // lived 20 s, idle 20 s
    tank.apply(batch(190, {removed({2})}));  // lived 90 s, idle 60 s
    const auto bar_of = [](double seconds) {
        AgeHistogram one;
        one.add(seconds);
        return one.bars();
    };
    AgeHistogram lifetimes, idle;
    lifetimes.add(20), lifetimes.add(90), idle.add(20), idle.add(60);
    CHECK(rank_0(tank).lifetimes == lifetimes);
    CHECK(rank_0(tank).idle == idle);
    tank.apply(batch(230, {stored({2}, 1)}));  // 100 s after its last use: too late
    CHECK(rank_0(tank).too_late.bars() == bar_of(100));
    CHECK(rank_0(tank).tokens_again == 16);
    CHECK(rank_0(tank).blocks_again == 1);
    CHECK(rank_0(tank).found.total() == 3);  // 1 after 100 s as well
    CHECK(tank.now_s() == 230);
}

TEST_CASE("a request that writes its answer counts no gap, and the next turn counts one",
          "[attach][tank]") {
    Tank tank({});
    tank.apply(batch(100, {stored({1, 2})}));
    tank.apply(batch(100.4, {stored({3}, 2)}));  // it goes on writing
    tank.apply(batch(100.8, {stored({4}, 3)}));
    CHECK(rank_0(tank).found.total() == 0);
    tank.apply(batch(160.8, {stored({5}, 4)}));  // the next turn, a minute later
    CHECK(rank_0(tank).found.total() == 4);
    AgeHistogram minute;
    for (int i = 0; i < 4; ++i) minute.add(60);
    CHECK(rank_0(tank).found == minute);
}

TEST_CASE("a prompt is used as long as an answer is written beneath it, however fast",
          "[attach][tank]") {
    Tank tank({});
    tank.apply(batch(100, {stored({1, 2})}));
    for (std::uint64_t i = 0; i < 100; ++i)
        tank.apply(batch(100.02 + 0.02 * static_cast<double>(i), {stored({3 + i}, 2 + i)}));
    tank.apply(batch(112, {removed({1})}));
    // The answer ended at 102; uses within a tenth of a second are one.
    CHECK(tank.tree().at(*tank.tree().find(0, server_hash(1))).used_s > 101.8);
    CHECK(rank_0(tank).found.total() == 0);  // all of it is one request's own writing
}

TEST_CASE("bars are six a decade and what is outside is in the outer ones", "[attach][tank]") {
    AgeHistogram ages;
    CHECK(AgeHistogram::lower_edge_s(0) == 0.1);
    CHECK(AgeHistogram::lower_edge_s(12) == 10);
    CHECK(AgeHistogram::lower_edge_s(AgeHistogram::kBars) == 10'000);
    for (const double seconds : {0.0, 0.1, 10.0, 14.0, 1e9}) ages.add(seconds);
    CHECK(ages.bars()[0] == 2);
    CHECK(ages.bars()[12] == 2);
    CHECK(ages.bars()[AgeHistogram::kBars - 1] == 1);
    REQUIRE(ages.median_s());
    CHECK((*ages.median_s() > 10 && *ages.median_s() < 14.7));
    CHECK_FALSE(AgeHistogram().median_s());
}

TEST_CASE("placeholders, partial blocks, and tokens that do not fit their hashes",
          "[attach][tank]") {
    Tank tank({.keep_tokens = true});
    ServerStored partial = stored({1, 2});
    partial.tokens.resize(20);  // 16 and 4
    ServerStored placeholder{.hashes = hashes({3}), .medium = "CPU"};
    ServerStored masked = stored({4});
    masked.tokens.resize(48);  // of three blocks, two of which the window has left
    tank.apply(batch(1, {partial, placeholder, masked}));
    CHECK(tank.shelves()[0].tokens == 16 + 4 + 16);
    CHECK(tank.shelves()[1].placeholders == 1);
    CHECK(tank.shelves()[1].tokens == 0);
    const auto tokens = [&](std::uint64_t number) {
        return tank.tree().tokens(*tank.tree().find(0, server_hash(number)));
    };
    CHECK(tokens(2) == std::vector<std::uint32_t>(4, 2));
    CHECK(tokens(4).empty());  // nobody knows which
    CHECK(Tank({}).tree().tokens(0).empty());
}

TEST_CASE("unknown events are counted by kind, and a batch goes on behind them", "[attach][tank]") {
    Tank tank({});
    tank.apply(batch(1, {ServerUnknown{"A"}, stored({1}), ServerUnknown{"A"}, ServerUnknown{}}));
    CHECK(tank.unknown() == std::map<std::string, std::uint64_t>{{"A", 2}, {"", 1}});
    CHECK(tank.cached(0).size() == 1);
    for (int i = 0; i < 500; ++i)
        tank.apply(batch(1, {ServerUnknown{"kind " + std::to_string(i)}}));
    CHECK(tank.unknown().size() <= 65);
}

TEST_CASE("doubt lasts until the server begins again or clears", "[attach][tank]") {
    Tank tank({});
    tank.apply(StreamMark{MarkKind::BeganInTheMiddle, 0, 7, 7});
    tank.apply(batch(1, {stored({1}, 99)}));
    CHECK_FALSE(rank_0(tank).exact());
    CHECK_FALSE(tank.log().back().parent_known);
    tank.apply(batch(2, {ServerCleared{}}));
    CHECK(rank_0(tank).exact());
    tank.apply(StreamMark{MarkKind::GapAsked, 0, 3, 4});
    CHECK_FALSE(rank_0(tank).exact());
    tank.apply(StreamMark{MarkKind::GapMended, 0, 3, 4});
    CHECK(rank_0(tank).exact());
    tank.apply(StreamMark{MarkKind::GapLost, 0, 5, 7});
    CHECK(rank_0(tank).missed == 3);
    CHECK_FALSE(rank_0(tank).exact());
    tank.apply(batch(3, {stored({1})}, 1));
    tank.apply(StreamMark{MarkKind::Restarted, 0, 0, 7});
    CHECK(rank_0(tank).exact());
    CHECK(rank_0(tank).restarts == 1);
    CHECK(tank.shelves()[1].blocks == 1);  // of the rank that did not begin again
}

TEST_CASE("a tank against a plain map, at random", "[attach][tank]") {
    using Key = std::pair<ShelfName, std::uint64_t>;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Dice dice(seed);
        // So small that removed blocks are forgotten all the time; what is cached never is.
        Tank tank({.most_blocks = 4096, .keep_tokens = seed % 2 == 0});
        std::map<Key, int> copies;
        std::uint64_t unknown = 0;
        double now = 0;
        for (int step = 0; step < 3000; ++step) {
            now += 0.05 * static_cast<double>(dice.below(20));
            const auto rank = static_cast<std::int64_t>(dice.below(2));
            const ShelfName shelf{rank, static_cast<std::int64_t>(dice.below(2)),
                                  dice.below(3) == 0 ? "CPU" : "GPU"};
            const std::uint64_t first = dice.below(300), n = 1 + dice.below(5);
            std::vector<std::uint64_t> list;
            for (std::uint64_t i = 0; i < n; ++i) list.push_back(first * 8 + i);
            if (dice.below(200) == 0) {
                tank.apply(batch(now, {ServerCleared{}}, rank));
                for (auto& [key, count] : copies)
                    if (key.first.rank == rank) count = 0;
            } else if (dice.below(2) == 0) {
                ServerStored event = stored(list);
                if (dice.below(2) == 0)
                    event.parent = server_hash(std::uint64_t{8} * dice.below(300));
                event.group = shelf.group;
                event.medium = shelf.medium;
                tank.apply(batch(now, {event}, rank));
                for (const std::uint64_t number : list) ++copies[{shelf, number}];
            } else {
                ServerRemoved event = removed(list);
                event.group = shelf.group;
                event.medium = shelf.medium;
                tank.apply(batch(now, {event}, rank));
                for (const std::uint64_t number : list) {
                    int& count = copies[{shelf, number}];
                    unknown += count == 0 ? 1 : 0;
                    count = std::max(0, count - 1);
                }
            }
        }
        CAPTURE(seed);
        std::uint64_t told = 0;
        for (const auto& [number, of] : tank.ranks()) told += of.removed_unknown;
        CHECK(told == unknown);
        for (std::size_t i = 0; i < tank.shelves().size(); ++i) {
            const auto place = static_cast<ShelfRef>(i);
            std::vector<std::uint64_t> expected;
            std::uint64_t blocks = 0;
            for (const auto& [key, count] : copies) {
                if (key.first != tank.shelves()[place].name || count == 0) continue;
                expected.push_back(key.second);
                blocks += static_cast<std::uint64_t>(count);
            }
            CHECK(numbers(tank.cached(place)) == expected);
            CHECK(tank.shelves()[place].blocks == blocks);
            CHECK(tank.shelves()[place].tokens == 16 * blocks);
            CHECK(tank.shelves()[place].distinct == expected.size());
        }
    }
}

TEST_CASE("no server makes a tank grow beyond its bound", "[attach][tank]") {
    Tank tank({.most_blocks = 1024});
    for (std::uint64_t n = 0; n < 20'000; n += 10) {
        std::vector<std::uint64_t> list;
        for (std::uint64_t i = 0; i < 10; ++i) list.push_back(n + i);
        ServerStored event = stored(list);
        event.medium = "M" + std::to_string(n % 3000);
        tank.apply(batch(static_cast<double>(n), {event}, static_cast<std::int64_t>(n)));
    }
    CHECK(tank.tree().places() == 1024);
    CHECK(tank.ranks().size() <= 256);
    CHECK(tank.shelves().size() <= 1024);
    std::uint64_t passed = 0;
    for (const auto& [number, of] : tank.ranks()) passed += of.passed_over;
    CHECK(passed > 0);

    // Removed ones make room, the oldest first.
    Tank turns({.most_blocks = 1024});
    for (std::uint64_t n = 0; n < 5000; ++n) {
        turns.apply(batch(1, {stored({n})}));
        turns.apply(batch(1, {removed({n})}));
    }
    CHECK(rank_0(turns).passed_over == 0);
    CHECK(turns.tree().remembered() == 1024);
    CHECK(turns.tree().forgotten() == 5000 - 1024);
    turns.apply(batch(2, {stored({4999})}));
    turns.apply(batch(2, {stored({1})}));
    CHECK(rank_0(turns).blocks_again == 1);
}

TEST_CASE("clocks that lie change nothing but themselves", "[attach][tank]") {
    Tank tank({});
    tank.apply(batch(1000, {stored({1})}));
    for (const double time_s : {1e300, -1e300, std::nan(""), 5.0})
        tank.apply(batch(time_s, {stored({2})}));
    CHECK(tank.now_s() == 1000);
    CHECK(rank_0(tank).rates.size() == 1);
}

TEST_CASE("parents that contradict each other make no circle", "[attach][tank]") {
    Tank tank({});
    tank.apply(batch(1, {stored({1}, 2), stored({2}, 1), stored({3, 1, 3}), stored({4}, 4)}));
    std::set<BlockRef> seen;
    for (BlockRef root = tank.tree().first_root(0); root != kNoBlock;
         root = tank.tree().at(root).next) {
        std::vector<BlockRef> open{root};
        while (!open.empty()) {
            const BlockRef block = open.back();
            open.pop_back();
            REQUIRE(seen.insert(block).second);
            for (BlockRef child = tank.tree().at(block).first_child; child != kNoBlock;
                 child = tank.tree().at(child).next)
                open.push_back(child);
        }
    }
    CHECK(seen.size() == 4);
}
