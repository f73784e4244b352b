// Public trace formats: what is read, and what is refused with line, field and rule.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/error.hpp"
#include "core/sim/traces/reader.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Equals;
using test::ScratchFolder;

namespace {

struct Parsed {
    std::vector<TraceRow> rows;
    std::optional<TraceFormat> format;
    std::string refusal;  // empty when there is none
    u64 passed_over = 0;
};

Parsed parse(const std::string& text, std::size_t piece = 1000) {
    Parsed parsed;
    TraceParser parser([&](const TraceRow& row) {
        parsed.rows.push_back(row);
        return true;
    });
    std::optional<TraceRefusal> refusal;
    for (std::size_t at = 0; at < text.size() && !refusal; at += piece)
        refusal = parser.feed(std::string_view(text).substr(at, piece));
    if (!refusal) refusal = parser.finish();
    if (refusal) parsed.refusal = refusal->text();
    parsed.format = parser.format();
    parsed.passed_over = parser.passed_over();
    return parsed;
}

const std::string kAzure = "TIMESTAMP,ContextTokens,GeneratedTokens\r\n";
const std::string kVidur = "arrived_at,num_prefill_tokens,num_decode_tokens\n";
const std::string kMooncake =
    R"({"timestamp": 27482, "input_length": 6955, "output_length": 52, "hash_ids": [46, 47, 2353]})"
    "\n";

void check_refused(const std::string& text, const std::string& what) {
    const Parsed parsed = parse(text);
    CAPTURE(text.substr(0, 200));
    CHECK_THAT(parsed.refusal, ContainsSubstring(what));
    CHECK(parsed.refusal.find('\n') == std::string::npos);
    CHECK(parse(text, 1).refusal == parsed.refusal);  // byte by byte it says the same
}

std::string error_of(const std::string& path) {
    try {
        read_trace(path, {});
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::World);
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("Azure 2023: CRLF, dates with seven decimals, no end on the last line", "[trace]") {
    const Parsed parsed = parse(kAzure +
                                "2023-11-16 18:15:46.6805900,374,44\r\n"
                                "2023-11-16 18:15:50.9951690,396,109");
    REQUIRE(parsed.refusal.empty());
    CHECK(parsed.format == TraceFormat::Azure);
    REQUIRE(parsed.rows.size() == 2);
    CHECK(parsed.rows[0].prompt == 374);
    CHECK(parsed.rows[0].output == 44);
    CHECK(parsed.rows[1].arrival_ns - parsed.rows[0].arrival_ns == 4'314'579'000);
}

TEST_CASE("Azure 2024 writes microseconds and a zone, 2025 adds a column", "[trace]") {
    const Parsed parsed =
        parse("TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10 00:00:00.009930+00:00,2162,5\n");
    REQUIRE(parsed.rows.size() == 1);
    CHECK(parsed.rows[0].prompt == 2162);
    // 24 years with 7 leap days, and 130 days of a leap year.
    CHECK(parsed.rows[0].arrival_ns ==
          u64{(24 * 365 + 6) + 130} * 86'400 * 1'000'000'000 + 9'930'000);
    const Parsed images = parse(
        "TIMESTAMP,NumImages,ContextTokens,GeneratedTokens\n"
        "2024-10-15 00:00:02.123+00:00,3,1500,20\n");
    REQUIRE(images.rows.size() == 1);
    CHECK(images.rows[0].prompt == 1500);
    CHECK(images.format == TraceFormat::Azure);
}

TEST_CASE("BurstGPT: both headers, quotes, failed requests", "[trace]") {
    const Parsed old = parse(
        "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
        "5,ChatGPT,472,18,490,Conversation log\n"
        "45,\"GPT-4, \"\"turbo\"\"\",1087,0,1087,Conversation log\n");
    CHECK(old.refusal.empty());
    CHECK(old.format == TraceFormat::BurstGpt);
    REQUIRE(old.rows.size() == 1);
    CHECK(old.rows[0].arrival_ns == 5'000'000'000);
    CHECK(old.rows[0].prompt == 472);
    CHECK(old.rows[0].output == 18);
    CHECK(old.passed_over == 1);
    const Parsed sessions = parse(
        "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,"
        "Log Type\n5.25,17,1.5,GPT-4,100,20,120,API log\n");
    REQUIRE(sessions.rows.size() == 1);
    CHECK(sessions.rows[0].arrival_ns == 5'250'000'000);
    CHECK(sessions.rows[0].output == 20);
}

TEST_CASE("Vidur: seconds as a data frame writes them; some files have no times", "[trace]") {
    const Parsed parsed =
        parse(kVidur + "0.0,374,44\n5.8926549999999995,91,16\n1e-05,7,8\n2E+1,1,1\n");
    CHECK(parsed.refusal.empty());
    CHECK(parsed.format == TraceFormat::Vidur);
    REQUIRE(parsed.rows.size() == 4);
    CHECK(parsed.rows[1].arrival_ns == 5'892'655'000);
    CHECK(parsed.rows[2].arrival_ns == 10'000);
    CHECK(parsed.rows[3].arrival_ns == 20'000'000'000);
    const Parsed lengths = parse(
        "num_prefill_tokens,num_decode_tokens,num_total_tokens,pd_ratio\n"
        "3772,54,3826,69.85185185185185\n");
    REQUIRE(lengths.rows.size() == 1);
    CHECK(lengths.rows[0].prompt == 3772);
    CHECK(lengths.rows[0].arrival_ns == 0);
}

TEST_CASE("Mooncake and Qwen-Bailian JSON lines", "[trace]") {
    const Parsed mooncake = parse(kMooncake);
    CHECK(mooncake.refusal.empty());
    CHECK(mooncake.format == TraceFormat::Mooncake);
    REQUIRE(mooncake.rows.size() == 1);
    CHECK(mooncake.rows[0].arrival_ns == 27'482'000'000);
    CHECK(mooncake.rows[0].hash_ids == std::vector<u64>{46, 47, 2353});
    const Parsed qwen =
        parse(R"({"chat_id": 159, "parent_chat_id": -1, "timestamp": 61.114, "input_length": 521,)"
              R"( "output_length": 132, "type": "text", "turn": 1, "hash_ids": [1089, 1090]})");
    CHECK(qwen.refusal.empty());
    CHECK(qwen.format == TraceFormat::QwenBailian);
    REQUIRE(qwen.rows.size() == 1);
    CHECK(qwen.rows[0].arrival_ns == 61'114'000'000);
    CHECK(qwen.rows[0].prompt == 521);
    CHECK(qwen.rows[0].output == 132);
    CHECK(tokens_per_hash(TraceFormat::QwenBailian) == 16u);
    CHECK_FALSE(tokens_per_hash(TraceFormat::Azure).has_value());
}

TEST_CASE("a byte order mark, blank lines at the end, and any piece size", "[trace]") {
    const std::string text = "\xEF\xBB\xBF" + kVidur + "0,10,20\r\n1,30,40\n\r\n\n";
    for (const std::size_t piece : {1, 2, 3, 7, 1000}) {
        const Parsed parsed = parse(text, piece);
        CHECK(parsed.refusal.empty());
        REQUIRE(parsed.rows.size() == 2);
        CHECK(parsed.rows[1].output == 40);
    }
    CHECK(parse("\xEF\xBB\xBF" + kMooncake).rows.size() == 1);
}

TEST_CASE("files that are no trace", "[trace][refusals]") {
    check_refused("", "line 1: the trace ends without a request");
    check_refused("\n\n", "the trace ends without a request");
    check_refused(kVidur, "line 2: the trace ends without a request");
    check_refused("hello\nworld\n", "line 1: \"hello\" is the header of no trace known here");
    check_refused("Timestamp,Model,Request tokens\n", "is the header of no trace known here");
    check_refused("{}\n", "line 1: has no input_length and output_length");
    check_refused("[1,2]\n", "is the header of no trace known here");
    check_refused(R"({"input_length": 5)", "line 1: is not JSON");
    check_refused(
        "\x7f"
        "ELF\x02\x01",
        "is the header of no trace known here");
    check_refused(std::string((1 << 20) + 1, 'x'), "line 1: is longer than 1 MiB");
    check_refused(kVidur + "0,1,2\n" + std::string(2'000'000, '1'), "line 3: is longer than 1 MiB");
    check_refused("arrived_at,num_prefill_tokens,num_decode_tokens,arrived_at\n0,1,2,3\n",
                  "line 1, arrived_at: stands twice in the header");
}

TEST_CASE("rows that are wrong say line, field and rule", "[trace][refusals]") {
    const std::string vidur = kVidur + "0.5,10,20\n";
    check_refused(vidur + "1.0,1.5,20\n",
                  "line 3, num_prefill_tokens: \"1.5\" is not a whole number");
    check_refused(vidur + "1.0,-3,20\n", "line 3, num_prefill_tokens: \"-3\" has a sign");
    check_refused(vidur + "1.0,5,\n", "line 3, num_decode_tokens: \"\" is empty");
    check_refused(vidur + "1.0,5,0x10\n", "line 3, num_decode_tokens: \"0x10\" is hexadecimal");
    check_refused(vidur + "1.0,5, 7\n", "line 3, num_decode_tokens:");
    check_refused(vidur + "1.0,5,1000000001\n",
                  "line 3, num_decode_tokens: \"1000000001\" is larger than 1,000,000,000");
    check_refused(vidur + "1.0,5,99999999999999999999999\n", "line 3, num_decode_tokens:");
    check_refused(vidur + "nan,5,7\n", "line 3, arrived_at: \"nan\" is no time in seconds");
    check_refused(vidur + "-1,5,7\n", "line 3, arrived_at:");
    check_refused(vidur + "1e999,5,7\n", "line 3, arrived_at:");
    check_refused(vidur + "1e,5,7\n", "line 3, arrived_at:");
    check_refused(vidur + "1.0,5\n", "line 3: has 2 fields where the header has 3");
    check_refused(vidur + "1.0,5,7,9\n", "line 3: has 4 fields where the header has 3");
    check_refused(vidur + "\n1.0,5,7\n", "line 3: is empty");
    check_refused(vidur + std::string("1.0,5,7\0\n", 9), "line 3: holds a NUL byte");
    check_refused(vidur + "\"1.0,5,7\n", "line 3: has a quote that is not closed on the line");
    check_refused(vidur + "\"1\"0,5,7\n", "line 3: goes on behind a closing quote");
    check_refused(vidur + "1\"0,5,7\n", "line 3: has a quote inside a plain field");
    check_refused(vidur + std::string(100, ','), "line 3: has more than 64 fields");
    for (const char* date :
         {"2023-13-16 18:15:46", "2023-02-29 00:00:00", "2023-11-16", "1999-11-16 18:15:46",
          "2023-11-16 24:00:00", "2023-11-16 18:15:46.", "2023-11-16 18:15:46.1234567890",
          "2023-11-16 18:15:46+02:00", "2023-11-16 18:15:4x"})
        check_refused(kAzure + date + ",5,7\r\n", "line 2, TIMESTAMP: \"" + std::string(date));
}

TEST_CASE("JSON lines that are wrong", "[trace][refusals]") {
    const auto line = [](const std::string& fields) { return kMooncake + "{" + fields + "}\n"; };
    const std::string rest = R"("output_length": 5, "hash_ids": [])";
    check_refused(line(R"("timestamp": 1, )" + rest), "line 2, input_length: is missing");
    check_refused(line(R"("input_length": 1, )" + rest), "line 2, timestamp: is missing");
    check_refused(line(R"("timestamp": "1", "input_length": 1, )" + rest),
                  "line 2, timestamp: \"1\" is no time from 0 on");
    check_refused(line(R"("timestamp": -1, "input_length": 1, )" + rest),
                  "line 2, timestamp: -1 is no time from 0 on");
    check_refused(line(R"("timestamp": 1, "input_length": 1.5, )" + rest),
                  "line 2, input_length: 1.5 is not a whole number");
    check_refused(line(R"("timestamp": 1, "input_length": -1, )" + rest),
                  "line 2, input_length: -1 is not a whole number");
    check_refused(line(R"("timestamp": 1, "input_length": 1000000001, )" + rest),
                  "line 2, input_length: 1,000,000,001 is larger than 1,000,000,000");
    check_refused(line(R"("timestamp": 1, "timestamp": 2, "input_length": 1, )" + rest),
                  "line 2: names the key \"timestamp\" twice");
    check_refused(line(R"("timestamp": 1, "input_length": 1, "output_length": 1, "hash_ids": 3)"),
                  "line 2, hash_ids: 3 is no list");
    check_refused(
        line(R"("timestamp": 1, "input_length": 1, "output_length": 1, "hash_ids": [1, -2])"),
        "line 2: has something in hash_ids that is no whole number");
    check_refused(
        line(R"("timestamp": 1, "input_length": 1, "output_length": 1, "hash_ids": [[1]])"),
        "line 2: has something in hash_ids that is no whole number");
    check_refused(kMooncake + "[1]\n", "line 2: is no JSON object");
    check_refused(kMooncake + "{\"timestamp\": 1,\n", "line 2: is not JSON");
    check_refused(kMooncake + "{\"a\":" + std::string(10'000, '['), "line 2: is nested deeper");
    check_refused(kMooncake + kVidur, "line 2: is not JSON");
}

TEST_CASE("a file: sorted by time, cut at the limit, refused as one sentence", "[trace][file]") {
    const ScratchFolder scratch;
    const std::string path =
        scratch.write("all", kVidur + "3,30,1\n1,10,1\n3,31,1\n2,0,5\n2,20,1\n");
    const TraceFile all = *read_trace(path, {});
    CHECK(all.format == TraceFormat::Vidur);
    CHECK(all.passed_over == 1);
    std::vector<std::uint32_t> prompts;
    for (const SimRequest& request : all.requests) prompts.push_back(request.prompt);
    CHECK(prompts == std::vector<std::uint32_t>{10, 20, 30, 31});
    CHECK(read_trace(path, 2)->requests.size() == 2);  // the first two of the file
    CHECK_FALSE(read_trace(path, {}, [](double) { return false; }).has_value());

    const std::string wrong = scratch.write("wrong", kVidur + "3,x,1\n");
    CHECK_THAT(error_of(wrong),
               Equals(wrong + ": line 2, num_prefill_tokens: \"x\" is not a whole number; copy "
                              "the trace again."));
    CHECK_THAT(error_of(scratch.write("failed", kVidur + "3,5,0\n")),
               ContainsSubstring("none of its requests has"));
}

TEST_CASE("what is no regular file", "[trace][file]") {
    CHECK_THAT(error_of("/nowhere/trace.csv"), ContainsSubstring("cannot be opened"));
    CHECK_THAT(error_of("/tmp"), ContainsSubstring("is a folder"));
    CHECK_THAT(error_of("/dev/zero"), ContainsSubstring("is a device"));
    CHECK_THAT(error_of(""), ContainsSubstring("is not a file name"));
}

TEST_CASE("a million rows go through without being kept", "[trace][speed][heavy]") {
    std::string piece;
    for (int i = 0; i < 1000; ++i) piece += std::to_string(i) + ".25,374,44\n";
    u64 rows = 0, tokens = 0;
    TraceParser parser([&](const TraceRow& row) {
        ++rows;
        tokens += row.prompt + row.output;
        return true;
    });
    REQUIRE_FALSE(parser.feed(kVidur).has_value());
    for (int i = 0; i < 1000; ++i) REQUIRE_FALSE(parser.feed(piece).has_value());
    REQUIRE_FALSE(parser.finish().has_value());
    CHECK(rows == 1'000'000);
    CHECK(tokens == 418'000'000);
}
