#include "core/engine/settings/command.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/engine/settings/settings.hpp"

using namespace kv;

TEST_CASE("what is printed of a command parses to the same command", "[engine][commands]") {
    for (const EngineCommand& command : std::vector<EngineCommand>{
             SetSetting{"k_codec", "f32"}, SetSetting{"free_list", "7,1,3"}, StopRequest{"A"},
             PauseRequest{"B7"}, ResumeRequest{"C"}, ForkRequest{"A", "B"}, SetPriority{"A", -3},
             SetPriority{"A", 0}, AddRequest{"D", "Greta put the key in the barn."},
             ClearPrefixes{}}) {
        std::string why;
        CAPTURE(print(command));
        CHECK(parse_engine_command(print(command), why) == command);
        CHECK(why.empty());
    }
}

TEST_CASE("a text that is no command is refused with its form", "[engine][commands]") {
    const auto refusal = [](const std::string& text) {
        std::string why;
        CHECK_FALSE(parse_engine_command(text, why).has_value());
        return why;
    };
    CHECK(refusal("").find("is no command") != std::string::npos);
    CHECK(refusal("frobnicate A").find("is no command") != std::string::npos);
    CHECK(refusal("set k_codec") == "has not the form set NAME VALUE");
    CHECK(refusal("stop") == "has not the form stop REQUEST");
    CHECK(refusal("stop A B") == "has not the form stop REQUEST");
    CHECK(refusal("stop  A") == "has not the form stop REQUEST");
    CHECK(refusal("clear all") == "has not the form clear");
    CHECK(refusal("priority A high").find("whole number") != std::string::npos);
    CHECK(refusal("priority A 1000001").find("whole number") != std::string::npos);
}

TEST_CASE("every setting writes what it reads", "[engine][settings]") {
    for (const SettingRow& row : engine_setting_rows()) {
        CAPTURE(row.name);
        EngineSettings settings;
        const std::string text = row.write(settings);
        CHECK(row.read(settings, text).empty());
        CHECK(row.write(settings) == text);
        CHECK_FALSE(row.read(settings, "no such value").empty());
        CHECK(row.write(settings) == text);
    }
    EngineSettings settings;
    CHECK(find_setting("free_list")->read(settings, "7,1,7") == "names block 7 twice");
    CHECK(find_setting("pool")->read(settings, "384KiB").empty());
    CHECK(blocks_of(settings.pool, 8192) == 48);
    CHECK_FALSE(blocks_of(settings.pool, 500'000).has_value());
}
