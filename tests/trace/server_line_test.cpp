// A line of a recording is read to the value that it was written from, and whatever servers have
// published becomes that value too.
#include <catch2/catch_test_macros.hpp>

#include "core/base/files/json.hpp"
#include "core/trace/server/batch_json.hpp"
#include "core/trace/server/hash.hpp"

using namespace kv;

namespace {

ServerBatch batch_in(std::string_view text) {
    const auto line = parsed_server_line(text);
    REQUIRE(line);
    REQUIRE(line->batch);
    return *line->batch;
}

template <class Event>
Event only_event(std::string_view text) {
    const ServerBatch batch = batch_in(text);
    REQUIRE(batch.events.size() == 1);
    REQUIRE(std::holds_alternative<Event>(batch.events[0]));
    return std::get<Event>(batch.events[0]);
}

ServerHash digest(std::string bytes) {
    return {.bytes = std::move(bytes), .number = false};
}

// Every field has another value than the one that is left out.
ServerBatch full_batch() {
    ServerBatch batch{.time_s = 1.5, .rank = 3};
    batch.events.emplace_back(ServerStored{.hashes = {server_hash(~0ULL), digest("\x01\xff zz9")},
                                           .parent = digest(std::string("\0\x7f", 2)),
                                           .tokens = {1, 2, -3, 4'000'000'000},
                                           .block_size = 2,
                                           .lora = 7,
                                           .medium = "CPU_PINNED",
                                           .group = 2,
                                           .layer_kind = "sliding_window",
                                           .window = 128});
    batch.events.emplace_back(
        ServerRemoved{.hashes = {server_hash(5)}, .medium = "FS", .group = 1});
    batch.events.emplace_back(ServerCleared{});
    batch.events.emplace_back(ServerUnknown{"BlockMoved"});
    return batch;
}

}  // namespace

TEST_CASE("a recorded line is read to the batch that it was written from", "[trace]") {
    const ServerBatch batch = full_batch();
    const auto line = parsed_server_line(server_line_text(batch, 812, LineTokens::Written));
    REQUIRE(line);
    CHECK(line->sequence == 812U);
    CHECK(line->batch == batch);
    CHECK(server_line_text({.time_s = 2}, std::nullopt, LineTokens::Written) ==
          R"({"ts":2.0,"events":[]})");
    CHECK(server_line_text(
              {.time_s = 1.5,
               .rank = 0,
               .events = {ServerStored{.hashes = {server_hash(9)}, .tokens = {4}, .block_size = 1},
                          ServerCleared{}}},
              7, LineTokens::Written) ==
          R"({"seq":7,"ts":1.5,"data_parallel_rank":0,"events":[{"type":"BlockStored",)"
          R"("block_hashes":[9],"parent_block_hash":null,"token_ids":[4],"block_size":1,)"
          R"("medium":"GPU"},{"type":"AllBlocksCleared"}]})");
}

TEST_CASE("a recording can leave the tokens out and nothing else", "[trace]") {
    ServerBatch batch = full_batch();
    const auto line = parsed_server_line(server_line_text(batch, 0, LineTokens::LeftOut));
    std::get<ServerStored>(batch.events[0]).tokens.clear();
    CHECK(line->batch == batch);
}

TEST_CASE("maps and tagged arrays are the same batch, on both levels", "[trace]") {
    const std::string map =
        R"({"type":"BlockStored","block_hashes":[11],"parent_block_hash":10,"token_ids":[1,2],)"
        R"("block_size":2,"lora_id":4,"medium":"CPU","group_idx":1,)"
        R"("kv_cache_spec_kind":"mamba","kv_cache_spec_sliding_window":64,"locality":"here"})";
    const std::string array =
        R"(["BlockStored",[11],10,[1,2],2,4,"CPU","name",[["a"]],1,"mamba",64,"here",null,"x"])";
    const ServerBatch wanted =
        batch_in(R"({"ts":3,"data_parallel_rank":5,"events":[)" + map + "]}");
    const auto& stored = std::get<ServerStored>(wanted.events.at(0));
    CHECK(stored == ServerStored{.hashes = {server_hash(11)},
                                 .parent = server_hash(10),
                                 .tokens = {1, 2},
                                 .block_size = 2,
                                 .lora = 4,
                                 .medium = "CPU",
                                 .group = 1,
                                 .layer_kind = "mamba",
                                 .window = 64});
    CHECK(batch_in(R"([3,[)" + array + "],5]") == wanted);
    CHECK(batch_in(R"([3,[)" + map + "],5]") == wanted);
    CHECK(batch_in(R"({"ts":3,"attn_dp_rank":5,"events":[)" + array + "]}") == wanted);
    CHECK(batch_in(R"([3,[["BlockRemoved",[11],"CPU",1],["AllBlocksCleared"]]])") ==
          batch_in(R"({"ts":3,"events":[{"type":"BlockRemoved","block_hashes":[11],)"
                   R"("medium":"CPU","group_idx":1},{"type":"AllBlocksCleared"}]})"));
    CHECK(only_event<ServerStored>(array) == stored);  // one event a line
}

TEST_CASE("what a server leaves out, or writes as null, is as it is by itself", "[trace]") {
    const ServerStored plain{.hashes = {server_hash(1)}, .tokens = {8}, .block_size = 1};
    CHECK(only_event<ServerStored>(R"(["BlockStored",[1],null,[8],1])") == plain);
    CHECK(only_event<ServerStored>(
              R"(["BlockStored",[1],null,[8],1,null,null,null,null,null,null,null])") == plain);
    CHECK(only_event<ServerStored>(R"({"type":"BlockStored","block_hashes":[1],"token_ids":[8],)"
                                   R"("block_size":1,"cache_salt":"s","group_idx":null})") ==
          plain);
    const ServerStored placeholder =
        only_event<ServerStored>(R"({"type":"BlockStored","block_hashes":[1],"token_ids":[],)"
                                 R"("parent_block_hash":null,"block_size":0,"medium":"CPU"})");
    CHECK(placeholder.block_size == 0);
    CHECK(placeholder.tokens.empty());
    CHECK(only_event<ServerRemoved>(R"(["BlockRemoved",[1]])") ==
          ServerRemoved{.hashes = {server_hash(1)}});
    CHECK_FALSE(batch_in(R"([1.5,[],null])").rank);
}

TEST_CASE("a hash is a number with or without a sign, hexadecimal digits or base64", "[trace]") {
    const auto of = [](const std::string& hash) {
        return only_event<ServerRemoved>(R"(["BlockRemoved",[)" + hash + "]]").hashes.at(0);
    };
    CHECK(of("-2") == server_hash(0xFFFFFFFFFFFFFFFEU));
    CHECK(of("18446744073709551615") == server_hash(0xFFFFFFFFFFFFFFFFU));
    CHECK(of(R"("0x1ff")") == digest("\x01\xff"));
    CHECK(
        of(R"("00112233445566778899aabbccddeeff")") ==
        digest(std::string("\0\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff", 16)));
    // Of RFC 4648 the test vectors, and the two letters in which its alphabets differ.
    CHECK(of(R"("Zm9vYmE=")") == digest("fooba"));
    CHECK(of(R"("Zm9vYg==")") == digest("foob"));
    CHECK(of(R"("Zm9vYmFy")") == digest("foobar"));
    CHECK(of(R"("+/8=")") == digest("\xfb\xff"));
    CHECK(of(R"("-_8")") == digest("\xfb\xff"));
    CHECK(low_bits(of(R"("00112233445566778899aabbccddeeff")")) == 0x8899AABBCCDDEEFFU);
    CHECK(low_bits(of(R"("0x10")")) == 16);
    CHECK(low_bits(server_hash(0x123456789ABCDEFU)) == 0x123456789ABCDEFU);
    CHECK(hash_text(of("-2")) == "18446744073709551614");
    CHECK(hash_text(of(R"("Zm9v+w==")")) == "666f6ffb");
}

TEST_CASE("of a pair the first token lies in the cache", "[trace]") {
    CHECK(only_event<ServerStored>(R"(["BlockStored",[1],null,[[5,6],[6,7]],2])").tokens ==
          std::vector<std::int64_t>{5, 6});
}

TEST_CASE("an unknown kind or form is an event that says so", "[trace]") {
    const auto kind = [](std::string_view text) { return only_event<ServerUnknown>(text).kind; };
    CHECK(kind(R"({"ts":1,"events":[{"type":"BlockLost"}]})") == "BlockLost");
    CHECK(kind(R"([1,[["BlockLost",7]]])") == "BlockLost");
    CHECK(kind(R"([1,[7]])").empty());
    CHECK(kind(R"({"ts":1,"events":7})").empty());
    CHECK(kind(R"(["BlockStored"])") == "BlockStored.block_hashes");
    CHECK(kind(R"(["BlockStored",[1.5],null,[],1])") == "BlockStored.block_hashes");
    CHECK(kind(R"(["BlockStored",[18446744073709551616],null,[],1])") ==
          "BlockStored.block_hashes");
    CHECK(kind(R"(["BlockStored",["x y"],null,[],1])") == "BlockStored.block_hashes");
    CHECK(kind(R"(["BlockStored",[""],null,[],1])") == "BlockStored.block_hashes");
    CHECK(kind(R"(["BlockStored",["0x9z"],null,[],1])") == "BlockStored.block_hashes");
    CHECK(kind(R"(["BlockStored",[1],[2],[],1])") == "BlockStored.parent_block_hash");
    CHECK(kind(R"(["BlockStored",[1],null,["a"],1])") == "BlockStored.token_ids");
    CHECK(kind(R"(["BlockStored",[1],null,[[]],1])") == "BlockStored.token_ids");
    CHECK(kind(R"(["BlockStored",[1],null,[],-1])") == "BlockStored.block_size");
    CHECK(kind(R"(["BlockStored",[1],null,[],1,null,5])") == "BlockStored.medium");
    CHECK(kind(R"(["BlockRemoved",[1],"GPU","a"])") == "BlockRemoved.group_idx");
}

TEST_CASE("metrics are passed over, and what is neither is no line of a server", "[trace]") {
    const auto metrics =
        parsed_server_line(R"({"ts":1,"metrics":{"vllm:kv_cache_usage_perc":0.5}})");
    REQUIRE(metrics);
    CHECK_FALSE(metrics->batch);
    for (const char* other : {"7", "{}", "[]", "[1]", "[[],[]]", R"({"ts":1})", "not json", "",
                              R"(["a"])"
                              "x"})
        CHECK_FALSE(parsed_server_line(other));
}
