// A server that means harm costs a sentence: what it sends is refused, counted or given up, and
// nothing grows.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <limits>

#include "core/attach/stream/message.hpp"
#include "core/base/sanitizers.hpp"
#include "core/trace/server/batch_msgpack.hpp"
#include "tests/attach/entries.hpp"
#include "tests/attach/live.hpp"

using namespace kv;
using kv::test::Bench;
using kv::test::kLoopback;
using kv::test::numbers;
using kv::test::stored;

namespace {

// A server that says what a test wants, byte by byte.
class Raw {
public:
    Raw() : listener_(listen_at({kLoopback, 0})) {}
    std::uint16_t port() const { return port_of(listener_); }
    void turn(const std::string& bytes) {
        if (!socket_) {
            socket_ = accept_from(listener_);
            left_ = bytes;
        }
        if (!socket_) return;
        const Transfer sent = write_some(socket_, left_);
        if (sent.flow == SocketFlow::Moved) left_.erase(0, sent.bytes);
        if (sent.flow == SocketFlow::Ended) socket_.close();
    }
    bool has_sent_all() const { return socket_ && left_.empty(); }
    void send(const std::string& more) { left_ = more; }

private:
    Socket listener_, socket_;
    std::string left_;
};

std::string as_publisher() {
    WirePeer peer(WireRole::Pub);
    std::string bytes(peer.output());
    std::string ready;
    write_frame(ready, FrameKind::Command, ready_command("PUB"));
    return bytes + ready;
}

// What the client says of a server that sends these bytes.
StreamStatus status_after(const std::string& bytes) {
    Raw raw;
    AttachClient client({.events = {kLoopback, raw.port()}});
    StreamStatus status;
    for (int turns = 0; turns < 500; ++turns) {
        raw.turn(bytes);
        static_cast<void>(client.wait(0.002));
        status = client.status().front();
        if (status.broke_protocol || status.unreadable > 0) break;
    }
    return status;
}

std::string message_bytes(const WireMessage& message) {
    std::string bytes;
    for (std::size_t i = 0; i < message.size(); ++i)
        write_frame(bytes, i + 1 < message.size() ? FrameKind::More : FrameKind::Last, message[i]);
    return bytes;
}

}  // namespace

TEST_CASE("what is no publisher is a sentence", "[attach][live]") {
    CHECK(status_after("HTTP/1.1 400 Bad Request\r\n\r\n").problem ==
          "does not begin as ZeroMQ does");
    const std::string endless = as_publisher() + "\x02\x7F" + std::string(7, '\xFF');
    const StreamStatus frame = status_after(endless);
    CHECK(frame.broke_protocol);
    CHECK(frame.problem.find("announces a frame of 9,223,372,036,854,775,807 bytes") == 0);
    const StreamStatus deep = status_after(
        as_publisher() + message_bytes(published_message("", 0, std::string(1'000'000, '\x91'))));
    CHECK(deep.unreadable == 1);
    CHECK(deep.first_unreadable.find("sends what is no batch of events in msgpack") == 0);
    const StreamStatus shape = status_after(as_publisher() + message_bytes({"only one frame"}));
    CHECK(shape.first_unreadable == "sends messages that are not a topic, a number and a batch");
}

namespace {

// What is said of a server that sends these bytes and then nothing, after as long as a greeting is
// waited for.
std::string said_of_silence_after(const std::string& bytes) {
    Raw raw;
    WireLink link(WireRole::Sub, Address{kLoopback, raw.port()});
    double now = 1000;
    const auto turn = [&] {
        raw.turn(bytes);
        link.step(now);
        std::vector<Waiting> waits;
        if (const auto waiting = link.waiting()) waits.push_back(*waiting);
        wait_for(waits, 0.002);
        if (!waits.empty()) link.ready(waits[0], now);
    };
    for (int turns = 0; turns < 30; ++turns) turn();
    CHECK(link.problem().empty());
    now += kGreetingPatience_s + 0.1;
    link.step(now);
    CHECK(link.broke_protocol());
    return link.problem();
}

// Memory of this program that is in use.
std::uint64_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t all = 0, resident = 0;
    file >> all >> resident;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

TEST_CASE("half a greeting, and silence, are waited for only so long", "[attach][live]") {
    CHECK(said_of_silence_after("") == "says nothing, or stops in its greeting");
    CHECK(said_of_silence_after(wire_greeting().substr(0, 40)) ==
          "says nothing, or stops in its greeting");
    CHECK(said_of_silence_after(wire_greeting()) == "greets and then says nothing");
}

TEST_CASE("a greeting that goes on wrongly is refused at once", "[attach][live]") {
    std::string ready = ready_command("PUB");
    ready[ready.find("Socket-Type") + 11] = '\x7F';  // of the length of what follows
    std::string lies = wire_greeting();
    write_frame(lies, FrameKind::Command, ready);
    CHECK(status_after(lies).problem == "says READY without a type of socket");
    std::string endless = as_publisher();
    for (int i = 0; i < 9; ++i) write_frame(endless, FrameKind::More, "x");
    CHECK(status_after(endless).problem ==
          "sends a message of more than 8 frames or 16,777,216 bytes");
    CHECK(status_after(as_publisher() + message_bytes({"", "seven..", "x"})).first_unreadable ==
          "sends messages that are not a topic, a number and a batch");
    // A list of 2^32 - 1 events, of which none is there.
    const std::string claims("\x92\x00\xDD\xFF\xFF\xFF\xFF", 7);
    CHECK(status_after(as_publisher() + message_bytes(published_message("", 0, claims)))
              .first_unreadable.find("sends what is no batch of events in msgpack") == 0);
}

TEST_CASE("a connection that ends as soon as it is made was one", "[attach][live]") {
    Raw raw;
    Bench bench;
    bench.client = std::make_unique<AttachClient>(AttachPlan{.events = {kLoopback, raw.port()}});
    const std::string bytes = as_publisher() + "\x02\x7F" + std::string(7, '\xFF');
    REQUIRE(bench.until([&] {
        raw.turn(bytes);
        return bench.marks.size() >= 2;
    }));
    CHECK(bench.marks[0].kind == MarkKind::Connected);
    CHECK(bench.marks[1].kind == MarkKind::Disconnected);
}

TEST_CASE("numbers that lie are told, and the next honest ones are read", "[attach][live]") {
    constexpr std::uint64_t kFar = std::uint64_t{1} << 62U;
    std::string bytes = as_publisher();
    const auto publish = [&](std::uint64_t sequence, std::uint64_t hash) {
        const ServerBatch batch{.time_s = 1, .events = {stored({hash})}};
        bytes += message_bytes(published_message("", sequence, batch_msgpack(batch)));
    };
    publish(0, 1);
    publish(kFar, 2);
    publish(kFar - 5, 3);  // came before, it claims
    publish(std::numeric_limits<std::uint64_t>::max(), 4);
    publish(0, 5);
    publish(1, 6);
    Raw raw;
    Bench bench;
    bench.client = std::make_unique<AttachClient>(AttachPlan{.events = {kLoopback, raw.port()}});
    REQUIRE(bench.until([&] {
        raw.turn(bytes);
        const auto rank = bench.tank.ranks().find(0);
        return rank != bench.tank.ranks().end() && rank->second.last_sequence == 1U;
    }));
    CHECK(bench.was_marked(MarkKind::GapLost));
    CHECK(bench.tank.ranks().at(0).batches == 5);
    const auto cached = numbers(bench.tank.cached(0));
    CHECK(std::count(cached.begin(), cached.end(), 6) == 1);
    CHECK(std::count(cached.begin(), cached.end(), 3) == 0);
}

TEST_CASE("silent guests do not keep a server from connecting", "[attach][live]") {
    Bench bench;
    const std::uint16_t port = [] {
        const Socket found = listen_at({kLoopback, 0});
        return port_of(found);
    }();
    bench.client =
        std::make_unique<AttachClient>(AttachPlan{.events = {kLoopback, port}, .bind = true});
    std::vector<Socket> silent;
    silent.reserve(3);
    for (int i = 0; i < 3; ++i)
        silent.push_back(start_connecting(Address{kLoopback, port}, 0).socket);
    WireLink server(WireRole::Pub, Address{kLoopback, port});
    for (int turns = 0; turns < 2000 && !server.is_ready(); ++turns) {
        server.step(steady_now_s());
        std::vector<Waiting> waits;
        if (const auto waiting = server.waiting()) waits.push_back(*waiting);
        wait_for(waits, 0);
        if (!waits.empty()) server.ready(waits[0], steady_now_s());
        bench.turn();
    }
    CHECK(server.is_ready());
}

TEST_CASE("a hundred megabytes of nonsense leave nothing behind", "[attach][live]") {
    constexpr std::size_t kNonsense = 4U << 20U, kTimes = 25;
    const std::string start = as_publisher();
    Raw raw;
    AttachClient client({.events = {kLoopback, raw.port()}});
    const std::string nonsense(kNonsense, '\x91');
    std::uint64_t sequence = 0;
    const auto unreadable = [&] { return client.status().front().unreadable; };
    std::uint64_t before = 0;
    for (int turns = 0; turns < 100'000 && unreadable() < kTimes; ++turns) {
        raw.turn(start);
        if (raw.has_sent_all())
            raw.send(message_bytes(published_message("", sequence++, nonsense)));
        static_cast<void>(client.wait(0.002));
        // By then buffers are as large as they become.
        if (before == 0 && unreadable() == 2) before = resident_bytes();
    }
    CHECK(unreadable() >= kTimes);
    // Checkers of memory keep what was given back.
#if !defined(KV_ADDRESS_SANITIZER) && !defined(KV_THREAD_SANITIZER)
    CHECK(resident_bytes() < before + 10 * kNonsense);
#endif
}
