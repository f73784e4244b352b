// Events come out of their packed form as they went in, to the bit.
#include <catch2/catch_test_macros.hpp>

#include "core/trace/event/event.hpp"
#include "core/trace/event/pack.hpp"
#include "tests/trace/random_event.hpp"

using namespace kv;
using namespace kv::test;

TEST_CASE("every kind of event survives packing with arbitrary fields", "[trace]") {
    Dice dice(3, 1);
    PackedBytes bytes;
    std::vector<std::string> wanted;
    for (int round = 0; round < 400; ++round)
        for (std::size_t kind = 0; kind < std::variant_size_v<AnyEvent>; ++kind) {
            const Event event = random_event(dice, kind);
            wanted.push_back(spelled(event));
            pack(event, bytes);
        }
    std::size_t at = 0;
    for (const std::string& text : wanted) REQUIRE(spelled(unpack(bytes, at)) == text);
    CHECK(at == bytes.size());
}

TEST_CASE("long lists survive packing", "[trace]") {
    Dice dice(3, 2);
    for (std::size_t kind = 0; kind < std::variant_size_v<AnyEvent>; ++kind) {
        const Event event = random_event(dice, kind, 100'000);
        PackedBytes bytes;
        pack(event, bytes);
        std::size_t at = 0;
        CHECK(spelled(unpack(bytes, at)) == spelled(event));
    }
}

TEST_CASE("an ordinary event is a handful of bytes", "[trace]") {
    PackedBytes bytes;
    pack({300, SeqId(2), Reason::stores_tokens(SeqId(2), 33),
          BlockAllocated{LaneId(0), BlockId(200), 2}},
         bytes);
    // Kind 1, iteration 2, request 1 + 1, why 1, its request 1 + 1, a 1, b 1, lane 1, block 2,
    // entry 1.
    CHECK(bytes.size() == 14);
}
