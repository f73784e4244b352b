// kvarium sim: its fields, its table, its series, and what it refuses.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <sstream>

#include "core/base/files/json.hpp"
#include "core/trace/event/event.hpp"
#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Json = nlohmann::json;

namespace {

using Words = std::vector<std::string>;

Json sim(const Words& more) {
    Words words{"sim", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run_cli(words);
    CAPTURE(words, ran.err);
    REQUIRE(ran.code == 0);
    CHECK(ran.err.empty());
    return Json::parse(ran.out);
}

void check_sim_refused(const Words& more, int code, const std::string& part) {
    Words words{"sim"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run_cli(words);
    CAPTURE(words, ran.err);
    CHECK(ran.code == code);
    CHECK(ran.out.empty());
    CHECK(count_lines(ran.err) == 1);
    CHECK(ran.err.find(". ") == std::string::npos);  // one sentence
    CHECK_THAT(ran.err, ContainsSubstring(part));
}

const std::string kTrace =
    "arrived_at,num_prefill_tokens,num_decode_tokens\n0,10,6\n1,20,4\n2,30,2\n3,300,2\n";

}  // namespace

TEST_CASE("the fields of every allocator, the published bars beside ours", "[sim][C110]") {
    const Json json = sim({"--allocators", "max,pow2,oracle,grow,paged", "--workload",
                           "sharegpt-like", "--pool", "15728", "--block-size", "16"});
    CHECK(json["pool"] == 15728);
    CHECK(json["block_size"] == 16);
    CHECK(json["seed"] == 0);
    const Words names{"max", "pow2", "oracle", "grow", "paged"};
    REQUIRE(json["allocators"].size() == names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Json& one = json["allocators"][i];
        CHECK(one["name"] == names[i]);
        double sum = 0;
        for (const char* share :
             {"tokens_share", "reserved_share", "internal_share", "external_share", "free_share"})
            sum += one.at(share).get<double>();
        CHECK_THAT(sum, WithinAbs(1, 1e-9));
        for (const char* whole : {"bytes_copied", "admitted", "refused"})
            CHECK(one.at(whole).is_number_unsigned());
        CHECK(one["admitted"] == 5000);
        CHECK((one["bytes_copied"] == 0) == (names[i] != "grow"));
    }
    const Json& max = json["allocators"][0];
    CHECK(max["mean_batch"] == 7.0);
    CHECK_THAT(max["external_share"].get<double>(), WithinAbs(0.0885, 0.00005));
    CHECK(max["published"]["tokens_share"] == 0.204);
    CHECK(json["prefix"].is_null());
}

TEST_CASE("a trace through a pool, by hand", "[sim]") {
    const ScratchFolder folder;
    const std::string trace = folder.write("trace.csv", kTrace);
    // 48 slots hold A (16 of 10 + 6) and B (24), not C (32); 302 tokens are more than the pool.
    const Json json = sim(
        {"--workload", trace, "--pool", "48", "--allocators", "first_fit", "--max-length", "1"});
    const Json& one = json["allocators"][0];
    CHECK(one["refused"] == 1);
    CHECK(one["admitted"] == 3);
    // A has iterations 0 to 5, B 0 to 3; then its end and the rest are the 32 slots of C: 4 and 5.
    CHECK(one["iterations"] == 6);
    CHECK(one["saturated_iterations"] == 4);
    CHECK(one["mean_batch"] == 2.0);
    const double tokens = (10 + 11 + 12 + 13) + (20 + 21 + 22 + 23);
    CHECK_THAT(one["tokens_share"].get<double>(), WithinAbs(tokens / 4 / 48, 1e-12));
    CHECK_THAT(one["utilisation"].get<double>(), WithinAbs(tokens / 4 / 40, 1e-12));
    CHECK(json["workload"]["format"] == "vidur");
}

TEST_CASE("the same line prints the same bytes, another seed other ones", "[sim]") {
    const Words line{"sim", "--json", "--requests", "300"};
    CHECK(run_cli(line).out == run_cli(line).out);
    Words other = line;
    other.insert(other.end(), {"--seed", "1"});
    CHECK(run_cli(line).out != run_cli(other).out);
}

TEST_CASE("the table has ours and theirs", "[sim][C110]") {
    const Ran ran = run_cli({"sim", "--allocators", "max,paged", "--requests", "500"});
    CHECK(ran.code == 0);
    CHECK(ran.err.empty());  // no progress in a pipe
    CHECK_THAT(ran.out, ContainsSubstring("max         7.00"));
    CHECK_THAT(ran.out, ContainsSubstring("  paper     7.00  20.4 %"));
    const Ran idle = run_cli({"sim", "--requests", "2"});
    CHECK_THAT(idle.out, ContainsSubstring("Nobody ever waited"));
    CHECK(sim({"--requests", "2"})["allocators"][0]["mean_batch"].is_null());
}

TEST_CASE("what paged did is written as events, and the window shows the same pool", "[sim]") {
    const ScratchFolder folder;
    const std::string workload = folder.write("requests.csv", kTrace),
                      path = folder.file("race.jsonl");
    const Ran ran = run_cli({"sim", "--workload", workload, "--allocators", "max,paged", "--pool",
                             "64", "--block-size", "8", "--events", path});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    std::istringstream lines(read_text(path));
    std::string line;
    std::size_t taken = 0, refused = 0;
    while (std::getline(lines, line)) {
        const Json event = Json::parse(line);
        CHECK_FALSE(event["reason"].get<std::string>().empty());
        taken += event["event"] == "BlockAllocated";
        refused += event["event"] == "RequestFinished" && event["finish"] == "refused";
    }
    // 16, 24 and 32 tokens in blocks of 8; the request of 302 does not fit in 64 slots.
    CHECK(taken == 2 + 3 + 4);
    CHECK(refused == 1);
    const Ran shot = run_cli({"shot", "--scene", path, "--panel", "stage", "--export", "json",
                              "--out", "-", "--step", "1"});
    CAPTURE(shot.err);
    CHECK(shot.code == 0);

    check_sim_refused({"--events", "-"}, 2, "--events \"-\"");
    check_sim_refused({"--events", path}, 2, "ask for fewer --requests");
    check_sim_refused({"--allocators", "max", "--events", path}, 2, "only paged has blocks");
}

TEST_CASE("a series has a line for every iteration, named as vLLM names its metrics", "[sim]") {
    const ScratchFolder folder;
    const std::string trace = folder.write("trace.csv", kTrace);
    const std::string path = folder.file("series.csv");
    const Words line{"--workload", trace,      "--pool", "64",           "--block-size",
                     "8",          "--series", path,     "--allocators", "paged"};
    const Json json = sim(line);
    std::istringstream series(read_text(path));
    std::string row;
    std::getline(series, row);
    for (const char* name : {"vllm:num_requests_running", "vllm:num_requests_waiting",
                             "vllm:kv_cache_usage_perc", "vllm:num_preemptions"})
        CHECK_THAT(row, ContainsSubstring(name));
    std::getline(series, row);
    // 10 tokens are two blocks of eight, 20 three; one of eight blocks is held back, so 30 tokens
    // in four blocks have to wait.
    CHECK(row == "paged,0,2,1,0.625000,0,30,0,32,30,0,10,0,24,0");
    std::size_t rows = 1;
    while (std::getline(series, row)) ++rows;
    CHECK(rows == json["allocators"][0]["iterations"]);
    Words thin = line;
    thin.insert(thin.end(), {"--series-every", "4"});
    sim(thin);
    CHECK(count_lines(read_text(path)) == 1 + (rows + 3) / 4);
}

TEST_CASE("prefix hits of a trace with hashes, and a cold cache", "[sim]") {
    const ScratchFolder folder;
    std::string lines;
    for (int i = 0; i < 8; ++i)
        lines += R"({"timestamp": 1, "input_length": 1024, "output_length": 9, "hash_ids": [0, )" +
                 std::to_string(1 + i % 2) + "]}\n";
    const std::string trace = folder.write("trace.jsonl", lines);
    const Json warm = sim({"--workload", trace, "--allocators", "paged"})["prefix"];
    CHECK(warm["tokens_per_block"] == 512);
    CHECK(warm["blocks_asked"] == 16);
    // The 2nd finds block 0, the 3rd to the 8th all but the last token.
    CHECK(warm["cache_sizes"][0]["vllm:prefix_cache_hits"] == 512 + 6 * 1023);
    const Json cold =
        sim({"--workload", trace, "--allocators", "paged", "--faults", "cold_cache=2"})["prefix"];
    CHECK(cold["cache_sizes"][0]["vllm:prefix_cache_hits"] == 4 * 512);
}

TEST_CASE("faults show in the numbers", "[sim][faults]") {
    const Json leak = sim({"--faults", "leak=0.05", "--allocators", "paged"});
    CHECK(leak["allocators"][0]["leaked_slots"] > 0);
    CHECK(leak["allocators"][0]["left_waiting"] > 0);
    CHECK(leak["allocators"][0]["published"].is_null());
    const Json large = sim({"--faults", "oversized_blocks=1024", "--allocators", "paged"});
    CHECK(large["block_size"] == 1024);
    CHECK(large["allocators"][0]["utilisation"] < 0.6);
    const Json open = sim({"--faults", "no_admission_control", "--pool", "1000", "--requests",
                           "100", "--allocators", "paged"});
    CHECK(open["allocators"][0]["abandoned"] > 0);
    CHECK(open["allocators"][0]["refused"] == 0);
}

TEST_CASE("wrong lines of sim", "[sim][usage]") {
    check_sim_refused({"--allocators", "max,foo"}, 2, "--allocators \"foo\" is not an allocator");
    check_sim_refused({"--allocators", "pagd"}, 2, "did you mean paged?");
    check_sim_refused({"--allocators", "max,max"}, 2, "stands twice");
    check_sim_refused({"--allocators", "max,"}, 2, "--allocators \"\" is not an allocator");
    check_sim_refused({"--workload", "sharegpt"}, 2, "did you mean sharegpt-like?");
    check_sim_refused({"--pool", "0"}, 2, "--pool \"0\"");
    check_sim_refused({"--pool", "24GiB"}, 2, "--pool \"24GiB\"");
    check_sim_refused({"--block-size", "1025"}, 2, "--block-size \"1025\" is larger than 1,024");
    check_sim_refused({"--requests", "0"}, 2, "--requests \"0\"");
    check_sim_refused({"--seed", "-1"}, 2, "--seed \"-1\" has a sign");
    check_sim_refused({"--faults", "leak=2"}, 2, "leak=2\" is no share");
    check_sim_refused({"--faults", "rain"}, 2, "--faults \"rain\" is no fault");
    check_sim_refused({"--faults", "cold_cache"}, 2, "need a trace with hash_ids");
    check_sim_refused({"--faults", "oversized_blocks", "--block-size", "16"}, 2,
                      "exclude each other");
    check_sim_refused({"--series", "-"}, 2, "--series \"-\"");
    check_sim_refused({"--series-every", "2"}, 2, "add --series");
    check_sim_refused({"--first-fit", "best"}, 2, "choose exact or max");
    check_sim_refused({"--preset", "gpt-5"}, 2, "is not a preset");
    check_sim_refused({"--preset", "opt-13b", "--bytes-per-token", "1"}, 2, "exclude each other");
}

TEST_CASE("files that are no trace exit 1 with line and rule", "[sim][usage]") {
    const ScratchFolder folder;
    check_sim_refused({"--workload", folder.file("none.csv")}, 1, "cannot be opened");
    check_sim_refused({"--workload", folder.write("a.csv", "x,y\n1,2\n")}, 1, "line 1: \"x,y\" is");
    check_sim_refused({"--workload", folder.write("b.csv", kTrace + "4,5,six\n")}, 1,
                      "line 6, num_decode_tokens: \"six\" is not a whole number");
    check_sim_refused({"--workload", folder.write("c.jsonl", "{}\n")}, 1,
                      "line 1: has no input_length");
    check_sim_refused({"--workload", folder.write("d.csv", "")}, 1, "ends without a request");
    check_sim_refused({"--workload", "/tmp/"}, 1, "is a folder");
    CHECK(folder.names().size() == 4);
}
