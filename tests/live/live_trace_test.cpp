// Files of events in the window: the same states as in the run that they record, nothing of what
// only an engine knows, and no harm from files that are none.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "app/panels/timeline/sentences.hpp"
#include "app/panels/view/facts.hpp"
#include "core/base/error.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/files/json.hpp"
#include "tests/live/desk.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using test::ScratchFolder;

namespace {

class Files {
public:
    std::string write(const std::string& name, const std::string& text) const {
        std::string path = (folder_.path() / name).string();
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

private:
    ScratchFolder folder_;
};

const char* const kServer =
    "{\"event\":\"BlockStored\",\"block_hashes\":[11,12],\"parent_block_hash\":null,"
    "\"token_ids\":[1,2,3,4],\"block_size\":2,\"medium\":\"GPU\"}\n"
    "{\"event\":\"BlockRemoved\",\"block_hashes\":[11],\"medium\":\"GPU\"}\n"
    "{\"event\":\"BlockRemoved\",\"block_hashes\":[99],\"medium\":\"GPU\"}\n";

}  // namespace

TEST_CASE("a recorded run stands where the run stood, at every moment", "[live][trace]") {
    Desk played, read;
    played.open("paper-figure-8");
    const Files files;
    read.open(files.write("run.jsonl", trace_json(played.view().trace)));

    REQUIRE(read.view().trace.size() == played.view().trace.size());
    read.ask("run.last");
    CHECK(read.view().now == played.view().trace.end());
    CHECK(read.view().at_end);
    for (const char* step : {"run.goto 3", "run.back", "run.first", "run.next_event", "run.last"}) {
        INFO(step);
        read.ask(step);
        CHECK(differences(read.view().now, played.view().trace.at(read.view().moment)).empty());
    }
    read.ask("run.goto 2");
    played.ask("run.goto 2");
    CHECK(read.view().moment == played.view().moment);
}

TEST_CASE("a record comes with its history, which no frame has to read", "[live][trace]") {
    Desk played, read;
    played.open("paper-figure-8");
    const Files files;
    read.open(files.write("run.jsonl", trace_json(played.view().trace)));

    const RunHistory& there = read.state.run.history;
    RunHistory afresh;
    afresh.catch_up(read.view());
    CHECK(there.run() == read.view().id);
    CHECK_FALSE(there.marks().empty());
    CHECK(there.marks() == afresh.marks());
    CHECK(there.lanes() == afresh.lanes());
    for (std::uint32_t i = 0; i <= afresh.last_iteration(); ++i) {
        CHECK(there.keys_by_query(i) == afresh.keys_by_query(i));
        CHECK(there.keys_by_request(i) == afresh.keys_by_request(i));
    }
}

TEST_CASE("blocks that another server stored and removed are in the log", "[live][trace]") {
    const Files files;
    Desk read;
    read.open(files.write("server.jsonl", kServer));
    RunHistory history;
    history.catch_up(read.view());
    REQUIRE(history.marks().size() == 2);  // the third removes what was never stored
    CHECK(history.marks()[0].mark == EventMark::Allocate);
    CHECK(history.marks()[1].mark == EventMark::Free);
    const auto said = [&](std::size_t i) {
        const Event event = read.view().trace.event(history.marks()[i].event);
        return std::string(sentence_of(Texts(), read.view().now, event).what);
    };
    CHECK(said(0) == "2 blocks stored, from block 0 on");
    CHECK(said(1) == "block 0 removed");
    // A run of ours says the same of blocks by who takes and gives them.
    Desk played;
    played.open("first");
    RunHistory ours;
    ours.catch_up(played.view());
    for (const RunMark& mark : ours.marks())
        CHECK_FALSE(
            std::holds_alternative<BlockStored>(played.view().trace.event(mark.event).what));
}

TEST_CASE("a step behind the end is refused by the last one", "[live]") {
    Desk desk("first");
    desk.ask("run.last");
    const std::uint32_t last = desk.now().iteration;
    CHECK_THROWS_MATCHES(desk.ask("run.goto 99999"), Error,
                         MessageMatches(ContainsSubstring("ends at step " + std::to_string(last))));
    CHECK_NOTHROW(desk.ask("run.goto " + std::to_string(last)));
    CHECK_THROWS_AS(Desk("first", last + 1), Error);
    CHECK_NOTHROW(Desk("first", last));
}

TEST_CASE("what no event says is not known of a recorded run", "[live][trace]") {
    Desk played, read;
    played.open("first");
    const Files files;
    read.open(files.write("run.jsonl", trace_json(played.view().trace)));

    CHECK(played.view().has_engine);
    CHECK_FALSE(read.view().has_engine);
    CHECK_FALSE(knows_bytes(read.view().layout));
    CHECK(measure_of_block(read.view()) == 16);  // in slots
    CHECK(measured(16, read.view().layout, Texts()) == "16 slots");
    CHECK(measured(8192, played.view().layout, Texts()) == "8 KiB");
    CHECK(read.view().layout.n_blocks == 48);
    CHECK(read.view().layout.n_layers == 4);  // those that computed
    CHECK(read.view().payloads.size() == 0);
    CHECK(read.view().attention == nullptr);
    CHECK(read.view().word(17) == "#17");
    CHECK(read.view().settings.at("k_codec") == "bf16");
}

TEST_CASE("what needs an engine is refused in a sentence, and nothing changes", "[live][trace]") {
    Desk played, desk;
    played.open("first");
    const Files files;
    desk.open(files.write("run.jsonl", trace_json(played.view().trace)));
    const Snapshot before = desk.view().now;
    for (const char* words :
         {"run.set block_size 8", "run.model mha", "run.prove", "run.restart", "run.add Hello",
          "run.branch set share off", "run.swap_sides", "run.undo_set", "select.address 0x10",
          "run.difference_event", "file.save_scene /nowhere/x.kvscene"}) {
        INFO(words);
        CHECK_THROWS_MATCHES(desk.ask(words), Error,
                             MessageMatches(ContainsSubstring("no engine stands behind it")));
        desk.state.run.wishes.clear();
        CHECK(desk.view().now == before);
    }
    CHECK(desk.run.scene() == nullptr);
    CHECK_FALSE(desk.run.scene_as_shown(desk.state));
}

TEST_CASE("a scene follows a recorded run, and the other way round", "[live][trace]") {
    Desk desk;
    const Files files;
    const std::string path = files.write("server.jsonl", kServer);
    desk.open(path);
    CHECK_FALSE(desk.view().has_engine);
    desk.ask("file.open_scene first");
    REQUIRE(desk.view().has_engine);
    CHECK(desk.run.scene() != nullptr);
    desk.ask("file.open_scene " + path);
    CHECK_FALSE(desk.view().has_engine);
    CHECK(desk.state.settings.recent_scenes.front() == path);
}

TEST_CASE("a server's file shows its blocks, and says what it cannot", "[live][trace]") {
    Desk desk;
    const Files files;
    // Told by its first line, whatever its name is.
    desk.open(files.write("blocks.txt", kServer));
    CHECK_FALSE(desk.view().has_engine);
    CHECK(desk.view().now.requests.empty());
    CHECK(desk.view().layout.block_size == 2);
    CHECK(count_pool(desk.view().now).cached == 1);
    REQUIRE(desk.state.notice);
    CHECK_FALSE(desk.state.notice->refused);
    CHECK_THAT(desk.state.notice->said.english(), ContainsSubstring("1 block"));
}

TEST_CASE("what a server's file could not place is said in one sentence of any language",
          "[live][trace]") {
    const Files files;
    const std::string unseen =
        "{\"event\":\"BlockStored\",\"block_hashes\":[77,78],\"parent_block_hash\":null,"
        "\"token_ids\":[1,2,3,4],\"block_size\":2,\"medium\":\"CPU\"}\n";
    const std::string removed =
                          "1 block was removed that had been stored before the recording "
                          "began; it cannot be shown.",
                      below =
                          "2 blocks were stored in a lower tier without being seen on the "
                          "device; they have no place in the picture.";
    Texts pseudo;
    pseudo.pseudo();
    const auto said_of_file = [&](const char* name, const std::string& lines) {
        Desk desk;
        desk.open(files.write(name, lines));
        REQUIRE(desk.state.notice);
        CHECK(desk.state.notice->said.in(pseudo).starts_with("["));
        return desk.state.notice->said.english();
    };
    CHECK(said_of_file("a.jsonl", kServer) == removed);
    CHECK(said_of_file("b.jsonl", unseen) == below);
    CHECK(said_of_file("c.jsonl", kServer + unseen) == removed + " " + below);
}

TEST_CASE("a server's file is read as another of its pools when that is asked for",
          "[live][trace]") {
    const Files files;
    const std::string fleet =
        R"([1,[["BlockStored",[11,12],null,[1,2,3,4],2],["BlockLost"]],0])"
        "\n"
        R"([2,[["BlockStored",[21,22,23],null,[],4],["BlockStored",[21,22,23],null,[],4]],1])"
        "\n"
        R"([3,[["BlockStored",[31],null,[],8,null,"GPU",null,null,2]],1])"
        "\n";
    Desk desk;
    CHECK_THROWS_MATCHES(desk.ask("file.read_as rank 1"), Error,
                         MessageMatches(ContainsSubstring("")));
    desk.state.run.wishes.clear();
    desk.open(files.write("fleet.jsonl", fleet));
    CHECK(count_pool(desk.view().now).cached == 2);
    const std::string told = desk.state.notice->said.english();
    CHECK_THAT(told, ContainsSubstring("Shown is rank 0, group 0; 7 blocks of other ranks"));
    CHECK_THAT(told, ContainsSubstring("1 event of an unknown kind or form was passed over: "
                                       "BlockLost 1."));
    desk.ask("file.read_as rank 1");
    CHECK(count_pool(desk.view().now).cached == 6);
    CHECK(desk.view().layout.block_size == 4);
    desk.ask("file.read_as hits announced");
    CHECK(count_pool(desk.view().now).cached == 3);
    desk.ask("file.read_as pool 100");
    CHECK(desk.view().layout.n_blocks == 100);
    desk.ask("file.read_as group 2");
    CHECK(desk.view().layout.block_size == 8);
    CHECK(count_pool(desk.view().now).cached == 1);
    const std::uint64_t id = desk.view().id;
    for (const char* words : {"rank 7", "rank x", "rank", "hits sometimes", "moon 1", "pool 0"}) {
        INFO(words);
        CHECK_THROWS_AS(desk.ask(std::string("file.read_as ") + words), Error);
        desk.state.run.wishes.clear();
        desk.run.finish(desk.state);
        CHECK(desk.view().id == id);
    }
    desk.ask("file.read_as rank 0");
    CHECK(count_pool(desk.view().now).cached == 2);
}

TEST_CASE("a file that is no record leaves what is shown", "[live][trace]") {
    Desk desk;
    desk.open("first");
    const std::uint64_t id = desk.view().id;
    const Files files;
    const std::string whole = trace_json(desk.view().trace);
    const std::string wrong[] = {files.write("empty.jsonl", ""),
                                 files.write("words.jsonl", "hello\n"),
                                 files.write("cut.jsonl", whole.substr(0, whole.size() / 2)),
                                 files.write("two.jsonl", whole + whole), "/nowhere/at-all.jsonl"};
    for (const std::string& path : wrong) {
        INFO(path);
        CHECK_THROWS_AS(desk.open(path), Error);
        desk.run.finish(desk.state);
        CHECK(desk.view().id == id);
        CHECK(desk.view().has_engine);
    }
}

TEST_CASE("a record of a run that has ended opens at the last step that left something running",
          "[live][trace]") {
    Desk played, read;
    played.open("first");
    played.ask("run.last");
    REQUIRE(played.view().now.running.empty());
    const Files files;
    read.open(files.write("run.jsonl", trace_json(played.view().trace)));
    const Snapshot& now = read.view().now;
    REQUIRE_FALSE(now.running.empty());
    CHECK(read.state.run.focus.request == now.running.front());
    read.ask("run.forward");
    read.ask("run.last");
    CHECK(read.view().now.iteration == played.view().now.iteration);
}

TEST_CASE("the step that was asked for is where a recorded run opens", "[live][trace]") {
    Desk played, read;
    played.open("first");
    const Files files;
    read.open(files.write("run.jsonl", trace_json(played.view().trace)), 2);
    CHECK(read.view().now.iteration == 2);
    CHECK_FALSE(read.view().at_end);
}
