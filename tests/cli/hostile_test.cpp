// Lines that nobody should type. hostile_lines.txt has each with the exit code that is documented
// for it and a part of the sentence that must be said; here they are carried out in a folder of
// broken files.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <filesystem>
#include <sstream>

#include "core/base/files/utf8.hpp"
#include "tests/cli/run_cli.hpp"
#include "tests/places.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kSoon{60};  // on a machine that builds beside it

// "2 | a part of the sentence | run --prompt"
struct HostileLine {
    int code;
    std::string part, words;
};

std::vector<HostileLine> lines_of(const std::string& command) {
    std::istringstream text(read_text(kv::test::source_dir() + "/tests/cli/hostile_lines.txt"));
    std::vector<HostileLine> lines;
    for (std::string line; std::getline(text, line);) {
        if (line.empty() || line[0] == '#') continue;
        const std::size_t first = line.find(" | "), second = line.find(" | ", first + 1);
        REQUIRE(second != std::string::npos);
        const std::string words = line.substr(second + 3);
        const std::string of = words.substr(0, words.find(' '));
        const bool is_other = of != "run" && of != "shot";
        if (of == command || (command == "other" && is_other))
            lines.push_back({std::stoi(line.substr(0, first)),
                             line.substr(first + 3, second - first - 3), words});
    }
    return lines;
}

std::string scene(const std::string& field) {
    return R"({"version":1,"requests":[{"id":"A","prompt":"Greta put the key","max_new":4}],)" +
           field + "}";
}
std::string command(const std::string& words) {
    return scene(R"("commands":[{"at":1,"command":")" + words + R"("}])");
}

// The broken files that the lines name.
class BadFiles : public ScratchFolder {
public:
    BadFiles() {
        for (const char* folder : {"bad", "bad/latin1", "bad/latin1/01-x", "empty"})
            fs::create_directory(file(folder));
        write("bad/empty.kvscene", "");
        write("bad/list.kvscene", "[1,2]");
        write("bad/cut.kvscene", R"({"version":1,"requests":[{"id":"A")");
        write("bad/utf8.kvscene", "{\"version\":1,\"name\":\"\xff\"}");
        write("bad/utf16.kvscene", std::string("\xff\xfe{\0}\0", 6));
        write("bad/nul.kvscene", std::string("{\"version\":1}\0{}", 16));
        write("bad/deep.kvscene", "{\"view\":" + std::string(5000, '['));
        write("bad/twice.kvscene", R"({"version":1,"seed":1,"seed":2})");
        write("bad/newer.kvscene", R"({"version":2})");
        write("bad/climbs.kvscene", scene(R"("model":{"name":"../../../etc"})"));
        write("bad/climbs2.kvscene", scene(R"("model":{"name":"gqa/../../etc"})"));
        write("bad/setting.kvscene", command("set banana 3"));
        write("bad/value.kvscene", command("set k_codec banana"));
        write("bad/nobody.kvscene", command("stop Z"));
        write("bad/verb.kvscene", command("dance"));
        write("bad/priority.kvscene", command("priority A high"));
        write("bad/freelist.kvscene", scene(R"("settings":{"free_list":[99]})"));
        write("bad/token.kvscene", R"({"version":1,"requests":[{"id":"A","tokens":[99999]}]})");
        write("bad/emptyprompt.kvscene", R"({"version":1,"requests":[{"id":"A","prompt":""}]})");
        write("bad/fork.kvscene", R"({"version":1,"requests":[{"id":"A","fork_of":"A"}]})");
        write("bad/maxnew.kvscene",
              R"({"version":1,"requests":[{"id":"A","prompt":"x","max_new":0}]})");
        write("bad/weights.kvscene",
              scene(R"("model":{"name":"gqa","sha256":")" + std::string(64, '0') + R"("})"));
        write("bad/codec.kvscene", scene(R"("settings":{"k_codec":"int4:g7"})"));
        write("bad/clash.kvscene", scene(R"("settings":{"evict":"quest:64","positions":"cache"})"));
        write("bad/norequests.kvscene", R"({"version":1})");
        write("bad/beyond.kvscene", scene(R"("step":9999)"));
        write("bad/picture.png", "\x89PNG\r\n\x1a\n1234");
        write("bad/late.kvscene", scene(R"("commands":[{"at":9999,"command":"stop A"}])"));
        write("bad/speed.kvscene", scene(R"("speed":0)"));
        write("bad/number.kvscene", R"({"speed":1e400})");
        write("bad/view-key.kvscene", scene(R"("view":{"banana":1})"));
        write("bad/view-kind.kvscene", scene(R"("view":{"layer":"two"})"));
        write("bad/view-word.kvscene", scene(R"("view":{"step":"century"})"));
        write("bad/view-mark.kvscene",
              scene(R"("view":{"marked":{"request":"A","first":9,"last":2}})"));
        write("bad/lang-nul.txt", std::string("menu.file = \0\n", 14));
        write("bad/lang-latin1.txt", "menu.file = Men\xfc\n");
        write("bad/lang-unknown.txt", "no.such.id = x\n");
        write("bad/grade-list.json", "[]");
        write("bad/grade-unknown.json", R"({"seed":3,"answers":{"99.9":"1"}})");
        write("bad/latin1/01-x/lesson.md", "---\ntitle: Men\xfc\n---\n");
    }
};

// What a terminal can show as it stands, whatever was typed.
bool is_plain(const std::string& text) {
    return kv::valid_utf8_prefix(text) == text.size() &&
           std::none_of(text.begin(), text.end(),
                        [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; });
}

void check_lines(const std::string& command) {
    const std::vector<HostileLine> lines = lines_of(command);
    REQUIRE_FALSE(lines.empty());
    const BadFiles files;
    REQUIRE(run_shell("mkfifo '" + files.file("pipe") + "'").code == 0);
    std::vector<std::string> before = files.names();
    for (const HostileLine& line : lines) {
        CAPTURE(line.words);
        const auto start = std::chrono::steady_clock::now();
        const Ran ran = run_shell("cd '" + files.file("") + "'; unset DISPLAY WAYLAND_DISPLAY; " +
                                  "exec \"$KV\" " + line.words);
        CAPTURE(ran.err);
        CHECK(ran.code == line.code);
        CHECK(ran.out.empty());
        CHECK(count_lines(ran.err) == 1);
        CHECK(is_plain(ran.err));
        CHECK_THAT(ran.err, ContainsSubstring(line.part));
        CHECK(std::chrono::steady_clock::now() - start < kSoon);
        CHECK(files.names() == before);  // nothing was written
    }
}

}  // namespace

TEST_CASE("hostile lines of run are refused by what, where and what to do", "[hostile]") {
    check_lines("run");
}

TEST_CASE("hostile lines of shot are refused by what, where and what to do", "[hostile]") {
    check_lines("shot");
}

TEST_CASE("other hostile lines are refused by what, where and what to do", "[hostile]") {
    check_lines("other");
}
