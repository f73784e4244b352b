#include "app/shell/xdg.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>

#include "core/base/error.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

Environment environment(std::map<std::string, std::string> values) {
    return [values](const char* name) -> std::optional<std::string> {
        const auto found = values.find(name);
        if (found == values.end()) return std::nullopt;
        return found->second;
    };
}

}  // namespace

TEST_CASE("without XDG variables the folders lie under HOME", "[xdg]") {
    const Folders f = folders_of(environment({{"HOME", "/home/ada"}}), "/elsewhere");
    CHECK(f.config == "/home/ada/.config/kvarium");
    CHECK(f.data == "/home/ada/.local/share/kvarium");
    CHECK(f.state == "/home/ada/.local/state/kvarium");
    CHECK(f.cache == "/home/ada/.cache/kvarium");
}

TEST_CASE("each XDG variable moves its own folder", "[xdg]") {
    const Folders f = folders_of(environment({{"HOME", "/home/ada"},
                                              {"XDG_CONFIG_HOME", "/c"},
                                              {"XDG_DATA_HOME", "/d"},
                                              {"XDG_STATE_HOME", "/s"},
                                              {"XDG_CACHE_HOME", "/t"}}),
                                 std::nullopt);
    CHECK(f.config == "/c/kvarium");
    CHECK(f.data == "/d/kvarium");
    CHECK(f.state == "/s/kvarium");
    CHECK(f.cache == "/t/kvarium");
}

TEST_CASE("relative and empty paths are ignored, so nothing lands in the current folder", "[xdg]") {
    for (const char* bad : {"", ".", "config", "./c", "../c", "~/c"}) {
        const Folders f = folders_of(
            environment({{"HOME", "/home/ada"}, {"XDG_CONFIG_HOME", bad}, {"XDG_CACHE_HOME", bad}}),
            std::nullopt);
        CHECK(f.config == "/home/ada/.config/kvarium");
        CHECK(f.cache == "/home/ada/.cache/kvarium");
    }
}

TEST_CASE("without a usable HOME the account's folder counts", "[xdg]") {
    CHECK(folders_of(environment({}), "/home/ada").config == "/home/ada/.config/kvarium");
    CHECK(folders_of(environment({{"HOME", "ada"}}), "/home/ada").data ==
          "/home/ada/.local/share/kvarium");
}

TEST_CASE("without any home the refusal names what to set", "[xdg]") {
    CHECK_THROWS_MATCHES(folders_of(environment({}), std::nullopt), Error,
                         MessageMatches(ContainsSubstring("Set HOME or XDG_CONFIG_HOME")));
    CHECK_THROWS_AS(folders_of(environment({{"XDG_CONFIG_HOME", "/c"}}), "relative"), Error);
    const Folders f = folders_of(environment({{"XDG_CONFIG_HOME", "/c"},
                                              {"XDG_DATA_HOME", "/d"},
                                              {"XDG_STATE_HOME", "/s"},
                                              {"XDG_CACHE_HOME", "/t"}}),
                                 std::nullopt);
    CHECK(f.state == "/s/kvarium");
}

TEST_CASE("the folders of this process are absolute", "[xdg]") {
    const Folders f = user_folders();
    for (const auto& folder : {f.config, f.data, f.state, f.cache}) CHECK(folder.is_absolute());
}

TEST_CASE("pictures go where the desktop says", "[xdg]") {
    const auto pictures = [](const std::string& user_dirs) {
        return pictures_of(user_dirs, "/home/ada");
    };
    CHECK(pictures("") == "/home/ada/Pictures");
    CHECK(pictures("XDG_PICTURES_DIR=\"$HOME/Bilder\"\n") == "/home/ada/Bilder");
    CHECK(pictures("# x\nXDG_MUSIC_DIR=\"$HOME/M\"\nXDG_PICTURES_DIR=\"/mnt/p\"") == "/mnt/p");
    CHECK(pictures("XDG_PICTURES_DIR=\"/a\"\nXDG_PICTURES_DIR=\"/b\"\n") == "/b");
    CHECK(pictures("#XDG_PICTURES_DIR=\"/a\"\n") == "/home/ada/Pictures");
    CHECK(pictures("XDG_PICTURES_DIR=/a\n") == "/home/ada/Pictures");
    // The home itself means none; a relative path is none.
    CHECK_FALSE(pictures("XDG_PICTURES_DIR=\"$HOME/\"\n"));
    CHECK_FALSE(pictures("XDG_PICTURES_DIR=\"$HOME\"\n"));
    CHECK_FALSE(pictures("XDG_PICTURES_DIR=\"pictures\"\n"));
    CHECK_FALSE(pictures_of("", std::nullopt));
}
