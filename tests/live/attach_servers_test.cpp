// Two servers side by side behind the window: recordings, ranks of one recording, servers of ours
// that are called, one of which fails.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "app/attach/publisher.hpp"
#include "app/panels/attach/words.hpp"
#include "app/panels/compare_servers/axis.hpp"
#include "tests/attach/entries.hpp"
#include "tests/attach/live.hpp"
#include "tests/live/desk.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using kv::test::kLoopback;
using kv::test::removed;
using kv::test::stored;
using test::ScratchFolder;

namespace {

const ScratchFolder& scratch() {
    static const ScratchFolder own;
    return own;
}

std::string line_of(std::int64_t rank, int sequence, double time_s, int hash, int group = 0) {
    return R"({"seq":)" + std::to_string(sequence) + R"(,"ts":)" + std::to_string(time_s) +
           R"(,"data_parallel_rank":)" + std::to_string(rank) +
           R"(,"events":[{"type":"BlockStored","block_hashes":[)" + std::to_string(hash) +
           R"(],"parent_block_hash":null,"token_ids":[],"block_size":4,"group_idx":)" +
           std::to_string(group) + "}]}\n";
}

// A block a second from `start_s` on; with a second rank one every other second.
std::string recording(const std::string& name, double start_s, int n, bool two_ranks = false) {
    const std::string path = (scratch().path() / (name + ".jsonl")).string();
    std::ofstream out(path);
    for (int i = 0; i < n; ++i) {
        out << line_of(0, i, start_s + i, i + 1);
        if (two_ranks && i % 2 == 0) out << line_of(1, i / 2, start_s + i, 100 + i);
    }
    return path;
}

const ServerView& left(const Desk& desk) {
    REQUIRE(desk.state.attach.view != nullptr);
    return *desk.state.attach.view;
}
const ServerView& right(const Desk& desk) {
    REQUIRE(desk.state.attach.other != nullptr);
    return *desk.state.attach.other;
}

std::string address_of(const Publisher& publisher) {
    return "tcp://" + std::string(kLoopback) + ":" + std::to_string(publisher.events_port());
}

}  // namespace

TEST_CASE("two ranks of a recording stand side by side at one moment", "[attach][servers]") {
    Desk desk;
    desk.ask("attach.file " + recording("ranks", 100, 10, true));
    desk.ask("attach.against rank:1");
    CHECK(desk.state.layout == LayoutName::Compare);
    CHECK(desk.state.docks() == LayoutName::Servers);
    CHECK(left(desk).rank == 0);
    CHECK(left(desk).tank.pool.blocks == 10);
    CHECK(right(desk).rank == 1);
    CHECK(right(desk).tank.pool.blocks == 5);
    CHECK(right(desk).sequence == 4);

    desk.ask("attach.goto 3.5");  // 4 blocks of rank 0; of rank 1 those at 0 and 2 s
    CHECK(left(desk).tank.pool.blocks == 4);
    CHECK(right(desk).tank.pool.blocks == 2);
    desk.ask("attach.swap");
    CHECK(left(desk).rank == 1);
    CHECK(left(desk).tank.pool.blocks == 2);
    CHECK(right(desk).tank.pool.blocks == 4);
    desk.ask("attach.live");
    CHECK(left(desk).tank.pool.blocks == 5);
    CHECK(right(desk).tank.pool.blocks == 10);

    desk.ask("attach.rank_beside 1");
    CHECK(left(desk).rank == 1);
    CHECK(right(desk).rank == 1);
    CHECK(right(desk).tank.pool.blocks == 5);
    CHECK_THROWS_WITH(desk.push("attach.rank_beside 7"),
                      ContainsSubstring("no rank 7. It has 0, 1"));

    desk.ask("layout.attach");  // the left one alone, and the pair is one key away
    CHECK(desk.state.docks() == LayoutName::Attach);
    desk.ask("layout.compare");
    CHECK(desk.state.docks() == LayoutName::Servers);
    desk.ask("attach.alone");
    CHECK(desk.state.attach.other == nullptr);
    CHECK(left(desk).rank == 1);
    CHECK_THROWS_WITH(desk.push("attach.swap"), ContainsSubstring("Nothing stands beside"));
    CHECK_THROWS_WITH(desk.push("attach.rank_beside 0"),
                      ContainsSubstring("Nothing stands beside"));
    CHECK_THROWS_WITH(desk.push("attach.against rank:7"),
                      ContainsSubstring("no rank 7. It has 0, 1"));
    CHECK_THROWS_WITH(desk.push("attach.against rank:x"), ContainsSubstring("names no rank"));
}

TEST_CASE("a rank of the other server is chosen without the shown one's", "[attach][servers]") {
    Desk desk;
    desk.ask("attach.file " + recording("alone", 100, 10));
    desk.ask("attach.against " + recording("ranks", 100, 10, true));
    CHECK(right(desk).rank == 0);
    CHECK(right(desk).tank.pool.blocks == 10);
    desk.ask("attach.rank_beside 1");
    CHECK(left(desk).rank == 0);
    CHECK(left(desk).tank.pool.blocks == 10);
    CHECK(right(desk).rank == 1);
    CHECK(right(desk).tank.pool.blocks == 5);
}

TEST_CASE("the right recording is kept at the left one's time", "[attach][servers]") {
    Desk desk;
    desk.ask("attach.file " + recording("monday", 1000, 20));
    SECTION("on one clock where both were there at the same time") {
        desk.ask("attach.against " + recording("beside", 1005, 10));
        desk.ask("attach.goto 7.5");
        CHECK(left(desk).tank.pool.blocks == 8);
        CHECK(right(desk).tank.pool.blocks == 3);  // at 1005, 1006, 1007
        CHECK_FALSE(right(desk).live);
    }
    SECTION("each from its own start where they were not") {
        desk.ask("attach.against " + recording("tuesday", 90'000, 10));
        desk.ask("attach.goto 7.5");
        CHECK(left(desk).tank.pool.blocks == 8);
        CHECK(right(desk).tank.pool.blocks == 8);
        desk.ask("attach.live");  // the left one's end is behind the right one's
        CHECK(left(desk).tank.pool.blocks == 20);
        CHECK(right(desk).tank.pool.blocks == 10);
        desk.ask("attach.swap");
        CHECK(left(desk).address == "tuesday.jsonl");
        desk.ask("attach.live");
        CHECK(left(desk).tank.pool.blocks == 10);
        CHECK(right(desk).tank.pool.blocks == 10);  // at 9 s, as the left one
    }
}

TEST_CASE("what cannot be read beside a server is told, and the server stays",
          "[attach][servers]") {
    Desk desk;
    desk.ask("attach.file " + recording("stays", 100, 4));
    desk.push("attach.against /nowhere/hour.jsonl");
    CHECK_THROWS_WITH(desk.run.finish(desk.state), ContainsSubstring("there is no such file"));
    CHECK(desk.state.docks() == LayoutName::Attach);
    CHECK(desk.state.attach.other == nullptr);
    CHECK(left(desk).tank.pool.blocks == 4);

    desk.state.notice.reset();
    desk.push("attach.against /nowhere/hour.jsonl");
    for (int i = 0; i < 1000 && !desk.state.notice; ++i) desk.run.tick(desk.state, i * 0.01);
    REQUIRE(desk.state.notice);
    CHECK(desk.state.notice->refused);
    CHECK(desk.state.docks() == LayoutName::Attach);

    Desk none;
    CHECK_THROWS_WITH(none.push("attach.against rank:1"), ContainsSubstring("No server"));
    CHECK_THROWS_WITH(desk.push("attach.against tcp://h:1 speed=2"),
                      ContainsSubstring("is not understood"));
}

TEST_CASE("two servers are called, and one that fails leaves the other alive",
          "[attach][servers]") {
    Publisher one({.events = {kLoopback, 0}});
    auto other = std::make_unique<Publisher>(PublishPlan{.events = {kLoopback, 0}});
    Desk desk;
    double now = 0;
    const auto until = [&](const auto& wanted) {
        for (int turns = 0; turns < 3000; ++turns) {
            one.step(0.005);
            if (other) other->step(0.005);
            desk.run.tick(desk.state, now += 0.01);
            if (desk.state.attach.compares() &&
                wanted(*desk.state.attach.view, *desk.state.attach.other))
                return true;
        }
        return false;
    };
    desk.push("attach.open " + address_of(one));
    desk.push("attach.against " + address_of(*other));
    CHECK(desk.state.layout == LayoutName::Compare);
    REQUIRE(until([&](const ServerView&, const ServerView&) {
        return one.subscribers() > 0 && other->subscribers() > 0;
    }));
    one.publish({.time_s = 100, .events = {stored({1, 2, 3})}});
    other->publish({.time_s = 101, .events = {stored({1, 2})}});
    REQUIRE(until([](const ServerView& a, const ServerView& b) {
        return a.tank.pool.blocks == 3 && b.tank.pool.blocks == 2;
    }));
    CHECK(desk.state.attach.recent.size() == 2);

    desk.push("attach.pause");
    REQUIRE(until([](const ServerView& a, const ServerView& b) { return !a.live && !b.live; }));
    CHECK(pair_axis(left(desk), right(desk)).one_clock);  // although 101 s is after 100 s
    one.publish({.time_s = 102, .events = {stored({4})}});
    other->publish({.time_s = 102, .events = {removed({2})}});
    REQUIRE(until([](const ServerView& a, const ServerView& b) {
        return a.newest_s == 102 && b.newest_s == 102;
    }));
    // At 100 the right one had stored nothing yet.
    REQUIRE(until([](const ServerView& a, const ServerView& b) {
        return a.tank.pool.blocks == 3 && b.tank.pool.blocks == 0;
    }));
    desk.push("attach.live");
    REQUIRE(until([](const ServerView& a, const ServerView& b) {
        return a.tank.pool.blocks == 4 && b.tank.pool.blocks == 1;
    }));

    other.reset();
    REQUIRE(until([](const ServerView&, const ServerView& b) { return !b.trouble.empty(); }));
    one.publish({.time_s = 103, .events = {stored({5})}});
    REQUIRE(until([](const ServerView& a, const ServerView& b) {
        return a.tank.pool.blocks == 5 && b.tank.pool.blocks == 1;
    }));
    CHECK(left(desk).trouble.empty());
    CHECK(state_words(left(desk)).look == PillLook::Live);
    CHECK(state_words(right(desk)).look == PillLook::Connecting);
    desk.push("attach.close");
    desk.run.tick(desk.state, now);
    CHECK_FALSE(desk.state.attach.compares());
    CHECK_FALSE(desk.run.acts_next_at(desk.state).has_value());
}

TEST_CASE("a group stands alone in pool and tree until it is pressed again", "[attach][servers]") {
    const std::string path = (scratch().path() / "groups.jsonl").string();
    {
        std::ofstream out(path);
        out << line_of(0, 0, 100, 1) << line_of(0, 1, 101, 2) << line_of(0, 2, 102, 3, 1);
    }
    Desk desk;
    desk.ask("attach.file " + path);
    CHECK(desk.state.docks() == LayoutName::Groups);
    CHECK(left(desk).groups().size() == 2);
    CHECK(left(desk).tank.pool.blocks == 3);
    desk.ask("attach.group 1");
    CHECK(left(desk).group == 1);
    CHECK(left(desk).tank.pool.blocks == 1);
    CHECK(left(desk).tank.tree.width == 1);
    CHECK(left(desk).groups().size() == 2);
    desk.ask("attach.group 0");
    CHECK(left(desk).tank.pool.blocks == 2);
    desk.ask("attach.group 0");
    CHECK_FALSE(left(desk).group);
    CHECK(left(desk).tank.pool.blocks == 3);
    CHECK_THROWS_WITH(desk.push("attach.group 2"), ContainsSubstring("no group 2. It has 0, 1"));
}

TEST_CASE("a comparison of runs ends that of servers", "[attach][servers]") {
    Desk desk("first");
    desk.ask("attach.file " + recording("runs", 100, 10, true));
    desk.ask("attach.against rank:1");
    CHECK(desk.state.docks() == LayoutName::Servers);
    desk.ask("run.compare model mqa");
    desk.run.tick(desk.state, 0);
    CHECK(desk.state.docks() == LayoutName::Compare);
    CHECK(desk.state.attach.view != nullptr);
}
