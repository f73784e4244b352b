// A trace as lines of JSON, with the head that the events of docs/trace-format.md have.
#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "core/base/error.hpp"
#include "core/base/files/json.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/files/json.hpp"
#include "tests/trace/random_event.hpp"

using namespace kv;

namespace {

const NameOfRequest kLetters = [](SeqId id) { return std::string(1, char('A' + id.value % 26)); };

// Random bits are not always a number; a clock's reading is.
struct Finite {
    void operator()(std::string_view, double& value) const { value = 0.25; }
    void operator()(std::string_view, std::optional<float>& value) const { value = 0.25f; }
    void operator()(std::string_view, std::vector<float>& values) const {
        for (float& value : values) value = -0.5f;
    }
    template <class T>
    void operator()(std::string_view, T&) const {}
};

}  // namespace

TEST_CASE("a line has the head, the event's own fields and the reason", "[trace]") {
    const BlockStored stored{
        {18446744073709551615U, 7}, {}, {3, 1, 4, 1}, 2, Medium::Device, {5, 0}};
    CHECK(event_json(12, {3, SeqId(0), Reason::same_prefix(SeqId(1), 1600), stored}, kLetters) ==
          R"({"n":12,"iteration":3,"event":"BlockStored","request":"A",)"
          R"("block_hashes":[18446744073709551615,7],"parent_block_hash":null,)"
          R"("token_ids":[3,1,4,1],"block_size":2,"medium":"device","blocks":[5,0],)"
          R"("reason":"request B begins with the same 1,600 tokens",)"
          R"("why":["same_prefix","B",1600,0]})");
}

TEST_CASE("the first line says the version and the model", "[trace]") {
    const Event event{0, {}, {Why::ByCommand}, SettingChanged{"evict", "window:64"}};
    CHECK(event_json(0, event, kLetters, {.model = "ab12"}) ==
          R"({"n":0,"iteration":0,"event":"SettingChanged","request":null,"setting":"evict",)"
          R"("value":"window:64","reason":"a command said so","why":["by_command",null,0,0],)"
          R"("kvarium_trace":1,"model":"ab12"})");
    const auto plain = nlohmann::json::parse(event_json(0, event, kLetters));
    CHECK(plain["model"].is_null());
    CHECK_FALSE(nlohmann::json::parse(event_json(1, event, kLetters)).contains("model"));
}

TEST_CASE("measured times are printed to the bit or left out", "[trace]") {
    const Operation part{Op::Attend, LayerId(2), 10, 20, 30, 0.1};
    const Event event{1, {}, Reason::part_of_iteration(1), part};
    const std::string with = event_json(5, event, kLetters);
    const std::string without = event_json(5, event, kLetters, {.with_times = false});
    CHECK(with.find(R"("bytes_written":30,"us":0.1,"reason")") != std::string::npos);
    CHECK(without.find(R"("bytes_written":30,"reason")") != std::string::npos);
    const Event broken{1,
                       {},
                       Reason::part_of_iteration(1),
                       IterationFinished{.us = std::numeric_limits<double>::infinity()}};
    CHECK_THROWS_AS(event_json(5, broken, kLetters), BrokenAssert);
}

TEST_CASE("texts are escaped, and what is no UTF-8 is replaced", "[trace]") {
    const CommandRefused refused{"say \"\\\n\x1F\xFF", "\xC3\xBC"};
    const std::string line = event_json(5, {1, {}, {Why::ByCommand}, refused}, kLetters);
    CHECK(line.find(R"("command":"say \"\\\u000a\u001f)"
                    "\xEF\xBF\xBD\"") != std::string::npos);
    const auto json = nlohmann::json::parse(line);
    CHECK(json["sentence"] == "\xC3\xBC");
}

TEST_CASE("every kind of event is one line of JSON and none has a field of the head", "[trace]") {
    test::Dice dice(8, 0);
    for (int round = 0; round < 50; ++round)
        for (std::size_t kind = 0; kind < std::variant_size_v<AnyEvent>; ++kind) {
            Event event = test::random_event(dice, kind);
            std::visit([](auto& what) { what.fields(what, Finite{}); }, event.what);
            const std::string line = event_json(1, event, kLetters, {.with_times = false});
            REQUIRE(line.find('\n') == std::string::npos);
            std::vector<std::string> keys;
            const auto watch = [&](int depth, nlohmann::json::parse_event_t what,
                                   const auto& value) {
                if (depth == 1 && what == nlohmann::json::parse_event_t::key)
                    keys.push_back(value.template get<std::string>());
                return true;
            };
            const auto json = nlohmann::json::parse(line, watch);
            REQUIRE(keys.size() == json.size());
            REQUIRE(json["event"] == std::string(name_of(event.what)));
            REQUIRE_FALSE(json["reason"].get<std::string>().empty());
        }
}
