// Over real sockets: what a publisher publishes is what the tank has, from the start, late, over
// gaps and restarts, and for who reads slowly.
#include "tests/attach/live.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/attach/recorder.hpp"
#include "core/attach/stream/message.hpp"
#include "core/cache/cache.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/server/batch_msgpack.hpp"
#include "core/trace/server/from_event.hpp"
#include "tests/attach/entries.hpp"
#include "tests/base/dice.hpp"

using namespace kv;
using kv::test::Bench;
using kv::test::Dice;
using kv::test::kLoopback;
using kv::test::numbers;
using kv::test::removed;
using kv::test::stored;

namespace {

ServerBatch one(ServerEvent event, double time_s = 1) {
    return {.time_s = time_s, .events = {std::move(event)}};
}

CacheSpec small_pool() {
    CacheSpec spec;
    spec.n_blocks = 24;
    spec.block_size = 4;
    return spec;
}

// Books of ours as a server: what a step stores and removes goes into its batch.
class Books : public EventLog {
public:
    Books() : cache_(small_pool(), this) {}

    void append(const Event& event) override {
        if (auto published = server_event_of(event.what)) batch_.events.push_back(*published);
    }
    // A request comes, is computed and goes; its prompt is one of a few beginnings and an end.
    ServerBatch step(Dice& dice, std::uint32_t n) {
        batch_ = {.time_s = static_cast<double>(n), .rank = 0};
        std::vector<std::uint32_t> tokens(4 * (1 + dice.below(3)), dice.below(4));
        for (std::uint32_t i = dice.below(20); i > 0; --i) tokens.push_back(dice.below(3));
        const SeqId id(n);
        cache_.open(id, tokens);
        const auto upto = static_cast<std::uint32_t>(tokens.size());
        if (cache_.grow(id, upto, cache_.find_prefix(id))) cache_.set_stored(id, upto);
        cache_.close(id, {Why::RequestEnds});
        if (dice.one_in(50)) cache_.clear_prefixes();
        return batch_;
    }
    std::vector<std::uint64_t> findable() const {
        Snapshot snapshot;
        cache_.observe(snapshot);
        std::vector<std::uint64_t> hashes;
        const LaneView& lane = snapshot.lanes.at(0);
        for (std::size_t b = 0; b < lane.blocks.size(); ++b)
            if (lane.blocks[b].hash) hashes.push_back(*lane.blocks[b].hash);
        std::sort(hashes.begin(), hashes.end());
        hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
        return hashes;
    }

private:
    ServerBatch batch_;
    Cache cache_;
};

std::vector<std::uint64_t> in_tank(const Bench& bench) {
    if (bench.tank.shelves().empty()) return {};
    auto list = numbers(bench.tank.cached(0));
    std::sort(list.begin(), list.end());
    return list;
}

}  // namespace

TEST_CASE("after every batch the tank has what the books can find", "[attach][live]") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        Bench bench;
        Publisher& publisher = bench.publisher(false, "kv");
        bench.attach(publisher, false, "k");
        REQUIRE(bench.until([&] { return publisher.subscribers() == 1; }));
        Books books;
        Dice dice(seed);
        for (std::uint32_t n = 0; n < 300; ++n) {
            publisher.publish(books.step(dice, n));
            REQUIRE(bench.until_sequence(n));
            REQUIRE(in_tank(bench) == books.findable());
        }
        CHECK(bench.tank.ranks().at(0).blocks_removed > 0);
        CHECK(bench.tank.ranks().at(0).exact());
    }
}

TEST_CASE("who comes late gets all of it from the replay", "[attach][live]") {
    Bench bench;
    Publisher& publisher = bench.publisher(true);
    Books books;
    Dice dice(5);
    std::uint32_t n = 0;
    for (; n < 500; ++n) publisher.publish(books.step(dice, n));
    bench.attach(publisher, true);
    REQUIRE(bench.until_sequence(n - 1));
    CHECK(in_tank(bench) == books.findable());
    CHECK(bench.tank.ranks().at(0).first_sequence == 0U);
    for (; n < 600; ++n) publisher.publish(books.step(dice, n)), bench.turn();
    REQUIRE(bench.until_sequence(n - 1));
    CHECK(in_tank(bench) == books.findable());
    CHECK(bench.tank.ranks().at(0).exact());
}

TEST_CASE("without a replay a late start is in the middle", "[attach][live]") {
    Bench bench;
    Publisher& publisher = bench.publisher(false);
    for (int n = 0; n < 5; ++n) publisher.publish(one(stored({10})));
    bench.attach(publisher, false);
    REQUIRE(bench.until([&] { return publisher.subscribers() == 1; }));
    publisher.publish(one(removed({10})));
    REQUIRE(bench.until_sequence(5));
    CHECK(bench.was_marked(MarkKind::BeganInTheMiddle));
    CHECK(bench.tank.ranks().at(0).began_in_the_middle);
    CHECK(bench.tank.ranks().at(0).removed_unknown == 1);
}

TEST_CASE("a topic that nobody asked for does not come", "[attach][live]") {
    Bench bench;
    Publisher& publisher = bench.publisher(false, "kv.prod");
    bench.attach(publisher, false, "other");
    REQUIRE(bench.until([&] { return publisher.subscribers() == 1; }));
    publisher.publish(one(stored({1})));
    for (int i = 0; i < 20; ++i) bench.turn();
    CHECK(bench.tank.ranks().empty());
}

TEST_CASE("a connection that breaks is made again and its gap is mended", "[attach][live]") {
    // A publisher of its own behind a pipe that the test can cut: one whose subscribers are gone.
    Bench bench;
    Publisher& first = bench.publisher(true);
    Books books;
    Dice dice(8);
    std::uint32_t n = 0;
    for (; n < 20; ++n) first.publish(books.step(dice, n));
    bench.attach(first, true);
    REQUIRE(bench.until_sequence(n - 1));
    first.hang_up();
    for (; n < 40; ++n) first.publish(books.step(dice, n));
    REQUIRE(bench.until_sequence(n - 1));
    CHECK(in_tank(bench) == books.findable());
    CHECK(bench.was_marked(MarkKind::Disconnected));
    CHECK(bench.tank.ranks().at(0).restarts == 0);
    CHECK(bench.tank.ranks().at(0).missed == 0);
    CHECK(bench.tank.ranks().at(0).exact());
}

TEST_CASE("a server that begins again is followed", "[attach][live]") {
    for (const bool with_replay : {false, true}) {
        Bench bench;
        Publisher& old = bench.publisher(with_replay);
        bench.attach(old, with_replay);
        REQUIRE(bench.until([&] { return old.subscribers() == 1; }));
        for (std::uint64_t n = 0; n < 5; ++n) old.publish(one(stored({n})));
        REQUIRE(bench.until_sequence(4));
        Publisher& young = bench.publisher_at(old, with_replay);
        REQUIRE(bench.until([&] { return young.subscribers() == 1; }));
        young.publish(one(stored({100}), 2));
        young.publish(one(stored({101}, 100), 3));
        CAPTURE(with_replay);
        REQUIRE(bench.until_sequence(1));
        CHECK(in_tank(bench) == std::vector<std::uint64_t>{100, 101});
        CHECK(bench.tank.ranks().at(0).restarts == 1);
        CHECK(bench.tank.ranks().at(0).first_sequence == 0U);
    }
}

TEST_CASE("a server may connect to us", "[attach][live]") {
    Bench bench;
    const std::uint16_t port = [] {
        const Socket found = listen_at({kLoopback, 0});
        return port_of(found);
    }();
    bench.client =
        std::make_unique<AttachClient>(AttachPlan{.events = {kLoopback, port}, .bind = true});
    WireLink server(WireRole::Pub, Address{kLoopback, port});
    const auto step = [&] {
        server.step(steady_now_s());
        std::vector<Waiting> waits;
        if (const auto waiting = server.waiting()) waits.push_back(*waiting);
        wait_for(waits, 0);
        if (!waits.empty()) server.ready(waits[0], steady_now_s());
        bench.turn();
    };
    bool subscribed = false;
    for (int turns = 0; turns < 2000 && !subscribed; ++turns) {
        step();
        subscribed = server.take_message().has_value();
    }
    REQUIRE(subscribed);
    server.send(published_message("", 0, batch_msgpack(one(stored({7})))));
    server.flush();
    for (int turns = 0; turns < 2000 && bench.tank.ranks().empty(); ++turns) step();
    CHECK(in_tank(bench) == std::vector<std::uint64_t>{7});
}

namespace {

// More than the system holds between two sockets while the subscriber does not read.
constexpr std::uint32_t kUnread = 3000;
constexpr std::size_t kUnknownRemoved = 1000;  // of a batch, so that it is long

struct SlowReader {
    Bench bench;
    Publisher& publisher;
    Books books;
    Dice dice{12};
    std::uint32_t n = 0;

    explicit SlowReader(bool with_replay) : publisher(publisher_of(bench, with_replay)) {
        bench.attach(publisher, with_replay);
        REQUIRE(bench.until([&] { return publisher.subscribers() == 1; }));
        for (int i = 0; i < 10; ++i) publish();
        REQUIRE(bench.until_sequence(n - 1));
        for (std::uint32_t i = 0; i < kUnread; ++i) publish();
    }
    void publish() {
        ServerBatch batch = books.step(dice, n++);
        batch.events.emplace_back(
            removed(std::vector<std::uint64_t>(kUnknownRemoved, ~std::uint64_t{1})));
        publisher.publish(batch);
    }
    // What waits has to be read before there is room for the batch that shows the gap before it.
    bool until_marked(MarkKind kind) {
        const bool marked = bench.until([&] {
            publish();
            return bench.was_marked(kind);
        });
        publish();
        return marked && bench.until_sequence(n - 1);
    }

private:
    static Publisher& publisher_of(Bench& bench, bool with_replay) {
        PublishPlan plan{.events = {kLoopback, 0}, .most_unsent_bytes = 1U << 20U};
        if (with_replay) plan.replay = Address{kLoopback, 0};
        return *bench.publishers.emplace_back(std::make_unique<Publisher>(plan));
    }
};

}  // namespace

TEST_CASE("who reads slowly sees its gap, and mends it where there is a replay", "[attach][live]") {
    SlowReader reader(true);
    REQUIRE(reader.until_marked(MarkKind::GapMended));
    CHECK(reader.bench.was_marked(MarkKind::GapAsked));
    CHECK_FALSE(reader.bench.was_marked(MarkKind::GapLost));
    CHECK(in_tank(reader.bench) == reader.books.findable());
    CHECK(reader.bench.tank.ranks().at(0).batches == reader.n);
    CHECK(reader.bench.tank.ranks().at(0).exact());
}

TEST_CASE("who reads slowly is told what it lost where there is none", "[attach][live]") {
    SlowReader reader(false);
    REQUIRE(reader.until_marked(MarkKind::GapLost));
    const RankTank& rank = reader.bench.tank.ranks().at(0);
    CHECK(rank.missed > 0);
    CHECK(rank.missed + rank.batches == reader.n);
    CHECK_FALSE(rank.exact());
}

TEST_CASE("nobody is tried again after growing pauses", "[attach][live]") {
    WireLink link(WireRole::Sub, Address{kLoopback, 1});
    std::vector<double> tries;
    double now = 1000;
    while (tries.size() < 8) {
        link.step(now);
        std::vector<Waiting> waits;
        if (const auto waiting = link.waiting()) waits.push_back(*waiting);
        wait_for(waits, waits.empty() ? 0 : 0.1);
        if (!waits.empty()) link.ready(waits[0], now);
        if (link.take_ended()) tries.push_back(now);
        now += 0.05;
    }
    for (std::size_t i = 2; i < tries.size(); ++i)
        CHECK(tries[i] - tries[i - 1] >= std::min(tries[i - 1] - tries[i - 2], 5.0) - 0.06);
    CHECK(tries.back() - tries[tries.size() - 2] >= 4.9);
    CHECK(link.tries() == 8);
    CHECK_FALSE(link.problem().empty());
}
