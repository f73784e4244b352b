// `kvarium attach` as a person starts it: beside a run of ours that publishes, and against what is
// no server.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "app/attach/publisher.hpp"
#include "core/base/error.hpp"
#include "core/base/files/json.hpp"
#include "core/trace/server/hash.hpp"
#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

// The program, while the test does something else.
class Started {
public:
    explicit Started(std::vector<std::string> words) {
        words.insert(words.begin(), program_file());
        std::vector<char*> argv;
        argv.reserve(words.size() + 1);
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        const std::string out = scratch_.file("out"), err = scratch_.file("err");
        child_ = ::fork();
        if (child_ != 0) return;
        for (const auto& [path, fd] : {std::pair{out, 1}, std::pair{err, 2}})
            ::dup2(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), fd);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    void interrupt() const { ::kill(child_, SIGINT); }
    std::string said() const { return read_text(scratch_.file("err")); }
    // What it said, once `turn` has been called until it ended.
    template <class Turn>
    Ran ended(const Turn& turn) {
        int status = 0;
        while (::waitpid(child_, &status, WNOHANG) == 0) turn();
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                read_text(scratch_.file("out")), read_text(scratch_.file("err"))};
    }

private:
    ScratchFolder scratch_;
    pid_t child_ = -1;
};

constexpr const char* kHost = "127.0.0.1";

std::string tcp(std::uint16_t port) {
    return std::string("tcp://") + kHost + ":" + std::to_string(port);
}

std::uint16_t free_port() {
    return kv::port_of(kv::listen_at({kHost, 0}));
}

// The hashes that a run's own events leave findable, as text.
std::vector<std::string> findable(const std::string& path) {
    std::istringstream lines(read_text(path));
    std::map<std::string, int> copies;
    for (std::string text; std::getline(lines, text);) {
        const Json event = Json::parse(text);
        const std::string kind = event.value("event", "");
        if (kind != "BlockStored" && kind != "BlockRemoved") continue;
        for (const Json& hash : event.at("block_hashes"))
            copies[std::to_string(hash.get<std::uint64_t>())] += kind == "BlockStored" ? 1 : -1;
    }
    std::vector<std::string> list;
    for (const auto& [hash, n] : copies)
        if (n > 0) list.push_back(hash);
    return list;
}

kv::ServerBatch stored(std::uint64_t hash) {
    return {.time_s = 5,
            .events = {kv::ServerStored{
                .hashes = {kv::server_hash(hash)}, .tokens = {1, 2, 3, 4}, .block_size = 4}}};
}

}  // namespace

TEST_CASE("a run that publishes is seen by who attaches to it", "[attach]") {
    const ScratchFolder folder;
    const std::uint16_t events = free_port(), replay = free_port();
    Started run({"run", "--prompt",
                 "Greta put the key in the barn. Where is the key? Greta put the key in the",
                 "--block-size", "4", "--backend", "reference", "--events", folder.file("events"),
                 "--publish", tcp(events), "--publish-replay", tcp(replay), "--publish-stay",
                 "60"});
    // The last batch stores the block that the answer's last tokens fill.
    Started attached({"attach", tcp(events), "--replay", tcp(replay), "--until-sequence", "5",
                      "--record", folder.file("record"), "--json"});
    const Ran seen = attached.ended([] { ::usleep(20'000); });
    // Steps that fill no block are still to come.
    constexpr int kMostTurns = 3000;
    for (int i = 0; i < kMostTurns && run.said().find("the run is over") == std::string::npos; ++i)
        ::usleep(20'000);
    run.interrupt();
    const Ran ran = run.ended([] { ::usleep(20'000); });
    CAPTURE(seen.err, ran.err);
    REQUIRE(seen.code == 0);
    REQUIRE(ran.code == 0);
    const Json json = Json::parse(seen.out);
    CHECK(json.at("server").at("ranks") == Json{0});
    CHECK(json.at("server").at("first_sequence") == Json{0});
    CHECK(json.at("server").at("last_sequence") == Json{5});
    CHECK(json.at("server").at("began_in_the_middle") == Json{false});
    const auto expected = findable(folder.file("events"));
    const auto hashes = json.at("hashes").get<std::vector<std::string>>();
    CHECK(std::is_sorted(hashes.begin(), hashes.end()));
    CHECK(std::includes(expected.begin(), expected.end(), hashes.begin(), hashes.end()));
    CHECK(json.at("cached").at(0).at("blocks") == hashes.size());
    CHECK(json.at("cached").at(0).at("block_size") == 4);
    CHECK(json.at("cached").at(0).at("tokens") == 4 * hashes.size());
    // Hashes only, unless somebody asks for tokens.
    const std::string record = read_text(folder.file("record"));
    CHECK(count_lines(record) == 6);
    CHECK_THAT(record, ContainsSubstring("\"token_ids\":[]"));
}

TEST_CASE("Ctrl+C ends it with what was seen so far", "[attach]") {
    kv::Publisher publisher({.events = {kHost, 0}, .topic = "kv"});
    Started attached({"attach", tcp(publisher.events_port()), "--json", "--show-tokens"});
    std::uint64_t turns = 0;
    const Ran ran = attached.ended([&] {
        publisher.step(0.01);
        if (publisher.subscribers() == 0) return;
        if (publisher.published() == 0) publisher.publish(stored(77));
        if (++turns == 60) attached.interrupt();
    });
    CAPTURE(ran.err);
    CHECK(ran.code == 130);
    const Json json = Json::parse(ran.out);
    CHECK(json.at("hashes") == Json{"77"});
    CHECK(json.at("events").at("stored") == 1);
}

TEST_CASE("a tokenizer makes words of what is shown, and of nothing that is recorded", "[attach]") {
    const ScratchFolder scratch;
    const std::string tokenizer = scratch.file("tokenizer.json");
    std::ofstream(tokenizer)
        << R"({"model":{"type":"BPE","vocab":{"one":1,"\u0120two":2},"merges":[]},
        "decoder":{"type":"ByteLevel"}})";
    check_refused({"attach", tcp(free_port()), "--tokenizer", tokenizer}, 2, "--show-tokens");
    check_refused({"attach", tcp(free_port()), "--show-tokens", "--tokenizer", "/nowhere/t.json"},
                  1, "/nowhere/t.json");

    kv::Publisher publisher({.events = {kHost, 0}, .topic = "kv"});
    const std::string record = scratch.file("words.jsonl");
    Started attached({"attach", tcp(publisher.events_port()), "--json", "--show-tokens",
                      "--tokenizer", tokenizer, "--until-sequence", "2", "--record", record});
    const Ran ran = attached.ended([&] {
        publisher.step(0.01);
        if (publisher.subscribers() == 0 || publisher.published() > 0) return;
        kv::ServerBatch first = stored(77);
        std::get<kv::ServerStored>(first.events.front()).tokens = {1, 2, 2, 9};
        publisher.publish(first);
        for (const std::uint64_t hash : {78, 79}) {  // requests that find it
            kv::ServerBatch then = stored(hash);
            std::get<kv::ServerStored>(then.events.front()).parent = kv::server_hash(77);
            then.time_s = static_cast<double>(hash);
            publisher.publish(then);
        }
    });
    CAPTURE(ran.out, ran.err);
    CHECK(ran.code == 0);
    CHECK_THAT(ran.out, ContainsSubstring("\"words\": \"one two two<id 9>\""));
    CHECK_THAT(read_text(record), !ContainsSubstring("two"));
}

TEST_CASE("a server that is not there, or is another one, is one sentence", "[attach]") {
    const std::string nowhere = tcp(free_port());
    check_refused({"attach", nowhere, "--for", "0.3", "--json"}, 1,
                  "start the server with kv-events");

    const kv::Socket listener = kv::listen_at({kHost, 0});
    kv::Socket guest;
    Started attached({"attach", tcp(kv::port_of(listener)), "--for", "20", "--json"});
    const Ran ran = attached.ended([&] {
        ::usleep(5'000);
        if (!guest) guest = kv::accept_from(listener);
        if (guest) kv::write_some(guest, "220 mail.example ESMTP\r\n");
    });
    CHECK(ran.code == 1);
    CHECK(ran.out.empty());
    CHECK(count_lines(ran.err) == 1);
    CHECK_THAT(ran.err, ContainsSubstring("does not begin as ZeroMQ does"));
}

namespace {

// Publishes that batch to everybody who has come, once.
void publish_once(kv::Publisher& publisher, const kv::ServerBatch& batch) {
    publisher.step(0.005);
    if (publisher.subscribers() > 0 && publisher.published() == 0) publisher.publish(batch);
}

// Two publishers at neighbouring ports, as two ranks of a server are.
std::pair<std::unique_ptr<kv::Publisher>, std::unique_ptr<kv::Publisher>> neighbours() {
    for (int tries = 0; tries < 100; ++tries) {
        try {
            auto first = std::make_unique<kv::Publisher>(kv::PublishPlan{.events = {kHost, 0}});
            const auto next = static_cast<std::uint16_t>(first->events_port() + 1);
            return {std::move(first),
                    std::make_unique<kv::Publisher>(kv::PublishPlan{.events = {kHost, next}})};
        } catch (const kv::Error&) {  // that one is taken
        }
    }
    FAIL("no two neighbouring ports are free");
    return {};
}

}  // namespace

TEST_CASE("two servers give both objects, and what they are compared by", "[attach]") {
    kv::Publisher one({.events = {kHost, 0}}), other({.events = {kHost, 0}});
    Started attached({"attach", tcp(one.events_port()), "--against", tcp(other.events_port()),
                      "--until-sequence", "0", "--json"});
    kv::ServerBatch more = stored(77);
    more.events.push_back(stored(78).events.front());
    const Ran ran = attached.ended([&] {
        publish_once(one, stored(77));
        publish_once(other, more);
    });
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    const Json json = Json::parse(ran.out);
    CHECK(json.at("left").at("hashes") == Json{"77"});
    CHECK(json.at("right").at("hashes") == Json{"77", "78"});
    CHECK(json.at("compared").at("left").at("cached_blocks") == 1);
    CHECK(json.at("compared").at("right").at("cached_blocks") == 2);
    CHECK(json.at("compared").at("right").at("exact") == true);
    CHECK(json.at("compared").at("right").at("prefix_hit_rate_60s").is_null());

    std::ifstream page(source_dir() + "/docs/attach.md");
    const std::string words{std::istreambuf_iterator<char>(page), {}};
    for (const auto& [name, value] : json.at("compared").at("left").items())
        CHECK_THAT(words, ContainsSubstring("`" + name + "`"));
}

TEST_CASE("one server that is not there leaves the other, and exit code 1", "[attach]") {
    const std::string nowhere = tcp(free_port());
    for (const bool swapped : {false, true}) {
        kv::Publisher one({.events = {kHost, 0}});
        const std::string here = tcp(one.events_port());
        Started attached({"attach", swapped ? nowhere : here, "--against", swapped ? here : nowhere,
                          "--for", "2", "--json"});
        const Ran ran = attached.ended([&] { publish_once(one, stored(77)); });
        CHECK(ran.code == 1);
        CHECK(count_lines(ran.err) == 1);
        CHECK_THAT(ran.err, ContainsSubstring("start the server with kv-events"));
        CHECK_THAT(ran.err, ContainsSubstring(swapped ? "left: " : "right: "));
        const Json json = Json::parse(ran.out);
        CHECK(json.at(swapped ? "right" : "left").at("hashes") == Json{"77"});
        CHECK_THAT(json.at(swapped ? "left" : "right").at("problem").get<std::string>(),
                   ContainsSubstring(nowhere));
    }
    const Ran none =
        run_cli({"attach", nowhere, "--against", tcp(free_port()), "--for", "0.3", "--json"});
    CHECK(none.code == 1);
    CHECK(none.out.empty());
    CHECK(count_lines(none.err) == 2);
}

TEST_CASE("a server that sends nothing, or under another topic, is no silence", "[attach]") {
    for (const bool asks_for_another : {false, true}) {
        kv::Publisher publisher({.events = {kHost, 0}, .topic = "kv"});
        std::vector<std::string> words{"attach", tcp(publisher.events_port()), "--for", "4",
                                       "--json"};
        if (asks_for_another) words.insert(words.end(), {"--topic", "other"});
        Started attached(words);
        const Ran ran = attached.ended([&] {
            publisher.step(0.01);
            if (asks_for_another) publish_once(publisher, stored(77));
        });
        CHECK(ran.code == 0);
        CHECK(count_lines(ran.err) == 1);
        CHECK_THAT(ran.err, ContainsSubstring("rank 0: no batch came"));
        CHECK((ran.err.find("its topic must begin with other") != std::string::npos) ==
              asks_for_another);
        CHECK(Json::parse(ran.out).at("hashes").empty());
    }
}

TEST_CASE("a recording gives what listening gave", "[attach]") {
    const ScratchFolder scratch;
    const std::string file = scratch.file("hour.jsonl");
    kv::Publisher publisher({.events = {kHost, 0}});
    Started attached({"attach", tcp(publisher.events_port()), "--until-sequence", "0", "--json",
                      "--record", file});
    const Ran live = attached.ended([&] { publish_once(publisher, stored(77)); });
    REQUIRE(live.code == 0);
    const Ran again = run_cli({"attach", file, "--json"});
    CAPTURE(again.err);
    REQUIRE(again.code == 0);
    CHECK(again.err.empty());
    const Json then = Json::parse(live.out), now = Json::parse(again.out);
    for (const char* key : {"server", "cached", "hashes", "events", "pool"})
        CHECK(now.at(key) == then.at(key));
    const Ran table = run_cli({"attach", file, "--against", "rank:1"});
    CHECK(table.code == 1);
    CHECK_THAT(table.err, ContainsSubstring("has no rank 1; it has 0"));
    const Ran both = run_cli({"attach", file, "--replay", "tcp://localhost:1"});
    CHECK(both.code == 2);
    CHECK_THAT(both.err, ContainsSubstring("--replay is for a server that runs"));
    const Ran two = run_cli({"attach", file, "--against", file});
    CHECK(two.code == 2);
    CHECK_THAT(two.err, ContainsSubstring("is a recording, which stands beside another"));
    const Ran gone = run_cli({"attach", scratch.file("none.jsonl")});
    CHECK(gone.code == 1);
    CHECK_THAT(gone.err, ContainsSubstring("there is no such file"));
    const Ran words = run_cli({"attach", scratch.write("words.jsonl", "what is this\n")});
    CHECK(words.code == 1);
    CHECK_THAT(words.err, ContainsSubstring("no line holds a batch"));
}

TEST_CASE("two ranks of a server are compared as well", "[attach]") {
    const auto pair = neighbours();
    const auto &zero = pair.first, &one = pair.second;
    Started attached({"attach", tcp(zero->events_port()), "--ranks", "2", "--against", "rank:1",
                      "--until-sequence", "0"});
    kv::ServerBatch of_one = stored(5);
    of_one.rank = 1;
    of_one.events.push_back(stored(6).events.front());
    of_one.events.push_back(stored(7).events.front());
    const Ran ran = attached.ended([&] {
        publish_once(*zero, stored(5));
        publish_once(*one, of_one);
    });
    CAPTURE(ran.out, ran.err);
    REQUIRE(ran.code == 0);
    CHECK_THAT(ran.out, ContainsSubstring("compared                      rank 0  rank 1\n"
                                          "blocks cached                      1       3\n"));
}

TEST_CASE("wrong lines of attach", "[attach][usage]") {
    check_refused({"attach"}, 2, "needs the address");
    check_refused({"attach", "localhost:5557"}, 2, "does not begin with tcp://");
    check_refused({"attach", "tcp://localhost"}, 2, "has no port");
    check_refused({"attach", "tcp://*:5557"}, 2, "add --bind");
    check_refused({"attach", "tcp://h:65535", "--ranks", "2"}, 2, "leaves no ports for 2 ranks");
    check_refused({"attach", "tcp://h:1", "--ranks", "0"}, 2, "--ranks \"0\"");
    check_refused({"attach", "tcp://h:1", "--replay", "h:2"}, 2, "--replay");
    check_refused({"attach", "tcp://h:1", "--metrics", "https://h"}, 2,
                  "does not begin with http://");
    check_refused({"attach", "tcp://h:1", "--for", "0"}, 2, "--for \"0\" is no time");
    check_refused({"attach", "tcp://h:1", "--for", "1", "--until-sequence", "1"}, 2,
                  "exclude each other");
    check_refused({"attach", "tcp://h:1", "--report", "some"}, 2, "choose incremental or full");
    check_refused({"attach", "tcp://h:1", "--record", "/nowhere/x"}, 1, "/nowhere/x");
    check_refused({"attach", "tcp://h:1", "--against", "h:2"}, 2, "names no rank and no server");
    check_refused({"attach", "tcp://h:1", "--against", "tcp://h"}, 2, "--against \"tcp://h\"");
    check_refused({"attach", "tcp://h:1", "--against", "tcp://*:2"}, 2, "add --bind");
    check_refused({"attach", "tcp://h:1", "--against", "rank:1"}, 2, "give --ranks 2 or more");
    check_refused({"attach", "tcp://h:1", "--against", "rank:0"}, 2, "name a rank from 1 on");
    check_refused({"attach", "tcp://h:1", "--against", "rank:x"}, 2, "names no rank: its number");
    check_refused({"attach", "tcp://h:1", "--against-replay", "tcp://h:2"}, 2,
                  "add --against tcp://HOST:PORT");
    check_refused({"attach", "tcp://h:1", "--ranks", "2", "--against", "rank:1",
                   "--against-metrics", "http://h:2/metrics"},
                  2, "add --against tcp://HOST:PORT");
    check_refused({"attach", "tcp://h:1", "--against", "tcp://h:2", "--against-metrics", "h"}, 2,
                  "--against-metrics");
    check_refused({"run", "--prompt", "x", "--publish-stay", "1"}, 2, "add --publish");
    check_refused({"run", "--prompt", "x", "--publish", "*:1"}, 2, "does not begin with tcp://");
}
