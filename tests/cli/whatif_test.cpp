// kvarium whatif: its fields, what its options ask for, and what it refuses.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <iterator>

#include "core/base/files/json.hpp"
#include "tests/cli/run_cli.hpp"
#include "tests/places.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

using Words = std::vector<std::string>;

Json whatif(const Words& more) {
    Words words{"whatif", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run_cli(words);
    CAPTURE(words, ran.err);
    REQUIRE(ran.code == 0);
    CHECK(ran.err.empty());
    return Json::parse(ran.out);
}

// Three blocks of four tokens, another one, and the first two again.
std::string recorded(const std::string& tokens) {
    const auto line = [&](int seq, const char* hashes, const char* parent) {
        return "{\"seq\":" + std::to_string(seq) + ",\"ts\":" + std::to_string(10 * seq) +
               R"(,"events":[{"type":"BlockStored","block_hashes":)" + hashes +
               R"(,"parent_block_hash":)" + parent + ",\"token_ids\":" + tokens +
               ",\"block_size\":4}]}\n";
    };
    return line(0, "[1,2,3]", "null") + line(1, "[4]", "null") + line(2, "[5]", "2") +
           line(3, "[6]", "4");
}

Json json_in(const std::string& path) {
    return Json::parse(read_text(path));
}

// How many rows the window's table has; each must be a point of the command line, in every number.
std::size_t rows_told_by(const Json& window, const std::string& name, const Json& told) {
    for (const Json& table : window["tables"]) {
        if (table["name"] != name) continue;
        std::map<std::string, std::size_t> at;
        for (const Json& column : table["columns"]) at.emplace(column["name"], at.size());
        const auto same = [&](const Json& row, const Json& point) {
            const std::pair<const char*, const char*> both[] = {
                {"memory", "bytes"},
                {"pool", "pool"},
                {"blocks", "blocks_in_pool"},
                {"block_size", "block_size"},
                {"order", "order"},
                {"hit_rate", "hit_rate"},
                {"tokens_asked", "tokens_asked"},
                {"tokens_hit", "tokens_hit"},
                {"tokens_computed_again", "tokens_computed_again"},
                {"blocks_reclaimed", "blocks_reclaimed"}};
            for (const auto& [ours, theirs] : both)
                if (row[at.at(ours)] != point[theirs]) return false;
            const Json& times = point["first_token"];
            return row[at.at("ttft_median")] == times["median_s"] &&
                   row[at.at("ttft_mean")] == times["mean_s"] &&
                   row[at.at("ttft_95th")] == times["p95_s"];
        };
        std::size_t n = 0;
        for (const Json& row : table["rows"])
            n += std::any_of(told["points"].begin(), told["points"].end(),
                             [&](const Json& point) { return same(row, point); })
                     ? 1
                     : 0;
        return n;
    }
    return 0;
}

}  // namespace

TEST_CASE("points are as asked for, and a curve goes with them", "[whatif]") {
    const ScratchFolder folder;
    const std::string file = folder.write("recorded.jsonl", recorded("[]"));
    const Json json = whatif({file, "--pool", "2,4,100", "--order", "lru,fifo"});
    REQUIRE(json["points"].size() == 6);
    // The third finds two blocks of three at depths 2 and 3, the fourth one of two at depth 4.
    const Json& two = json["points"][0];
    CHECK(two["pool"] == 2);
    CHECK(two["block_size"] == 4);
    CHECK(two["order"] == "lru");
    CHECK(two["hit_rate"] == 1.0 / 9);
    CHECK(two["tokens_computed"] == 8 * 4);
    CHECK(two["known_by"] == "one_pass_and_replayed");
    CHECK(json["points"][1]["tokens_computed"] == 6 * 4);
    CHECK(json["points"][2]["tokens_computed"] == 6 * 4);
    CHECK(json["points"][2]["blocks_reclaimed"] == 0);
    CHECK(json["points"][5]["order"] == "fifo");
    CHECK(json["points"][5]["known_by"] == "replayed");
    CHECK(json["curve"].back()["hit_rate"] == json["without_end"]["hit_rate"]);
    CHECK(json["recording"]["requests"] == 4);
    CHECK(json["knee"]["point"]["pool"] == 4);
    CHECK_THAT(json["answer"].get<std::string>(), ContainsSubstring("prefix hit rate"));
}

TEST_CASE("a smaller codec, a host tier and another block size are points as well", "[whatif]") {
    const ScratchFolder folder;
    const std::string file = folder.write("recorded.jsonl", recorded("[]"));
    const Json int8 = whatif({file, "--pool", "130", "--k-codec", "int8"})["points"][0];
    CHECK(int8["pool"] == 130);
    CHECK(int8["blocks_in_pool"] == 256);
    CHECK(int8["v_codec"] == "int8");
    const Json host = whatif({file, "--pool", "3", "--host-blocks", "50"})["points"][0];
    CHECK(host["tokens_computed_again"] == 0);
    CHECK(host["tokens_hit_in_host"] == 4);  // the fourth finds what the third drove out
    CHECK(whatif({file, "--block-size", "8", "--pool", "3"})["points"][0]["block_size"] == 8);
}

TEST_CASE("an hour that is made up is written, weighed, and the same each time",
          "[whatif][heavy]") {
    const ScratchFolder folder;
    const std::string file = folder.file("hour.jsonl");
    CHECK(run_cli({"whatif", "--record-service", file, "--pool", "2000"}).code == 0);
    const Ran first = run_cli({"whatif", file, "--one-pass"});
    CHECK(first.code == 0);
    CHECK_THAT(first.out, ContainsSubstring("the server's own counters say"));
    CHECK(run_cli({"whatif", file, "--one-pass"}).out == first.out);
}

TEST_CASE("an hour by its name is the hour that is written, and the page for operators quotes it",
          "[whatif][heavy]") {
    const ScratchFolder folder;
    const std::string file = folder.file("hour.jsonl");
    CHECK(run_cli({"whatif", "--record-service", file, "--pool", "1200"}).code == 0);
    const Json named = whatif({"service:pool=1200", "--pool", "1200", "--one-pass"});
    const Json written = whatif({file, "--pool", "1200", "--one-pass"});
    CHECK(named["points"] == written["points"]);
    const Ran answer = run_cli({"whatif", "service:pool=1200", "--one-pass"});
    const std::string sentence = answer.out.substr(0, answer.out.find('\n'));
    CHECK_THAT(sentence, ContainsSubstring("Twice the pool raises the prefix hit rate"));
    std::ifstream page(source_dir() + "/docs/operators.md");
    const std::string words{std::istreambuf_iterator<char>(page), {}};
    CHECK_THAT(words, ContainsSubstring("> " + sentence + "\n"));
}

TEST_CASE("the window's tables say what the command line says", "[whatif][heavy]") {
    const ScratchFolder folder;
    const std::string file = folder.file("hour.jsonl"), tables = folder.file("tables.json");
    REQUIRE(run_cli({"whatif", "--record-service", file, "--pool", "2001", "--show-tokens"}).code ==
            0);
    const Ran shot =
        run_cli({"shot", "--panel", "whatif", "--command", "whatif.file " + file, "--command",
                 "whatif.view block_size", "--command", "whatif.view order", "--out", tables});
    CAPTURE(shot.err);
    REQUIRE(shot.code == 0);
    const Json window = json_in(tables);
    const Json by_order =
        whatif({file, "--order", "lru,fifo,lfu,mru,filo,lru-sglang,lru-strict,slru"});
    const Json by_size = whatif({file, "--block-size", "4,8,16,32,64,128"});
    CHECK(rows_told_by(window, "orders", by_order) == 8 * 3);
    // Only the view in front is weighed, and it comes first.
    CHECK(window["tables"][0]["name"] == "orders");
    REQUIRE(run_cli({"shot", "--panel", "whatif", "--command", "whatif.file " + file, "--command",
                     "whatif.view block_size", "--out", tables})
                .code == 0);
    CHECK(rows_told_by(json_in(tables), "block_sizes", by_size) == 6 * 3);
    CHECK(rows_told_by(json_in(tables), "points", whatif({file})) >= 5);
}

TEST_CASE("what cannot be weighed is refused in one sentence", "[whatif]") {
    const ScratchFolder folder;
    const std::string file = folder.write("recorded.jsonl", recorded("[]"));
    const std::string nothing = folder.write("nothing.jsonl", "{\"ts\":1,\"events\":[]}\n");
    check_refused({"whatif"}, 2, "wants a FILE");
    check_refused({"whatif", folder.file("none.jsonl")}, 1, "cannot be opened");
    check_refused({"whatif", "service:pool=1"}, 2, "which is smaller than 400");
    check_refused({"whatif", "service:"}, 2, "says nothing");
    check_refused({"whatif", nothing}, 1, "nothing is known of what was asked for");
    check_refused({"whatif", file, "--pool", "0"}, 2, "is smaller than 1");
    check_refused({"whatif", file, "--pool", "5,5"}, 2, "stands twice");
    check_refused({"whatif", file, "--order", "clock"}, 2, "is not an order of eviction");
    check_refused({"whatif", file, "--block-size", "6"}, 2, "can only be joined");
    check_refused({"whatif", file, "--k-codec", "int9"}, 2, "is not a codec");
    check_refused({"whatif", file, "--k-codec", "int4:g7"}, 2, "7");
    check_refused({"whatif", file, "--card", "m4-max"}, 2, "no card with a known peak");
    check_refused({"whatif", file, "--preset", "gpt-9"}, 2, "is not a preset");
    check_refused({"whatif", file, "--record-service", "x.jsonl"}, 2, "weighs none");
    check_refused({"whatif", file, "--show-tokens"}, 2, "is for --record-service");
}
