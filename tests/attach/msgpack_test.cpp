// What servers send over a socket is the value that the same batch has in a file, whichever form it
// has; what is no batch is refused before it costs anything.
#include "core/trace/server/msgpack.hpp"

#include <catch2/catch_test_macros.hpp>
#include <initializer_list>

#include "core/trace/server/batch_json.hpp"
#include "core/trace/server/batch_msgpack.hpp"
#include "tests/attach/entries.hpp"

using namespace kv;
using kv::test::hashes;

namespace {

std::string raw(std::initializer_list<unsigned> bytes) {
    std::string out;
    for (const unsigned byte : bytes) out.push_back(static_cast<char>(byte));
    return out;
}

MsgpackBatch read(const std::string& bytes) {
    auto answer = read_batch_msgpack(bytes);
    REQUIRE(std::holds_alternative<MsgpackBatch>(answer));
    return std::get<MsgpackBatch>(std::move(answer));
}

std::string refusal(const std::string& bytes) {
    const auto answer = read_batch_msgpack(bytes);
    const auto* wrong = std::get_if<ServerRefusal>(&answer);
    return wrong == nullptr ? "" : wrong->rule;
}

ServerBatch every_event() {
    ServerBatch batch{.time_s = 1764126000.25, .rank = 3};
    batch.events.emplace_back(ServerStored{.hashes = hashes({~0ULL, 7}),
                                           .parent = ServerHash{std::string("\0\xff", 2), false},
                                           .tokens = {1, 70'000, 5'000'000'000, -2},
                                           .block_size = 2,
                                           .lora = 4,
                                           .medium = "CPU_PINNED",
                                           .group = 2,
                                           .layer_kind = "sliding_window",
                                           .window = 1024});
    batch.events.emplace_back(
        ServerRemoved{.hashes = hashes({7}), .medium = "EXTERNAL", .group = 1});
    batch.events.emplace_back(ServerCleared{});
    batch.events.emplace_back(ServerUnknown{"BlockMoved"});
    return batch;
}

}  // namespace

TEST_CASE("a batch is read to the value that it was written from", "[attach][msgpack]") {
    const ServerBatch batch = every_event();
    CHECK(read(batch_msgpack(batch)).batch == batch);
    CHECK(read(batch_msgpack({.time_s = 2})).batch == ServerBatch{.time_s = 2});
}

TEST_CASE("bytes as msgspec writes them, by hand", "[attach][msgpack]") {
    // [1.5, [["BlockRemoved", [5, -1], "GPU"]], nil]
    const std::string array = raw({0x93, 0xCB, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0, 0x91, 0x93, 0xAC}) +
                              "BlockRemoved" + raw({0x92, 0x05, 0xFF, 0xA3}) + "GPU" + raw({0xC0});
    const MsgpackBatch got = read(array);
    CHECK(got.batch.time_s == 1.5);
    CHECK_FALSE(got.batch.rank);
    CHECK(got.negative_hashes);
    REQUIRE(got.batch.events.size() == 1);
    CHECK(std::get<ServerRemoved>(got.batch.events[0]).hashes == hashes({5, ~0ULL}));
    // The same as a map, with the field of the other server, the kind last and a field of tomorrow.
    const std::string map = raw({0x83, 0xA2}) + "ts" + raw({0xCA, 0x3F, 0xC0, 0, 0, 0xA6}) +
                            "events" + raw({0x91, 0x84, 0xA6}) + "medium" + raw({0xA3}) + "GPU" +
                            raw({0xA3}) + "new" + raw({0x81, 0xA1}) + "x" + raw({0x90, 0xAC}) +
                            "block_hashes" + raw({0x92, 0x05, 0xD0, 0xFF, 0xA4}) + "type" +
                            raw({0xAC}) + "BlockRemoved" + raw({0xAC}) + "attn_dp_rank" +
                            raw({0x02});
    ServerBatch expected = got.batch;
    expected.rank = 2;
    CHECK(read(map).batch == expected);
}

TEST_CASE("msgpack and JSON of one batch are the same value", "[attach][msgpack]") {
    const ServerBatch batch = every_event();
    const auto line =
        parsed_server_line(server_line_text(batch, std::nullopt, LineTokens::Written));
    REQUIRE(line);
    CHECK(read(batch_msgpack(batch)).batch == *line->batch);
}

TEST_CASE("pairs of tokens count once, and a placeholder has none", "[attach][msgpack]") {
    MsgWriter out;
    out.list(2), out.real(0), out.list(2);
    out.list(5), out.text("BlockStored"), out.list(1), out.whole(std::uint64_t{9}), out.nil();
    out.list(2);
    for (const std::int64_t first : {4, 5}) out.list(2), out.whole(first), out.whole(first + 1);
    out.whole(std::int64_t{2});
    out.list(7), out.text("BlockStored"), out.list(1), out.bytes("digest"), out.nil();
    out.list(0), out.whole(std::int64_t{0}), out.nil(), out.text("CPU");
    const ServerBatch got = read(out.take()).batch;
    REQUIRE(got.events.size() == 2);
    CHECK(std::get<ServerStored>(got.events[0]).tokens == std::vector<std::int64_t>{4, 5});
    const auto& placeholder = std::get<ServerStored>(got.events[1]);
    CHECK(placeholder.block_size == 0);
    CHECK(placeholder.medium == "CPU");
    CHECK(placeholder.hashes == std::vector<ServerHash>{{"digest", false}});
}

TEST_CASE("an event of another form is an unknown one and the next is read", "[attach][msgpack]") {
    MsgWriter out;
    out.list(2), out.real(0), out.list(4);
    out.map(2), out.text("type"), out.text("BlockRemoved"), out.text("block_hashes"), out.nil();
    out.map(2), out.text("type"), out.text("BlockTouched"), out.text("n"), out.real(3);
    out.nil();
    out.list(1), out.text("AllBlocksCleared");
    const ServerBatch got = read(out.take()).batch;
    REQUIRE(got.events.size() == 4);
    CHECK(std::get<ServerUnknown>(got.events[0]).kind == "BlockRemoved.block_hashes");
    CHECK(std::get<ServerUnknown>(got.events[1]).kind == "BlockTouched");
    CHECK(std::get<ServerUnknown>(got.events[2]).kind.empty());
    CHECK(std::holds_alternative<ServerCleared>(got.events[3]));
}

TEST_CASE("depth and claimed lengths cost nothing", "[attach][msgpack]") {
    const std::string head = raw({0x92, 0x00, 0x91});
    CHECK(std::holds_alternative<ServerUnknown>(
        read(head + std::string(100'000, static_cast<char>(0x91)) + raw({0xC0})).batch.events[0]));
    CHECK(refusal(head + std::string(100'000, static_cast<char>(0x91))) ==
          "is no batch of events in msgpack");
    CHECK(refusal(raw({0x92, 0x00, 0xDD, 0xFF, 0xFF, 0xFF, 0xFF})) != "");
    CHECK(refusal(raw({0x92, 0x00, 0xDF, 0xFF, 0xFF, 0xFF, 0xFF})) != "");
    CHECK(refusal(raw({0x92, 0xC6, 0xFF, 0xFF, 0xFF, 0xFF, 0x90})) != "");
    CHECK(refusal("") != "");
    CHECK(refusal(raw({0x92, 0x00, 0x90, 0x00})) == "goes on after the end of its batch");
    CHECK(refusal(raw({0x91, 0x00})) == "is msgpack without a list of events");
    // 300,000 events of a byte each would be 300,000 values of ours.
    CHECK(refusal(raw({0x92, 0x00, 0xDD, 0x00, 0x04, 0x93, 0xE0}) +
                  std::string(300'000, static_cast<char>(0xC0))) ==
          "holds more than one step of a server can do");
}

TEST_CASE("no byte of a batch can be changed or cut into harm", "[attach][msgpack]") {
    const std::string good = batch_msgpack(every_event());
    for (std::size_t at = 0; at < good.size(); ++at) {
        static_cast<void>(read_batch_msgpack(std::string_view(good).substr(0, at)));
        for (unsigned byte = 0; byte < 256; byte += 5) {
            std::string bad = good;
            bad[at] = static_cast<char>(byte);
            const auto answer = read_batch_msgpack(bad);
            if (const auto* wrong = std::get_if<ServerRefusal>(&answer))
                CHECK(wrong->offset <= bad.size());
        }
    }
}
