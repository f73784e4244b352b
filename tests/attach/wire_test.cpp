// ZMTP 3.0 by hand: bytes that libzmq sends and takes, and bytes that nobody should.
#include <catch2/catch_test_macros.hpp>

#include "core/attach/stream/message.hpp"
#include "core/attach/wire/address.hpp"
#include "core/attach/wire/peer.hpp"

using namespace kv;

namespace {

std::string zeros(std::size_t n) {
    return std::string(n, '\0');
}

// As libzmq 4.3 greets: version 3.1.
std::string greeting(const std::string& mechanism = "NULL", char version = 3) {
    return "\xFF" + zeros(8) + "\x7F" + std::string(1, version) + "\x01" + mechanism +
           zeros(20 - mechanism.size()) + zeros(32);
}

std::string ready(const std::string& type) {
    return std::string("\x04", 1) + static_cast<char>(1 + 5 + 1 + 11 + 4 + type.size()) +
           "\x05READY\x0BSocket-Type" + zeros(3) + static_cast<char>(type.size()) + type;
}

// Two of ours, connected.
void exchange(WirePeer& a, WirePeer& b) {
    for (int round = 0; round < 4; ++round) {
        const std::string from_a(a.output()), from_b(b.output());
        a.wrote(from_a.size()), b.wrote(from_b.size());
        REQUIRE(b.feed(from_a).empty());
        REQUIRE(a.feed(from_b).empty());
    }
}

std::string wire_refusal(const std::string& bytes, WireRole role = WireRole::Sub) {
    WirePeer peer(role);
    return peer.feed(bytes);
}

}  // namespace

TEST_CASE("a subscriber greets, says READY, and subscribes by a message", "[attach][wire]") {
    WirePeer peer(WireRole::Sub);
    CHECK(std::string(peer.output()) ==
          "\xFF" + zeros(8) + "\x7F\x03" + zeros(1) + "NULL" + zeros(16) + zeros(32));
    peer.wrote(64);
    CHECK(peer.feed(greeting()).empty());
    CHECK(std::string(peer.output()) == ready("SUB"));
    peer.wrote(peer.output().size());
    CHECK_FALSE(peer.ready());
    CHECK(peer.feed(ready("PUB")).empty());
    CHECK(peer.ready());
    peer.subscribe("kv");
    CHECK(peer.output() == std::string("\x00\x03\x01kv", 5));
}

TEST_CASE("a message comes whole, whichever way its bytes are cut", "[attach][wire]") {
    const std::string payload(300, 'p');
    std::string bytes = greeting() + ready("PUB");
    write_frame(bytes, FrameKind::More, "topic");
    write_frame(bytes, FrameKind::More, zeros(7) + "\x05");
    write_frame(bytes, FrameKind::Last, payload);
    for (std::size_t cut = 1; cut < 40; ++cut) {
        WirePeer peer(WireRole::Sub);
        for (std::size_t at = 0; at < bytes.size(); at += cut)
            REQUIRE(peer.feed(std::string_view(bytes).substr(at, cut)).empty());
        auto message = peer.take_message();
        REQUIRE(message);
        const auto batch = published_batch(std::move(*message));
        REQUIRE(batch);
        CHECK(batch->sequence == 5);
        CHECK(batch->payload == payload);
        CHECK_FALSE(peer.take_message());
    }
}

TEST_CASE("a publisher and a subscriber of ours understand each other", "[attach][wire]") {
    WirePeer publisher(WireRole::Pub), subscriber(WireRole::Sub);
    exchange(publisher, subscriber);
    CHECK(publisher.ready());
    CHECK(subscriber.ready());
    subscriber.subscribe("t");
    publisher.send(published_message("topic", 258, "batch"));
    exchange(publisher, subscriber);
    CHECK(publisher.take_message() == WireMessage{"\x01t"});
    CHECK(subscriber.take_message() == WireMessage{"topic", zeros(6) + "\x01\x02", "batch"});
}

TEST_CASE("a PING is answered with what it holds", "[attach][wire]") {
    WirePeer peer(WireRole::Sub);
    REQUIRE(peer.feed(greeting() + ready("PUB")).empty());
    peer.wrote(peer.output().size());
    std::string ping;
    write_frame(ping, FrameKind::Command, std::string("\x04PING\x00\x0A", 7) + "ctx");
    CHECK(peer.feed(ping).empty());
    CHECK(peer.output() == std::string("\x04\x08\x04PONGctx", 10));
    // Who asks without end and never reads is not answered without end.
    for (int i = 0; i < 20'000; ++i) REQUIRE(peer.feed(ping).empty());
    CHECK(peer.output().size() < 100'000);
}

TEST_CASE("what is no such protocol is one sentence", "[attach][wire]") {
    CHECK(wire_refusal("HTTP/1.1 400 Bad Request\r\n") == "does not begin as ZeroMQ does");
    CHECK(wire_refusal(greeting("PLAIN")) ==
          "asks for the security mechanism PLAIN, and only NULL is spoken");
    CHECK(wire_refusal(greeting("NULL", 1)) == "speaks a ZeroMQ protocol before version 3");
    CHECK(wire_refusal(greeting() + ready("REP")) == "has a socket of type REP, and PUB is needed");
    CHECK(wire_refusal(greeting() + ready("PUB"), WireRole::Dealer) ==
          "has a socket of type PUB, and ROUTER is needed");
    CHECK(wire_refusal(greeting() + ready("PUB") + ready("PUB")) == "says READY twice");
    CHECK(wire_refusal(greeting() + std::string("\x00\x01x", 3)) ==
          "sends a message before it says READY");
    CHECK(wire_refusal(greeting() + std::string("\x04\x00", 2)) ==
          "sends a command that has no name");
    CHECK(wire_refusal(greeting() + ready("PUB") + "\x08") == "sends a frame with unknown flags");
    // A frame of 2^62 bytes is refused by its length, before any of them came.
    CHECK(wire_refusal(greeting() + ready("PUB") + "\x02\x40" + zeros(7)) ==
          "announces a frame of 4,611,686,018,427,387,904 bytes, and the limit is 16,777,216");
    std::string endless = greeting() + ready("PUB");
    for (int i = 0; i < 9; ++i) write_frame(endless, FrameKind::More, "x");
    CHECK(wire_refusal(endless) == "sends a message of more than 8 frames or 16,777,216 bytes");
    std::string error;
    write_frame(error, FrameKind::Command,
                "\x05"
                "ERROR\x03"
                "no\n");
    CHECK(wire_refusal(greeting() + error).find("says ERROR: no") == 0);
    CHECK(wire_refusal(greeting().substr(0, 40)).empty());  // half a greeting is waited for
}

TEST_CASE("a replay answers with a topic or, before vLLM 0.24, without", "[attach][wire]") {
    const std::string five = zeros(7) + "\x05", end(8, '\xFF');
    CHECK(replayed_batch({"", "t", five, "p"})->sequence == 5);
    CHECK(replayed_batch({"", five, "p"})->payload == "p");
    CHECK(replayed_batch({"", "", end, ""})->sequence == kEndOfReplay);
    CHECK(replayed_batch({"", end, ""})->sequence == kEndOfReplay);
    CHECK_FALSE(replayed_batch({"x", "t", five, "p"}));
    CHECK_FALSE(replayed_batch({"", "t", "short", "p"}));
    CHECK(replay_question_message(5) == WireMessage{"", five});
    CHECK(replay_question({"", five}) == 5U);
    CHECK_FALSE(published_batch({"t", "123456789", "p"}));
    CHECK_FALSE(published_batch({"p"}));
}

TEST_CASE("addresses as people write them", "[attach][wire]") {
    const auto good = [](const char* text) { return std::get<Address>(parse_tcp(text)); };
    CHECK(good("tcp://host.example:5557") == Address{"host.example", 5557});
    CHECK(good("tcp://[::1]:1") == Address{"::1", 1});
    CHECK(good("tcp://*:5557") == Address{"*", 5557});
    CHECK(text_of(Address{"::1", 7}) == "[::1]:7");
    const auto why = [](const char* text) { return std::get<AddressRefusal>(parse_tcp(text)).why; };
    CHECK(why("host:1") == "does not begin with tcp://");
    CHECK(why("tcp://host") == "has no port");
    CHECK(why("tcp://:5") == "names no host");
    CHECK(why("tcp://::1:5") == "has an IPv6 address without brackets");
    CHECK(why("tcp://[::1:5") == "has a bracket that is not closed");
    CHECK(why("tcp://host:65536") == "has a port that is larger than 65,535");
    CHECK(why("tcp://ho st:1") == "names no host that there could be");
    const auto http = std::get<HttpAddress>(parse_http("http://host:8000/metrics?x=1"));
    CHECK(http.at == Address{"host", 8000});
    CHECK(http.path == "/metrics?x=1");
    CHECK(std::get<HttpAddress>(parse_http("http://host")).path == "/metrics");
    CHECK(std::get<HttpAddress>(parse_http("http://host")).at.port == 80);
}
