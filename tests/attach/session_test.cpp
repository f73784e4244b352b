// The session that a window has: pictures of now and of then, and a record, from another thread.
#include "app/attach/session.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "app/attach/publisher.hpp"
#include "core/trace/server/batch_json.hpp"
#include "tests/attach/entries.hpp"
#include "tests/attach/live.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using kv::test::kLoopback;
using kv::test::removed;
using kv::test::stored;
using test::ScratchFolder;

namespace {

// The first picture that is as wanted; the publisher is moved meanwhile.
template <class Wanted>
std::shared_ptr<const AttachedPicture> picture_when(const AttachSession& session,
                                                    Publisher& publisher, const Wanted& wanted) {
    for (int turns = 0; turns < 3000; ++turns) {
        publisher.step(0.005);
        auto picture = session.newest();
        if (wanted(*picture)) return picture;
    }
    FAIL("the picture never came");
    return nullptr;
}

ServerBatch at_second(double time_s, ServerEvent event) {
    return {.time_s = time_s, .events = {std::move(event)}};
}

}  // namespace

TEST_CASE("a session shows now, goes back, comes to now again, and records", "[attach][session]") {
    Publisher publisher({.events = {kLoopback, 0}, .replay = Address{kLoopback, 0}});
    const ScratchFolder folder;
    const std::string record = (folder.path() / "record.jsonl").string();
    AttachSession session({.attach = {.events = {kLoopback, publisher.events_port()},
                                      .replay = Address{kLoopback, publisher.replay_port()}},
                           .pool_blocks = 10});
    session.record(record, LineTokens::LeftOut);
    picture_when(session, publisher, [](const AttachedPicture& p) { return p.records; });
    publisher.publish(at_second(100, stored({1, 2, 3})));
    publisher.publish(at_second(101, removed({3})));
    publisher.publish(at_second(102, stored({4, 5}, 2)));
    auto now = picture_when(session, publisher,
                            [](const AttachedPicture& p) { return p.tank.pool.blocks == 4; });
    CHECK(now->moment == now->last_moment);
    CHECK(now->tank.shelves.at(0).empty == 6);
    CHECK(now->streams.at(0).state == StreamState::Live);

    session.ask({.time_s = 100.5});
    auto then = picture_when(session, publisher,
                             [](const AttachedPicture& p) { return p.moment < p.last_moment; });
    CHECK(then->tank.pool.blocks == 3);
    CHECK(then->tank.now_s == 100);
    const std::uint64_t wish = session.ask({.moment = then->moment + 1});
    CHECK(wish > then->answers);
    auto next = picture_when(session, publisher,
                             [&](const AttachedPicture& p) { return p.answers >= wish; });
    CHECK(next->moment == then->moment + 1);
    CHECK(next->tank.pool.blocks == 2);
    publisher.publish(at_second(103, stored({9})));
    auto behind = picture_when(session, publisher, [&](const AttachedPicture& p) {
        return p.last_moment > now->last_moment;
    });
    CHECK(behind->tank.pool.blocks == 2);  // a pause is a pause
    CHECK(behind->newest_s == 103);

    session.ask({});
    picture_when(session, publisher,
                 [](const AttachedPicture& p) { return p.tank.pool.blocks == 5; });
    session.record(std::nullopt, LineTokens::LeftOut);
    picture_when(session, publisher, [](const AttachedPicture& p) { return !p.records; });
    std::ifstream file(record);
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line);) {
        const auto read = parsed_server_line(line);
        REQUIRE(read);
        CHECK(read->sequence == lines);
        ++lines;
    }
    CHECK(lines == 4);
    std::remove(record.c_str());

    session.record("/nowhere/at/all", LineTokens::LeftOut);
    picture_when(session, publisher,
                 [](const AttachedPicture& p) { return !p.record_problem.empty(); });
}
