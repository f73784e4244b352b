// A watched server behind the window: a recording that is read, gone back in and refused, and a
// server of ours that is called, paused, recorded and left.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>

#include "app/attach/publisher.hpp"
#include "app/live/attach/desk.hpp"
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
namespace fs = std::filesystem;

namespace {

constexpr const char* kStored =
    R"({"seq":%N,"ts":%T,"data_parallel_rank":0,"events":[{"type":"BlockStored","block_hashes":[%H],"parent_block_hash":null,"token_ids":[1,2,3,4],"block_size":4}]})";

std::string stored_line(std::uint64_t sequence, double time_s, std::uint64_t hash) {
    std::string line = kStored;
    const auto put = [&](const char* place, const std::string& value) {
        line.replace(line.find(place), 2, value);
    };
    put("%N", std::to_string(sequence));
    put("%T", std::to_string(time_s));
    put("%H", std::to_string(hash));
    return line;
}

// Of this program alone, and gone with it.
const fs::path& folder() {
    static const ScratchFolder own;
    return own.path();
}

fs::path written(const std::string& name, const std::vector<std::string>& lines) {
    const fs::path path = folder() / (name + ".jsonl");
    std::ofstream out(path);
    for (const std::string& line : lines) out << line << '\n';
    return path;
}

bool never_stops(double) {
    return true;
}

const ServerView& view_of(const Desk& desk) {
    REQUIRE(desk.state.attach.view != nullptr);
    return *desk.state.attach.view;
}

}  // namespace

TEST_CASE("lines of a recording say what was missed and where it began again", "[attach]") {
    const fs::path path = written(
        "marks", {stored_line(0, 100, 1), stored_line(1, 101, 2),
                  R"({"ts":101.5,"metrics":{"vllm:kv_cache_usage_perc{engine=\"0\"}":0.25}})",
                  "not a line", stored_line(4, 104, 3), stored_line(0, 110, 4)});
    const ServerRecording read = read_server_recording(path.string(), {}, 1 << 20, never_stops);
    CHECK(read.lines == 6);
    CHECK(read.passed_over == 1);
    const Tank& tank = read.history->end();
    const RankTank& rank = tank.ranks().at(0);
    CHECK(rank.missed == 2);  // 2 and 3
    CHECK(rank.restarts == 1);
    CHECK(tank.shelves().at(0).blocks ==
          1);  // the fourth, since the rest went with the first server
    std::vector<MarkKind> kinds;
    for (const StreamMark& mark : tank.marks()) kinds.push_back(mark.kind);
    CHECK(kinds == std::vector{MarkKind::Began, MarkKind::GapLost, MarkKind::Restarted});
    REQUIRE(tank.newest_samples().samples.size() == 1);
    CHECK(tank.newest_samples().samples[0].labels == "engine=\"0\"");
    CHECK(tank.newest_samples().samples[0].value == 0.25);
}

TEST_CASE("what is no recording is refused by name, and reading can be stopped", "[attach]") {
    const auto refused = [](const std::string& path, const char* why) {
        CHECK_THROWS_WITH(read_server_recording(path, {}, 1 << 20, never_stops),
                          ContainsSubstring(why));
    };
    refused("/nowhere/hour.jsonl", "/nowhere/hour.jsonl: there is no such file");
    refused(folder().string(), "there is no such file");
    refused(written("empty", {}).string(), "no line holds a batch");
    refused(written("other", {"{}", "[1,2]"}).string(), "no line holds a batch");
    std::vector<std::string> many;
    for (std::uint64_t i = 0; i < 600; ++i) many.push_back(stored_line(i, 1, i + 1));
    const std::string path = written("many", many).string();
    CHECK(read_server_recording(path, {}, 1 << 20, [](double) { return false; }).history ==
          nullptr);
}

TEST_CASE("a recording is shown at its end, and any moment of it is gone back to", "[attach]") {
    std::vector<std::string> lines;
    for (std::uint64_t i = 0; i < 10; ++i)
        lines.push_back(stored_line(i, 100 + static_cast<double>(i), i + 1));
    Desk desk;
    desk.ask("attach.file " + written("ten", lines).string());
    CHECK(desk.state.layout == LayoutName::Attach);
    CHECK(desk.state.docks() == LayoutName::Attach);
    CHECK(view_of(desk).phase == AttachPhase::Recorded);
    CHECK(view_of(desk).tank.pool.blocks == 10);
    CHECK(view_of(desk).live);
    desk.ask("attach.back");
    CHECK(view_of(desk).tank.pool.blocks == 9);
    CHECK_FALSE(view_of(desk).live);
    CHECK(view_of(desk).sequence == 8);
    CHECK(view_of(desk).newest_sequence == 9);
    desk.ask("attach.step second");
    desk.ask("attach.back");
    desk.ask("attach.back");
    CHECK(view_of(desk).tank.pool.blocks == 7);
    desk.ask("attach.forward");
    CHECK(view_of(desk).tank.pool.blocks == 8);
    desk.ask("attach.goto 2.5");
    CHECK(view_of(desk).tank.pool.blocks == 3);
    desk.ask("attach.first");
    desk.ask("attach.back");  // stays there
    CHECK(view_of(desk).tank.pool.blocks <= 1);
    desk.ask("attach.live");
    CHECK(view_of(desk).tank.pool.blocks == 10);
    desk.ask("attach.close");
    CHECK(desk.state.attach.view == nullptr);
    CHECK(desk.state.docks() == LayoutName::Connect);
}

TEST_CASE("addresses that are none are refused before anything is called", "[attach]") {
    for (const char* address : {"tcp://", "tcp://host", "http://host:1", "tcp://*:5557"}) {
        Desk desk;
        INFO(address);
        desk.state.attach.ask.address = address;
        desk.push("attach.open");
        CHECK_THROWS_WITH(desk.run.finish(desk.state), ContainsSubstring(address));
        CHECK(desk.state.attach.view == nullptr);
    }
}

TEST_CASE("a server is called, shown, paused and recorded, and its loss is told", "[attach]") {
    Publisher publisher({.events = {kLoopback, 0}, .replay = Address{kLoopback, 0}});
    Desk desk;
    AttachAsk& ask = desk.state.attach.ask;
    ask.address = "tcp://" + std::string(kLoopback) + ":" + std::to_string(publisher.events_port());
    ask.replay = "tcp://" + std::string(kLoopback) + ":" + std::to_string(publisher.replay_port());
    double now = 0;
    const auto until = [&](const auto& wanted) {
        for (int turns = 0; turns < 3000; ++turns) {
            publisher.step(0.005);
            desk.run.tick(desk.state, now += 0.01);
            if (desk.state.attach.view && wanted(*desk.state.attach.view)) return true;
        }
        return false;
    };
    desk.push("attach.open");
    publisher.publish({.time_s = 100, .events = {stored({1, 2, 3})}});
    REQUIRE(until([](const ServerView& v) { return v.tank.pool.blocks == 3; }));
    CHECK(view_of(desk).phase == AttachPhase::Live);
    CHECK(desk.state.attach.recent.size() == 1);
    desk.run.tick(desk.state, now += 0.01);  // and is kept for the next start
    REQUIRE(desk.state.settings.recent_servers.size() == 1);
    Desk next;
    next.state.settings = desk.state.settings;
    next.state.settings.recent_servers.emplace_back("tcp://a:1 of=another version");
    next.run.tick(next.state, 0);
    REQUIRE(next.state.attach.recent.size() == 1);
    CHECK(next.state.attach.recent[0].ask == desk.state.attach.recent[0].ask);
    CHECK(desk.run.acts_next_at(desk.state).has_value());

    const fs::path record = folder() / "desk-record.jsonl";
    desk.push("attach.record " + record.string());
    REQUIRE(until([](const ServerView& v) { return !v.recording.empty(); }));
    desk.push("attach.pause");
    REQUIRE(until([](const ServerView& v) { return !v.live; }));
    publisher.publish({.time_s = 101, .events = {removed({3})}});
    REQUIRE(until([](const ServerView& v) { return v.newest_s == 101; }));
    CHECK(view_of(desk).tank.pool.blocks == 3);  // a pause is a pause
    desk.push("attach.live");
    REQUIRE(until([](const ServerView& v) { return v.tank.pool.blocks == 2; }));
    desk.push("attach.stop_recording");
    REQUIRE(until([](const ServerView& v) { return v.recording.empty(); }));
    desk.push("attach.close");
    desk.run.tick(desk.state, now);
    CHECK(desk.state.docks() == LayoutName::Connect);
    CHECK_FALSE(desk.run.acts_next_at(desk.state).has_value());

    Desk again;
    CHECK_THROWS_WITH(again.push("attach.record x.jsonl"), ContainsSubstring("No server"));
    again.ask("attach.file " + record.string());
    CHECK(view_of(again).events == 1);  // the removal, which came while it was recorded
    fs::remove(record);
}

namespace {

// 1 is "Hi", 2 " you", 3 the first byte of a euro sign, 4 has no entry.
std::string written_tokenizer() {
    const fs::path path = folder() / "tokenizer.json";
    std::ofstream(path) << R"({"model":{"type":"BPE","vocab":{"x":0,"Hi":1,"\u0120you":2,
        "\u00e2":3},"merges":[]},"pre_tokenizer":{"type":"Unknown"},
        "decoder":{"type":"ByteLevel"}})";
    return path.string();
}

}  // namespace

TEST_CASE("ids become words while tokens are shown, and only then", "[attach]") {
    std::vector<std::string> lines;
    for (std::uint64_t i = 0; i < 3; ++i) lines.push_back(stored_line(i, 100, 1));
    Desk desk;
    desk.ask("attach.file " + written("words", lines).string());
    desk.ask("attach.back");
    desk.ask("attach.tokenizer " + written_tokenizer());
    const auto shown_words = [&] {
        const TankPicture& tank = view_of(desk).tank;
        std::vector<std::string> all;
        for (const TreeBar& bar : tank.tree.bars) all.push_back(bar.words);
        for (const TankPrefixRow& row : tank.hottest) all.push_back(row.words);
        for (const TankLogRow& row : tank.log) all.push_back(row.words);
        return all;
    };
    const std::vector<std::string> hidden = shown_words();
    REQUIRE(hidden.size() >= 3);
    for (const std::string& words : hidden) CHECK(words.empty());
    CHECK_FALSE(view_of(desk).shows_tokens);

    desk.ask("attach.tokens");
    CHECK(view_of(desk).shows_tokens);
    CHECK(view_of(desk).has_tokens);
    CHECK_FALSE(view_of(desk).live);  // and stays where it was
    for (const std::string& words : shown_words()) CHECK(words == "Hi you<0xE2><id 4>");

    desk.push("attach.tokenizer /nowhere/tokenizer.json");
    CHECK_THROWS_WITH(desk.run.finish(desk.state), ContainsSubstring("/nowhere/tokenizer.json"));
    desk.ask("attach.live");
    for (const std::string& words : shown_words()) CHECK(words == "1 2 3 4");

    desk.push("attach.tokens");
    desk.run.tick(desk.state, 0);  // at once: the file is still to be read anew
    CHECK_FALSE(view_of(desk).shows_tokens);
    for (const std::string& words : shown_words()) CHECK(words.empty());
    for (const TankLogRow& row : view_of(desk).tank.log) CHECK(row.token_ids.empty());
}

TEST_CASE("a recording that left tokens out says so", "[attach]") {
    std::string line = stored_line(0, 100, 1);
    line.replace(line.find("[1,2,3,4]"), 9, "[]");
    Desk desk;
    desk.state.attach.ask.show_tokens = true;
    desk.ask("attach.file " + written("left_out", {line}).string());
    CHECK(view_of(desk).shows_tokens);
    CHECK_FALSE(view_of(desk).has_tokens);
}
