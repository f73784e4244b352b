// What `kvarium attach --window` is told reaches the window: an option is a word of a command
// there, or is refused beside --window.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>

#include "app/cli/attach/in_window.hpp"
#include "app/cli/attach/input.hpp"
#include "app/frame/attach.hpp"

using namespace kv;

namespace {

std::vector<std::string> commands_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "tcp://localhost:5557");
    arguments.emplace_back("--window");
    return window_commands(parse_options(attach_options(), "tcp://HOST:PORT", arguments), false);
}

AttachAsk asked(const std::string& command) {
    const std::size_t space = command.find(' ');
    return read_attach_ask(command.substr(space + 1));
}

}  // namespace

TEST_CASE("no option of attach is lost on its way to the window", "[attach]") {
    const std::map<std::string_view, std::string> values{
        {"--replay", "tcp://localhost:5558"},
        {"--metrics", "http://localhost:8000/metrics"},
        {"--topic", "kv"},
        {"--ranks", "2"},
        {"--pool", "1000"},
        {"--report", "full"},
        {"--most-blocks", "4096"},
        {"--tokenizer", "tokenizer.json"},
        {"--against", "tcp://localhost:5657"},
        {"--against-replay", "tcp://localhost:5658"},
        {"--against-metrics", "http://localhost:8001/metrics"}};
    const std::vector<std::string> plain = commands_of({"--against", "tcp://localhost:5657"});
    for (const OptionSpec& option : attach_options()) {
        if (option.name == "--window" || option.name == "--against") continue;
        const auto refused = not_in_window();
        if (std::find(refused.begin(), refused.end(), option.name) != refused.end()) continue;
        CAPTURE(option.name);
        std::vector<std::string> given{"--against", "tcp://localhost:5657",
                                       std::string(option.name)};
        if (!option.value.empty()) {
            REQUIRE(values.count(option.name) == 1);
            given.push_back(values.at(option.name));
        }
        const std::vector<std::string> commands = commands_of(given);
        REQUIRE(commands.size() == 2);
        CHECK(commands != plain);
        for (std::size_t i = 0; i < 2; ++i)
            if (commands[i] != plain[i]) CHECK_FALSE(asked(commands[i]) == asked(plain[i]));
    }
}

TEST_CASE("a recording opens in the window with what was asked of it", "[attach]") {
    const auto of_file = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"hour.jsonl", "--window"});
        return window_commands(parse_options(attach_options(), "FILE", arguments), true);
    };
    using Commands = std::vector<std::string>;
    CHECK(of_file({}) == Commands{"attach.file hour.jsonl"});
    CHECK(of_file({"--show-tokens", "--tokenizer", "t.json", "--against", "rank:1"}) ==
          Commands{"attach.tokens", "attach.tokenizer t.json", "attach.file hour.jsonl",
                   "attach.against rank:1"});
    CHECK_THROWS(of_file({"--pool", "9"}));
}

TEST_CASE("the words of a server are what was asked of it", "[attach]") {
    const AttachAsk ask = asked(commands_of({"--pool", "1000", "--report", "full", "--most-blocks",
                                             "4096", "--ranks", "2", "--bind"})
                                    .front());
    CHECK(ask.pool == 1000u);
    CHECK(ask.most_blocks == 4096u);
    CHECK(ask.ranks == 2);
    CHECK(ask.full_reports);
    CHECK(ask.bind);
    CHECK_FALSE(asked("attach.open tcp://localhost:5557").pool);
    for (const char* wrong : {"pool=0", "pool=x", "most_blocks=3", "report=some", "ranks=65"})
        CHECK_THROWS(read_attach_ask(std::string("tcp://localhost:1 ") + wrong));
}

TEST_CASE("a server that answered is kept in the words that bring it back", "[attach]") {
    AttachAsk ask = read_attach_ask(
        "tcp://a:1 replay=tcp://a:2 metrics=http://a:3/metrics topic=kv ranks=2 pool=9 "
        "most_blocks=4096 report=full tokenizer=t.json bind");
    CHECK(read_attach_ask(words_of(ask)) == ask);
    CHECK(words_of(read_attach_ask("tcp://a:1")) == "tcp://a:1");
    ask.show_tokens = true;  // is asked for anew on another day
    CHECK_FALSE(read_attach_ask(words_of(ask)).show_tokens);
}
