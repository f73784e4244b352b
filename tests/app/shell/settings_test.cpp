// What the program remembers: there and back, and every way a file can be wrong.

#include "app/shell/settings.hpp"

#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/shell/files.hpp"
#include "core/base/error.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kName = "settings.json";

Settings unusual() {
    return {.theme = ThemeName::Contrast,
            .text_scale = 1.7f,
            .reduced_motion = true,
            .layout = "present",
            .first_start_done = true,
            .window = {2560, 1440},
            .recent_scenes = {"/data/\"odd\" name.kvscene", "/tmp/ü.kvscene"},
            .recent_models = {"/models/tiny"},
            .recent_servers = {"tcp://gpu-3:5557 replay=tcp://gpu-3:5558 ranks=2"}};
}

// {"version": 1, <text>}
std::string with(const std::string& text) {
    return "{\"version\": 1, " + text + "}";
}

void check_refused(const std::string& text, const std::string& words) {
    INFO(text.substr(0, 200));
    CHECK_THROWS_MATCHES(
        load_settings(text, kName), Error,
        MessageMatches(ContainsSubstring(std::string(kName)) && ContainsSubstring(words)));
}

}  // namespace

TEST_CASE("settings read back as they were written", "[settings]") {
    for (const Settings& settings : {Settings{}, unusual()})
        CHECK(load_settings(print_settings(settings), kName) == settings);
    for (const float scale : {0.8f, 0.9f, 1.1f, 1.25f, 2.2f, 3.0f}) {
        Settings settings;
        settings.text_scale = scale;
        CHECK(load_settings(print_settings(settings), kName).text_scale == scale);
    }
}

TEST_CASE("what a file leaves out keeps its default", "[settings]") {
    CHECK(load_settings("{\"version\": 1}", kName) == Settings{});
    Settings light;
    light.theme = ThemeName::Light;
    CHECK(load_settings(with("\"theme\": \"light\""), kName) == light);
}

TEST_CASE("values out of range are refused by file, field and value", "[settings]") {
    check_refused(with("\"recent_scenes\": 3"),
                  "recent_scenes is 3; it must be a list of at most 8 paths");
    check_refused(with("\"recent_models\": [\"\"]"), "a list of at most 8 paths");
    check_refused(with("\"recent_models\": [\"a\", 1]"), "a list of at most 8 paths");
    check_refused(with("\"recent_servers\": [1]"), "a list of at most 8 addresses");
    check_refused(with("\"theme\": \"blue\""),
                  "theme is \"blue\"; it must be dark, light or contrast");
    check_refused(with("\"theme\": 1"), "theme is 1");
    check_refused(with("\"theme\": null"), "theme is null");
    check_refused(with("\"text_scale\": 0.79"),
                  "text_scale is 0.79; it must be a number from 0.8 to 3");
    check_refused(with("\"text_scale\": 3.01"), "text_scale is 3.01");
    check_refused(with("\"text_scale\": -1"), "text_scale is -1");
    check_refused(with("\"text_scale\": 1e30"), "text_scale is 1e+30");
    check_refused(with("\"text_scale\": \"1\""), "text_scale is \"1\"");
    check_refused(with("\"reduced_motion\": 1"), "reduced_motion is 1; it must be true or false");
    check_refused(with("\"reduced_motion\": \"true\""), "reduced_motion is \"true\"");
    check_refused(with("\"first_start_done\": []"), "first_start_done is []");
    check_refused(with("\"layout\": \"Learn\""), "layout is \"Learn\"");
    check_refused(with("\"layout\": 3"), "layout is 3");
    check_refused(with("\"window_width\": 319"),
                  "window_width is 319; it must be a whole number from 320 to 16,384");
    check_refused(with("\"window_width\": 16385"), "window_width is 16385");
    check_refused(with("\"window_height\": 900.5"), "window_height is 900.5");
    check_refused(with("\"window_height\": -900"), "window_height is -900");
    check_refused(with("\"window_height\": 18446744073709551616"),
                  "window_height is 1.8446744073709552e+19");
}

TEST_CASE("unknown and doubled keys are refused by name", "[settings]") {
    check_refused(with("\"colour\": \"red\""), "colour is not a setting");
    check_refused(with("\"Theme\": \"dark\""), "Theme is not a setting");
    check_refused(with("\"\": 0"), "is not a setting");
    check_refused(with("\"theme\": \"dark\", \"theme\": \"light\""), "theme stands there twice");
    check_refused("{\"version\": 1, \"version\": 1}", "version stands there twice");
}

TEST_CASE("a sentence about a strange key stays one short line", "[settings]") {
    try {
        load_settings(with("\"a\\nb" + std::string(500, 'x') + "\": 0"), kName);
        FAIL("accepted");
    } catch (const Error& error) {
        const std::string sentence = error.what();
        CHECK(sentence.size() < 160);
        CHECK(sentence.find('\n') == std::string::npos);
    }
}

TEST_CASE("other versions are refused", "[settings]") {
    check_refused("{\"version\": 2}", "version is 2, from a newer KVarium");
    check_refused("{\"version\": 65535, \"new\": {}}", "from a newer KVarium");
    check_refused("{\"version\": 0}", "version is 0");
    check_refused("{\"version\": -1}", "version is -1");
    check_refused("{\"version\": \"1\"}", "version is \"1\"");
    check_refused("{\"version\": 1.0}", "version is 1.0");
    check_refused("{}", "version is missing");
}

TEST_CASE("what is not one JSON object is refused with the place", "[settings]") {
    check_refused("", "is not JSON");
    check_refused("{", "is not JSON (at byte 2)");
    check_refused("{\"version\": 1} x", "is not JSON");
    check_refused("{\"version\": 1,}", "is not JSON");
    check_refused("{\"version\": 1, \"text_scale\": NaN}", "is not JSON");
    check_refused("{\"version\": 1, \"text_scale\": 1e999}", "is not JSON");
    check_refused(std::string("{\"version\": 1}\0x", 16), "is not JSON (at byte 15)");
    check_refused("{\"version\": 1, \"layout\": \"\xFF\"}", "is not JSON");
    check_refused("[]", "is not a JSON object");
    check_refused("null", "is not a JSON object");
    check_refused("1", "is not a JSON object");
    check_refused(std::string(10'000, '['), "brackets more than 4 deep");
    check_refused(with("\"theme\": " + std::string(10'000, '[') + std::string(10'000, ']')),
                  "brackets more than 4 deep");
    check_refused(std::string(65'537, ' ') + "{}", "larger than 64 KiB");
}

TEST_CASE("cut and damaged files give settings or a refusal, nothing else", "[settings]") {
    const std::string whole = print_settings(unusual());
    for (std::size_t length = 0; length + 2 < whole.size(); ++length)
        CHECK_THROWS_AS(load_settings(whole.substr(0, length), kName), Error);
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const char byte : {'\0', '"', '{', '9', '\xFF'}) {
            std::string damaged = whole;
            damaged[at] = byte;
            try {
                load_settings(damaged, kName);
            } catch (const Error& error) {
                CHECK_THAT(error.what(), ContainsSubstring(std::string(kName)));
            }
        }
}

TEST_CASE("no file is no complaint, and saving makes the folder", "[settings]") {
    const ScratchFolder folder;
    const fs::path file = folder.path() / "a" / "b" / "settings.json";
    CHECK(read_settings(file).settings == Settings{});
    CHECK_FALSE(read_settings(file).complaint);
    write_settings(file, unusual());
    CHECK(read_settings(file).settings == unusual());
    CHECK_FALSE(read_settings(file).complaint);
    CHECK_FALSE(fs::exists(folder.path() / "a" / "b" / "settings.json.bad"));
}

TEST_CASE("a corrupted file gives the defaults and a sentence, and is kept when saving",
          "[settings]") {
    const ScratchFolder folder;
    const fs::path file = folder.path() / "settings.json";
    save_file(file, "{\"version\": 1, \"theme\": \"blu");
    const ReadSettings read = read_settings(file);
    CHECK(read.settings == Settings{});
    REQUIRE(read.complaint);
    CHECK_THAT(*read.complaint, ContainsSubstring(file.string()));

    write_settings(file, unusual());
    CHECK(read_settings(file).settings == unusual());
    CHECK(read_file(folder.path() / "settings.json.bad", 1000) ==
          "{\"version\": 1, \"theme\": \"blu");
}

TEST_CASE("a settings file that is no file never stops the program", "[settings]") {
    const ScratchFolder folder;
    const fs::path directory = folder.path() / "directory", pipe = folder.path() / "pipe";
    fs::create_directory(directory);
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    fs::create_symlink("loop", folder.path() / "loop");
    for (const fs::path& file : {directory, pipe, folder.path() / "loop", fs::path("/dev/zero")}) {
        INFO(file);
        const ReadSettings read = read_settings(file);
        CHECK(read.settings == Settings{});
        CHECK(read.complaint.has_value());
    }
    save_file(folder.path() / "big", std::string(65'537, ' '));
    REQUIRE(read_settings(folder.path() / "big").complaint);
    CHECK_THAT(*read_settings(folder.path() / "big").complaint,
               ContainsSubstring("larger than 65,536 bytes"));
}

TEST_CASE("saving where it cannot be done says so", "[settings]") {
    const ScratchFolder folder;
    save_file(folder.path() / "file", "x");
    CHECK_THROWS_AS(write_settings(folder.path() / "file" / "settings.json", Settings{}), Error);
}
