#include "app/cli/attach/input.hpp"

#include <filesystem>
#include <limits>
#include <utility>

#include "app/cli/terminal/values.hpp"
#include "core/attach/picture/tank_picture.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/model/tokenizer/token_words.hpp"
#include "core/whatif/record/made_up.hpp"

namespace kv {
namespace {

constexpr u64 kMostRanks = 64, kLastPort = 65535;
constexpr double kLongest_s = 1e7;
constexpr std::size_t kLongestTopic = 255;

Address tcp_of(std::string_view name, const std::string& text, const char* advice) {
    auto read = parse_tcp(text);
    if (const auto* wrong = std::get_if<AddressRefusal>(&read))
        refuse_value(name, text, wrong->why, advice);
    return std::get<Address>(std::move(read));
}

// The ports of all ranks have to be there.
void check_ports(std::string_view name, const Address& address, u64 ranks) {
    if (address.port + ranks - 1 <= kLastPort) return;
    refuse_value(name, text_of(address), "leaves no ports for " + counted(ranks, "rank"),
                 "rank r is at the port + r, so choose a lower port or fewer ranks");
}

void read_metrics(const GivenOptions& given, const char* name, AttachPlan& plan) {
    const auto metrics = given.text(name);
    if (!metrics) return;
    auto read = parse_http(*metrics);
    if (const auto* wrong = std::get_if<AddressRefusal>(&read))
        refuse_value(name, *metrics, wrong->why,
                     "write http://HOST:PORT/metrics, such as http://localhost:8000/metrics");
    plan.metrics = std::get<HttpAddress>(std::move(read));
}

// A person who names a file that is not there means a file as well.
bool names_recording(const std::string& word) {
    std::error_code unknown;
    return is_made_up(word) || std::filesystem::path(word).extension() == ".jsonl" ||
           std::filesystem::is_regular_file(word, unknown);
}

// All that can be asked of a server alone.
void refuse_beside_recording(const GivenOptions& given, const std::string& file) {
    for (const char* name : {"--bind", "--replay", "--topic", "--metrics", "--ranks", "--record",
                             "--for", "--until-sequence"})
        if (given.has(name))
            throw usage_error(std::string(name) + " is for a server that runs, and " + shown(file) +
                              " is a recording; leave one of them out.");
}

void read_addresses(const GivenOptions& given, AttachInput& out) {
    constexpr const char* kAdvice = "write tcp://HOST:PORT, such as tcp://localhost:5557";
    AttachPlan& plan = out.plan;
    plan.events = tcp_of("The address", out.address, kAdvice);
    plan.bind = given.has("--bind");
    plan.ranks =
        static_cast<std::uint32_t>(whole_option(given, "--ranks", 1, kMostRanks).value_or(1));
    check_ports("The address", plan.events, plan.ranks);
    if (const auto replay = given.text("--replay")) {
        plan.replay = tcp_of("--replay", *replay, kAdvice);
        check_ports("--replay", *plan.replay, plan.ranks);
    }
    if (!plan.bind && plan.events.host == "*")
        throw usage_error(
            "The address \"" + shown(out.address) +
            "\" names no one host; write the server's, or add --bind to listen for it.");
    read_metrics(given, "--metrics", plan);
    plan.topic = given.text("--topic").value_or("");
    if (plan.topic.size() > kLongestTopic)
        refuse_value("--topic", plan.topic, "is longer than 255 bytes", "shorten it");
}

// "rank:1": of the same server.
std::int64_t other_rank(const std::string& text, u64 ranks) {
    constexpr std::string_view kRank = "rank:";
    constexpr const char* kWrite = "write rank:N or tcp://HOST:PORT, such as rank:1";
    if (!text.starts_with(kRank))
        refuse_value("--against", text, "names no rank and no server", kWrite);
    std::string why;
    const auto rank = parse_whole(text.substr(kRank.size()), 0, kMostRanks, why);
    if (!rank) refuse_value("--against", text, "names no rank: its number " + why, kWrite);
    if (*rank == 0) refuse_value("--against", text, "is what is compared", "name a rank from 1 on");
    if (*rank >= ranks)
        refuse_value("--against", text, "names a rank that is not listened to",
                     "give --ranks " + std::to_string(*rank + 1) + " or more");
    return static_cast<std::int64_t>(*rank);
}

// Once all else is read: the other server is listened to in the same way.
void read_against(const GivenOptions& given, AttachInput& out) {
    constexpr const char* kAdvice = "write tcp://HOST:PORT, such as tcp://localhost:5557";
    const auto against = given.text("--against");
    const bool is_server = against && against->starts_with("tcp://");
    for (const char* name : {"--against-replay", "--against-metrics"})
        if (given.has(name) && !is_server)
            throw usage_error(std::string(name) +
                              " belongs to a server that this one is compared with; add --against "
                              "tcp://HOST:PORT.");
    if (!against) return;
    if (!is_server) {
        if (names_recording(*against)) {
            if (given.has("--window")) return;  // where a recording stands beside
            throw usage_error("--against " + shown(*against) +
                              " is a recording, which stands beside another in the window; add "
                              "--window.");
        }
        out.against_rank = other_rank(*against, out.is_recording ? kMostRanks + 1 : out.plan.ranks);
        return;
    }
    if (out.is_recording && !given.has("--window"))
        throw usage_error(
            "--against " + shown(*against) +
            " is a server, and a recording is read at once; compare them with --window.");
    AttachInput other = out;
    other.address = *against;
    other.record.reset();  // what is recorded is the first one
    AttachPlan& plan = other.plan;
    plan.events = tcp_of("--against", *against, kAdvice);
    plan.replay.reset(), plan.metrics.reset();
    check_ports("--against", plan.events, plan.ranks);
    if (!plan.bind && plan.events.host == "*")
        throw usage_error("--against \"" + shown(*against) +
                          "\" names no one host; write the server's, or add --bind to listen for "
                          "both.");
    if (const auto replay = given.text("--against-replay")) {
        plan.replay = tcp_of("--against-replay", *replay, kAdvice);
        check_ports("--against-replay", *plan.replay, plan.ranks);
    }
    read_metrics(given, "--against-metrics", plan);
    out.against = std::make_shared<const AttachInput>(std::move(other));
}

bool reports_in_full(const GivenOptions& given) {
    const auto mode = given.text("--report");
    if (!mode || *mode == "incremental") return false;
    if (*mode != "full")
        refuse_value("--report", *mode, "is no way to report", "choose incremental or full");
    return true;
}

// The window can show tokens later on.
void read_words(const GivenOptions& given, AttachInput& out) {
    const auto path = given.text("--tokenizer");
    if (!path) return;
    if (!out.show_tokens && !given.has("--window"))
        throw usage_error(
            "--tokenizer makes words of token ids, and they stay hidden without --show-tokens; "
            "add it.");
    out.words = read_token_words(*path);
}

}  // namespace

const std::vector<OptionSpec>& attach_options() {
    static const std::vector<OptionSpec> options{
        {"--bind", "", "listen at the address; the server connects to it"},
        {"--replay", "tcp://HOST:PORT", "where the server gives batches again that were missed"},
        {"--topic", "TEXT", "only topics that begin with this; default all"},
        {"--metrics", "URL", "poll this as well: http://HOST:PORT/metrics"},
        {"--ranks", "N", "data-parallel ranks, each at the port + its number; default 1"},
        {"--against", "tcp://HOST:PORT|rank:N",
         "compare with another server, or rank 0 with another rank of this one"},
        {"--against-replay", "tcp://HOST:PORT", "the other server's replay"},
        {"--against-metrics", "URL", "the other server's metrics"},
        {"--pool", "N", "blocks of a rank's pool; default what the metrics say"},
        {"--report", "NAME",
         "incremental or full: whether the server announces hit blocks again; default incremental"},
        {"--most-blocks", "N",
         "blocks that are kept at most, cached ones and those removed last; default 2097152"},
        {"--record", "FILE.jsonl", "write what comes, a line a batch; hashes only", false, true},
        {"--for", "SECONDS", "stop after so long; default at Ctrl+C"},
        {"--until-sequence", "N", "stop when every rank has come to this batch"},
        {"--show-tokens", "", "keep token ids: in the JSON, and in what is recorded"},
        {"--tokenizer", "FILE",
         "a tokenizer.json that makes words of token ids, with --show-tokens"},
        {"--headless", "", "stay in the terminal, which is the default"},
        {"--window", "", "show it in the window, until it is closed"}};
    return options;
}

AttachInput read_attach(const GivenOptions& given, const CommonOptions& common) {
    AttachInput out;
    if (!given.positional)
        throw usage_error(
            "attach needs the address of a server's events, or a recording; write tcp://HOST:PORT, "
            "such as tcp://localhost:5557.");
    out.address = *given.positional;
    out.is_recording = names_recording(out.address);
    if (out.is_recording)
        refuse_beside_recording(given, out.address);
    else
        read_addresses(given, out);
    out.pool = whole_option(given, "--pool", 1, kMostPoolBlocks);
    out.tank.most_blocks = static_cast<std::uint32_t>(
        whole_option(given, "--most-blocks", TankSettings::kFewestBlocks, TankSettings::kMostBlocks)
            .value_or(out.tank.most_blocks));
    out.tank.full_reports = reports_in_full(given);
    out.show_tokens = out.tank.keep_tokens = given.has("--show-tokens");
    read_words(given, out);
    out.record = given.text("--record");
    refuse_both(given, "--for", "--until-sequence");
    if (const auto text = given.text("--for")) {
        std::string why;
        const auto seconds = parse_decimal(*text, why);
        if (!seconds || *seconds > kLongest_s || *seconds == 0)
            refuse_value("--for", *text, seconds ? "is no time" : why,
                         "give seconds above 0, such as 60");
        out.for_s = seconds;
    }
    out.until_sequence =
        whole_option(given, "--until-sequence", 0, std::numeric_limits<u64>::max());
    out.quiet = common.quiet;
    out.json = common.json;
    read_against(given, out);
    return out;
}

}  // namespace kv
