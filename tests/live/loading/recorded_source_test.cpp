#include "app/live/loading/recorded_source.hpp"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "core/base/error.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/files/json.hpp"
#include "tests/scratch.hpp"
#include "tests/trace/story.hpp"

using namespace kv;
using test::ScratchFolder;

namespace {

// Two blocks are stored on each of two ranks; what is removed last was never stored.
constexpr const char* kTwoRanks =
    "{\"event\":\"BlockStored\",\"block_hashes\":[11,12],\"parent_block_hash\":null,"
    "\"token_ids\":[1,2,3,4],\"block_size\":2,\"medium\":\"GPU\",\"data_parallel_rank\":0}\n"
    "{\"event\":\"BlockStored\",\"block_hashes\":[21],\"parent_block_hash\":null,"
    "\"token_ids\":[5,6],\"block_size\":2,\"medium\":\"GPU\",\"data_parallel_rank\":1}\n"
    "{\"event\":\"BlockRemoved\",\"block_hashes\":[99],\"medium\":\"GPU\","
    "\"data_parallel_rank\":0}\n";

class Opened {
public:
    std::string file(const std::string& name, const std::string& text) const {
        const std::string path = (folder_.path() / name).string();
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    std::optional<RecordedSource::Came> take() { return source.take(1e6); }

private:
    ScratchFolder folder_;
    std::uint64_t n_runs_ = 0;

public:
    RecordedSource source{[this] { return ++n_runs_; }, {}};
};

}  // namespace

TEST_CASE("a file of events is shown once it is read, until another run is", "[live][trace]") {
    Opened opened;
    RecordedSource& source = opened.source;
    CHECK_FALSE(source.take(1e6));
    CHECK(source.run() == nullptr);
    source.open(opened.file("two.jsonl", kTwoRanks));
    REQUIRE(source.preparing());
    CHECK(source.preparing()->what == Preparing::What::Events);
    CHECK(source.preparing()->name == "two.jsonl");
    const auto came = opened.take();
    REQUIRE(came);
    CHECK(came->id == 1);
    CHECK(came->history.run() == 1);
    CHECK(std::filesystem::path(came->path).is_absolute());
    REQUIRE(source.run());
    CHECK(source.run()->name() == "two.jsonl");
    CHECK_FALSE(source.preparing());
    source.close();
    CHECK(source.run() == nullptr);
}

TEST_CASE("what a server's file named and is not shown is said", "[live][trace]") {
    Opened opened;
    opened.source.open(opened.file("two.jsonl", kTwoRanks));
    const std::string said = opened.take()->left_out.english();
    INFO(said);
    CHECK(said.find("rank") != std::string::npos);
    CHECK(said.find("before the recording began") != std::string::npos);
}

TEST_CASE("a server's file is read in another way, and what leads nowhere changes nothing",
          "[live][trace]") {
    Opened opened;
    RecordedSource& source = opened.source;
    CHECK_THROWS_AS(source.read_as("rank 1"), Refused);  // nothing is shown yet
    source.open(opened.file("two.jsonl", kTwoRanks));
    opened.take();
    const std::uint64_t of_rank_0 = source.run()->trace().size();
    for (const char* nonsense : {"", "rank", "rank one", "rank -1", "hits loud", "pool 0x8"}) {
        INFO(nonsense);
        CHECK_THROWS_AS(source.read_as(nonsense), Refused);
        CHECK_FALSE(source.busy());
    }
    source.read_as("rank 1");
    CHECK(source.run()->trace().size() == of_rank_0);  // still the one that was shown
    const auto came = opened.take();
    REQUIRE(came);
    CHECK(came->id == 2);  // what was refused took no number
    CHECK(source.run()->recorded()->rank == 1);
    source.read_as("rank 7");
    CHECK_THROWS_AS(opened.take(), Error);
    REQUIRE(source.run());
    CHECK(source.run()->recorded()->rank == 1);
    source.read_as("hits announced");  // with the rank that is shown
    REQUIRE(opened.take());
    CHECK(source.run()->recorded()->rank == 1);
}

TEST_CASE("a file without events is refused, and what was shown stays", "[live][trace]") {
    Opened opened;
    RecordedSource& source = opened.source;
    source.open(opened.file("two.jsonl", kTwoRanks));
    opened.take();
    source.open(opened.file("none.jsonl", ""));
    CHECK_THROWS_AS(opened.take(), Error);
    REQUIRE(source.run());
    CHECK(source.run()->name() == "two.jsonl");
    CHECK_FALSE(source.busy());
}

TEST_CASE("a record stands at the step that was asked for, or at its end", "[live][trace]") {
    Trace trace;
    test::Story(trace, 9).iterations(30);
    Opened opened;
    const std::string file = opened.file("run.jsonl", trace_json(trace));
    opened.source.open(file, 12);
    CHECK(opened.take()->step == 12u);
    CHECK(opened.source.run()->now().iteration == 12);
    opened.source.open(file, 99);
    CHECK(opened.take()->step == 99u);
    CHECK(opened.source.run()->now().iteration == 30);
    CHECK(opened.source.run()->recorded() == std::nullopt);
    CHECK_THROWS_AS(opened.source.read_as("rank 1"), Refused);  // a file of our own
}
